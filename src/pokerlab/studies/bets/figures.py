"""Pictures of the study."""

from __future__ import annotations

import numpy as np

from pokerlab.games.betting_trees.menus import PLAYERS, STREETS
from pokerlab.studies.bets.finding_tables import finding_means
from pokerlab.studies.bets.findings import THIRDS
from pokerlab.studies.bets.results import ALL_ANSWERS, BetsResults
from pokerlab.views.figure_file import COLOURS, panel_file

_LEAST = 0.01
"""Percent of the pot: what is drawn for less, which solves do not tell from nothing."""


def draw_menus(results: BetsResults) -> bytes:
    """What a coarse menu loses by how it answers unknown sizes (SVG)."""
    rows = list(results.losses())
    streets = list(dict.fromkeys(row.street for row in rows))
    menus = list(dict.fromkeys(row.sizes for row in rows))
    with panel_file(1, len(streets), 3.6, 3.6, same_scale=True) as (panels, file):
        for axes, street in zip(panels, streets, strict=True):
            for number, sizes in enumerate(menus):
                here = [row for row in rows if (row.street, row.sizes) == (street, sizes)]
                for place, answer in enumerate(ALL_ANSWERS):
                    found = [max(row.percent, _LEAST) for row in here if row.answer == answer]
                    x = np.full(len(found), place + 0.22 * (number - 1))
                    label = sizes if found and place == 0 else None
                    axes.plot(
                        x, found, "os^"[number], color=COLOURS[number], markersize=4, label=label
                    )
            axes.set_yscale("log")
            axes.set_xticks(range(len(ALL_ANSWERS)), ALL_ANSWERS, rotation=30, ha="right")
            axes.set_title(f"begins on the {street}", loc="left", fontsize=10)
            axes.set_ylabel("lost, % of the pot")
            axes.legend(
                frameon=False, fontsize=7, title="sizes of the coarse player", title_fontsize=7
            )
    return file.getvalue()


def draw_findings(results: BetsResults) -> bytes:
    """How often thirds of the range bet, by street and player (SVG)."""
    means = finding_means(results)
    with panel_file(1, 2, 4.6, 3.4, same_scale=True) as (panels, file):
        for axes, seat, name in zip(
            panels, PLAYERS, ("out of position", "in position, after a check"), strict=True
        ):
            for number, street in enumerate(STREETS):
                found = [means[f"{street}, {seat}: {third} hands bet"] for third in THIRDS]
                axes.errorbar(
                    [place + 0.06 * (number - 1) for place in range(len(THIRDS))],
                    [100 * each[0].value for each in found],
                    [100 * each[1] for each in found],
                    fmt="osD"[number] + "-",
                    color=COLOURS[number],
                    capsize=2,
                    markersize=4,
                    label=street,
                )
            axes.set_xticks(range(len(THIRDS)), [f"{third} third" for third in THIRDS])
            axes.set_title(name, loc="left", fontsize=10)
            axes.set_ylabel("bets, % (bars: spread over flops)")
            axes.legend(frameon=False, fontsize=8)
    return file.getvalue()

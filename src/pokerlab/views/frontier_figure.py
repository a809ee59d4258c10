"""A picture of the gain of exploiting against its risk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pokerlab.views.figure_file import COLOURS, figure_file

_MARKERS = "ovs^DP"


class FrontierPanel(NamedTuple):
    """An opponent: the frontier, and single responses by name."""

    lost: Sequence[float]
    won: Sequence[float]
    points: Mapping[str, tuple[float, float]]
    """What can be lost, and what is won."""


def draw_frontiers(
    panels: Mapping[str, FrontierPanel], kind: str = "svg", *, unit: str = "chips a game"
) -> bytes:
    r"""Draw a panel for each opponent; all panels have the same points, and count in one unit.

    Examples
    --------
    >>> panel = FrontierPanel([0.0, 0.5, 3.0], [0.1, 0.9, 1.4], {"1,000 hands": (0.4, 0.7)})
    >>> draw_frontiers({"caller": panel}, "png")[:4]
    b'\x89PNG'
    """
    if not panels:
        raise ValueError("no frontiers to draw")
    columns = min(len(panels), 2)
    lines = -(-len(panels) // columns)
    height = 3.1 * lines + 0.9
    with figure_file(4.6 * columns, height, kind) as (figure, file):
        every = figure.subplots(lines, columns, squeeze=False).ravel()
        figure.subplots_adjust(
            left=0.12 if columns == 1 else 0.08,
            right=0.98,
            top=1 - 0.3 / height,
            bottom=1.25 / height,
            hspace=0.38,
            wspace=0.18,
        )
        for axes, (title, panel) in zip(every, panels.items(), strict=False):
            axes.plot(
                panel.lost,
                panel.won,
                color="#444444",
                linewidth=1.4,
                marker=".",
                markersize=4,
                label="restricted Nash responses, opponent known",
            )
            for number, (name, (lost, won)) in enumerate(panel.points.items()):
                axes.plot(
                    [lost],
                    [won],
                    _MARKERS[number % len(_MARKERS)],
                    color=COLOURS[number % len(COLOURS)],
                    markersize=6,
                    label=name,
                )
            axes.set_title(title, loc="left", fontsize=10.5)
            axes.set_xlabel(f"can lose, {unit}")
            axes.grid(color="#DDDDDD", linewidth=0.7)
            axes.set_axisbelow(True)
            for side in ("top", "right"):
                axes.spines[side].set_visible(False)
        for axes in every[len(panels) :]:
            axes.set_visible(False)
        for axes in every[::columns]:
            axes.set_ylabel("wins from the opponent")
        handles, names = every[0].get_legend_handles_labels()
        figure.legend(handles, names, loc="lower center", ncol=columns, frameon=False, fontsize=7.5)
    return file.getvalue()

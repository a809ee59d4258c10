"""Pictures of the reproduction: neighbours, variance, distance, folds by class of hands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np

from pokerlab.cards.hand_classes import GRID
from pokerlab.players.bots.mapping.bias import reference_actions
from pokerlab.studies.mapping.entrants import FAIR_PAIR, OWN_MAPPINGS, STRONG_PAIR, THREE_PLAYER_BOT
from pokerlab.studies.mapping.frequencies import class_frequencies, counts_of
from pokerlab.studies.mapping.neighbours import Moments
from pokerlab.studies.mapping.plan import SURVEYED_NEAREST, MappingResults, nearest
from pokerlab.studies.mapping.thesis import (
    HANDS,
    NEAREST_COUNTS,
    NEAREST_PLAIN,
    NEAREST_WEIGHTED,
    thesis_mbb,
)
from pokerlab.studies.reporting.measure import Measure
from pokerlab.views.figure_file import COLOURS, panel_file, with_few_colours
from pokerlab.views.play_figures import draw_class_tables

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLOURS = dict(zip(("HBB2", "HBB3", "HBB4"), COLOURS, strict=False))
_FEWEST = 10
_MARKS = {"HBB2": "o", "HBB3": "s", "HBB4": "^"}


def draw_variance(results: MappingResults) -> bytes:
    """The variance of the probability to raise, by how many histories there were (SVG)."""
    with _panels(len(SURVEYED_NEAREST)) as (panels, file):
        for axes, most in zip(panels, SURVEYED_NEAREST, strict=True):
            for bot in NEAREST_PLAIN:
                _points(axes, bot, _raises(results.survey(bot, most).variances))
            axes.set_title(f"at most {most} nearest histories", loc="left", fontsize=10)
            axes.set_xlabel("histories found")
        panels[0].set_ylabel("mean variance of the probability to raise")
        panels[0].legend(frameon=False)
    return file.getvalue()


def draw_distance(results: MappingResults) -> bytes:
    """How far histories are from the mean of their mapping, by distance (SVG).

    On the left as in the thesis, on the right all mappings.
    """
    most = SURVEYED_NEAREST[0]
    with _panels(2) as (panels, file):
        for bot in NEAREST_PLAIN:
            survey = results.survey(bot, most)
            for axes, table in zip(
                panels, (survey.raising_deviations, survey.deviations), strict=True
            ):
                _points(axes, bot, _raises(table))
        panels[0].set_title("where about 0.7 raise", loc="left", fontsize=10)
        panels[1].set_title("all mappings", loc="left", fontsize=10)
        panels[0].set_ylabel("mean deviation of the probability to raise")
        for axes in panels:
            axes.set_xlabel("distance")
        panels[1].legend(frameon=False)
    return file.getvalue()


def draw_nearest(results: MappingResults) -> bytes:
    """Tables 3 and 5: what is won by the number of histories; the thesis's dashed (SVG)."""
    with _panels(2) as (panels, file):
        for axes, pair, thesis, number in (
            (panels[0], STRONG_PAIR, NEAREST_PLAIN, 3),
            (panels[1], FAIR_PAIR, NEAREST_WEIGHTED, 5),
        ):
            for bot, chips in thesis.items():
                found = {}
                for count in NEAREST_COUNTS:
                    label = nearest(bot, count, weighted=number == 5)
                    result = results.match(label, pair).result
                    found[count] = Measure(result.mbb_per_hand[0], result.stderr[0])
                _points(axes, bot, found)
                mbb = [thesis_mbb(each, HANDS[number]) for each in chips]
                axes.plot(NEAREST_COUNTS, mbb, "--", color=_COLOURS[bot], linewidth=0.9)
            axes.axhline(0, color="#999999", linewidth=0.7)
            axes.set_xlabel("nearest histories")
            axes.set_title(f"against {' and '.join(pair)}", loc="left", fontsize=10)
        panels[0].set_ylabel("mbb/g (thesis: dashed)")
        panels[0].legend(frameon=False)
    return file.getvalue()


def draw_classes(results: MappingResults) -> bytes:
    """How often each class of hands is folded, three players in, something to pay (PNG).

    An SVG would be five times as large.
    """
    tables = [("hyperborean folds", reference_actions()[:, 0].reshape(GRID, GRID))]
    for bot in (THREE_PLAYER_BOT, OWN_MAPPINGS[-1], *NEAREST_PLAIN):
        tables.append((f"{bot} folds", class_frequencies(counts_of(results, bot))[0]))
    return with_few_colours(draw_class_tables(tables, kind="png"), 128)


def _raises(table: Mapping[int, Moments]) -> dict[int, Measure]:
    """Means for raises, where there is more than a handful to take the mean of."""
    return {place: each.mean(0) for place, each in table.items() if each.count >= _FEWEST}


def _points(axes: Axes, bot: str, found: Mapping[int, Measure]) -> None:
    places = sorted(found)
    values = [found[place].value for place in places]
    errors = np.nan_to_num([found[place].error for place in places])
    axes.errorbar(
        places,
        values,
        yerr=errors,
        label=bot,
        color=_COLOURS[bot],
        marker=_MARKS[bot],
        markersize=4,
        linewidth=1.2,
        capsize=2,
    )


def _panels(count: int) -> AbstractContextManager[tuple[Sequence[Any], BytesIO]]:
    """Panels in a row with the same scale; when they are drawn, the file."""
    return panel_file(1, count, 4.6, 3.6, same_scale=True)

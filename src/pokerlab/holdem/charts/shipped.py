"""The charts that come with the package: two players, at five depths.

`pokerlab preflop` shows them, and stories of spots take their ranges from them. Between two depths
the chart of the nearer one is taken, by the ratio of the stacks; its raises stay what they are in
big blinds, and all-in stays all-in.
"""

from __future__ import annotations

from functools import cache
from math import log
from pathlib import Path

from pokerlab.games.betting_trees.chips import read_big_blinds
from pokerlab.holdem.charts.chart import PreflopChart
from pokerlab.holdem.charts.chart_file import read_chart

DEPTHS = (20, 30, 50, 100, 200)
"""The stacks of the charts, in big blinds."""
_LEAST, _MOST = 15, 300
"""The stacks that they stand for."""


def shipped_depth(stack: float) -> int:
    """The depth of the chart that stands for a stack, in big blinds.

    Examples
    --------
    >>> [shipped_depth(stack) for stack in (15, 25, 100, 140, 150, 300)]
    [20, 30, 100, 100, 200, 200]
    >>> shipped_depth(400)
    Traceback (most recent call last):
    ValueError: 400 big blinds: the charts of the package are for 15 to 300
    """
    if not _LEAST <= stack <= _MOST:
        raise ValueError(
            f"{stack:g} big blinds: the charts of the package are for {_LEAST} to {_MOST}"
        )
    return min(DEPTHS, key=lambda depth: (abs(log(depth / stack)), depth))


def parse_depth(text: str) -> float | None:
    """The stack that a text such as ``200bb`` names; None for other texts, as names of files.

    Examples
    --------
    >>> parse_depth(" 200BB "), parse_depth("my-ranges.toml")
    (200.0, None)
    """
    return read_big_blinds(text) if text.strip().lower().endswith("bb") else None


def chart_path(depth: int) -> Path:
    """The file of a chart."""
    return Path(__file__).parent / "data" / f"hu{depth}.safetensors"


@cache
def shipped_chart(depth: int) -> PreflopChart:
    """The chart of one of the `DEPTHS`.

    Examples
    --------
    >>> chart = shipped_chart(100)
    >>> chart.players, chart.stacks, chart.decisions[0].actions[:2]
    (('SB', 'BB'), (100.0, 100.0), ('f', 'c'))
    """
    if depth not in DEPTHS:
        raise ValueError(f"{depth} is not a depth of the charts ({', '.join(map(str, DEPTHS))})")
    return read_chart(chart_path(depth))

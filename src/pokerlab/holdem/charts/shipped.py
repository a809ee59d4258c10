"""The charts that come with the package: two players, at five depths.

`pokerlab preflop` shows them, and stories of spots take their ranges from them. Between two depths
the chart of the nearer one is taken, by the ratio of the stacks; its raises stay what they are in
big blinds, and all-in stays all-in.
"""

from __future__ import annotations

from functools import cache
from math import log
from pathlib import Path

from pokerlab.games.betting_trees.chips import read_number
from pokerlab.holdem.charts.chart import PreflopChart
from pokerlab.holdem.charts.chart_file import read_chart
from pokerlab.runtime.errors import shorten

DEPTHS = (20, 30, 50, 100, 200)
"""The stacks of the charts, in big blinds."""
_LEAST, _MOST = 15, 300
"""The stacks that they stand for."""


def shipped_depth(stack: float) -> int:
    """The depth of the chart that stands for a stack, in big blinds.

    Examples
    --------
    >>> [shipped_depth(stack) for stack in (12, 25, 100, 140, 150, 400)]
    [20, 30, 100, 100, 200, 200]
    """
    return min(DEPTHS, key=lambda depth: (abs(log(depth / stack)), depth))


def parse_depth(text: str) -> float | None:
    """The stack that a text such as ``200bb`` names; None for other texts, as names of files.

    Examples
    --------
    >>> parse_depth(" 200BB "), parse_depth("my-ranges.toml")
    (200.0, None)
    >>> parse_depth("5bb")
    Traceback (most recent call last):
    ValueError: '5bb': the charts of the package are for 15 to 300 big blinds
    """
    stack = _named_stack(text)
    if stack is not None and not _LEAST <= stack <= _MOST:
        raise ValueError(
            f"{shorten(text)!r}: the charts of the package are for {_LEAST} to {_MOST} big blinds"
        )
    return stack


def names_depth(text: str) -> bool:
    """Whether a text names a stack, not a file; it may be one that the charts do not stand for.

    Examples
    --------
    >>> names_depth("5bb"), names_depth("bb.toml")
    (True, False)
    """
    return _named_stack(text) is not None


def _named_stack(text: str) -> float | None:
    number = text.strip().lower()
    return read_number(number.removesuffix("bb").rstrip()) if number.endswith("bb") else None


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

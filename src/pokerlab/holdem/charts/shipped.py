"""What comes with the package for play before the flop: charts of two players, and ranges of six.

`pokerlab preflop` shows the charts, at five depths, and stories of spots take their ranges from
them: ``200bb``. Between two depths the chart of the nearer one is taken, by the ratio of the
stacks; its raises stay what they are in big blinds, and all-in stays all-in.

For six players there is a file of ranges by position and action: ``six-max``. It is for 100 big
blinds, of our own making, and not solved.
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
SIX_MAX = "six-max"
RANGES = (SIX_MAX,)
"""The files of ranges by position and action."""


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


def shipped_ranges(text: str) -> Path | None:
    """The file of ranges of the package that a text names; None for other texts.

    Examples
    --------
    >>> shipped_ranges("six-max").name, shipped_ranges("mine/six-max.toml")
    ('six-max.toml', None)
    """
    name = text.strip().lower()
    return Path(__file__).parent / "data" / f"{name}.toml" if name in RANGES else None


def is_shipped(text: str) -> bool:
    """Whether a text names charts or ranges of the package, and not a file.

    Examples
    --------
    >>> [is_shipped(text) for text in ("100bb", "Six-max", "six-max.toml")]
    [True, True, False]
    """
    return parse_depth(text) is not None or shipped_ranges(text) is not None


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

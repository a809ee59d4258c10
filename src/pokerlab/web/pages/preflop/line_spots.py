"""The spot that a line of a chart leads to: its story, ranges, chips and a few bet sizes.

Ranges, pot and stacks are those of the story, as `pokerlab solve --preflop "SB raise 2.5, BB call"
--ranges 100bb` makes them; sizes are a beginning.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pokerlab.cards.codes import format_cards, to_cards
from pokerlab.cards.hand_classes import CLASS_SIZES
from pokerlab.holdem.charts import PreflopChart
from pokerlab.holdem.spots.question.preflop_ranges import chart_spot, spot_fields
from pokerlab.runtime.errors import shorten

POTS = ("limped", "single-raised", "3-bet", "4-bet")
"""Kinds of pots, by the number of raises."""
BIG_BLIND = 10
"""Chips of a big blind, so that sizes are whole chips."""
_SIZES = {
    "limped": {"bet": "flop: 33%; turn: 75%; river: 75%, a", "raise": "3x"},
    "single-raised": {"bet": "flop: 33%; turn: 75%; river: 75%, a", "raise": "3x"},
    "3-bet": {"bet": "flop: 33%; turn: 66%; river: 66%, a", "raise": "2.5x"},
    "4-bet": {"bet": "flop: 25%; turn: 50%; river: 50%, a", "raise": "a"},
}
"""Few sizes to begin with: smaller ones the more of the stacks is in the pot."""


class LineStory(NamedTuple):
    """A line of a chart as players tell it."""

    text: str
    """As spots have it: ``SB raise 2.5, BB call``."""
    raiser: str
    """Who raised last, or ``nobody``."""
    raises: int
    """How many raises there were."""


def line_story(chart: PreflopChart, line: str) -> LineStory:
    """The story of a line that leads to a flop.

    Examples
    --------
    >>> from pokerlab.holdem.charts import shipped_chart
    >>> line_story(shipped_chart(100), "r2.5/r10/c")
    LineStory(text='SB raise 2.5, BB raise 10, SB call', raiser='BB', raises=2)
    >>> line_story(shipped_chart(100), "r2.5/f")
    Traceback (most recent call last):
    ValueError: line 'r2.5/f' does not lead to a flop; those that do: c/x, c/r3/c, c/r3/r9/c, ...
    """
    if line not in chart.flop_lines:
        known = ", ".join(chart.flop_lines) or "none"
        raise ValueError(
            f"line {shorten(line)!r} does not lead to a flop; those that do: {shorten(known, 300)}"
        )
    acts, raiser, raises, before = [], "nobody", 0, ""
    for label in line.split("/"):
        player = chart.players[chart.decisions[chart.by_line[before]].player]
        if label.startswith("r"):
            raiser, raises = player, raises + 1
            acts.append(f"{player} raise {label[1:]}")
        else:
            called = "call" if raises else "limp"
            acts.append(f"{player} {'check' if label == 'x' else called}")
        before = f"{before}/{label}" if before else label
    return LineStory(", ".join(acts), raiser, raises)


def nearest_line(chart: PreflopChart, line: str) -> str:
    """The line of a chart that is nearest to one of another chart, as far as it has one.

    Examples
    --------
    >>> from pokerlab.holdem.charts import shipped_chart
    >>> nearest_line(shipped_chart(20), "r2.5/r10"), nearest_line(shipped_chart(20), "c/r9/c")
    ('r2.5/r7.5', 'c')
    """
    acts: list[tuple[str, float | None]] = []
    found = ""
    for token in line.split("/") if line else ():
        raises = token.startswith("r")
        try:
            acts.append(("r", float(token[1:])) if raises else (token, None))
            found = chart.follow(acts)
        except ValueError:
            break
    return found


def line_shares(chart: PreflopChart) -> dict[str, float]:
    """How often each line to the flop is played; hands that share a card are not left out."""
    masses = (np.asarray(chart.flop_reach, np.float64) * CLASS_SIZES).sum(axis=2)
    shares = masses.prod(axis=0) / float(CLASS_SIZES.sum()) ** 2
    return dict(zip(chart.flop_lines, shares.tolist(), strict=True))


def sizes_of(raises: int) -> dict[str, Any]:
    """Few bet sizes and limits for a pot with a number of raises.

    Examples
    --------
    >>> sizes_of(1)["raise"], sizes_of(7)["raise"]
    ('3x', 'a')
    """
    return _SIZES[POTS[min(raises, len(POTS) - 1)]] | {"force_allin": 0.2, "max_bets": 2}


def line_fields(chart: PreflopChart, line: str, flop: str = "") -> dict[str, Any]:
    """The fields of the spot after a line; without a flop, for batches, there is no board.

    Examples
    --------
    >>> from pokerlab.holdem.charts import shipped_chart
    >>> fields = line_fields(shipped_chart(100), "r2.5/r10/c", "Qs 7h 2d")
    >>> fields["board"], fields["pot"], fields["stack"], fields["aggressor"]
    ('Qs7h2d', 200, [900, 900], 'oop')
    """
    story = line_story(chart, line)
    end, ranges = chart_spot(chart, story.text, chart.stacks[0])
    board = {"board": check_flop(flop)} if flop.strip() else {}
    return board | spot_fields(end, ranges, BIG_BLIND) | sizes_of(story.raises)


def told_fields(chart: PreflopChart, line: str, *, shipped: bool) -> dict[str, Any]:
    """The same without a board; for a chart of the package by its story, as players tell it.

    Examples
    --------
    >>> from pokerlab.holdem.charts import shipped_chart
    >>> fields = told_fields(shipped_chart(50), "c/x", shipped=True)
    >>> fields["preflop"], fields["ranges"], "oop" in fields
    ('SB limp, BB check', '50bb', False)
    """
    found = line_fields(chart, line)
    if not shipped:
        return found
    story = line_story(chart, line)
    told = {"preflop": story.text, "ranges": f"{chart.stacks[0]:g}bb", "big_blind": BIG_BLIND}
    return told | sizes_of(story.raises)


def check_flop(text: str) -> str:
    """A flop as spots name it; `ValueError` for other boards.

    Examples
    --------
    >>> check_flop("Q♠ 7h 2d")
    'Qs7h2d'
    >>> check_flop("QsQh")
    Traceback (most recent call last):
    ValueError: flop: 'QsQh' has 2 cards, a flop has 3
    """
    cards = to_cards(text)
    if len(cards) != 3:
        raise ValueError(f"flop: {shorten(text)!r} has {len(cards)} cards, a flop has 3")
    return format_cards(cards)

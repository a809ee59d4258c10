"""Spots in three choices: the stack, the kind of pot, and who raised last.

Ranges, pot and stacks are those of a story before the flop with the charts of the package for two
players, as `pokerlab solve --preflop "SB raise 2.5, BB call" --ranges 100bb` makes them. The story
of a choice is the line of the chart that comes most often.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from pokerlab.cards.hand_classes import CLASS_SIZES
from pokerlab.holdem.charts import DEPTHS, PreflopChart, shipped_chart
from pokerlab.holdem.spots.question.preflop_ranges import fill_from_story

POTS = ("limped", "single-raised", "3-bet", "4-bet")
"""Kinds of pots, by the number of raises."""
_RAISERS = ("nobody", "SB", "BB")
_LEAST = 5e-4
"""Lines that come less often are not offered: next to no hand is left of the ranges."""
_BIG_BLIND = 10
_SIZES = {
    "limped": {"bet": "flop: 33%; turn: 75%; river: 75%, a", "raise": "3x"},
    "single-raised": {"bet": "flop: 33%; turn: 75%; river: 75%, a", "raise": "3x"},
    "3-bet": {"bet": "flop: 33%; turn: 66%; river: 66%, a", "raise": "2.5x"},
    "4-bet": {"bet": "flop: 25%; turn: 50%; river: 50%, a", "raise": "a"},
}
"""Few sizes to begin with: smaller ones the more of the stacks is in the pot."""


class ReadySpot(NamedTuple):
    """A choice that the charts have an answer to."""

    stack: int
    """In big blinds, before the hand."""
    pot: str
    """One of `POTS`."""
    raiser: str
    """``SB``, ``BB``, or ``nobody``."""
    story: str
    """As spots have it: ``SB raise 2.5, BB call``."""
    share: float
    """How often hands of these players come to this flop."""


@cache
def ready_spots() -> tuple[ReadySpot, ...]:
    """All choices, the shortest stack first.

    Examples
    --------
    >>> found = [each for each in ready_spots() if each.stack == 100]
    >>> [(each.pot, each.raiser) for each in found][:4]
    [('limped', 'nobody'), ('single-raised', 'SB'), ('single-raised', 'BB'), ('3-bet', 'SB')]
    >>> found[1].story, f"{found[1].share:.0%}"
    ('SB raise 2.5, BB call', '26%')
    """
    found = []
    for depth in DEPTHS:
        chart = shipped_chart(depth)
        likely: dict[tuple[str, str], ReadySpot] = {}
        for line, share in zip(chart.flop_lines, _shares(chart), strict=True):
            story, raiser, raises = _story(chart, line)
            if share < _LEAST or raises >= len(POTS):
                continue
            key = POTS[raises], raiser
            if key not in likely or share > likely[key].share:
                likely[key] = ReadySpot(depth, *key, story, share)
        order = [(pot, raiser) for pot in POTS for raiser in _RAISERS]
        found += [likely[key] for key in order if key in likely]
    return tuple(found)


def _shares(chart: PreflopChart) -> list[float]:
    """How often each line to the flop is played; hands that share a card are not left out."""
    masses = (np.asarray(chart.flop_reach, np.float64) * CLASS_SIZES).sum(axis=2)
    return [float(share) for share in masses.prod(axis=0) / float(CLASS_SIZES.sum()) ** 2]


def _story(chart: PreflopChart, line: str) -> tuple[str, str, int]:
    """A line of a chart as a story, who raised last in it, and the number of raises."""
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
    return ", ".join(acts), raiser, raises


def ready_fields(stack: int, pot: str, raiser: str) -> dict[str, Any]:
    """The fields of a spot for a choice; the board is the player's.

    Examples
    --------
    >>> fields = ready_fields(100, "3-bet", "BB")
    >>> fields["pot"], fields["stack"], fields["aggressor"], fields["big_blind"]
    (200, [900, 900], 'oop', 10)
    >>> ready_fields(20, "4-bet", "SB")
    Traceback (most recent call last):
    ValueError: with 20 big blinds the charts have: limped, nobody; single-raised, SB; ...
    """
    chosen = next((each for each in ready_spots() if each[:3] == (stack, pot, raiser)), None)
    if chosen is None:
        known = "; ".join(
            f"{each.pot}, {each.raiser}" for each in ready_spots() if each[0] == stack
        )
        raise ValueError(f"with {stack} big blinds the charts have: {known}")
    told = {"preflop": chosen.story, "ranges": f"{stack}bb", "big_blind": _BIG_BLIND}
    rules = {"force_allin": 0.2, "max_bets": 2}
    return fill_from_story(told) | _SIZES[pot] | rules

"""Filters: which two-player histories may stand for a decision of three players.

A filter is a function of a decision and the histories that gives numbers of histories, ascending
and at least one. A new one::

    @FILTERS.add("same-raises")
    def same_raises(decision, histories):
        \"\"\"Of the street, where as many raises were made as here.\"\"\"
        ...

"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from pokerlab.players.bots.mapping.histories import Histories, ThreePlayerDecision
from pokerlab.players.bots.mapping.registry import Registry
from pokerlab.players.bots.mapping.rounds import map_round
from pokerlab.runtime.arrays import Floats, Indices


class Filter(Protocol):
    """A function from a decision to the histories that may stand for it."""

    def __call__(self, decision: ThreePlayerDecision, histories: Histories, /) -> Indices:
        """The numbers of the candidates, ascending."""


FILTERS: Registry[Filter] = Registry("filter")
"""Filters by name."""


@FILTERS.add("street")
def street(decision: ThreePlayerDecision, histories: Histories) -> Indices:
    """All of the same street (StreetFilter)."""
    return histories.on_street(decision.street)


@FILTERS.add("pot-size")
def pot_size(decision: ThreePlayerDecision, histories: Histories) -> Indices:
    """Of the street, those with the nearest pot; both neighbours on a tie (PotSizeFilter)."""
    candidates = histories.on_street(decision.street)
    return nearest(candidates, np.abs(histories.pot[candidates] - decision.pot))


@FILTERS.add("pot-odds")
def pot_odds(decision: ThreePlayerDecision, histories: Histories) -> Indices:
    """Of the street, those with the nearest pot odds, of these the nearest pot (PotOddsFilter).

    The thesis counts 76 classes, which are those of (street, pot, price): odds are two numbers to
    it, 90:20 is not 45:10, and free checks differ by their pots. By the ratio alone there are 50.
    Both neighbours on a tie, as with the pot size.
    """
    candidates = histories.on_street(decision.street)
    candidates = nearest(candidates, odds_distances(decision, histories, candidates))
    return nearest(candidates, np.abs(histories.pot[candidates] - decision.pot))


@FILTERS.add("rounds")
def rounds(decision: ThreePlayerDecision, histories: Histories) -> Indices:
    """The one history that the table of betting rounds gives, street by street (HBB1)."""
    mapped = map(map_round, decision.rounds, decision.players)
    return np.array([histories.number("/".join(mapped))])


def nearest(candidates: Indices, distances: Floats) -> Indices:
    """The candidates with the smallest distance: all of them where several have it.

    Examples
    --------
    >>> nearest(np.array([4, 5, 6]), np.array([2.0, 1.0, 1.0]))
    array([5, 6])
    """
    return candidates[np.flatnonzero(distances <= distances.min() + 1e-9)]


def odds_distances(
    decision: ThreePlayerDecision, histories: Histories, candidates: Indices
) -> Floats:
    """The difference in pot odds, pot : call; all free checks are equal, and far from all else.

    Examples
    --------
    >>> from pokerlab.players.bots.mapping.histories import decisions_of, two_player_histories
    >>> from pokerlab.games import load_game
    >>> decision, _ = decisions_of(load_game("holdem.limit.3p").replay("rcc/rr").node)  # 18 : 4
    >>> histories = two_player_histories()
    >>> texts = ("rc/r", "rc/rrr", "rc/")
    >>> odds_distances(decision, histories, np.array([histories.number(text) for text in texts]))
    array([0.5, 4.5, inf])
    """
    price = histories.to_call[candidates]
    free = price == 0.0
    if decision.to_call == 0.0:
        return np.where(free, 0.0, np.inf)
    odds = histories.pot[candidates] / np.where(free, 1.0, price)
    return np.where(free, np.inf, np.abs(odds - decision.pot / decision.to_call))

"""Filters: which two-player histories may stand for a spot of three players.

A filter is a function of a spot and the histories that gives numbers of histories, ascending and
at least one. A new one::

    @FILTERS.add("same-raises")
    def same_raises(spot, histories):
        \"\"\"Of the street, where as many raises were made as here.\"\"\"
        ...

"""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from pokerlab.bots.mapping.histories import Histories, Spot
from pokerlab.bots.mapping.registry import Registry
from pokerlab.bots.mapping.rounds import map_round

__all__ = ["FILTERS", "Filter", "nearest", "odds_distances"]

Numbers = npt.NDArray[np.intp]
Amounts = npt.NDArray[np.float64]


class Filter(Protocol):
    """A function from a spot to the histories that may stand for it."""

    def __call__(self, spot: Spot, histories: Histories, /) -> Numbers:
        """The numbers of the candidates, ascending."""


FILTERS: Registry[Filter] = Registry("filter")
"""Filters by name."""


@FILTERS.add("street")
def street(spot: Spot, histories: Histories) -> Numbers:
    """All of the same street (StreetFilter)."""
    return histories.on_street(spot.street)


@FILTERS.add("pot-size")
def pot_size(spot: Spot, histories: Histories) -> Numbers:
    """Of the street, those with the nearest pot; both neighbours on a tie (PotSizeFilter)."""
    candidates = histories.on_street(spot.street)
    return nearest(candidates, np.abs(histories.pot[candidates] - spot.pot))


@FILTERS.add("pot-odds")
def pot_odds(spot: Spot, histories: Histories) -> Numbers:
    """Of the street, those with the nearest pot odds (PotOddsFilter)."""
    candidates = histories.on_street(spot.street)
    return nearest(candidates, odds_distances(spot, histories, candidates))


@FILTERS.add("rounds")
def rounds(spot: Spot, histories: Histories) -> Numbers:
    """The one history that the table of betting rounds gives, street by street (HBB1)."""
    mapped = map(map_round, spot.rounds, spot.players)
    return np.array([histories.number("/".join(mapped))])


def nearest(candidates: Numbers, distances: Amounts) -> Numbers:
    """The candidates with the smallest distance: all of them where several have it.

    Examples
    --------
    >>> nearest(np.array([4, 5, 6]), np.array([2.0, 1.0, 1.0]))
    array([5, 6])
    """
    return candidates[np.flatnonzero(distances <= distances.min() + 1e-9)]


def odds_distances(spot: Spot, histories: Histories, candidates: Numbers) -> Amounts:
    """The difference in pot odds, pot : call; free checks are alike and far from all else.

    Examples
    --------
    >>> from pokerlab.bots.mapping.histories import spots_of, two_player_histories
    >>> from pokerlab.games import load_game
    >>> spot, _ = spots_of(load_game("holdem.limit.3p").replay("rcc/rr").node)  # 18 : 4
    >>> histories = two_player_histories()
    >>> texts = ("rc/r", "rc/rrr", "rc/")
    >>> odds_distances(spot, histories, np.array([histories.number(text) for text in texts]))
    array([0.5, 4.5, inf])
    """
    price = histories.to_call[candidates]
    free = price == 0.0
    if spot.to_call == 0.0:
        return np.where(free, 0.0, np.inf)
    odds = histories.pot[candidates] / np.where(free, 1.0, price)
    return np.where(free, np.inf, np.abs(odds - spot.pot / spot.to_call))

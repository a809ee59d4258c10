"""Strategies as tables: a row for each betting and group of cards.

A `TableStrategy` has for every decision node of a game's betting tree and every group of cards
the probability to fold, to call and to raise; compiled loops play it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from pokerlab.games import BettingGame
from pokerlab.holdem.limit.buckets.look_up_kernels import BucketLookUp
from pokerlab.holdem.limit.buckets.street_buckets import (
    StreetBuckets,
    bucket_look_up,
    check_buckets,
)
from pokerlab.runtime.arrays import Int64s, Singles
from pokerlab.trees.limit.betting import ACTIONS, flatten_betting


class TableStrategy:
    """A strategy for all positions of a limit game, as a table.

    Parameters
    ----------
    game
        The rules.
    groups
        The groups of cards of each street.
    probabilities
        (rows, 3): the probability to fold, to call and to raise. Nodes follow each other as in
        `flatten_betting`; a node has a row for each group of its street. A call is what the
        others leave, so that a row of NaN calls, and an action that is not legal is a call.

    Examples
    --------
    A player of Kuhn poker who bets and calls with the king only:

    >>> from pokerlab.holdem.limit.buckets.street_buckets import each_hand
    >>> from pokerlab.games import load_betting_game
    >>> kuhn = load_betting_game("kuhn")
    >>> table = TableStrategy.filled(kuhn, [each_hand(kuhn, 0)], [0, 1, 0])
    >>> for betting in ("", "c"):
    ...     table.probabilities[table.row(betting, 2)] = 0, 0, 1
    >>> for betting in ("r", "cr"):
    ...     for jack_or_queen in (0, 1):
    ...         table.probabilities[table.row(betting, jack_or_queen)] = 1, 0, 0
    >>> table.probabilities.shape
    (12, 3)
    """

    def __init__(
        self,
        game: BettingGame,
        groups: Sequence[StreetBuckets],
        probabilities: Singles,
    ) -> None:
        self.game = game
        self.betting = flatten_betting(game)
        self.groups = tuple(groups)
        check_buckets(game, self.groups)
        sizes = np.array([street.groups for street in groups])[self.betting.streets]
        self.first_row: Int64s = np.cumsum(sizes) - sizes
        expected = (int(sizes.sum()), len(ACTIONS))
        if probabilities.shape != expected or probabilities.dtype != np.float32:
            raise ValueError(
                f"a table of shape {probabilities.shape} and type {probabilities.dtype}:"
                f" these groups of {game.name} need {expected} and float32"
            )
        self.probabilities = np.ascontiguousarray(probabilities)

    @classmethod
    def filled(
        cls, game: BettingGame, groups: Sequence[StreetBuckets], row: npt.ArrayLike
    ) -> TableStrategy:
        """A table with the same (fold, call, raise) everywhere, to be changed."""
        check_buckets(game, groups)
        streets = flatten_betting(game).streets
        rows = sum(groups[street].groups for street in streets)
        return cls(game, groups, np.tile(np.asarray(row, np.float32), (rows, 1)))

    def row(self, betting: str, group: int = 0) -> int:
        """The row of a betting (``"rc/c"``) and a group."""
        number = self.betting.number_of.get(betting)
        if number is None:
            raise ValueError(f"nobody decides after {betting!r} in {self.game.name}")
        street = int(self.betting.streets[number])
        if not 0 <= group < self.groups[street].groups:
            raise ValueError(
                f"{group} is not a group of street {street} (0 to {self.groups[street].groups - 1})"
            )
        return int(self.first_row[number]) + group

    @cached_property
    def look_up(self) -> BucketLookUp:
        """The tables with which kernels find groups."""
        return bucket_look_up(self.game, self.groups)

"""`PreparedSpot`: a spot with its boards, groups and locks, ready for a walker."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from pokerlab.cards.ranges.blockers import met_weights, unblocked_weights
from pokerlab.engine.groups import HandGrouping
from pokerlab.engine.locks import NodeLock, keeps_suits, parse_locks
from pokerlab.engine.tables.arrays import Locks
from pokerlab.engine.tables.boards import Boards
from pokerlab.engine.tables.hand_groups import BoardGroups, group_hands
from pokerlab.engine.tables.layout import StrategyLayout
from pokerlab.engine.tables.placed_locks import (
    place_locks,
    with_locked_part,
    without_locked_part,
)
from pokerlab.engine.walker import deal_boards
from pokerlab.holdem.spots.question.gadget import Gadget
from pokerlab.holdem.spots.question.spot import Spot
from pokerlab.runtime.arrays import AnyArray, Floats, Halves, Int64s

Chips: TypeAlias = Any
"""A number, or an array of them."""


class SpotSize(NamedTuple):
    """The size of a spot, or of several that are walked together."""

    boards: Int64s
    """(streets,): how many there are."""
    lengths: Int64s
    """(streets, 2): the length of a row of hands of each player."""
    entries: int
    """How many numbers a table holds: one for each action and hand, or group of hands."""

    def with_other(self, other: SpotSize) -> SpotSize:
        """The size of both together: rows are as long as the longer ones."""
        return SpotSize(
            self.boards + other.boards,
            np.maximum(self.lengths, other.lengths),
            self.entries + other.entries,
        )


@dataclass(frozen=True, eq=False)
class PreparedSpot:
    """What a solve needs to know of a spot before it begins.

    Attributes
    ----------
    spot
        The game.
    locks
        Its fixed decisions.
    isomorphism
        Whether boards that differ by suits alone are merged; locks may forbid it.
    boards
        All boards, and the hands on them.
    groups
        Hands that play one strategy together; None where each plays its own.
    layout
        Where strategies are stored.
    gadget
        What a player may do at the root; None where the hand simply begins.
    """

    spot: Spot
    locks: list[NodeLock]
    isomorphism: bool
    boards: Boards
    groups: BoardGroups | None
    layout: StrategyLayout
    gadget: Gadget | None = None

    @classmethod
    def of(
        cls,
        spot: Spot,
        *,
        isomorphism: bool = True,
        groups: str | HandGrouping | None = None,
        threads: int | None = None,
        gadget: Gadget | None = None,
    ) -> PreparedSpot:
        """Prepare a spot; the options are those of `PostflopSolver`."""
        if gadget is not None:
            spot = gadget.pose(spot)
            if groups is not None:
                raise ValueError("gadget: groups do not work with one, each hand decides by itself")
        locks = parse_locks(spot, spot.locks)
        merged = isomorphism and keeps_suits(locks, spot.board, spot.ranges)
        boards = deal_spot(spot, isomorphism=merged, gadget=gadget)
        found = None
        if groups is not None:
            grouping = groups if isinstance(groups, HandGrouping) else HandGrouping.parse(groups)
            found = group_hands(spot, boards, grouping, threads)
        layout = StrategyLayout.of(spot.tree, boards, found)
        return cls(spot, locks, merged, boards, found, layout, gadget)

    @cached_property
    def placed_locks(self) -> list[Locks]:
        """The locks as walks take them."""
        return place_locks(self.spot, self.boards, self.locks, self.layout)

    def put_in_locks(
        self,
        shares: Sequence[tuple[Any, Any]],
        read: Callable[[Any], AnyArray],
        write: Callable[[Any, AnyArray], None],
    ) -> None:
        """Turn what the free parts of soft locks play into what players play, in 16 bits.

        For rules that keep no averages: averages are those of the mixture already. `read` and
        `write` reach arrays that may lie on a GPU.
        """
        for level, (locks, both) in enumerate(zip(self.placed_locks, shares, strict=True)):
            if locks.free.any():
                owner = self.spot.tree.streets[level].player
                for player, array in enumerate(both):
                    layout = self.layout.at(level, player)
                    played = read(array).view(np.float16)
                    mixed = with_locked_part(played, locks, layout, owner)
                    write(array, mixed.view(np.uint16))

    def without_locked_parts(
        self, level: int, shares: tuple[Halves, Halves]
    ) -> tuple[Halves, Halves]:
        """What the free parts of soft locks play on a street, from what both players play."""
        locks, owner = self.placed_locks[level], self.spot.tree.streets[level].player
        first, second = (
            without_locked_part(each, locks, self.layout.at(level, player), owner)
            for player, each in enumerate(shares)
        )
        return first, second

    @cached_property
    def size(self) -> SpotSize:
        """How much there is to store and to walk over."""
        tables = self.boards.tables
        return SpotSize(
            np.array([len(cards) for cards in self.boards.cards]),
            np.array([[np.diff(hands.first).max() for hands in each.hands] for each in tables]),
            sum(each.size for both in self.layout.streets for each in both),
        )

    def mass(self, player: int) -> Floats:
        """For each hand of a player the sum of the weights of the opposing hands it can meet."""
        opposing = self.spot.ranges[1 - player].weights
        return np.asarray(met_weights(opposing)[self.boards.combos[player]])

    @cached_property
    def deals(self) -> float:
        """The sum over all deals, of hands that share no card, of the product of the weights."""
        first, second = (each.weights for each in self.spot.ranges)
        return float(first @ unblocked_weights(second))


def deal_spot(
    spot: Spot, *, isomorphism: bool, gadget: Gadget | None, everyone: Collection[int] = ()
) -> Boards:
    """The boards of a spot; with a gadget, all hands of the player who may stop.

    Of the players in `everyone`, too.
    """
    if gadget is None:
        return deal_boards(spot, isomorphism=isomorphism, everyone=everyone)
    everyone = {*everyone, *gadget.everyone}
    return deal_boards(spot, isomorphism=isomorphism, everyone=everyone, alike=gadget.alike)


def mean_chips(total: Chips, deals: Chips, unit: float, pot: float) -> Chips:
    """What a player takes from the pot on average, in chips.

    Parameters
    ----------
    total
        The sum over the player's hands of weight times value at the root.
    deals
        The sum over all deals of the product of the weights.
    unit
        What values are counted in.
    pot
        Of the spot.
    """
    return total / deals / unit + pot / 2

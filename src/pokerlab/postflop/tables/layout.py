"""Where the numbers of a strategy are stored: board by board, action by action, row by row.

A street has one array for each player. On a board stand the *slots* of the player, one for each
action of each of the player's nodes, in the order of the nodes; a slot has a *row*: a number for
each hand that the board keeps, padding included. So the storage of a board is ``[slot][hand]``,
and the actions of a node are neighbours.

Nothing here says what a row holds. Regrets, sums and probabilities share the layout, and rows
may be shorter than the hands of a board (`rows`) where hands are stored in groups.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from pokerlab.postflop.tables.boards import Boards
from pokerlab.postflop.tree.betting_tree import BettingTree, StreetTree

__all__ = ["PlayerLayout", "StrategyLayout", "first_slots"]

Ints: TypeAlias = npt.NDArray[np.int64]


def first_slots(street: StreetTree) -> Ints:
    """For each node, the slot of its first action among those of the node's player."""
    actions = np.diff(street.first_edge)
    slots = np.zeros(street.nodes, np.int64)
    for player in range(2):
        nodes = street.player == player
        slots[nodes] = np.cumsum(actions[nodes]) - actions[nodes]
    return slots


@dataclass(frozen=True, eq=False)
class PlayerLayout:
    """The storage of one player on one street.

    Attributes
    ----------
    player
        Whose.
    slot, actions : (nodes of the street,)
        For each node its first slot, among those of its player, and how many it has.
    own_actions : (nodes of the player,)
        How many actions each node of the player has, in order.
    rows : (boards,)
        The length of a row on each board.
    first : (boards + 1,)
        Where each board begins, and where the last one ends.
    """

    player: int
    slot: Ints
    actions: Ints
    own_actions: Ints
    rows: Ints
    first: Ints

    @classmethod
    def of(cls, street: StreetTree, player: int, rows: Ints) -> PlayerLayout:
        """Lay out the actions of a player, given the length of a row on each board."""
        actions = np.diff(street.first_edge).astype(np.int64)
        own = actions[street.player == player]
        first = np.concatenate([[0], np.cumsum(rows * own.sum())]).astype(np.int64)
        return cls(player, first_slots(street), actions, own, rows.astype(np.int64), first)

    @property
    def slots(self) -> int:
        """How many actions the player has on the street."""
        return int(self.own_actions.sum())

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return int(self.first[-1])

    def board(self, array: npt.NDArray[Any], board: int) -> npt.NDArray[Any]:
        """The numbers of a board as (slots, row), a view of the array."""
        block = array[int(self.first[board]) : int(self.first[board + 1])]
        return block.reshape(self.slots, int(self.rows[board]))

    def start(self, board: int, node: int) -> int:
        """Where the first row of a node of the player begins on a board."""
        return int(self.first[board] + self.slot[node] * self.rows[board])

    def node(self, array: npt.NDArray[Any], board: int, node: int) -> npt.NDArray[Any]:
        """The numbers of a node of the player as (actions, row), a view of the array."""
        start, row, actions = (
            self.start(board, node),
            int(self.rows[board]),
            int(self.actions[node]),
        )
        return array[start : start + actions * row].reshape(actions, row)


@dataclass(frozen=True, eq=False)
class StrategyLayout:
    """The storage of a spot.

    Examples
    --------
    >>> from pokerlab.postflop import Spot
    >>> spot = Spot("QhJh2c4d7h", "AA, KQs", "QQ, AJs", pot=100, stack=80, bet="a", raise_="")
    >>> from pokerlab.postflop.walker import deal_boards
    >>> boards = deal_boards(spot, isomorphism=True)
    >>> layout = StrategyLayout.of(spot.tree, boards)
    >>> layout.at(0, 0).own_actions.tolist(), layout.at(0, 0).rows.tolist(), layout.at(0, 0).size
    ([2, 2], [16], 64)
    """

    streets: tuple[tuple[PlayerLayout, PlayerLayout], ...]

    @classmethod
    def of(
        cls,
        tree: BettingTree,
        boards: Boards,
        rows: Sequence[tuple[Ints, Ints]] | None = None,
    ) -> StrategyLayout:
        """The layout for a betting tree on some boards.

        `rows` gives for each street and player the length of a row on each board; by default it
        is the number of hands that the board keeps, padding included.
        """
        lengths = (
            rows
            if rows is not None
            else [_hands(boards, each) for each in range(len(boards.tables))]
        )
        return cls(
            tuple(
                (PlayerLayout.of(street, 0, both[0]), PlayerLayout.of(street, 1, both[1]))
                for street, both in zip(tree.streets, lengths, strict=True)
            )
        )

    def at(self, level: int, player: int) -> PlayerLayout:
        """The storage of a player on a street."""
        return self.streets[level][player]

    def first(self, level: int) -> tuple[Ints, Ints]:
        """For both players where the boards of a street begin."""
        return self.streets[level][0].first, self.streets[level][1].first


def _hands(boards: Boards, level: int) -> tuple[Ints, Ints]:
    first, second = (np.diff(hands.first) for hands in boards.tables[level].hands)
    return first, second

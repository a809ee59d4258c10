"""Where the numbers of a strategy are stored: board by board, action by action, row by row.

A street has one array for each player. On a board stand the *slots* of the player, one for each
action of each of the player's nodes, in the order of the nodes; a slot has a *row*: a number for
each hand that the board keeps, padding included. So the storage of a board is ``[slot][hand]``,
and the actions of a node are neighbours.

Nothing here says what a row holds: regrets, sums and probabilities share the layout. Where hands
are stored in groups, a row has a number for each group, and `by_hand` gives each hand that of its
group.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from pokerlab.engine.tables.boards import Boards
from pokerlab.engine.tables.hand_groups import BoardGroups
from pokerlab.games.betting_trees.betting_tree import BettingTree, StreetTree
from pokerlab.runtime.arrays import AnyArray, Bools, Int32s, Int64s
from pokerlab.runtime.files.stored_tensor import Tensor


def first_slots(street: StreetTree) -> Int64s:
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
    columns
        For each board the place in a row of each hand that it keeps; None where hands are not
        in groups.
    """

    player: int
    slot: Int64s
    actions: Int64s
    own_actions: Int64s
    rows: Int64s
    first: Int64s
    columns: tuple[Int32s, ...] | None = None

    @classmethod
    def of(
        cls,
        street: StreetTree,
        player: int,
        rows: Int64s,
        columns: tuple[Int32s, ...] | None = None,
    ) -> PlayerLayout:
        """Lay out the actions of a player, given the length of a row on each board."""
        actions = np.diff(street.first_edge).astype(np.int64)
        own = actions[street.player == player]
        first = np.concatenate([[0], np.cumsum(rows * own.sum())]).astype(np.int64)
        return cls(player, first_slots(street), actions, own, rows.astype(np.int64), first, columns)

    def by_hand(self, rows: AnyArray, board: int) -> AnyArray:
        """Rows of a board (…, row) with a number for each hand that it keeps, in its order."""
        return rows if self.columns is None else rows[..., self.columns[board]]

    def carry(self, array: Tensor, other: PlayerLayout, known: Bools) -> AnyArray:
        """What is stored in another layout of the same hands, in this one.

        `known` says which of the entries of all boards are hands. A group takes the numbers of one
        of its hands.
        """
        if self.columns is None or other.columns is None:
            raise ValueError("both layouts must be of groups")
        carried = np.zeros(self.size, array.dtype)
        first = 0
        for board, columns in enumerate(self.columns):
            here = known[first : first + len(columns)]
            first += len(columns)
            by_hand = other.by_hand(other.board(array, board), board)
            self.board(carried, board)[:, columns[here]] = by_hand[:, here]
        return carried

    @property
    def slots(self) -> int:
        """How many actions the player has on the street."""
        return int(self.own_actions.sum())

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return int(self.first[-1])

    def boards(self, array: Tensor, first: int, last: int) -> AnyArray:
        """The numbers of the boards from `first` to before `last`, a view of the array."""
        return array[int(self.first[first]) : int(self.first[last])]

    def board(self, array: Tensor, board: int) -> AnyArray:
        """The numbers of a board as (slots, row), a view of the array."""
        block = self.boards(array, board, board + 1)
        return block.reshape(self.slots, int(self.rows[board]))

    def start(self, board: int, node: int) -> int:
        """Where the first row of a node of the player begins on a board."""
        return int(self.first[board] + self.slot[node] * self.rows[board])

    def node(self, array: Tensor, board: int, node: int) -> AnyArray:
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
    >>> from pokerlab.holdem.spots import Spot
    >>> spot = Spot("QhJh2c4d7h", "AA, KQs", "QQ, AJs", pot=100, stack=80, bet="a", raise_="")
    >>> from pokerlab.engine.walker import deal_boards
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
        groups: BoardGroups | None = None,
    ) -> StrategyLayout:
        """The layout for a betting tree on some boards.

        A row has a number for each hand that its board keeps, or for each group of hands, padding
        included.
        """

        def player_layout(level: int, player: int) -> PlayerLayout:
            street = tree.streets[level]
            if groups is None:
                first = boards.tables[level].hands[player].first
                return PlayerLayout.of(street, player, np.diff(first))
            here, first = groups.at(level, player), boards.tables[level].hands[player].first
            columns = tuple(np.split(here.column, first[1:-1]))
            return PlayerLayout.of(street, player, here.rows, columns)

        return cls(
            tuple(
                (player_layout(level, 0), player_layout(level, 1))
                for level in range(len(tree.streets))
            )
        )

    @classmethod
    def join(cls, layouts: Sequence[StrategyLayout]) -> StrategyLayout:
        """The storage of several spots with the same betting tree, one behind the other."""

        def joined(level: int, player: int) -> PlayerLayout:
            parts = [layout.at(level, player) for layout in layouts]
            rows = np.concatenate([part.rows for part in parts])
            columns = tuple(each for part in parts for each in part.columns or ())
            return replace(
                parts[0],
                rows=rows,
                first=np.concatenate([[0], np.cumsum(rows * parts[0].slots)]),
                columns=columns or None,
            )

        return cls(
            tuple((joined(level, 0), joined(level, 1)) for level in range(len(layouts[0].streets)))
        )

    def at(self, level: int, player: int) -> PlayerLayout:
        """The storage of a player on a street."""
        return self.streets[level][player]

    def first(self, level: int) -> tuple[Int64s, Int64s]:
        """For both players where the boards of a street begin."""
        return self.streets[level][0].first, self.streets[level][1].first

    def rows(self, level: int) -> tuple[Int64s, Int64s]:
        """For both players the length of a row on each board of a street."""
        return self.streets[level][0].rows, self.streets[level][1].rows

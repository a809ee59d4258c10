"""The groups of hands as kernels take them: see `pokerlab.postflop.tables.arrays.PlayerGroups`."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from pokerlab.postflop.tables.arrays import GroupTables, PlayerGroups
from pokerlab.postflop.tables.boards import Boards
from pokerlab.postflop.tables.hand_groups import BoardGroups, PlayerColumns
from pokerlab.postflop.tree.betting_tree import BettingTree

__all__ = ["make_group_tables"]

Ints: TypeAlias = npt.NDArray[np.int64]

_LANES = 16
_PIECE = 16
"""Members of a piece: a group that is larger is cut, so that no block has to wait for it."""


def make_group_tables(
    tree: BettingTree, boards: Boards, groups: BoardGroups | None, kind: np.dtype[Any]
) -> tuple[GroupTables | None, ...]:
    """The tables of each street; None where every hand has storage of its own."""
    if groups is None:
        return (None,) * len(tree.streets)
    made = []
    for level, street in enumerate(tree.streets):
        players = [_player_groups(boards, level, player, groups, kind) for player in range(2)]
        width = _LANES * max(int(np.diff(each.block_first).max()) for each in players)
        actions = np.diff(street.first_edge)
        most = int(actions.max(initial=1))
        number = np.arange(street.edges) - np.repeat(street.first_edge[:-1], actions)
        made.append(GroupTables((players[0], players[1]), (most + number) * width, width, most))
    return tuple(made)


def _player_groups(
    boards: Boards, level: int, player: int, groups: BoardGroups, kind: np.dtype[Any]
) -> PlayerGroups:
    here = groups.at(level, player)
    hands = boards.tables[level].hands[player]
    count = len(here.counts)
    board = np.repeat(np.arange(count), np.diff(hands.first))
    dead = hands.order >= len(boards.combos[player])
    column = _place_dead(board, dead, here)
    row_first = np.cumsum(here.rows) - here.rows
    group = row_first[board] + column
    living = np.bincount(group[~dead], minlength=int(here.rows.sum()))
    weights = np.zeros(len(board))
    weights[~dead] = boards.weights[player][hands.order[~dead]]
    totals = np.bincount(group, weights, minlength=len(living))

    pieces = _Pieces(board, group, here.rows)
    entry, there = pieces.members()
    position = np.arange(len(board)) - hands.first[board]
    alive = there & ~dead[entry]
    own = group[entry]
    shares = weights[entry] / np.where(alive, totals[own], 1)
    return PlayerGroups(
        column=here.column,
        block_first=pieces.first // _LANES,
        block_start=pieces.block_start,
        main_blocks=here.rows // _LANES,
        extra_first=pieces.extra_first,
        extra_column=pieces.extra_column.astype(np.int32),
        members=np.where(there, position[entry], boards.widths[player] - 1).astype(np.int32),
        shares=np.where(alive, shares, 0).astype(kind),
        means=np.where(alive, 1 / np.maximum(living[own], 1), 0).astype(kind),
    )


def _place_dead(
    board: npt.NDArray[np.intp], dead: npt.NDArray[np.bool_], here: PlayerColumns
) -> Ints:
    """The columns of all entries; hands that are impossible go to columns without a group.

    Where all columns of a row have groups, they go to the last one.
    """
    column = here.column.astype(np.int64)
    free = (here.rows - here.counts)[board[dead]]
    before = np.cumsum(np.bincount(board[dead], minlength=len(here.rows)))
    number = np.arange(len(free)) - np.concatenate([[0], before])[board[dead]]
    last = here.rows[board[dead]] - 1
    column[dead] = np.where(free > 0, last - number % np.maximum(free, 1), last)
    return column


class _Pieces:
    """Groups cut into pieces, sixteen of which are a block.

    The first pieces of all columns of a row stand first, then the further ones, padded to a
    multiple of sixteen.
    """

    def __init__(self, board: npt.NDArray[np.intp], group: Ints, rows: Ints) -> None:
        sizes = np.bincount(group, minlength=int(rows.sum()))
        self.by_group = np.argsort(group, kind="stable")
        start = np.cumsum(sizes) - sizes
        count = len(rows)
        board_of = np.repeat(np.arange(count), rows)
        column_of = np.arange(len(sizes)) - (np.cumsum(rows) - rows)[board_of]
        extras = np.maximum(-(-sizes // _PIECE) - 1, 0)
        owner = np.repeat(np.arange(len(sizes)), extras)
        number = np.arange(len(owner)) - np.repeat(np.cumsum(extras) - extras, extras) + 1
        counts = np.bincount(board_of[owner], minlength=count)
        padded = -(-counts // _LANES) * _LANES
        self.extra_first = np.concatenate([[0], np.cumsum(padded)]).astype(np.int64)
        self.first = np.concatenate([[0], np.cumsum(rows + padded)]).astype(np.int64)
        place = np.arange(len(owner)) - (np.cumsum(counts) - counts)[board_of[owner]]
        self.extra_column = np.zeros(int(self.extra_first[-1]), np.int64)
        self.extra_column[self.extra_first[board_of[owner]] + place] = column_of[owner]
        self.start, self.length = np.zeros((2, int(self.first[-1])), np.int64)
        own = self.first[board_of] + column_of
        self.start[own], self.length[own] = start, np.minimum(sizes, _PIECE)
        further = self.first[board_of[owner]] + rows[board_of[owner]] + place
        self.start[further] = start[owner] + _PIECE * number
        self.length[further] = np.minimum(sizes[owner] - _PIECE * number, _PIECE)
        depth = self.length.reshape(-1, _LANES).max(axis=1)
        self.block_start = np.concatenate([[0], np.cumsum(depth * _LANES)]).astype(np.int64)

    def members(self) -> tuple[Ints, npt.NDArray[np.bool_]]:
        """For each place of each block the entry that stands there, and whether one does."""
        sizes = np.diff(self.block_start)
        block = np.repeat(np.arange(len(sizes)), sizes)
        within = np.arange(len(block)) - self.block_start[block]
        piece = block * _LANES + within % _LANES
        number = within // _LANES
        there = number < self.length[piece]
        return self.by_group[np.where(there, self.start[piece] + number, 0)], there

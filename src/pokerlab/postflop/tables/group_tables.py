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
_PIECE = 32
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
    here: PlayerColumns = groups.at(level, player)
    hands = boards.tables[level].hands[player]
    count = len(here.counts)
    entry_board = np.repeat(np.arange(count), np.diff(hands.first))
    known = np.flatnonzero(hands.order < len(boards.combos[player]))
    group_first = np.cumsum(here.counts) - here.counts
    group = group_first[entry_board[known]] + here.column[known]
    by_group = np.argsort(group, kind="stable")
    sizes = np.bincount(group, minlength=int(here.counts.sum()))
    weights = boards.weights[player][hands.order[known]]
    totals = np.bincount(group, weights, minlength=len(sizes))
    position = known - hands.first[entry_board[known]]

    board_of_group = np.repeat(np.arange(count), here.counts)
    column_of_group = np.arange(len(sizes)) - group_first[board_of_group]
    member_start = np.cumsum(sizes) - sizes
    extras = np.maximum(-(-sizes // _PIECE) - 1, 0)  # a column may have no hands
    extra_group = np.repeat(np.arange(len(sizes)), extras)
    extra_number = np.arange(len(extra_group)) - np.repeat(np.cumsum(extras) - extras, extras)
    extra_counts = np.bincount(board_of_group[extra_group], minlength=count)
    extra_first = np.concatenate([[0], np.cumsum(extra_counts)]).astype(np.int64)

    lengths = here.rows + -(-extra_counts // _LANES) * _LANES
    piece_first = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    start, length = np.zeros((2, int(piece_first[-1])), np.int64)
    own = piece_first[board_of_group] + column_of_group
    start[own], length[own] = member_start, np.minimum(sizes, _PIECE)
    board_of_extra = board_of_group[extra_group]
    place = np.arange(len(extra_group)) - extra_first[board_of_extra]
    further = piece_first[board_of_extra] + here.rows[board_of_extra] + place
    start[further] = member_start[extra_group] + _PIECE * (extra_number + 1)
    length[further] = np.minimum(sizes[extra_group] - _PIECE * (extra_number + 1), _PIECE)

    depth = length.reshape(-1, _LANES).max(axis=1)
    block_start = np.concatenate([[0], np.cumsum(depth * _LANES)]).astype(np.int64)
    block = np.repeat(np.arange(len(depth)), depth * _LANES)
    within = np.arange(int(block_start[-1])) - block_start[block]
    piece = block * _LANES + within % _LANES
    number = within // _LANES
    there = number < length[piece]
    entry = by_group[np.where(there, start[piece] + number, 0)]
    empty = boards.widths[player] - 1
    shares = weights[entry] / totals[group[entry]]
    return PlayerGroups(
        column=here.column,
        block_first=piece_first // _LANES,
        block_start=block_start,
        extra_first=extra_first,
        extra_column=column_of_group[extra_group].astype(np.int32),
        members=np.where(there, position[entry], empty).astype(np.int32),
        shares=np.where(there, shares, 0).astype(kind),
        means=np.where(there, 1 / sizes[group[entry]], 0).astype(kind),
    )

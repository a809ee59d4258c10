"""The groups of hands as kernels take them: see `pokerlab.engine.tables.arrays.GroupTables`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from pokerlab.engine.tables.arrays import GROUP_HEAD, GROUP_VECTOR, GroupTables
from pokerlab.engine.tables.boards import Boards
from pokerlab.engine.tables.group_table_kernels import (
    LONGEST_PIECE,
    write_group_records,
)
from pokerlab.engine.tables.hand_groups import BoardGroups, PlayerColumns
from pokerlab.games.betting_trees.betting_tree import BettingTree, StreetTree

_LANES = 16


def make_group_tables(
    tree: BettingTree, boards: Boards, groups: BoardGroups | None, kind: np.dtype[Any]
) -> tuple[GroupTables | None, ...]:
    """The tables of each street; None where every hand has storage of its own.

    They are made once: walkers of another precision share all but the shares, and those of
    another betting tree all but how many actions a node has.
    """
    if groups is None:
        return (None,) * len(tree.streets)
    if not groups.tables:
        groups.tables.extend(_make_tables(boards, groups))
    return tuple(
        _for_street(each, street, kind)
        for each, street in zip(groups.tables, tree.streets, strict=True)
    )


def _for_street(tables: GroupTables, street: StreetTree, kind: np.dtype[Any]) -> GroupTables:
    actions = int(np.diff(street.first_edge).max(initial=1))
    return tables._replace(
        shares=tables.shares.astype(kind, copy=False),
        value_start=(actions + np.arange(actions)) * tables.width,
        actions=actions,
    )


def _make_tables(boards: Boards, groups: BoardGroups) -> Iterator[GroupTables]:
    for level, (first, second) in enumerate(groups.streets):
        # Players that have the same groups and weights share their records.
        same = first is second and np.array_equal(*boards.weights)
        players = (first,) if same else (first, second)
        count = len(boards.cards[level])
        room = [_room(here) for here in players]
        starts = np.zeros((len(players), count), np.int64)
        numbers = np.zeros(2 * count + sum(each.numbers for each in room), np.int32)
        shares = np.zeros(sum(each.shares for each in room))
        cursor = np.array([2 * count, 0])
        rows = 0
        for player, here in enumerate(players):
            hands = boards.tables[level].hands[player]
            row = write_group_records(
                hands.first,
                hands.order,
                here.column,
                here.counts,
                boards.weights[player],
                boards.widths[player] - 1,
                int(max(np.diff(hands.first).max(), here.counts.max())),
                cursor,
                starts[player],
                numbers,
                shares,
            )
            rows = max(rows, row)
        if cursor.max() > np.iinfo(np.int32).max:
            raise ValueError("the groups of this spot are too many for one table")
        numbers[: 2 * count] = np.resize(starts, 2 * count)
        yield GroupTables(
            numbers=numbers[: cursor[0]].copy(),
            shares=shares[: cursor[1]].copy(),
            value_start=np.zeros(0, np.int64),
            # A vector reads sixteen columns from its least one on, so it may read past the last.
            width=rows + _LANES,
            actions=0,
            boards=count,
        )


class _Room(NamedTuple):
    """The most that the records of a player take."""

    numbers: int
    shares: int


def _room(here: PlayerColumns) -> _Room:
    # A block is as deep as its first piece, and pieces are in falling order: all blocks together
    # have as many empty places as one of the deepest, at most.
    entries, records = len(here.column), len(here.counts)
    members = entries + records * _LANES * LONGEST_PIECE
    vectors, blocks = GROUP_VECTOR * entries // _LANES, records + entries // _LANES
    further, places = 2 * entries // LONGEST_PIECE, int(here.rows.sum())
    return _Room(records * GROUP_HEAD + vectors + blocks + further + places + members, 2 * members)

"""The groups of hands as kernels take them: see `pokerlab.postflop.tables.arrays.GroupTables`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from pokerlab.postflop.tables.arrays import GROUP_HEAD, GroupTables
from pokerlab.postflop.tables.boards import Boards
from pokerlab.postflop.tables.hand_groups import BoardGroups, PlayerColumns
from pokerlab.postflop.tree.betting_tree import BettingTree, StreetTree

__all__ = ["make_group_tables"]

Ints: TypeAlias = npt.NDArray[np.int64]

_LANES = 16
_PIECE = 8
"""Members of a piece: a group that is larger is cut, so that no block has to wait for it."""


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
        records = [
            record
            for player, here in enumerate((first,) if same else (first, second))
            for record in _records(boards, level, player, here)
        ]
        count = len(boards.cards[level])
        starts = 2 * count + np.cumsum([0, *(record.size for record in records)])
        shares = np.cumsum([0, *(2 * len(record.members) for record in records)])
        if max(starts[-1], shares[-1]) > np.iinfo(np.int32).max:
            raise ValueError("the groups of this spot are too many for one table")
        rows = max(record.row for record in records)
        numbers = [record.numbers(int(at)) for record, at in zip(records, shares, strict=False)]
        floats = [part for record in records for part in (record.shares, record.means)]
        yield GroupTables(
            numbers=np.concatenate([np.resize(starts[:-1], 2 * count), *numbers]).astype(np.int32),
            shares=np.concatenate(floats),
            value_start=np.zeros(0, np.int64),
            # A vector reads sixteen columns from its least one on, so it may read past the last.
            width=rows + _LANES,
            actions=0,
            boards=count,
        )


@dataclass(frozen=True, eq=False)
class _Record:
    """The groups of a player on one board."""

    vectors: Ints
    depths: Ints
    further: Ints
    places: Ints
    members: Ints
    shares: npt.NDArray[np.float64]
    means: npt.NDArray[np.float64]

    @property
    def row(self) -> int:
        """The numbers that a row of groups, or of pieces and an empty place, takes."""
        return max(len(self.places), _LANES * (len(self.depths) + 1))

    @property
    def size(self) -> int:
        return GROUP_HEAD + sum(each.size for each in self._parts())

    def _parts(self) -> tuple[Ints, ...]:
        return self.vectors, self.depths, self.further, self.places, self.members

    def numbers(self, shares: int) -> Ints:
        """All of it but the shares, which begin at `shares`."""
        counts = len(self.vectors), len(self.depths), len(self.further)
        head = [*counts, shares, len(self.members)]
        return np.concatenate([head, *(part.ravel() for part in self._parts())])


def _records(boards: Boards, level: int, player: int, here: PlayerColumns) -> Iterator[_Record]:
    hands = boards.tables[level].hands[player]
    empty = boards.widths[player] - 1
    for number, count in enumerate(here.counts.tolist()):
        entries = slice(*hands.first[number : number + 2].tolist())
        order, column = hands.order[entries], here.column[entries].astype(np.int64)
        alive = np.flatnonzero(order < len(boards.combos[player]))
        weights = boards.weights[player][order[alive]]
        own = column[alive]
        totals = np.bincount(own, weights, minlength=count)
        sizes = np.bincount(own, minlength=count)
        depths, further, places, members = _blocks(own, sizes, int(here.rows[number]))
        there = members >= 0
        yield _Record(
            _vectors(column, alive),
            depths,
            further,
            places,
            np.where(there, alive[members], empty),
            np.where(there, weights[members] / totals[own[members]], 0.0),
            np.where(there, 1 / sizes[own[members]], 0.0),
        )


def _vectors(column: Ints, alive: npt.NDArray[np.intp]) -> Ints:
    """The vectors of a board (vectors, 17); places without a hand take what suits the others."""
    known = np.zeros(len(column), bool)
    known[alive] = True
    rows, there = column.reshape(-1, _LANES), known.reshape(-1, _LANES)
    least = np.where(there, rows, np.iinfo(np.int64).max).min(axis=1)
    least = np.where(there.any(axis=1), least, 0)
    rows = np.where(there, rows, least[:, None])
    near = rows.max(axis=1) - least < _LANES
    base = np.where(near, least, -1)
    return np.concatenate([base[:, None], np.where(near[:, None], rows - least[:, None], rows)], 1)


def _blocks(own: Ints, sizes: Ints, row: int) -> tuple[Ints, Ints, Ints, Ints]:
    """The depths of the blocks of a board, its further pieces, where columns are, the members.

    Members are places in `own`; −1 for none.
    """
    by_group = np.argsort(own, kind="stable")
    pieces = -(-sizes // _PIECE)
    column = np.repeat(np.arange(len(sizes)), pieces)
    number = np.arange(len(column)) - np.repeat(np.cumsum(pieces) - pieces, pieces)
    start = (np.cumsum(sizes) - sizes)[column] + _PIECE * number
    length = np.minimum(sizes[column] - _PIECE * number, _PIECE)
    largest = np.argsort(-length, kind="stable")
    column, number = column[largest], number[largest]
    missing = -len(column) % _LANES
    start, length = (
        np.concatenate([each[largest], np.zeros(missing, np.int64)]) for each in (start, length)
    )
    places = np.full(row, len(length))  # behind the last piece stands a zero
    first = np.flatnonzero(number == 0)
    places[column[first]] = first
    others = np.flatnonzero(number > 0)
    further = np.stack([others, places[column[others]]], axis=1)
    depth = length.reshape(-1, _LANES).max(axis=1)
    block = np.repeat(np.arange(len(depth)), depth * _LANES)
    within = np.arange(len(block)) - np.repeat(_LANES * (np.cumsum(depth) - depth), depth * _LANES)
    piece = block * _LANES + within % _LANES
    there = within // _LANES < length[piece]
    place = np.where(there, start[piece] + within // _LANES, 0)
    return depth, further, places, np.where(there, by_group[place], -1)

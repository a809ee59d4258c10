"""The groups of hands as kernels take them: see `pokerlab.postflop.tables.arrays.GroupTables`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from pokerlab.postflop.tables.arrays import GroupTables
from pokerlab.postflop.tables.boards import Boards
from pokerlab.postflop.tables.hand_groups import BoardGroups, PlayerColumns
from pokerlab.postflop.tree.betting_tree import BettingTree

__all__ = ["HEAD", "VECTOR", "make_group_tables"]

Ints: TypeAlias = npt.NDArray[np.int64]

HEAD = 4
"""Numbers at the head of a record."""
VECTOR = 17
"""Numbers of a vector, and of a block without its members."""

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
        records = [
            record
            for player in range(2)
            for record in _records(boards, level, player, groups.at(level, player))
        ]
        starts = len(records) + np.cumsum([0, *(record.size for record in records)])
        shares = np.cumsum([0, *(2 * len(record.members) for record in records)])
        if max(starts[-1], shares[-1]) > np.iinfo(np.int32).max:
            raise ValueError("the groups of this spot are too many for one table")
        rows = max(int(groups.at(level, player).rows.max()) for player in range(2))
        actions = int(np.diff(street.first_edge).max(initial=1))
        numbers = [record.numbers(int(at)) for record, at in zip(records, shares, strict=False)]
        floats = [part for record in records for part in (record.shares, record.means)]
        # A vector reads sixteen columns from its least one on, so it may read past the last.
        width = rows + _LANES
        made.append(
            GroupTables(
                numbers=np.concatenate([starts[:-1], *numbers]).astype(np.int32),
                shares=np.concatenate(floats).astype(kind),
                value_start=(actions + np.arange(actions)) * width,
                width=width,
                actions=actions,
                boards=len(boards.cards[level]),
            )
        )
    return tuple(made)


@dataclass(frozen=True, eq=False)
class _Record:
    """The groups of a player on one board."""

    vectors: Ints
    blocks: Ints
    members: Ints
    shares: npt.NDArray[np.float64]
    means: npt.NDArray[np.float64]

    @property
    def size(self) -> int:
        return HEAD + self.vectors.size + self.blocks.size + self.members.size

    def numbers(self, shares: int) -> Ints:
        """All of it but the shares, which begin at `shares`."""
        head = [len(self.vectors), len(self.blocks), shares, len(self.members)]
        return np.concatenate([head, self.vectors.ravel(), self.blocks.ravel(), self.members])


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
        blocks, places = _blocks(own, sizes)
        there = places >= 0
        yield _Record(
            _vectors(column, alive),
            blocks,
            np.where(there, alive[places], empty),
            np.where(there, weights[places] / totals[own[places]], 0.0),
            np.where(there, 1 / sizes[own[places]], 0.0),
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


def _blocks(own: Ints, sizes: Ints) -> tuple[Ints, Ints]:
    """The blocks of a board (blocks, 17), and the members: places in `own`; −1 for none."""
    by_group = np.argsort(own, kind="stable")
    pieces = -(-sizes // _PIECE)
    column = np.repeat(np.arange(len(sizes)), pieces)
    number = np.arange(len(column)) - np.repeat(np.cumsum(pieces) - pieces, pieces)
    start = (np.cumsum(sizes) - sizes)[column] + _PIECE * number
    length = np.minimum(sizes[column] - _PIECE * number, _PIECE)
    largest = np.argsort(-length, kind="stable")
    column, start, length = column[largest], start[largest], length[largest]
    missing = -len(column) % _LANES
    column, start, length = (
        np.concatenate([each, np.zeros(missing, np.int64)]) for each in (column, start, length)
    )
    depth = length.reshape(-1, _LANES).max(axis=1)
    block = np.repeat(np.arange(len(depth)), depth * _LANES)
    within = np.arange(len(block)) - np.repeat(_LANES * (np.cumsum(depth) - depth), depth * _LANES)
    piece = block * _LANES + within % _LANES
    place = start[piece] + within // _LANES
    there = within // _LANES < length[piece]
    members = np.where(there, by_group[np.where(there, place, 0)], -1)
    return np.concatenate([depth[:, None], column.reshape(-1, _LANES)], 1), members

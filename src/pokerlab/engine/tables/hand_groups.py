"""Which hands of a spot are stored together: a group of hands plays one strategy.

On each board of each street the hands of a player's range fall into groups. They are numbered in
the order of their first hands, and the number is the *column* of the group in the rows of
`pokerlab.engine.tables.layout`. (On a river, where hands are in the order of their strength,
neighbours then have columns that are near each other.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from pokerlab.engine.counts import padded_rows
from pokerlab.engine.game import PublicGame
from pokerlab.engine.groups import HandGrouping, find_groups
from pokerlab.engine.locks import NodeLock, parse_locks
from pokerlab.engine.tables.arrays import GroupTables
from pokerlab.engine.tables.boards import Boards
from pokerlab.engine.tables.runouts import find_run_out
from pokerlab.runtime.arrays import AnyArray, Bools, Indices, Int32s, Int64s

_Numbers: TypeAlias = npt.NDArray[np.integer[Any]]
GroupNumbers: TypeAlias = "Sequence[tuple[_Numbers, _Numbers]]"
"""For each street and player the group of each combo on each board: (boards, 1326)."""


@dataclass(frozen=True, eq=False)
class PlayerColumns:
    """The groups of one player on one street.

    Attributes
    ----------
    column
        For each entry of each board, as `PlayerBoards.first` counts them, the column of its
        group; 0 for padding and for hands that are impossible there.
    counts : (boards,)
        How many groups each board has.
    """

    column: Int32s
    counts: Int64s

    @property
    def rows(self) -> Int64s:
        """The length of a row on each board, padding included."""
        return padded_rows(self.counts)


@dataclass(frozen=True, eq=False)
class BoardGroups:
    """The groups of both players on all boards of a spot.

    Attributes
    ----------
    text
        What they are called: ``view/river`` or ``kmeans:400,400,200``.
    streets
        For each street those of both players.
    shared
        Whether a group has the same number and the same storage on all boards of a street: it is
        a bucket. Such storage is read, not learned.
    tables
        What kernels of any betting tree need, street by street, once a walker has asked for it
        (`pokerlab.engine.tables.group_tables`).
    """

    text: str
    streets: tuple[tuple[PlayerColumns, PlayerColumns], ...]
    shared: bool = False
    tables: list[GroupTables] = field(default_factory=list, repr=False)

    @classmethod
    def of_groups(cls, text: str, boards: Boards, groups: GroupNumbers) -> BoardGroups:
        """The groups of hands that have the same group number on a board."""

        def number(level: int) -> tuple[PlayerColumns, PlayerColumns]:
            first = _number(boards, level, 0, groups[level][0])
            if np.array_equal(*boards.combos) and np.array_equal(*groups[level]):
                return first, first
            return first, _number(boards, level, 1, groups[level][1])

        return cls(text, tuple(map(number, range(len(groups)))))

    @classmethod
    def of_columns(
        cls, text: str, boards: Boards, columns: Sequence[tuple[AnyArray, ...]]
    ) -> BoardGroups:
        """The groups that a file holds; `ValueError` if they are not those of these boards."""

        def checked(level: int, player: int) -> PlayerColumns:
            column = np.asarray(columns[level][player]).astype(np.int32)
            board, known = _entries(boards, level, player)
            counts = np.zeros(len(boards.cards[level]), np.int64)
            np.maximum.at(counts, board[known], column[known] + 1)
            numbered = _number_columns(boards, level, player, column.astype(np.int64))
            same = (numbered.counts == counts).all() and (numbered.column == column).all()
            if not same:
                raise ValueError(
                    f"the groups of {('oop', 'ip')[player]} on street {level + 1} are not groups "
                    "of the hands on its boards"
                )
            return numbered

        return cls(
            text, tuple((checked(level, 0), checked(level, 1)) for level in range(len(columns)))
        )

    def at(self, level: int, player: int) -> PlayerColumns:
        """The groups of a player on a street."""
        return self.streets[level][player]


def group_hands(
    spot: PublicGame, boards: Boards, grouping: HandGrouping, threads: int | None = None
) -> BoardGroups:
    """The groups of a spot; hands that a lock treats differently are in different ones."""
    ranges = spot.ranges[0].weights, spot.ranges[1].weights
    groups = find_groups(grouping, boards.cards, ranges, threads=threads)
    locks = parse_locks(spot, spot.locks)
    return BoardGroups.of_groups(grouping.text, boards, split_by_locks(spot, boards, groups, locks))


def join_groups(
    boards: Boards, oop: BoardGroups | None, ip: BoardGroups | None
) -> BoardGroups | None:
    """The groups of a player out of position and of another in position; None if both have none."""
    if oop is None and ip is None:
        return None

    def columns(groups: BoardGroups | None, level: int, player: int) -> PlayerColumns:
        if groups is not None:
            return groups.at(level, player)
        first = boards.tables[level].hands[player].first
        sizes = np.diff(first)
        place = np.arange(first[-1]) - np.repeat(first[:-1], sizes)
        return PlayerColumns(place.astype(np.int32), sizes)

    return BoardGroups(
        "joined",
        tuple(
            (columns(oop, level, 0), columns(ip, level, 1)) for level in range(len(boards.cards))
        ),
    )


def _entries(boards: Boards, level: int, player: int) -> tuple[Indices, Bools]:
    """For each entry of a street its board, and whether it is a hand that is possible there."""
    hands = boards.tables[level].hands[player]
    board = np.repeat(np.arange(len(boards.cards[level])), np.diff(hands.first))
    return board, hands.order < len(boards.combos[player])


def _number(boards: Boards, level: int, player: int, groups: _Numbers) -> PlayerColumns:
    hands = boards.tables[level].hands[player]
    board, known = _entries(boards, level, player)
    entry_groups = np.zeros(len(board), np.int64)
    combos = boards.combos[player][hands.order[known]]
    entry_groups[known] = groups[board[known], combos]
    if (entry_groups < 0).any():
        raise ValueError("a hand of the range has no group")
    return _number_columns(boards, level, player, entry_groups)


def _number_columns(boards: Boards, level: int, player: int, groups: Int64s) -> PlayerColumns:
    """Number the groups of each board in the order of their first hands."""
    board, known = _entries(boards, level, player)
    column = np.zeros(len(board), np.int32)
    counts = np.zeros(len(boards.cards[level]), np.int64)
    if not known.any():
        return PlayerColumns(column, counts)
    key = board[known] * (int(groups.max()) + 1) + groups[known]
    _, first, group = np.unique(key, return_index=True, return_inverse=True)
    owner = board[known][first]
    order = np.lexsort((first, owner))
    counts += np.bincount(owner, minlength=len(counts))
    place = np.empty(len(order), np.int64)
    starts = np.cumsum(counts) - counts
    place[order] = np.arange(len(order)) - starts[owner[order]]
    column[known] = place[group]
    return PlayerColumns(column, counts)


def split_by_locks(
    spot: PublicGame, boards: Boards, groups: GroupNumbers, locks: Sequence[NodeLock]
) -> list[tuple[Int64s, Int64s]]:
    """The same groups, but hands that a lock treats differently are in different groups."""
    split = [(both[0].astype(np.int64), both[1].astype(np.int64)) for both in groups]
    for lock in locks:
        player = int(spot.tree.streets[lock.level].player[lock.node])
        _, kind = np.unique(lock.shares.T, axis=0, return_inverse=True)
        here = split[lock.level][player]
        chosen: Any = slice(None)
        if lock.cards:
            number = find_run_out(boards, lock.cards)[-1].number
            chosen = slice(number, number + 1)
        joined = here[chosen] * (int(kind.max()) + 1) + kind.reshape(-1)
        here[chosen] = np.where(here[chosen] < 0, -1, joined)
        if here.max() > 2**31:  # numbers stay small, however many locks there are
            _, numbers = np.unique(here, return_inverse=True)
            here[:] = np.where(here < 0, -1, numbers.reshape(here.shape))
    return split

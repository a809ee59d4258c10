"""`LevelBoards`: the boards of a street as walks on the GPU take them, of one spot or of several.

Several spots are walked together by putting their boards one after the other: the first street
then has a board for each spot. Rows of hands are as long as the longest spot's. Storage is not: a
spot has the same as when it is alone, behind that of the spots before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from pokerlab.engine.tables.arrays import BoardTables
from pokerlab.engine.tables.boards import Boards
from pokerlab.runtime.arrays import Bytes, Indices, Int32s, Int64s, Uint16s

Pair: TypeAlias = tuple[Any, Any]
"""One for each player."""


NO_HAND = 0xFFFF


@dataclass(frozen=True, eq=False)
class LevelBoards:
    """The boards of a street.

    Attributes
    ----------
    cards : (boards, cards)
        The cards of each.
    spot : (boards,)
        Whose it is.
    combos
        For each player (spots, hands): which combo each hand is.
    hands
        For each player (boards,): the length of a row of storage.
    entries
        For each player (boards,): the entries of all boards before.
    order
        For each player (boards, places): which hand stands where.
    parent : (boards,)
        The board of the street before.
    above
        How many boards the street before has; on the first street as many as this one.
    owner : (members,)
        The board of each member: of each card that a board stands for.
    member_first : (boards of the street before + 1,)
        Where the members that follow a board begin.
    positions
        For each player (members, hands): where the value of a hand is found on the board.
    group_first : (boards + 1,)
        Where the groups of equal hands of a board begin, on the river.
    groups
        For each player (groups, 4); see `PlayerBoards`.
    """

    cards: Bytes
    spot: Int32s
    combos: Pair
    hands: Pair
    entries: Pair
    order: Pair
    parent: Int32s
    above: int
    owner: Int32s
    member_first: Int32s
    positions: Pair
    group_first: Int32s
    groups: Pair

    @classmethod
    def of(cls, parts: Sequence[Boards], number: int) -> LevelBoards:
        """The boards of the `number`-th street of some spots, which begin on the same street."""
        tables = [part.tables[number] for part in parts]
        cards = np.concatenate([part.cards[number] for part in parts])
        above = [part.tables[number - 1] for part in parts] if number else None
        count = len(cards)
        children = np.concatenate([np.diff(each.child_first) for each in above]) if above else None
        parent = np.arange(count if children is None else len(children), dtype=np.int32)
        sizes = np.concatenate([np.diff(each.member_first) for each in tables])
        pair_of = pair_maker(tables)
        hands = pair_of(lambda player: np.concatenate(_row_lengths(tables, player)))
        last_street = len(tables[0].group_first) > 0
        return cls(
            cards=cards,
            spot=np.repeat(
                np.arange(len(parts), dtype=np.int32), [len(part.cards[number]) for part in parts]
            ),
            combos=pair_of(lambda player: _stack([part.combos[player] for part in parts], 0)),
            hands=pair_of(lambda player: hands[player].astype(np.int32)),
            entries=pair_of(lambda player: np.cumsum(hands[player]) - hands[player]),
            order=pair_of(lambda player: _order(parts, number, player, hands[player], last_street)),
            parent=parent if children is None else np.repeat(parent, children),
            above=len(parent),
            owner=np.repeat(np.arange(count, dtype=np.int32), sizes),
            member_first=_member_first(tables, above),
            positions=pair_of(lambda player: _positions(parts, number, player)),
            group_first=_join_starts(
                [each.group_first if last_street else np.zeros(1, np.int64) for each in tables]
            ),
            groups=pair_of(
                lambda player: np.concatenate([each.hands[player].groups for each in tables])
            ),
        )

    def __len__(self) -> int:
        return len(self.cards)

    @property
    def lengths(self) -> tuple[int, int]:
        """For each player the length of a row of hands."""
        return self.order[0].shape[1], self.order[1].shape[1]

    def of_spot(self, spot: int) -> slice:
        """The boards of a spot."""
        first, last = np.searchsorted(self.spot, [spot, spot + 1])
        return slice(int(first), int(last))


def pair_maker(tables: Sequence[BoardTables]) -> Callable[[Callable[[int], Any]], Pair]:
    """What makes something for each player; once where both hold the same hands."""
    same = all(each.hands[0] is each.hands[1] for each in tables)

    def pair_of(make: Callable[[int], Any]) -> Pair:
        first = make(0)
        return first, first if same else make(1)

    return pair_of


def _row_lengths(tables: Sequence[BoardTables], player: int) -> list[Int64s]:
    return [np.diff(each.hands[player].first) for each in tables]


def _order(
    parts: Sequence[Boards], number: int, player: int, sizes: Int64s, last_street: bool
) -> Uint16s:
    """(boards, places): which hand stands where; the rows of all boards are equally long."""
    length = max(part.padded[player] for part in parts)
    if last_street:
        length = int(sizes.max(initial=16))
    entries = np.concatenate(
        [
            _or_nothing(part.tables[number].hands[player].order, part.widths[player] - 1)
            for part in parts
        ]
    )
    order = np.full((len(sizes), length), NO_HAND, np.uint16)
    board = np.repeat(np.arange(len(sizes)), sizes)
    order[board, np.arange(len(entries)) - np.repeat(np.cumsum(sizes) - sizes, sizes)] = entries
    return order


def _positions(parts: Sequence[Boards], number: int, player: int) -> Uint16s:
    rows = []
    for part in parts:
        found = part.tables[number].hands[player].positions.reshape(-1, part.padded[player])
        rows.append(_or_nothing(found, part.widths[player] - 1))
    longest = max(row.shape[1] for row in rows)
    positions = np.full((sum(map(len, rows)), longest), NO_HAND, np.uint16)
    first = 0
    for row in rows:
        positions[first : first + len(row), : row.shape[1]] = row
        first += len(row)
    return positions


def _or_nothing(hands: Int32s, missing: int) -> Uint16s:
    return np.where(hands == missing, NO_HAND, hands).astype(np.uint16)


def _member_first(tables: Sequence[BoardTables], above: Sequence[BoardTables] | None) -> Int32s:
    """Where members begin, by the board above; that of the first street is the spot."""
    if above is None:
        return _join_starts([each.member_first[[0, -1]] for each in tables])
    return _join_starts(
        [each.member_first[up.child_first] for each, up in zip(tables, above, strict=True)]
    )


def _join_starts(parts: Iterable[Int64s]) -> Int32s:
    """Starts with an end, of several lists that stand one after the other."""
    joined, end = [], 0
    for each in parts:
        joined.append(each[:-1] + end)
        end += int(each[-1])
    return np.concatenate([*joined, [end]]).astype(np.int32)


def _stack(rows: Sequence[Indices], filler: int) -> Int32s:
    """Rows of different lengths as one table."""
    table = np.full((len(rows), max(map(len, rows))), filler, np.int32)
    for number, row in enumerate(rows):
        table[number, : len(row)] = row
    return table

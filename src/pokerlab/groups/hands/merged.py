"""Groups of hands on merged boards: how the thesis counts.

The thesis merges all cards of a rank whose suits can make no flush any more, and forms the groups
on the boards that are left: a hand is described by its values on all boards for which a merged
board stands. A hand that holds one of the merged cards has fewer of them, so there are more groups
than on any one of these boards. For example, 4d and 4s are the same on the turn of 9c7c9h; on the
merged board 9c7c9h4d6c a hand with the four of diamonds or spades has one value and others have
two, and there are 288 groups by view, where 9c7c9h4d6c alone has 266.

Merging by flushes is not exact (see `pokerlab.cards.isomorphism.suits.card_classes`), so the
solver does not use it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from pokerlab.arrays import Bools, Int32s, Int64s
from pokerlab.groups.hands.identities import split_by_boards
from pokerlab.groups.hands.numbering import number_rows
from pokerlab.groups.hands.run_outs import RunOuts

Board: TypeAlias = tuple[int, ...]


class MergedBoard(NamedTuple):
    """A board that stands for others."""

    card: int
    """What its last cards have in common: a card, or −1 − rank for any suit that makes no flush."""
    members: list[Board]
    """All boards that it stands for; the first one is its name."""


def merge_boards(board: Sequence[int]) -> list[list[MergedBoard]]:
    """The merged boards of each street, from the street of the board on.

    Examples
    --------
    >>> from pokerlab.cards.codes import parse_cards
    >>> [len(street) for street in merge_boards(parse_cards("QhJh2c"))]
    [1, 36, 985]
    >>> [len(street) for street in merge_boards(parse_cards("Th6s3c"))]
    [1, 49, 1033]
    """
    streets = [[MergedBoard(-1, [tuple(board)])]]
    while len(streets[-1][0].members[0]) < 5:
        streets.append([child for parent in streets[-1] for child in _children(parent)])
    return streets


def _children(parent: MergedBoard) -> list[MergedBoard]:
    children: dict[int, MergedBoard] = {}
    for board in parent.members:
        to_come = 5 - len(board)
        suits = [card & 3 for card in board]
        for card in range(51, -1, -1):
            if card not in board:
                can_flush = suits.count(card & 3) + to_come >= 3
                name = card if can_flush else -1 - (card >> 2)
                children.setdefault(name, MergedBoard(name, [])).members.append((*board, card))
    return list(children.values())


def count_on_merged_boards(
    identity: str,
    values: Int32s,
    run_outs: RunOuts,
    streets: list[list[MergedBoard]],
    wanted: Bools,
) -> list[Int64s]:
    """Count the groups of wanted hands on merged boards: by street, an array by board.

    Parameters
    ----------
    identity
        ``river``, ``hierarchical`` or ``global``.
    values
        What `pokerlab.groups.hands.measures.river_values` gives for all run-outs.
    """
    counted = []
    for street in streets:
        counts = []
        for board in street:
            below = _below(board, values, run_outs)
            if identity == "hierarchical" and len(board.members[0]) == 3:
                below = _histograms(streets[1], values, run_outs)
            counts.append(_count(identity, below, wanted))
        counted.append(np.array(counts, np.int64))
    return counted


def _below(board: MergedBoard, values: Int32s, run_outs: RunOuts) -> Int32s:
    """Values (1326, boards) on the complete boards below all boards that one stands for."""
    if len(board.members[0]) == 5:
        places = run_outs.numbers(np.array(board.members, np.uint8))
    else:
        places = np.concatenate([run_outs.below(member) for member in board.members])
    return np.ascontiguousarray(values[places].T)


def _histograms(turns: list[MergedBoard], values: Int32s, run_outs: RunOuts) -> Int32s:
    """The number of each combo's histogram on each merged turn: (1326, turns), −1 if impossible."""
    sorted_rows = [np.sort(_below(turn, values, run_outs), axis=1) for turn in turns]
    width = max(rows.shape[1] for rows in sorted_rows)
    padded = np.full((len(turns), values.shape[1], width), -1, np.int32)
    for place, rows in enumerate(sorted_rows):
        padded[place, :, width - rows.shape[1] :] = rows
    numbers = number_rows(padded.reshape(-1, width))[0].reshape(len(turns), -1)
    numbers[padded[:, :, -1] < 0] = -1
    return np.ascontiguousarray(numbers.T)


def _count(identity: str, below: Int32s, wanted: Bools) -> int:
    seen = wanted & (below >= 0).any(axis=1)
    groups, _ = number_rows(np.sort(below, axis=1))
    if identity == "river":
        groups = split_by_boards(below, groups, seen)
    return len(set(groups[seen].tolist()))

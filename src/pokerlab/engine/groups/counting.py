"""How many groups of hands a board has, and the boards that it leads to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np

from pokerlab.cards.codes import Cards, format_cards, to_cards
from pokerlab.cards.isomorphism.suits import board_orbits, symmetries
from pokerlab.cards.ranges.range import Range, RangeLike
from pokerlab.engine.groups.finding import count_hand_groups
from pokerlab.engine.groups.hand_grouping import HandGrouping
from pokerlab.engine.groups.identities import split_by_boards
from pokerlab.engine.groups.measures import river_values
from pokerlab.engine.groups.numbering import number_rows
from pokerlab.engine.groups.run_outs import RunOuts
from pokerlab.runtime.arrays import Bools, Bytes, Floats, Int32s, Int64s
from pokerlab.runtime.errors import shorten
from pokerlab.runtime.machine import core_count

STREET_OF_CARDS = {3: "flop", 4: "turn", 5: "river"}
Board: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class GroupCounts:
    """How many groups of hands the boards of one street have.

    Attributes
    ----------
    boards : (n, cards)
        One board of each class of boards that differ by suits alone, or that are merged.
    times : (n,)
        How many boards each stands for.
    counts : (n,)
        The number of groups on each.
    """

    boards: Bytes
    times: Int64s
    counts: Int64s

    @property
    def mean(self) -> float:
        """The mean over all boards."""
        return float(self.times @ self.counts / self.times.sum())

    @property
    def min(self) -> int:
        """The fewest groups that a board has."""
        return int(self.counts.min())

    @property
    def max(self) -> int:
        """The most groups that a board has."""
        return int(self.counts.max())


def count_groups(
    board: Cards,
    measure: str = "view",
    identity: str = "river",
    *,
    hands: RangeLike = "random",
    opponent: RangeLike = "random",
    merged: bool = False,
    threads: int | None = None,
) -> dict[str, GroupCounts]:
    """Count the groups of identical hands on a board and on all boards that it leads to.

    Parameters
    ----------
    board
        3 to 5 cards.
    measure, identity
        See `HandGrouping`.
    hands
        Only these hands are counted.
    opponent
        The opponent's range, for the measure ``strength-range``.
    merged
        Count on merged boards, each once, as the thesis does; see
        `merge_boards`.
    threads
        All cores if not given.

    Returns
    -------
    The counts of ``flop``, ``turn`` and ``river``, from the street of the board on.

    Examples
    --------
    >>> count_groups("AhAsAcAd2h", "strength")["river"].mean
    23.0
    >>> turn = count_groups("9c7c9h4d", "rank")
    >>> turn["turn"].max, turn["river"].min, turn["river"].max
    (144, 20, 129)
    """
    grouping = HandGrouping.of(measure, identity)
    cards = group_board(board)
    own, other = possible_weights(hands, cards), possible_weights(opponent, cards)
    if merged:
        return _count_merged(grouping, cards, own, other, threads or core_count())
    group = symmetries(cards, np.stack([own, other]))
    streets = [board_orbits(cards, group, size=size) for size in range(len(cards), 6)]
    counted = count_hand_groups(grouping, [boards for boards, _ in streets], (own, other), threads)
    return {
        STREET_OF_CARDS[boards.shape[1]]: GroupCounts(boards, times, counts)
        for (boards, times), (counts, _) in zip(streets, counted, strict=True)
    }


def _count_merged(
    grouping: HandGrouping,
    cards: tuple[int, ...],
    own: Floats,
    other: Floats,
    threads: int,
) -> dict[str, GroupCounts]:
    run_outs = RunOuts(cards)
    values, _ = river_values(grouping.kind, run_outs.rivers, other, threads)
    streets = merge_boards(cards)
    counted = count_on_merged_boards(grouping.identity, values, run_outs, streets, own > 0)
    found = {}
    for street, counts in zip(streets, counted, strict=True):
        boards = np.array([each.members[0] for each in street], np.uint8)
        times = np.ones(len(boards), np.int64)
        found[STREET_OF_CARDS[boards.shape[1]]] = GroupCounts(boards, times, counts)
    return found


def group_board(board: Cards) -> tuple[int, ...]:
    """Take 3, 4 or 5 board cards as text or codes.

    Examples
    --------
    >>> group_board("4h5h")
    Traceback (most recent call last):
    ValueError: hands are grouped on a board of 3, 4 or 5 cards, '4h5h' has 2
    """
    cards = to_cards(board)
    if not 3 <= len(cards) <= 5:
        raise ValueError(
            "hands are grouped on a board of 3, 4 or 5 cards, "
            f"{shorten(format_cards(cards))!r} has {len(cards)}"
        )
    return cards


def possible_weights(hands: RangeLike, board: tuple[int, ...]) -> Floats:
    """The weights of a range, which must have a hand that is possible on a board."""
    chosen = Range(hands).remove(board)
    if not chosen:
        shown = shorten(hands if isinstance(hands, str) else str(Range(hands)))
        raise ValueError(f"the range {shown!r} has no hand left on {format_cards(board)}")
    return chosen.weights


class MergedBoard(NamedTuple):
    """A board that stands for others."""

    card: int
    """What its last cards have in common: a card, or −1 − rank for any suit that makes no flush."""
    members: list[Board]
    """All boards that it stands for; the first one is its name."""


def merge_boards(board: Sequence[int]) -> list[list[MergedBoard]]:
    """The merged boards of each street, from the street of the board on: how the thesis counts.

    The thesis merges all cards of a rank whose suits can make no flush any more, and forms the
    groups on the boards that are left: a hand is described by its values on all boards for which a
    merged board stands. A hand that holds one of the merged cards has fewer of them, so there are
    more groups than on any one of these boards. For example, 4d and 4s are the same on the turn of
    9c7c9h; on the merged board 9c7c9h4d6c a hand with the four of diamonds or spades has one value
    and others have two, and there are 288 groups by view, where 9c7c9h4d6c alone has 266.

    Merging by flushes is not exact (see `pokerlab.cards.isomorphism.suits.card_classes`), so the
    solver does not use it.

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
        What `pokerlab.engine.groups.measures.river_values` gives for all run-outs.
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

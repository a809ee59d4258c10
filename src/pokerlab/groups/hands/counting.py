"""How many groups of hands a board has, and the boards that it leads to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pokerlab.arrays import Bytes, Floats, Int64s
from pokerlab.cards.codes import Cards, format_cards, to_cards
from pokerlab.cards.isomorphism.suits import board_orbits, symmetries
from pokerlab.cards.ranges.range import Range, RangeLike
from pokerlab.errors import shorten
from pokerlab.groups.hands.hand_grouping import HandGrouping
from pokerlab.groups.hands.labelling import count_hand_groups
from pokerlab.groups.hands.measures import river_values
from pokerlab.groups.hands.merged import count_on_merged_boards, merge_boards
from pokerlab.groups.hands.run_outs import RunOuts
from pokerlab.machine import core_count

STREET_OF_CARDS = {3: "flop", 4: "turn", 5: "river"}


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
        `pokerlab.groups.hands.merged`.
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

"""`find_groups`: the group of every hand on every board of a spot, for both players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from pokerlab.cards.codes import N_COMBOS
from pokerlab.engine.groups.clustering import BINS, cluster_rows, cumulated
from pokerlab.engine.groups.clustering_kernels import assign_rows
from pokerlab.engine.groups.hand_grouping import BY_CARDS_ALONE, NUMBERED, HandGrouping
from pokerlab.engine.groups.identities import identical_hands
from pokerlab.engine.groups.line_kernels import part_line
from pokerlab.engine.groups.measures import GRID, STRENGTHS, river_strengths, river_values
from pokerlab.engine.groups.numbering_kernels import dense_labels
from pokerlab.engine.groups.run_outs import RunOuts, in_threads, possible_combos
from pokerlab.runtime.arrays import Bools, Bytes, Floats, Int16s, Int32s, Int64s
from pokerlab.runtime.machine import core_count

Numbered: TypeAlias = list[tuple[Int32s, int]]
"""By street: numbers (boards, 1326), −1 for none, and a bound that all are below."""


def find_groups(
    grouping: HandGrouping,
    boards: Sequence[Bytes],
    ranges: tuple[Floats, Floats],
    threads: int | None = None,
) -> list[tuple[Int16s, Int16s]]:
    """Number the groups of hands of each board of a spot, every board on its own.

    Parameters
    ----------
    grouping
        Which hands go together.
    boards
        One array (boards, 3 to 5 cards) for each street of the spot, the river last; the first
        street has one board.
    ranges
        The weights of the 1,326 combos for both players. Only hands of positive weight have a
        group; beyond that the groups depend on the weights only for ``strength-range`` (the
        opponent's) and for ``kmeans`` and ``percentile`` (the player's own).
    threads
        All cores if not given; the groups do not depend on it.

    Returns
    -------
    For each street and player an array (boards, 1326): the group of each combo on each board,
    from 0 without gaps in the order of the combos; −1 where the combo is impossible or not in the
    range.

    Examples
    --------
    >>> from pokerlab.cards.codes import combo_index, parse_cards
    >>> river = np.array([parse_cards("QhJh2c4d7h")], np.uint8)
    >>> everything = np.ones(1326)
    >>> ((out, _),) = find_groups(HandGrouping.parse("view"), [river], (everything, everything))
    >>> out.shape, int(out.max()) + 1
    ((1, 1326), 266)
    >>> ace, king = (combo_index(*parse_cards(hand)) for hand in ("AhKs", "KhAs"))
    >>> bool(out[0, ace] == out[0, king])
    False
    """
    threads = threads or core_count()
    first, second = (
        [_dense(*street, own > 0, threads) for street in numbered]
        for numbered, own in zip(
            _number_players(grouping, boards, ranges, threads), ranges, strict=True
        )
    )
    return list(zip(first, second, strict=True))


def count_hand_groups(
    grouping: HandGrouping,
    boards: Sequence[Bytes],
    ranges: tuple[Floats, Floats],
    threads: int | None = None,
) -> list[tuple[Int64s, Int64s]]:
    """Count the groups that `find_groups` gives: by street and player, an array by board.

    Groups by ``kmeans`` and ``percentile`` are not made: the count is what was asked for, or the
    number of hands if that is less. There may be fewer, where hands do not differ.

    Examples
    --------
    >>> from pokerlab.cards.codes import parse_cards
    >>> river = np.array([parse_cards("AhAsAcAd2h")], np.uint8)
    >>> everything = np.ones(1326)
    >>> count_hand_groups(HandGrouping.parse("rank"), [river], (everything, everything))
    [(array([12]), array([12]))]
    """
    if grouping.kind in NUMBERED:
        return _count_at_most(grouping, boards, ranges)
    return [
        (_count(first), _count(second))
        for first, second in find_groups(grouping, boards, ranges, threads)
    ]


def _count(groups: Int16s) -> Int64s:
    return np.asarray(groups.max(axis=1), np.int64) + 1


def count_numbers(numbers: Int32s, bound: int) -> Int64s:
    """How many different numbers each row has, without −1."""
    everything = np.ones(numbers.shape[1], np.bool_)
    group = np.empty(numbers.shape[1], np.int16)
    return np.array([dense_labels(row, everything, bound, group) for row in numbers], np.int64)


def _count_at_most(
    grouping: HandGrouping, boards: Sequence[Bytes], ranges: tuple[Floats, Floats]
) -> list[tuple[Int64s, Int64s]]:
    counted = []
    for street in boards:
        count = grouping.count_for(street.shape[1])
        possible = np.stack([possible_combos(board) for board in street.tolist()])
        first, second = (
            np.minimum((possible & (own > 0)).sum(axis=1), count).astype(np.int64) for own in ranges
        )
        counted.append((first, second))
    return counted


def _number_players(
    grouping: HandGrouping,
    boards: Sequence[Bytes],
    ranges: tuple[Floats, Floats],
    threads: int,
) -> tuple[Numbered, Numbered]:
    """Number the groups for both players, once where the player makes no difference."""
    run_outs = RunOuts(boards[0][0].tolist())

    def number(own: Floats, other: Floats) -> Numbered:
        if grouping.kind in NUMBERED:
            streets = number_similar_hands(grouping, run_outs, boards, own, threads)
            return [(numbers, N_COMBOS) for numbers in streets]
        values, bound = river_values(grouping.kind, run_outs.rivers, other, threads)
        return [
            identical_hands(grouping.identity, values, bound, run_outs, street, threads)
            for street in boards
        ]

    first = number(*ranges)
    if grouping.kind in BY_CARDS_ALONE or np.array_equal(*ranges):
        return first, first
    return first, number(*reversed(ranges))


def _dense(numbers: Int32s, bound: int, wanted: Bools, threads: int) -> Int16s:
    groups = np.empty(numbers.shape, np.int16)

    def renumber(part: slice) -> None:
        for board in range(part.start, part.stop):
            dense_labels(numbers[board], wanted, bound, groups[board])

    in_threads(renumber, len(numbers), threads)
    return groups


def number_similar_hands(
    grouping: HandGrouping,
    run_outs: RunOuts,
    boards: Sequence[Bytes],
    own: Floats,
    threads: int,
) -> list[Int32s]:
    """Number groups of similar hands, as many for each street as asked for, every board on its own.

    Both kinds look at the hands of a player's own range on a board, with their weights, and at
    their strength against all opposing combos on the complete boards to come.

    - **percentile** cuts the hands by their mean strength into parts of equal weight. Hands of one
      strength stay together, in the part where the middle of them lies.
    - **kmeans** puts hands together whose strengths on the river are distributed in a similar way:
      the earth mover's distance of their histograms in `pokerlab.engine.groups.clustering.BINS`
      bins. On the river a hand is one strength, and the groups are the best possible ones by
      squared distance.

    A street that asks for as many groups as there are hands, or more, has one for each hand.
    Weights are rounded to millionths. The same hands always make the same groups; the names of the
    suits play no part.

    Returns
    -------
    By street, numbers (boards, 1326) below 1,326; −1 for other hands.
    """
    strengths = river_strengths(run_outs.rivers, threads)
    weights = np.maximum(np.rint(own * GRID), own > 0).astype(np.int64)
    numbered = []
    for street in boards:
        count = grouping.count_for(street.shape[1])
        numbers = np.full((len(street), N_COMBOS), -1, np.int32)

        def number(
            part: slice, count: int = count, street: Bytes = street, numbers: Int32s = numbers
        ) -> None:
            for place in range(part.start, part.stop):
                board = street[place].tolist()
                hands = np.flatnonzero(possible_combos(board) & (weights > 0))
                to_come = strengths[run_outs.below(board)][:, hands]
                numbers[place, hands] = _group(grouping.kind, to_come, weights[hands], count)

        in_threads(number, len(street), threads)
        numbered.append(numbers)
    return numbered


def _group(kind: str, strengths: Int32s, weights: Int64s, count: int) -> npt.NDArray[np.integer]:
    """Group hands by their strengths on complete boards (boards, hands), −1 if impossible."""
    if count >= len(weights):
        return np.arange(len(weights))
    if kind == "percentile":
        return _percentiles(np.maximum(strengths, 0).sum(axis=0), weights, count)
    if len(strengths) == 1:
        return _best_intervals(strengths[0], weights, count)
    return _clusters(strengths, weights, count)


def _percentiles(
    values: npt.NDArray[np.integer], weights: Int64s, count: int
) -> npt.NDArray[np.integer]:
    different, place = np.unique(values, return_inverse=True)
    together = np.zeros(len(different), np.int64)
    np.add.at(together, place, weights)
    ends = np.cumsum(together)
    parts: Int64s = (2 * ends - together) * count // (2 * ends[-1])
    return parts[place]


def _best_intervals(values: Int32s, weights: Int64s, count: int) -> npt.NDArray[np.integer]:
    different, place = np.unique(values, return_inverse=True)
    if count >= len(different):
        return place
    together = np.bincount(place, weights).astype(np.float64)
    parts = np.empty(len(different), np.int32)
    part_line(different.astype(np.float64), together, count, parts)
    return parts[place]


def _clusters(strengths: Int32s, weights: Int64s, count: int) -> npt.NDArray[np.integer]:
    hands = strengths.shape[1]
    cells = np.arange(hands) * BINS + strengths * BINS // STRENGTHS
    histograms = np.bincount(cells[strengths >= 0], minlength=hands * BINS).reshape(hands, BINS)
    # Equal hands are one row, and the rows are sorted: the order of the combos does not matter.
    different, place = np.unique(histograms, axis=0, return_inverse=True)
    if count >= len(different):
        return place
    rows = cumulated(different)
    together = np.bincount(place, weights).astype(np.float64)
    centres = cluster_rows(rows, together, count, np.random.default_rng(0))
    nearest, distances = np.empty(len(rows), np.int64), np.empty(len(rows), np.float32)
    assign_rows(rows, centres, nearest, distances)
    return nearest[place]

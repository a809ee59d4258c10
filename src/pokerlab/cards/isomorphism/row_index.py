"""The tables with which hands and boards are numbered eight at a time."""

from __future__ import annotations

from functools import cache
from itertools import count

import numpy as np

from pokerlab.cards.isomorphism.hand_index import HandIndexer
from pokerlab.cards.isomorphism.hand_index_kernels import SIZE_AND_NUMBER
from pokerlab.cards.isomorphism.index_rows_kernels import (
    COUNT_SHIFT,
    FOUR_OF_FIRST,
    HOLDINGS_SHIFT,
    PATTERN_ROW,
    SHAPE_SHIFT,
    THREE_OF_FIRST,
    THREE_OF_SECOND,
    TWO_OF_FIRST,
    TWO_OF_SECOND,
    TWO_OF_THIRD,
    RowIndex,
)
from pokerlab.runtime.arrays import Bytes, Int64s, Uint64s


@cache
def row_index(cards_per_round: tuple[int, ...]) -> RowIndex:
    """The tables for deals of these rounds; empty unless there are two, the first of 1 or 2 cards.

    Examples
    --------
    >>> len(row_index((2, 5)).patterns) // 8, len(row_index((2, 3, 1)).patterns)
    (36, 0)
    """
    if len(cards_per_round) != 2 or cards_per_round[0] > 2:
        bytes_, numbers = np.empty(0, np.uint8), np.empty(0, np.uint64)
        return RowIndex(0, 0, bytes_, numbers, bytes_, numbers, numbers)
    tables = HandIndexer(cards_per_round).tables
    first, second = cards_per_round
    sizes, numbers_of_sets = np.divmod(SIZE_AND_NUMBER.astype(np.uint64), np.uint64(1 << 16))
    sets = (
        numbers_of_sets
        | sizes << np.uint64(COUNT_SHIFT)
        | sizes * np.uint64(second + 1) << np.uint64(SHAPE_SHIFT)
        | np.bincount(sizes.astype(np.int64))[sizes].astype(np.uint64) << np.uint64(HOLDINGS_SHIFT)
    )
    card = np.arange(64)
    weights, sums = _different_sums(tables.pattern_shapes)
    pattern_of_sum = np.zeros(256, np.uint64)
    pattern_of_sum[sums] = np.arange(len(sums)) * PATTERN_ROW
    return RowIndex(
        first,
        second,
        (16 * (card & 3) + (card >> 2)).astype(np.uint8),
        sets,
        weights,
        pattern_of_sum,
        _pattern_rows(tables.patterns[:-1]),
    )


def _different_sums(
    patterns: Int64s,
) -> tuple[Bytes, Bytes]:
    """A number for each shape so that no two patterns have the same sum modulo 256; the sums."""
    for seed in count():
        weights = np.random.default_rng(seed).integers(0, 256, 64, dtype=np.uint8)
        sums = weights[patterns].sum(axis=1, dtype=np.uint8)
        if len(np.unique(sums)) == len(sums):
            return weights, sums
    raise AssertionError("count() does not end")


def _pattern_rows(patterns: Int64s) -> Uint64s:
    first, second, third = patterns[:, 5], patterns[:, 6], patterns[:, 7]
    rows = np.zeros((len(patterns), PATTERN_ROW), np.uint64)
    rows[:, :5] = patterns[:, :5]
    # Only the last of these that is set counts.
    for bit, alike in (
        (TWO_OF_FIRST, first >= 2),
        (THREE_OF_FIRST, first >= 3),
        (FOUR_OF_FIRST, first >= 4),
        (TWO_OF_SECOND, second >= 2),
        (THREE_OF_SECOND, second >= 3),
        (TWO_OF_THIRD, third >= 2),
    ):
        rows[:, 5] |= np.where(alike, np.uint64(bit), np.uint64(0))
    return rows.ravel()

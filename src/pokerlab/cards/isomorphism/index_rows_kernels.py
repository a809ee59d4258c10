"""The numbers of many deals up to suits (`hand_index_kernels`), eight at a time.

For deals of two rounds, the first of one or two cards: a hand and a board. On processors with
byte permutations (`pokerlab.runtime.register_kernels`) every step of `deal_index` is done for eight
deals: for each suit two gathers and 30 instructions to its holding, then a sorting network, one
gather for the pattern (found by the sum of a small number for each shape) and six for its row.
Measured: 22 cycles a deal, where one after the other costs 240, most of it for branches guessed
wrong. Other deals and other processors take that way.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pokerlab.cards.isomorphism.hand_index_kernels import IndexTables, deal_index
from pokerlab.runtime.arrays import Bytes, Int64s, Uint64s
from pokerlab.runtime.jit import kernel
from pokerlab.runtime.register_kernels import (
    choose_numbers,
    gather_bytes,
    gather_numbers,
    has_byte_permutations,
    larger_numbers,
    load_numbers,
    multiply_low,
    numbers_with,
    permute_bytes,
    smaller_numbers,
    splat_number,
    store_numbers,
)

COUNT_SHIFT, SHAPE_SHIFT, HOLDINGS_SHIFT = 16, 24, 32
TWO_OF_FIRST, THREE_OF_FIRST, FOUR_OF_FIRST, TWO_OF_SECOND, THREE_OF_SECOND, TWO_OF_THIRD = (
    1 << bit for bit in range(6)
)
PATTERN_ROW = 8
"""Numbers of a row of `RowIndex.patterns`."""

_RANKS = np.uint64(0x1FFF)
_LOW = np.uint64(0xFFFFFFFF)
_ALL_BITS = np.uint64(0xFFFFFFFFFFFFFFFF)
_THIRD = np.uint64(0xAAAAAAAB)  # 2**33 / 3, rounded up


class RowIndex(NamedTuple):
    """What numbers eight deals at a time; `pokerlab.cards.isomorphism.row_index` makes it.

    All arrays are empty for deals that are numbered one by one.
    """

    first_size: int
    second_size: int
    """The cards of the two rounds."""
    card_places: Bytes
    """(64,): ``16 · suit + rank`` of each card."""
    sets: Uint64s
    """(8,192,): for a set of ranks as bits, from the lowest bit: its number among the sets of its
    size (16 bits); its size (8); the same times the cards of the second round and one (8); how many
    sets have its size."""
    shape_weights: Bytes
    """(64,): a number for each shape, so that no two patterns have the same sum modulo 256."""
    pattern_of_sum: Uint64s
    """(256,): where the row of the pattern with that sum begins in `patterns`."""
    patterns: Uint64s
    """(patterns · 8,): where the block of numbers begins, the weights of the four digits, and bits
    for how many holdings have the same shape from the first, the second and the third on."""


@kernel(makes_arrays=False)
def index_rows_plainly(
    cards: Bytes, count: int, numbers: Int64s, tables: IndexTables, index: RowIndex
) -> None:
    """Replace the first `count` numbers, where deals begin in `cards`, by the deals' numbers."""
    for row in range(count):
        numbers[row] = deal_index(tables, cards[numbers[row] :])


@kernel(makes_arrays=False)
def index_rows_in_registers(
    cards: Bytes, count: int, numbers: Int64s, tables: IndexTables, index: RowIndex
) -> None:
    """As `index_rows_plainly`, eight at a time.

    Eight bytes are read from where a deal begins; up to seven `numbers` after the last are written.
    """
    if not len(index.sets):
        index_rows_plainly(cards, count, numbers, tables, index)
        return
    card_places = load_numbers(index.card_places, 0)
    weights = load_numbers(index.shape_weights, 0)
    low = splat_number(_LOW)
    one, two, three = (
        splat_number(np.uint64(1)),
        splat_number(np.uint64(2)),
        splat_number(np.uint64(3)),
    )
    four, five = splat_number(np.uint64(4)), splat_number(np.uint64(5))
    byte, bits, half = (
        splat_number(np.uint64(8)),
        splat_number(np.uint64(63)),
        splat_number(np.uint64(32)),
    )
    suit_2, suit_4 = splat_number(np.uint64(16)), splat_number(np.uint64(48))
    for row in range(0, count, 8):
        counted = np.uint8(255) if count - row >= 8 else np.uint8((1 << (count - row)) - 1)
        begin = choose_numbers(counted, load_numbers(numbers, row), splat_number(np.uint64(0)))
        places = permute_bytes(card_places, gather_bytes(cards, begin))
        # One word for each round: sixteen bits for each suit.
        first = splat_number(np.uint64(0))
        for _ in range(index.first_size):
            first = first | (one << (places & bits))
            places = places >> byte
        second = splat_number(np.uint64(0))
        for _ in range(index.second_size):
            second = second | (one << (places & bits))
            places = places >> byte
        a = _holding(first, second, index.sets)
        b = _holding(first >> suit_2, second >> suit_2, index.sets)
        c = _holding(first >> half, second >> half, index.sets)
        d = _holding(first >> suit_4, second >> suit_4, index.sets)
        total = permute_bytes(weights, a >> half) + permute_bytes(weights, b >> half)
        total = total + permute_bytes(weights, c >> half) + permute_bytes(weights, d >> half)
        pattern = gather_numbers(index.pattern_of_sum, total & splat_number(np.uint64(255)))
        a, b = larger_numbers(a, b), smaller_numbers(a, b)
        c, d = larger_numbers(c, d), smaller_numbers(c, d)
        a, c = larger_numbers(a, c), smaller_numbers(a, c)
        b, d = larger_numbers(b, d), smaller_numbers(b, d)
        b, c = larger_numbers(b, c), smaller_numbers(b, c)
        a, b, c, d = a & low, b & low, c & low, d & low
        alike = gather_numbers(index.patterns, pattern + five)
        # Multisets of 1, 2, 3 and 4 numbers below a number n: n, n (n + 1) / 2, … as `_multisets`.
        a_2, b_2, c_2 = _pairs(a), _pairs(b), _pairs(c)
        a_3, b_3 = _third(multiply_low(a_2, a + two)), _third(multiply_low(b_2, b + two))
        a_4 = multiply_low(a_3, a + three) >> two
        a = choose_numbers(numbers_with(alike, splat_number(np.uint64(TWO_OF_FIRST))), a_2, a)
        a = choose_numbers(numbers_with(alike, splat_number(np.uint64(THREE_OF_FIRST))), a_3, a)
        a = choose_numbers(numbers_with(alike, splat_number(np.uint64(FOUR_OF_FIRST))), a_4, a)
        b = choose_numbers(numbers_with(alike, splat_number(np.uint64(TWO_OF_SECOND))), b_2, b)
        b = choose_numbers(numbers_with(alike, splat_number(np.uint64(THREE_OF_SECOND))), b_3, b)
        c = choose_numbers(numbers_with(alike, splat_number(np.uint64(TWO_OF_THIRD))), c_2, c)
        number = gather_numbers(index.patterns, pattern)
        number = number + multiply_low(a, gather_numbers(index.patterns, pattern + one))
        number = number + multiply_low(b, gather_numbers(index.patterns, pattern + two))
        number = number + multiply_low(c, gather_numbers(index.patterns, pattern + three))
        number = number + multiply_low(d, gather_numbers(index.patterns, pattern + four))
        store_numbers(numbers, row, number)


@kernel(inline="always", makes_arrays=False)
def _holding(first: Any, second: Any, sets: Uint64s) -> Any:
    """The ranks that a suit holds in the two rounds: the shape above 32 bits for the number."""
    all_ranks = splat_number(_RANKS)
    taken = first & all_ranks
    ranks = second & all_ranks
    before = gather_numbers(sets, taken)
    ranks, taken = _close_gap(ranks, taken)
    ranks, taken = _close_gap(ranks, taken)
    after = gather_numbers(sets, ranks)
    number = splat_number(np.uint64(0xFFFF))
    shape = (before >> splat_number(np.uint64(SHAPE_SHIFT))) & splat_number(np.uint64(255))
    shape = shape + ((after >> splat_number(np.uint64(COUNT_SHIFT))) & splat_number(np.uint64(255)))
    holdings = before >> splat_number(np.uint64(HOLDINGS_SHIFT))
    found = (before & number) + multiply_low(holdings, after & number)
    return (shape << splat_number(np.uint64(32))) | found


@kernel(inline="always", makes_arrays=False)
def _close_gap(ranks: Any, taken: Any) -> Any:
    """Renumber a set of ranks without the lowest rank that is taken."""
    one = splat_number(np.uint64(1))
    below = (taken & (splat_number(np.uint64(0)) - taken)) - one
    above = below ^ splat_number(_ALL_BITS)
    closed = (ranks & below) | ((ranks >> one) & above)
    return closed, (taken & (taken - one)) >> one


@kernel(inline="always", makes_arrays=False)
def _pairs(number: Any) -> Any:
    one = splat_number(np.uint64(1))
    return multiply_low(number, number + one) >> one


@kernel(inline="always", makes_arrays=False)
def _third(number: Any) -> Any:
    """A number below 2**32 divided by 3."""
    return multiply_low(number, splat_number(_THIRD)) >> splat_number(np.uint64(33))


index_rows = index_rows_in_registers if has_byte_permutations() else index_rows_plainly

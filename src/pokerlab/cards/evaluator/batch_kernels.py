"""Evaluator kernels for many hands at once: rows of cards, and all hands of the deck.

On processors with byte permutations eight hands are evaluated together, a hand of up to eight
bytes in each number of a register (`pokerlab.runtime.register_kernels`). The key of a hand is the
sum of its cards' keys, and a sum can be taken byte by byte: a permutation looks up one byte of the
keys of 64 cards, and a second instruction adds the bytes of each hand. Six bytes of a key are in
use, so eight hands take 24 instructions to their keys, two gathers of eight to their classes, and
13 more to make sure that they are hands. Hands with a flush, one in 33, are done again one by one.

Measured: 6 cycles a hand, of which the check is less than one.

On ARM64 sixteen hands are evaluated together, in registers of sixteen bytes
(`pokerlab.runtime.short_register_kernels`): a register for the first cards of the hands, one for
the second cards and so on. There a permutation looks up sixteen bytes, enough for the ranks: four
bytes of each rank's number are looked up and added as wider and wider integers. Two more look-ups
count suits, and 21 comparisons find a card that stands twice. Classes are looked up one by one.
Measured: 14 cycles a hand, of which the check is two.

Elsewhere the plain twins of these kernels run: 16 cycles on x86-64, 10 without the check.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pokerlab.cards.evaluator.evaluator_kernels import (
    START,
    Bits,
    Class,
    best_class,
    classify,
    flush_shift,
    rank_class,
)
from pokerlab.cards.evaluator.tables import FLUSH_BITS, INDEX_MASK, ROW_SHIFT, EvaluatorTables
from pokerlab.runtime.arrays import Bytes, Int64s, Uint16s
from pokerlab.runtime.jit import kernel
from pokerlab.runtime.register_kernels import (
    gather_words,
    has_byte_permutations,
    larger_bytes,
    load_bytes,
    load_numbers,
    numbers_with,
    permute_bytes,
    rotate,
    smaller_bytes,
    smaller_numbers,
    splat_number,
    store_words,
    sum_bytes,
    trailing_zeros,
    zero_bytes,
)
from pokerlab.runtime.short_register_kernels import (
    add_look_ups,
    bytes_with,
    equal_bytes,
    load_columns,
    load_every_fourth,
    load_sixteen,
    look_up_bytes,
    quarter_bytes,
    splat_byte,
)
from pokerlab.runtime.short_register_kernels import larger_bytes as larger_of_sixteen
from pokerlab.runtime.vector_kernels import AHEAD_BYTES, IS_ARM64, prefetch

_FLUSH = np.uint64(FLUSH_BITS)
_INDEX = np.uint64(INDEX_MASK)
_ROW_SHIFT = np.uint64(ROW_SHIFT)
_LOW = np.uint64(0xFFFFFFFF)
_RANKS = np.uint64(0x1FFF)
_ONE = np.uint64(1)
_SIX_BITS = np.uint64(63)
_EVERY_FOURTH_BIT = np.uint64(0x1111111111111111)
_ALL_BITS = np.uint64(0xFFFFFFFFFFFFFFFF)
_TWO_MORE_OF_EACH_SUIT = np.uint64(0x2222 << 48)
_HANDS = 8  # evaluated together
_COPIES = 8  # of the counts
_CLASSES = 7463
_COMBOS = 1326


class HandLayout(NamedTuple):
    """How hands of some size lie in registers; `pokerlab.cards.evaluator.layout` makes it."""

    key_bytes: Bytes
    """(6 · 64,): bytes 0, 1, 2, 3, 6 and 7 of the keys of the cards; zeros from 52 on."""
    places: Bytes
    """(64,): where the eight bytes of each of eight hands stand in rows one after the other."""
    padding: Bytes
    """(64,): 255, 254, … in the places of a hand after its last card, zero elsewhere."""


@kernel
def narrow_codes(codes: npt.NDArray[np.integer[Any]], narrow: Bytes) -> None:
    """Write integers as bytes; what is no card becomes 255."""
    for place in range(codes.size):
        code = codes[place]
        narrow[place] = code if 0 <= code < 52 else 255


@kernel
def find_bad_row(cards: Bytes) -> int:
    """The first row (of 5 to 7 cards) with a bad card code, or a card twice; else −1."""
    hands, size = cards.shape
    flat = cards.reshape(cards.size)
    for hand in range(hands):
        if _defects(flat, np.uint64(hand * size), np.uint64(size)):
            return hand
    return -1


@kernel(inline="always", makes_arrays=False)
def _defects(flat: Bytes, start: Bits, size: Bits) -> Bits:
    """Zero when the cards are a hand.

    A card that stands twice makes the sum of the cards' bits differ from their union.
    """
    total = np.uint64(0)
    union = np.uint64(0)
    codes = np.uint64(0)
    for place in range(size):
        card = np.uint64(flat[start + place])
        bit = _ONE << (card & _SIX_BITS)
        total += bit
        union |= bit
        codes |= card
    return (total ^ union) | (union >> np.uint64(52)) | (codes >> np.uint64(6))


@kernel(makes_arrays=False)
def evaluate_rows_plainly(
    cards: Bytes, classes: Uint16s, check: bool, layout: HandLayout, tables: EvaluatorTables
) -> bool:
    """Write the class of each row of `cards` (hands × 5, 6 or 7) to `classes`.

    Returns whether all rows are hands, if that is to be checked.
    """
    flat = cards.reshape(cards.size)
    # A size that is a constant lets the compiler unroll the loops over a hand's cards.
    if cards.shape[1] == 7:
        return _evaluate_blocks(flat, classes, check, np.uint64(7), tables)
    if cards.shape[1] == 6:
        return _evaluate_blocks(flat, classes, check, np.uint64(6), tables)
    return _evaluate_blocks(flat, classes, check, np.uint64(5), tables)


@kernel(inline="always", makes_arrays=False)
def _evaluate_blocks(
    flat: Bytes, classes: Uint16s, check: bool, size: Bits, tables: EvaluatorTables
) -> bool:
    """Evaluate 64 rows as if none had a flush, noting which have; then do those again.

    One hand in 33 has a flush: a branch that is taken so seldom and so irregularly would cost
    more than the note.
    """
    hands = np.uint64(classes.size)
    keys = tables.card_key
    suspicion = np.uint64(0)
    for first in range(np.uint64(0), hands, np.uint64(64)):
        last = min(first + np.uint64(64), hands)
        if check:
            for hand in range(first, last):
                suspicion |= _defects(flat, hand * size, size)
        flushes = np.uint64(0)
        for hand in range(first, last):
            key = START
            for place in range(size):
                key += keys[np.uint64(flat[hand * size + place]) & _SIX_BITS]
            classes[hand] = rank_class(key, tables)
            flushes |= np.uint64((key & _FLUSH) != 0) << (hand - first)
        while flushes:
            again = first + np.uint64(trailing_zeros(flushes))
            flushes &= flushes - _ONE
            classes[again] = _class_of_flush(flat, again * size, size, tables)
    return bool(suspicion == 0)


@kernel(inline="always", makes_arrays=False)
def _class_of_flush(flat: Bytes, start: Bits, size: Bits, tables: EvaluatorTables) -> Class:
    """Class of a hand that is known to have a flush: `flush_class` is large for other suits."""
    bits = np.uint64(0)
    for place in range(size):
        bits |= tables.card_bit[np.uint64(flat[start + place]) & _SIX_BITS]
    flush = tables.flush_class
    return min(
        min(flush[bits & _RANKS], flush[(bits >> np.uint64(16)) & _RANKS]),
        min(flush[(bits >> np.uint64(32)) & _RANKS], flush[(bits >> np.uint64(48)) & _RANKS]),
    )


@kernel(inner=True, makes_arrays=False)
def _class_of_row(flat: Bytes, start: int, size: int, tables: EvaluatorTables) -> Class:
    key = START
    bits = np.uint64(0)
    for place in range(start, start + size):
        card = np.uint64(flat[place]) & _SIX_BITS
        key += tables.card_key[card]
        bits |= tables.card_bit[card]
    return classify(key, bits, tables)


@kernel(makes_arrays=False)
def evaluate_rows_in_registers(
    cards: Bytes, classes: Uint16s, check: bool, layout: HandLayout, tables: EvaluatorTables
) -> bool:
    """As `evaluate_rows_plainly`, eight hands at a time."""
    hands, size = cards.shape
    flat = cards.reshape(cards.size)
    if hands < _HANDS:
        suspicion = np.uint64(0)
        for hand in range(hands):
            suspicion |= _defects(flat, np.uint64(hand * size), np.uint64(size))
            classes[hand] = _class_of_row(flat, hand * size, size, tables)
        return bool(suspicion == 0 or not check)
    key_0 = load_numbers(layout.key_bytes, 0)
    key_1 = load_numbers(layout.key_bytes, 64)
    key_2 = load_numbers(layout.key_bytes, 128)
    key_3 = load_numbers(layout.key_bytes, 192)
    key_6 = load_numbers(layout.key_bytes, 256)
    key_7 = load_numbers(layout.key_bytes, 320)
    places = load_numbers(layout.places, 0)
    padding = load_numbers(layout.padding, 0)
    start = splat_number(START)
    flush_bits = splat_number(_FLUSH)
    one_byte = splat_number(np.uint64(8))
    two_bytes = splat_number(np.uint64(16))
    three_bytes = splat_number(np.uint64(24))
    four_bytes = splat_number(np.uint64(32))
    six_bytes = splat_number(np.uint64(48))
    seven_bytes = splat_number(np.uint64(56))
    rows = (_ONE << np.uint64(_HANDS * size)) - _ONE
    greatest = splat_number(np.uint64(0))
    difference = splat_number(_ALL_BITS)
    for first in range(0, hands, 64):
        flushes = np.uint64(0)
        for group in range(0, 64, _HANDS):
            # Where fewer than eight hands are left, the last eight are evaluated again.
            hand = min(first + group, hands - _HANDS)
            found = load_bytes(flat, hand * size, rows)
            eight = permute_bytes(found, places) | padding
            if check:
                # A rotation of eight bytes compares each with the next; by four, with the opposite.
                greatest = larger_bytes(greatest, found)
                difference = smaller_bytes(difference, eight ^ rotate(eight, one_byte))
                difference = smaller_bytes(difference, eight ^ rotate(eight, two_bytes))
                difference = smaller_bytes(difference, eight ^ rotate(eight, three_bytes))
                difference = smaller_bytes(difference, eight ^ rotate(eight, four_bytes))
            key = start + sum_bytes(permute_bytes(key_0, eight))
            key = key + (sum_bytes(permute_bytes(key_1, eight)) << one_byte)
            key = key + (sum_bytes(permute_bytes(key_2, eight)) << two_bytes)
            key = key + (sum_bytes(permute_bytes(key_3, eight)) << three_bytes)
            key = key + (sum_bytes(permute_bytes(key_6, eight)) << six_bytes)
            key = key + (sum_bytes(permute_bytes(key_7, eight)) << seven_bytes)
            store_words(classes, hand, _rank_classes(key, tables))
            flushes |= np.uint64(numbers_with(key, flush_bits)) << np.uint64(group)
        while flushes:
            place = trailing_zeros(flushes)
            flushes &= flushes - _ONE
            hand = min(first + (place & 56), hands - _HANDS) + (place & 7)
            row = np.uint64(hand * size)
            classes[hand] = _class_of_flush(flat, row, np.uint64(size), tables)
    beyond = larger_bytes(greatest, splat_number(np.uint64(0x3333333333333333)))
    all_cards = zero_bytes(beyond ^ splat_number(np.uint64(0x3333333333333333))) == _ALL_BITS
    return bool(all_cards and zero_bytes(difference) == 0)


@kernel(makes_arrays=False)
def evaluate_rows_in_short_registers(
    cards: Bytes, classes: Uint16s, check: bool, layout: HandLayout, tables: EvaluatorTables
) -> bool:
    """As `evaluate_rows_plainly`, sixteen hands at a time."""
    size = np.uint64(cards.shape[1])
    flat = cards.reshape(cards.size)
    rank_bytes = (
        load_every_fourth(layout.key_bytes, 0),
        load_every_fourth(layout.key_bytes, 64),
        load_every_fourth(layout.key_bytes, 128),
        load_every_fourth(layout.key_bytes, 192),
    )
    suits_0 = load_sixteen(layout.key_bytes, 256)
    suits_1 = load_sixteen(layout.key_bytes, 320)
    sixth = splat_byte(layout.padding[5])
    seventh = splat_byte(layout.padding[6])
    # The suit is looked up among the first sixteen cards; padding has bit 7 and finds nothing.
    suit_bits = splat_byte(np.uint8(0x8F))
    three_of_each = splat_byte(np.uint8(0x33))
    flush_bits = splat_byte(np.uint8(0x88))
    greatest = splat_byte(np.uint8(0))
    twice = splat_byte(np.uint8(0))
    # Eight bytes are read of each row, so the last row is left to the plain kernel.
    whole = np.uint64(max(classes.size - 1, 0)) & ~np.uint64(15)
    for first in range(np.uint64(0), whole, np.uint64(64)):
        flushes = np.uint64(0)
        turn = _EVERY_FOURTH_BIT
        for hand in range(first, min(first + np.uint64(64), whole), np.uint64(16)):
            row = hand * size
            prefetch(flat, row, AHEAD_BYTES)
            prefetch(flat, row, AHEAD_BYTES + 64)
            a, b, c, d, e, f, g, _ = load_columns(flat, row, size)
            if check:
                greatest = larger_of_sixteen(greatest, larger_of_sixteen(a, b))
                greatest = larger_of_sixteen(greatest, larger_of_sixteen(c, d))
                greatest = larger_of_sixteen(
                    greatest, larger_of_sixteen(e, larger_of_sixteen(f, g))
                )
            f = larger_of_sixteen(f, sixth)
            g = larger_of_sixteen(g, seventh)
            if check:
                twice = twice | equal_bytes(a, b) | equal_bytes(a, c) | equal_bytes(a, d)
                twice = twice | equal_bytes(a, e) | equal_bytes(a, f) | equal_bytes(a, g)
                twice = twice | equal_bytes(b, c) | equal_bytes(b, d) | equal_bytes(b, e)
                twice = twice | equal_bytes(b, f) | equal_bytes(b, g) | equal_bytes(c, d)
                twice = twice | equal_bytes(c, e) | equal_bytes(c, f) | equal_bytes(c, g)
                twice = twice | equal_bytes(d, e) | equal_bytes(d, f) | equal_bytes(d, g)
                twice = twice | equal_bytes(e, f) | equal_bytes(e, g) | equal_bytes(f, g)
            count_0 = three_of_each
            count_1 = three_of_each
            for card in (a, b, c, d, e, f, g):
                suit = card & suit_bits
                count_0 = count_0 + look_up_bytes(suits_0, suit)
                count_1 = count_1 + look_up_bytes(suits_1, suit)
            ranks = (
                quarter_bytes(a),
                quarter_bytes(b),
                quarter_bytes(c),
                quarter_bytes(d),
                quarter_bytes(e),
                quarter_bytes(f),
                quarter_bytes(g),
            )
            sums = add_look_ups(rank_bytes, ranks)
            _write_four(sums[0], sums[1], classes, hand, tables)
            _write_four(sums[2], sums[3], classes, hand + np.uint64(4), tables)
            _write_four(sums[4], sums[5], classes, hand + np.uint64(8), tables)
            _write_four(sums[6], sums[7], classes, hand + np.uint64(12), tables)
            flushes |= bytes_with(count_0 | count_1, flush_bits) & turn
            turn <<= _ONE
        while flushes:
            place = np.uint64(trailing_zeros(flushes))
            flushes &= flushes - _ONE
            again = first + (place & np.uint64(3)) * np.uint64(16) + (place >> np.uint64(2))
            classes[again] = _class_of_flush(flat, again * size, size, tables)
    beyond = larger_of_sixteen(greatest, splat_byte(np.uint8(51))) ^ splat_byte(np.uint8(51))
    good = bytes_with(twice | beyond, splat_byte(np.uint8(255))) == 0
    rest = evaluate_rows_plainly(cards[whole:], classes[whole:], check, layout, tables)
    return bool(good and rest)


@kernel(inline="always", makes_arrays=False)
def _write_four(pair: Bits, next_pair: Bits, classes: Uint16s, hand: Bits, tables: Any) -> None:
    """Write the classes of four hands without a flush, given two rank sums in each number.

    All four are looked up before the first is written: the compiler must take every write for one
    to the tables, and would not let later look-ups overtake it.
    """
    first = rank_class(pair, tables)
    second = rank_class(pair >> np.uint64(32), tables)
    third = rank_class(next_pair, tables)
    fourth = rank_class(next_pair >> np.uint64(32), tables)
    classes[hand] = first
    classes[hand + _ONE] = second
    classes[hand + np.uint64(2)] = third
    classes[hand + np.uint64(3)] = fourth


@kernel(inline="always", makes_arrays=False)
def _rank_classes(key: Any, tables: EvaluatorTables) -> Any:
    """Classes of eight hands by their keys, as if none had a flush."""
    ranks = key & splat_number(_LOW)
    offset = gather_words(tables.row_offset, ranks >> splat_number(_ROW_SHIFT))
    return gather_words(tables.rank_class, (ranks + offset) & splat_number(_INDEX))


if has_byte_permutations():
    evaluate_rows = evaluate_rows_in_registers
elif IS_ARM64:
    evaluate_rows = evaluate_rows_in_short_registers
else:
    evaluate_rows = evaluate_rows_plainly


@kernel
def count_classes(size: int, counts: Int64s, tables: EvaluatorTables) -> None:
    """Count all hands of `size` cards (5 or 7) by class into `counts` (7,463).

    Hands that follow each other often have the same class, and a count must be back in memory
    before it can go up again: so eight copies of the counts take turns.
    """
    keys = tables.card_key
    bit = tables.card_bit
    copies = np.zeros(_COPIES * _CLASSES, np.uint32)
    classes = np.empty(_COMBOS + _HANDS, np.uint16)
    for a in range(size - 1, 52):
        for b in range(size - 2, a):
            for c in range(size - 3, b):
                key = START + keys[a] + keys[b] + keys[c]
                bits = bit[a] | bit[b] | bit[c]
                if size == 5:
                    complete_hands(key, bits, 0, c * (c - 1) // 2, classes, tables)
                    _count(classes, c * (c - 1) // 2, copies)
                    continue
                for d in range(3, c):
                    for e in range(2, d):
                        key5 = key + keys[d] + keys[e]
                        bits5 = bits | bit[d] | bit[e]
                        complete_hands(key5, bits5, 0, e * (e - 1) // 2, classes, tables)
                        _count(classes, e * (e - 1) // 2, copies)
    for place in range(copies.size):
        counts[place % _CLASSES] += copies[place]


@kernel(inline="always", makes_arrays=False)
def _count(classes: Uint16s, combos: int, copies: npt.NDArray[np.uint32]) -> None:
    whole = np.uint64(combos) & ~np.uint64(_COPIES - 1)
    for combo in range(np.uint64(0), whole, np.uint64(_COPIES)):
        for copy in range(np.uint64(_COPIES)):
            copies[copy * np.uint64(_CLASSES) + np.uint64(classes[combo + copy])] += 1
    for combo in range(whole, np.uint64(combos)):
        copies[(combo - whole) * np.uint64(_CLASSES) + np.uint64(classes[combo])] += 1


@kernel(makes_arrays=False)
def complete_hands_plainly(
    key: Bits, bits: Bits, first: int, last: int, classes: Uint16s, tables: EvaluatorTables
) -> None:
    """Complete three to five cards with each combo from `first` to before `last`: the classes."""
    key_plus_two = key + _TWO_MORE_OF_EACH_SUIT
    if key_plus_two & _FLUSH:
        shift = flush_shift(key_plus_two)
        for combo in range(np.uint64(first), np.uint64(last)):
            classes[combo] = best_class(key, bits, shift, combo, tables)
    else:
        for combo in range(np.uint64(first), np.uint64(last)):
            classes[combo] = rank_class(key + tables.combo_key[combo], tables)


@kernel(makes_arrays=False)
def complete_hands_in_registers(
    key: Bits, bits: Bits, first: int, last: int, classes: Uint16s, tables: EvaluatorTables
) -> None:
    """As `complete_hands_plainly`, eight at a time; up to seven classes more are written."""
    eight_keys = splat_number(key)
    key_plus_two = key + _TWO_MORE_OF_EACH_SUIT
    if key_plus_two & _FLUSH:
        eight_bits = splat_number(bits)
        shift = splat_number(flush_shift(key_plus_two))
        ranks = splat_number(_RANKS)
        for combo in range(first, last, _HANDS):
            cards = eight_bits | load_numbers(tables.combo_bit, combo)
            flush = gather_words(tables.flush_class, (cards >> shift) & ranks)
            found = _rank_classes(eight_keys + load_numbers(tables.combo_key, combo), tables)
            store_words(classes, combo, smaller_numbers(found, flush))
    else:
        for combo in range(first, last, _HANDS):
            found = _rank_classes(eight_keys + load_numbers(tables.combo_key, combo), tables)
            store_words(classes, combo, found)


complete_hands = complete_hands_in_registers if has_byte_permutations() else complete_hands_plainly


@kernel(makes_arrays=False)
def classify_combos(board: Bytes, classes: Uint16s, tables: EvaluatorTables) -> None:
    """Write the class of each of the 1,326 combos on a board of 3 to 5 cards to `classes`.

    Combos that hold a card of the board get 0.
    """
    key = START
    bits = np.uint64(0)
    for place in range(board.size):
        key += tables.card_key[board[place]]
        bits |= tables.card_bit[board[place]]
    whole = _COMBOS - _COMBOS % _HANDS
    complete_hands(key, bits, 0, whole, classes, tables)
    complete_hands_plainly(key, bits, whole, _COMBOS, classes, tables)
    for place in range(board.size):
        card = int(board[place])
        for low in range(card):
            classes[card * (card - 1) // 2 + low] = 0
        for high in range(card + 1, 52):
            classes[high * (high - 1) // 2 + card] = 0

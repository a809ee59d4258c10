"""Evaluator kernels: 5, 6 or 7 cards to the class 1 … 7462 (1 is best).

All of them take the `EvaluatorTables` of `pokerlab.cards.evaluator.tables` as their last
argument. Two forms:

- *whole hands*: `evaluate_hand` takes the cards of one hand, `evaluate_rows` those of many;
- *incremental*: a loop that enumerates cards keeps two running values, ``key`` (the sum of
  ``card_key``, beginning with `START`) and ``bits`` (the union of ``card_bit``), adds a card to
  both at each level, and asks `classify` at the innermost one. This is the form for other
  kernels.

A card costs two loads of 8 bytes, an addition and an OR; a class then costs one AND, one addition
and two dependent look-ups of 2 bytes each in tables of 280 kB, which stay in the second cache.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from pokerlab.cards.evaluator.tables import (
    FLUSH_BITS,
    INDEX_MASK,
    ROW_SHIFT,
    START_KEY,
    EvaluatorTables,
)
from pokerlab.jit import kernel

# In compiled code both are unsigned integers, of 64 and of 16 bits; a type checker that mixes
# them with Python's would have us convert at every step.
Bits: TypeAlias = Any
Class: TypeAlias = Any
Classes: TypeAlias = npt.NDArray[np.uint16]

START = np.uint64(START_KEY)
_FLUSH = np.uint64(FLUSH_BITS)
_ROW_SHIFT = np.uint64(ROW_SHIFT)
_INDEX = np.uint64(INDEX_MASK)
_LOW = np.uint64(0xFFFFFFFF)
_RANKS = np.uint64(0x1FFF)
_ONE = np.uint64(1)
_SIX_BITS = np.uint64(63)
_TWO_MORE_OF_EACH_SUIT = np.uint64(0x2222 << 48)
_BLOCK = 1024


@kernel
def classify(key: Bits, bits: Bits, tables: EvaluatorTables) -> Class:
    """Class of the hand with this key; `bits` is looked at only if it has a flush."""
    if key & _FLUSH:
        return flush_class(key, bits, tables)
    return rank_class(key, tables)


@kernel
def rank_class(key: Bits, tables: EvaluatorTables) -> Class:
    """Class of a hand that is known to have no flush."""
    ranks = key & _LOW
    return tables.rank_class[(ranks + tables.row_offset[ranks >> _ROW_SHIFT]) & _INDEX]


@kernel
def flush_class(key: Bits, bits: Bits, tables: EvaluatorTables) -> Class:
    """Class of a hand that is known to have a flush."""
    return tables.flush_class[(bits >> _flush_shift(key)) & _RANKS]


@kernel
def _flush_shift(key: Bits) -> Bits:
    """Where the bits of the flush suit begin, given a key with one of the flush bits set."""
    flushes = key >> np.uint64(51)
    shift = np.uint64(0)
    while not flushes & _ONE:
        flushes >>= np.uint64(4)
        shift += np.uint64(16)
    return shift


@kernel
def evaluate_hand(cards: npt.NDArray[np.uint8], tables: EvaluatorTables) -> Class:
    """Class of five, six or seven cards."""
    key = START
    bits = np.uint64(0)
    for place in range(cards.size):
        key += tables.card_key[cards[place]]
        bits |= tables.card_bit[cards[place]]
    return classify(key, bits, tables)


@kernel
def evaluate_rows(
    cards: npt.NDArray[np.integer[Any]], classes: Classes, check: bool, tables: EvaluatorTables
) -> np.int64:
    """Write the class of each row of `cards` (hands × 5, 6 or 7, C order) to `classes`.

    With `check`, returns −1 or the number of the first row that is not a hand: it has a code
    that is no card, or a card twice. Blocks stay in the first-level cache for their passes.
    """
    hands = np.uint64(cards.shape[0])
    size = np.uint64(cards.shape[1])
    flat = cards.reshape(cards.size)
    flushes = np.empty(_BLOCK, np.uint64)
    first = np.uint64(0)
    while first < hands:
        last = min(first + np.uint64(_BLOCK), hands)
        bad = last
        # A size that is a constant lets the compiler unroll the loops over a hand's cards.
        if size == 7:
            if check:
                bad = _find_bad_row(flat, first, last, np.uint64(7))
            _evaluate_block(flat, classes, first, last, np.uint64(7), flushes, tables)
        elif size == 6:
            if check:
                bad = _find_bad_row(flat, first, last, np.uint64(6))
            _evaluate_block(flat, classes, first, last, np.uint64(6), flushes, tables)
        else:
            if check:
                bad = _find_bad_row(flat, first, last, np.uint64(5))
            _evaluate_block(flat, classes, first, last, np.uint64(5), flushes, tables)
        if bad < last:
            return np.int64(bad)
        first = last
    return np.int64(-1)


@kernel(inline="always")
def _find_bad_row(flat: npt.NDArray[np.integer[Any]], first: Bits, last: Bits, size: Bits) -> Bits:
    """Number of the first row that is not a hand, or `last`."""
    suspicion = np.uint64(0)
    for hand in range(first, last):
        suspicion |= _defects(flat, hand * size, size)
    if suspicion:
        for hand in range(first, last):
            if _defects(flat, hand * size, size):
                return hand
    return last


@kernel(inline="always")
def _defects(flat: npt.NDArray[np.integer[Any]], start: Bits, size: Bits) -> Bits:
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


@kernel(inline="always")
def _evaluate_block(
    flat: npt.NDArray[np.integer[Any]],
    classes: Classes,
    first: Bits,
    last: Bits,
    size: Bits,
    flushes: npt.NDArray[np.uint64],
    tables: EvaluatorTables,
) -> None:
    """Evaluate all rows as if none had a flush, noting which have; then do those again.

    One hand in 33 has a flush: a branch that is taken so seldom and so irregularly would cost
    more than the note.
    """
    keys = tables.card_key
    noted = np.uint64(0)
    for hand in range(first, last):
        key = START
        for place in range(size):
            key += keys[np.uint64(flat[hand * size + place]) & _SIX_BITS]
        classes[hand] = rank_class(key, tables)
        flushes[noted] = hand
        noted += np.uint64((key & _FLUSH) != 0)
    for note in range(noted):
        hand = flushes[note]
        key = START
        bits = np.uint64(0)
        for place in range(size):
            card = np.uint64(flat[hand * size + place]) & _SIX_BITS
            key += keys[card]
            bits |= tables.card_bit[card]
        classes[hand] = flush_class(key, bits, tables)


@kernel
def count_classes(size: int, counts: npt.NDArray[np.int64], tables: EvaluatorTables) -> None:
    """Count all hands of `size` cards (5 or 7) by class into `counts` (7,463)."""
    keys = tables.card_key
    bit = tables.card_bit
    for a in range(size - 1, 52):
        for b in range(size - 2, a):
            for c in range(size - 3, b):
                key = START + keys[a] + keys[b] + keys[c]
                bits = bit[a] | bit[b] | bit[c]
                if size == 5:
                    _count_completions(key, bits, c, counts, tables)
                    continue
                for d in range(3, c):
                    for e in range(2, d):
                        key5 = key + keys[d] + keys[e]
                        bits5 = bits | bit[d] | bit[e]
                        _count_completions(key5, bits5, e, counts, tables)


@kernel
def _count_completions(
    key: Bits, bits: Bits, below: int, counts: npt.NDArray[np.int64], tables: EvaluatorTables
) -> None:
    """Complete a hand with every two cards below a given one, and count the classes."""
    combos = np.uint64(below * (below - 1) // 2)
    key_plus_two = key + _TWO_MORE_OF_EACH_SUIT
    if key_plus_two & _FLUSH:
        shift = _flush_shift(key_plus_two)
        for combo in range(combos):
            counts[_best_class(key, bits, shift, combo, tables)] += 1
    else:
        for combo in range(combos):
            counts[rank_class(key + tables.combo_key[combo], tables)] += 1


@kernel
def _best_class(key: Bits, bits: Bits, shift: Bits, combo: Bits, tables: EvaluatorTables) -> Class:
    """Class of a combo on a board with three or more cards of the suit at `shift`.

    Without a branch: `flush_class` is larger than any class where the suit has too few cards.
    """
    flush = tables.flush_class[((bits | tables.combo_bit[combo]) >> shift) & _RANKS]
    return min(rank_class(key + tables.combo_key[combo], tables), flush)


@kernel
def classify_combos(
    board: npt.NDArray[np.uint8], classes: Classes, tables: EvaluatorTables
) -> None:
    """Write the class of each of the 1,326 combos on a board of 3 to 5 cards to `classes`.

    Combos that hold a card of the board get 0.
    """
    key = START
    bits = np.uint64(0)
    for place in range(board.size):
        key += tables.card_key[board[place]]
        bits |= tables.card_bit[board[place]]
    key_plus_two = key + _TWO_MORE_OF_EACH_SUIT
    if key_plus_two & _FLUSH:
        shift = _flush_shift(key_plus_two)
        for combo in range(np.uint64(1326)):
            classes[combo] = _best_class(key, bits, shift, combo, tables)
    else:
        for combo in range(np.uint64(1326)):
            classes[combo] = rank_class(key + tables.combo_key[combo], tables)
    for place in range(board.size):
        card = int(board[place])
        for low in range(card):
            classes[card * (card - 1) // 2 + low] = 0
        for high in range(card + 1, 52):
            classes[high * (high - 1) // 2 + card] = 0

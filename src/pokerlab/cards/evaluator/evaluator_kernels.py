"""Evaluator kernels: 5, 6 or 7 cards to the class 1 … 7462 (1 is best).

All of them take the `EvaluatorTables` of `pokerlab.cards.evaluator.tables` as their last
argument. Two forms:

- *whole hands*: `evaluate_hand` takes the cards of one hand (`batch_kernels` those of many);
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

from pokerlab.cards.evaluator.tables import (
    FLUSH_BITS,
    INDEX_MASK,
    ROW_SHIFT,
    START_KEY,
    EvaluatorTables,
)
from pokerlab.runtime.arrays import Bytes
from pokerlab.runtime.jit import kernel

# In compiled code both are unsigned integers, of 64 and of 16 bits; a type checker that mixes
# them with Python's would have us convert at every step.
Bits: TypeAlias = Any
Class: TypeAlias = Any

START = np.uint64(START_KEY)
_FLUSH = np.uint64(FLUSH_BITS)
_ROW_SHIFT = np.uint64(ROW_SHIFT)
_INDEX = np.uint64(INDEX_MASK)
_LOW = np.uint64(0xFFFFFFFF)
_RANKS = np.uint64(0x1FFF)


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
    return tables.flush_class[(bits >> flush_shift(key)) & _RANKS]


@kernel
def flush_shift(key: Bits) -> Bits:
    """Where the bits of the flush suit begin, given a key with one of the flush bits set."""
    odd = ((key >> np.uint64(51)) | (key >> np.uint64(59))) & np.uint64(16)
    high = ((key >> np.uint64(54)) | (key >> np.uint64(58))) & np.uint64(32)
    return odd | high


@kernel
def evaluate_hand(cards: Bytes, tables: EvaluatorTables) -> Class:
    """Class of five, six or seven cards."""
    key = START
    bits = np.uint64(0)
    for place in range(cards.size):
        key += tables.card_key[cards[place]]
        bits |= tables.card_bit[cards[place]]
    return classify(key, bits, tables)


@kernel
def best_class(key: Bits, bits: Bits, shift: Bits, combo: Bits, tables: EvaluatorTables) -> Class:
    """Class of a combo on a board with three or more cards of the suit at `shift`.

    Without a branch: `flush_class` is larger than any class where the suit has too few cards.
    """
    flush = tables.flush_class[((bits | tables.combo_bit[combo]) >> shift) & _RANKS]
    return min(rank_class(key + tables.combo_key[combo], tables), flush)

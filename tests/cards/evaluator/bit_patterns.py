"""The five-card evaluator of the five-card-draw document: bit patterns and prime products.

A second implementation of the evaluator: it shares nothing with the first but the order of hands,
and so tests it. A card is 32 bits, ``xxxAKQJT98765432 cdhsrrrr xxpppppp``: a bit for its rank,
a bit for its suit, the rank as a number, and a prime for the rank (2 for the deuce … 41 for the
ace).

- The AND of the five suit nibbles is not zero: a flush; the OR of the rank bits finds its class.
- The OR has five bits: no rank twice; a second table, indexed the same way, finds the class.
- Otherwise the product of the primes, which no other ranks give, finds it.
"""

from __future__ import annotations

from functools import cache
from math import prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pokerlab.cards.evaluator.hand_names import CATEGORIES, all_hands

_PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)


def _patterns() -> npt.NDArray[np.int64]:
    rank, suit = np.divmod(np.arange(52), 4)
    # The document's suits run c, d, h, s from the highest bit down.
    patterns = 1 << (16 + rank) | 1 << (15 - suit) | rank << 8 | np.array(_PRIMES)[rank]
    return np.asarray(patterns, dtype=np.int64)


CARD_PATTERNS: npt.NDArray[np.int64] = _patterns()
"""The bit pattern of each of the 52 cards."""


def evaluate_five(cards: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """Classes 1 … 7462 of five-card hands, given as card codes of shape (n, 5).

    Examples
    --------
    >>> evaluate_five([[51, 47, 43, 39, 35], [0, 5, 10, 15, 20]])
    array([   1, 7462])
    """
    patterns = CARD_PATTERNS[np.asarray(cards)]
    tables = _tables()
    rank_bits = np.bitwise_or.reduce(patterns, axis=1) >> 16
    flush = np.bitwise_and.reduce(patterns, axis=1) & 0xF000 != 0
    product = np.prod(patterns & 0xFF, axis=1)
    by_product = tables.product_class[np.searchsorted(tables.product[:-1], product)]
    distinct = tables.distinct_class[rank_bits]
    classes: npt.NDArray[np.int64] = np.where(
        flush, tables.flush_class[rank_bits], np.where(distinct > 0, distinct, by_product)
    )
    return classes


class _Tables(NamedTuple):
    flush_class: npt.NDArray[np.int64]
    distinct_class: npt.NDArray[np.int64]
    product: npt.NDArray[np.int64]
    product_class: npt.NDArray[np.int64]


@cache
def _tables() -> _Tables:
    flush_class, distinct_class = np.zeros((2, 1 << 13), dtype=np.int64)
    products: dict[int, int] = {}
    for number, (kind, ranks) in enumerate(all_hands(), 1):
        match CATEGORIES[kind]:
            case "straight flush" | "straight" as name:
                run = [rank % 13 for rank in range(ranks[0] - 4, ranks[0] + 1)]
                table = distinct_class if name == "straight" else flush_class
                table[sum(1 << rank for rank in run)] = number
            case "flush":
                flush_class[sum(1 << rank for rank in ranks)] = number
            case "high card":
                distinct_class[sum(1 << rank for rank in ranks)] = number
            case name:
                products[
                    prod(_PRIMES[rank] ** n for rank, n in zip(ranks, _COPIES[name], strict=True))
                ] = number
    order = sorted(products)
    return _Tables(
        flush_class, distinct_class, np.array(order), np.array([products[key] for key in order])
    )


_COPIES = {
    "four of a kind": (4, 1),
    "full house": (3, 2),
    "three of a kind": (3, 1, 1),
    "two pair": (2, 2, 1),
    "pair": (2, 1, 1, 1),
}

"""The document's evaluator: 32 bits a card, two operations, and products of primes.

``xxxAKQJT 98765432 CDHSrrrr xxPPPPPP``: from the right a prime for the rank, the rank itself, a bit
for the suit and a bit for the rank. The AND of five cards with 0xF000 finds a flush; their OR,
shifted by 16, is an index by ranks, of flushes in one table and of hands without a pair in
another; all other hands are found by the product of their primes. The tables are made here from
the rules of poker alone, so that they can be held against our evaluator.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import prod

import numpy as np

from pokerlab.runtime.arrays import Int64s

PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)
_SUITS = 0xF000
_WHEEL = (12, 3, 2, 1, 0)


def pattern(card: int) -> int:
    """The 32 bits of a card (4 · rank + suit).

    Examples
    --------
    >>> f"{pattern(51):032b}"
    '00010000000000001000110000101001'
    """
    rank, suit = divmod(card, 4)
    return 1 << 16 + rank | 1 << 12 + suit | rank << 8 | PRIMES[rank]


@dataclass(frozen=True, eq=False)
class PatternTables:
    """Classes by OR of the ranks for flushes and for other hands without a pair, and by product."""

    flush: Int64s
    plain: Int64s
    products: Int64s
    """Sorted."""
    by_product: Int64s


@cache
def make_tables() -> PatternTables:
    """Number all classes by the rules of poker, the best first."""
    tops = range(12, -1, -1)
    straights = [tuple(range(top, top - 5, -1)) for top in range(12, 3, -1)] + [_WHEEL]
    high = [ranks for ranks in combinations(tops, 5) if ranks not in straights]

    def kinds(first: int, others: int, singles: int) -> list[tuple[int, ...]]:
        """`first` cards of a rank, then two or one of others, all by rank."""
        found: list[tuple[int, ...]] = []
        for top in tops:
            left = [rank for rank in tops if rank != top]
            for rest in combinations(left, singles):
                found.append((top,) * first + tuple(rank for rank in rest for _ in range(others)))
        return found

    two_pairs = [
        (first, first, second, second, single)
        for first, second in combinations(tops, 2)
        for single in tops
        if single not in (first, second)
    ]
    order: list[tuple[str, Sequence[tuple[int, ...]]]] = [
        ("flush", straights),
        ("product", kinds(4, 1, 1)),
        ("product", kinds(3, 2, 1)),
        ("flush", high),
        ("plain", straights),
        ("product", kinds(3, 1, 2)),
        ("product", two_pairs),
        ("product", kinds(2, 1, 3)),
        ("plain", high),
    ]
    by_ranks = {"flush": np.zeros(8192, np.int64), "plain": np.zeros(8192, np.int64)}
    by_product: dict[int, int] = {}
    number = 0
    for kind, hands in order:
        for ranks in hands:
            number += 1
            if kind == "product":
                by_product[prod(PRIMES[rank] for rank in ranks)] = number
            else:
                by_ranks[kind][sum(1 << rank for rank in ranks)] = number
    products = np.array(sorted(by_product), np.int64)
    found = np.array([by_product[product] for product in products.tolist()], np.int64)
    return PatternTables(by_ranks["flush"], by_ranks["plain"], products, found)


@dataclass(frozen=True, eq=False)
class Evaluated:
    """The classes of some hands, and what settled them: 1 a flush, 2 the OR, 3 the product."""

    classes: Int64s
    step: Int64s


def evaluate_patterns(hands: Int64s) -> Evaluated:
    """Evaluate hands (n, 5) as the document does.

    Examples
    --------
    >>> hands = np.array([[51, 47, 43, 39, 35], [51, 46, 43, 39, 35], [51, 50, 49, 48, 0]])
    >>> found = evaluate_patterns(hands)
    >>> found.classes.tolist(), found.step.tolist()
    ([1, 1600, 22], [1, 2, 3])
    """
    tables = make_tables()
    bits = np.array([pattern(card) for card in range(52)], np.int64)[hands]
    is_flush = (np.bitwise_and.reduce(bits, axis=1) & _SUITS) != 0
    ranks = np.bitwise_or.reduce(bits, axis=1) >> 16
    plain = tables.plain[ranks]
    place = np.searchsorted(tables.products, np.prod(bits & 0x3F, axis=1))
    by_product = tables.by_product[np.minimum(place, len(tables.products) - 1)]
    classes = np.where(is_flush, tables.flush[ranks], np.where(plain > 0, plain, by_product))
    return Evaluated(classes, np.where(is_flush, 1, np.where(plain > 0, 2, 3)))

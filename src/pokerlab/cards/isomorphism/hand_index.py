"""A number 0 … N − 1 for each class of deals that differ only by the names of the suits."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement, product
from math import comb, prod

import numpy as np
import numpy.typing as npt

from pokerlab.cards.codes import Cards, format_cards, to_cards
from pokerlab.cards.isomorphism.hand_index_kernels import IndexTables, deals_of_indices, index_deals
from pokerlab.runtime.arrays import Bytes, Int64s


class HandIndexer:
    """Numbers for the classes of deals that differ only by the names of the suits.

    The classes get the numbers 0 … `size` − 1 without gaps, so that an array by number holds
    one value for each. A look-up takes about 0.1 microseconds in a kernel: pass `tables` to
    `pokerlab.cards.isomorphism.hand_index_kernels.deal_index`.

    Parameters
    ----------
    cards_per_round
        The number of cards of each round, for example (2, 3) for hand and flop, (2, 5) for hand
        and board as one set, (2, 3, 1) for hand, flop and turn. Up to four rounds and seven
        cards.

    Attributes
    ----------
    size : int
        The number of classes.
    tables : IndexTables
        The arrays that the kernels need.

    Examples
    --------
    >>> HandIndexer((2,)).size, HandIndexer((3,)).size, HandIndexer((2, 3)).size
    (169, 1755, 1286792)
    >>> indexer = HandIndexer((2, 3))
    >>> indexer.index("KhAh QcJs5h") == indexer.index("AdKd JhQs5d")
    True
    >>> format_cards(indexer.unindex(indexer.index("KhAh QcJs5h")))
    'AsKsQhJd5s'
    """

    def __init__(self, cards_per_round: Sequence[int]) -> None:
        self.cards_per_round = tuple(cards_per_round)
        if (
            not 1 <= len(self.cards_per_round) <= 4
            or min(self.cards_per_round) < 1
            or sum(self.cards_per_round) > 7
        ):
            raise ValueError(
                f"bad rounds {self.cards_per_round}: expected one to four rounds of at least "
                "one card, at most seven cards in all"
            )
        self.tables = _index_tables(self.cards_per_round)
        self.size = int(self.tables.patterns[-1, 0])

    def __repr__(self) -> str:
        return f"HandIndexer({self.cards_per_round})"

    def index(self, cards: Cards) -> int:
        """Number the class of a deal, given as the cards of the first round, then of the next."""
        codes = to_cards(cards)
        if len(codes) != sum(self.cards_per_round):
            raise ValueError(
                f"{format_cards(codes)!r} has {len(codes)} cards; "
                f"rounds of {self.cards_per_round} cards need {sum(self.cards_per_round)}"
            )
        return int(self.index_batch(np.array([codes]))[0])

    def unindex(self, number: int) -> tuple[int, ...]:
        """Give the `canonical` deal of a class."""
        deals, _ = self.unindex_batch([number])
        return tuple(deals[0].tolist())

    def index_batch(self, deals: npt.ArrayLike) -> Int64s:
        """Number many deals: an array of card codes of shape (n, cards) gives n numbers."""
        rows = np.asarray(deals)
        cards = sum(self.cards_per_round)
        if rows.ndim != 2 or rows.shape[1] != cards:
            raise ValueError(f"deals of shape {rows.shape}: expected (n, {cards})")
        if rows.dtype.kind not in "iu" or (rows.size and not 0 <= rows.min() <= rows.max() < 52):
            raise ValueError("deals hold something that is not a card code (0 to 51)")
        codes = np.require(rows, np.uint8, ["C", "W"])  # one type for the compiler
        numbers = np.empty(len(codes), dtype=np.int64)
        wrong = index_deals(self.tables, codes, numbers)
        if wrong >= 0:
            raise ValueError(
                f"row {wrong} of the deals, {format_cards(codes[wrong])}, has a card twice"
            )
        return numbers

    def unindex_batch(self, numbers: npt.ArrayLike) -> tuple[Bytes, Int64s]:
        """Give the canonical deals of many classes, and how many deals each class has."""
        chosen = np.require(numbers, np.int64, ["C", "W"])
        if chosen.ndim != 1:
            raise ValueError(f"numbers of shape {chosen.shape}: expected one row of them")
        if chosen.size and not 0 <= chosen.min() <= chosen.max() < self.size:
            wrong = chosen[(chosen < 0) | (chosen >= self.size)][0]
            raise ValueError(f"{wrong} is not the number of a class (0 to {self.size - 1})")
        deals = np.empty((len(chosen), sum(self.cards_per_round)), dtype=np.uint8)
        sizes = np.empty(len(chosen), dtype=np.int64)
        deals_of_indices(self.tables, chosen, deals, sizes)
        return deals, sizes


@cache
def _index_tables(round_sizes: tuple[int, ...]) -> IndexTables:
    """Find the patterns of some rounds and give each its block of numbers."""
    # The number of a shape is a mixed radix of its counts: `_add_round` computes the same.
    shapes = list(product(*(range(size + 1) for size in round_sizes)))
    shape_holdings = [
        prod(comb(13 - sum(counts[:before]), count) for before, count in enumerate(counts))
        for counts in shapes
    ]
    pattern_shapes = _patterns(round_sizes, shapes)
    prefixes: dict[tuple[int, ...], int] = {(): 0}
    for pattern in pattern_shapes:
        for length in (1, 2, 3):
            prefixes.setdefault(pattern[:length], len(prefixes))
    next_prefix = np.full((len(prefixes), len(shapes)), -1, dtype=np.int32)
    patterns = np.zeros((len(pattern_shapes) + 1, 9), dtype=np.int64)
    for number, pattern in enumerate(pattern_shapes):
        for length in (0, 1, 2):
            step = prefixes[pattern[:length]], pattern[length]
            next_prefix[step] = prefixes[pattern[: length + 1]]
        next_prefix[prefixes[pattern[:3]], pattern[3]] = number
        classes = weight = 1
        for place in (3, 2, 1, 0):
            # Holdings of one shape share a digit, whose weight is the size of what follows.
            if place == 3 or pattern[place] != pattern[place + 1]:
                weight = classes
                suits = pattern.count(pattern[place])
                classes *= comb(shape_holdings[pattern[place]] + suits - 1, suits)
            patterns[number, 1 + place] = weight
            patterns[number, 5 + place] = pattern[place:].count(pattern[place])
        patterns[number + 1, 0] = patterns[number, 0] + classes
    return IndexTables(
        round_sizes=np.array(round_sizes, dtype=np.int64),
        shape_counts=np.array(shapes, dtype=np.int64),
        shape_holdings=np.array(shape_holdings, dtype=np.int64),
        next_prefix=next_prefix,
        pattern_shapes=np.array(pattern_shapes, dtype=np.int64),
        patterns=patterns,
    )


def _patterns(round_sizes: tuple[int, ...], shapes: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """All falling rows of four shapes that have the cards of all rounds between them."""
    number_of = {counts: shape for shape, counts in enumerate(shapes)}
    patterns: list[tuple[int, ...]] = []
    for three in combinations_with_replacement(reversed(range(len(shapes))), 3):
        used = (shapes[shape] for shape in three)
        left = tuple(size - sum(counts) for size, *counts in zip(round_sizes, *used, strict=True))
        if min(left) >= 0 and number_of[left] <= three[-1]:
            patterns.append((*three, number_of[left]))
    return patterns

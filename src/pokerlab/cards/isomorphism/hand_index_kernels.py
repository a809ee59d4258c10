"""The number of a deal up to suits, in compiled loops.

A deal is a few *rounds* of cards (the hand, the board); the order of the cards inside a round
does not matter. Split it by suit: each suit holds some ranks in each round. Two deals are the
same up to suits exactly when they have the same four suit holdings in some order, so a class of
deals is a multiset of four holdings. To number the classes without gaps:

- the *shape* of a holding is how many cards it has in each round; holdings of one shape are
  numbered by the ranks, one round after the other, skipping the ranks already taken;
- the four holdings are sorted by shape and number; the four shapes are the *pattern*, and each
  pattern owns a block of numbers;
- inside the block, m holdings of one shape are a multiset of m numbers, which has a place in the
  combinatorial number system, and the different shapes are the digits of a mixed radix.

The idea is that of K. Waugh, "A fast and optimal hand isomorphism algorithm" (2013). The tables
take some kB, a look-up about 0.1 microseconds.
"""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numpy as np

from pokerlab.runtime.arrays import Bytes, Int32s, Int64s
from pokerlab.runtime.jit import kernel

Holding = tuple[int, int, int, int]

_ALL_RANKS = 0x1FFF  # thirteen bits
_ONE_OF_EACH_SUIT = 0x0001_0001_0001_0001

# A set of ranks is thirteen bits. Sets of one size are numbered in the order of their bits, so
# that the sets of the lowest n ranks have the lowest numbers. Arrays outside of a kernel are
# constants for Numba, which costs a look-up less than an argument does.
_SIZES = np.array([ranks.bit_count() for ranks in range(1 << 13)])
_SET_OF_NUMBER = np.argsort(_SIZES, kind="stable")
_FIRST_OF_SIZE = np.searchsorted(_SIZES[_SET_OF_NUMBER], np.arange(14))
SIZE_AND_NUMBER = np.empty(1 << 13, np.int32)  # size << 16 | number
SIZE_AND_NUMBER[_SET_OF_NUMBER] = (
    _SIZES[_SET_OF_NUMBER] << 16 | np.arange(1 << 13) - _FIRST_OF_SIZE[_SIZES[_SET_OF_NUMBER]]
)
_CHOOSE = np.array([[comb(n, k) for k in range(14)] for n in range(14)])


class IndexTables(NamedTuple):
    """What the kernels need to number the deals of some rounds; `HandIndexer` makes it."""

    round_sizes: Int64s
    """(rounds,): the number of cards of each round."""
    shape_counts: Int64s
    """(shapes, rounds): the cards that a holding of each shape has in each round."""
    shape_holdings: Int64s
    """(shapes,): the number of holdings of each shape."""
    next_prefix: Int32s
    """(prefixes, shapes): from the first shapes of a pattern and one more to the longer prefix;
    the fourth step leads to the pattern."""
    pattern_shapes: Int64s
    """(patterns, 4): the shapes of the four holdings, falling."""
    patterns: Int64s
    """(patterns + 1, 9): where the block of numbers begins; for each of the four holdings the
    weight of its digit; and for each how many holdings of the same shape are left, this one
    included. The last row begins where the numbers end."""


@kernel
def deal_index(tables: IndexTables, cards: Bytes) -> int:
    """Number the class of one deal, given as all cards of the first round, then of the next.

    The cards must differ; nothing is checked here.
    """
    round_sizes, next_prefix, patterns = tables.round_sizes, tables.next_prefix, tables.patterns
    clubs = diamonds = hearts = spades = (0, 0, 1, 0)
    position = 0
    for round_ in range(len(round_sizes)):
        size = round_sizes[round_]
        # One word for the round: sixteen bits for each suit.
        word = 0
        for _ in range(size):
            card = int(cards[position])
            word |= 1 << (16 * (card & 3) + (card >> 2))
            position += 1
        clubs = _add_round(clubs, word & _ALL_RANKS, size)
        diamonds = _add_round(diamonds, word >> 16 & _ALL_RANKS, size)
        hearts = _add_round(hearts, word >> 32 & _ALL_RANKS, size)
        spades = _add_round(spades, word >> 48 & _ALL_RANKS, size)
    # Shape above number, so that sorting the keys sorts by shape first.
    a, b, c, d = _sort_falling(
        clubs[0] << 32 | clubs[1],
        diamonds[0] << 32 | diamonds[1],
        hearts[0] << 32 | hearts[1],
        spades[0] << 32 | spades[1],
    )
    pattern = int(next_prefix[0, a >> 32])
    pattern = int(next_prefix[pattern, b >> 32])
    pattern = int(next_prefix[pattern, c >> 32])
    pattern = int(next_prefix[pattern, d >> 32])
    number = 0xFFFFFFFF
    return int(
        patterns[pattern, 0]
        + patterns[pattern, 1] * _multisets(a & number, patterns[pattern, 5])
        + patterns[pattern, 2] * _multisets(b & number, patterns[pattern, 6])
        + patterns[pattern, 3] * _multisets(c & number, patterns[pattern, 7])
        + patterns[pattern, 4] * _multisets(d & number, patterns[pattern, 8])
    )


@kernel
def deal_of_index(tables: IndexTables, index: int, cards: Bytes) -> int:
    """Write the canonical deal of a class to `cards`; return how many deals the class has.

    Canonical: the suits are sorted by what they hold in the first round, then in the next;
    spades hold most. Inside a round the cards fall.
    """
    pattern, above = 0, len(tables.patterns) - 1
    while above - pattern > 1:
        middle = (pattern + above) // 2
        if tables.patterns[middle, 0] <= index:
            pattern = middle
        else:
            above = middle
    rest = index - tables.patterns[pattern, 0]
    first, rest = _next_holding(tables, pattern, 0, rest)
    second, rest = _next_holding(tables, pattern, 1, rest)
    third, rest = _next_holding(tables, pattern, 2, rest)
    fourth, rest = _next_holding(tables, pattern, 3, rest)
    spades, hearts, diamonds, clubs = _sort_falling(first, second, third, fourth)
    position = 0
    rounds = len(tables.round_sizes)
    for round_ in range(rounds):
        shift = 13 * (rounds - 1 - round_)
        word = (
            (spades >> shift & _ALL_RANKS) << 48
            | (hearts >> shift & _ALL_RANKS) << 32
            | (diamonds >> shift & _ALL_RANKS) << 16
            | (clubs >> shift & _ALL_RANKS)
        )
        for rank in range(12, -1, -1):
            if word >> rank & _ONE_OF_EACH_SUIT:
                for suit in range(3, -1, -1):
                    if word >> (16 * suit + rank) & 1:
                        cards[position] = 4 * rank + suit
                        position += 1
    return _arrangements(spades, hearts, diamonds, clubs)


@kernel
def index_deals(tables: IndexTables, deals: Bytes, indices: Int64s) -> int:
    """Number each row of `deals`; return the first row that holds a card twice, else −1."""
    for row in range(len(deals)):
        seen = 0
        for position in range(deals.shape[1]):
            card = int(deals[row, position])
            if seen >> card & 1:
                return row
            seen |= 1 << card
        indices[row] = deal_index(tables, deals[row])
    return -1


@kernel
def deals_of_indices(tables: IndexTables, indices: Int64s, deals: Bytes, sizes: Int64s) -> None:
    """Write the canonical deal and the number of deals of each class of `indices`."""
    for row in range(len(indices)):
        sizes[row] = deal_of_index(tables, indices[row], deals[row])


@kernel
def _add_round(holding: Holding, ranks: int, round_size: int) -> Holding:
    """Add the ranks of one more round to a holding: its shape, number, holdings, ranks taken.

    "Holdings" is how many holdings share the shape so far.
    """
    shape, number, holdings, taken = holding
    size_and_number = int(SIZE_AND_NUMBER[_close_up(ranks, taken)])
    count = size_and_number >> 16
    free = 13 - (int(SIZE_AND_NUMBER[taken]) >> 16)
    number += holdings * (size_and_number & 0xFFFF)
    holdings *= int(_CHOOSE[free, count])
    return shape * (round_size + 1) + count, number, holdings, taken | ranks


@kernel
def _close_up(ranks: int, taken: int) -> int:
    """Renumber the set `ranks` among the ranks that are not `taken`."""
    # Two steps without a test: a hand takes two ranks at most, and a step with nothing taken
    # does nothing. Branches that depend on the cards are what a look-up spends its time on.
    ranks, taken = _close_gap(ranks, taken)
    ranks, taken = _close_gap(ranks, taken)
    while taken:
        ranks, taken = _close_gap(ranks, taken)
    return ranks


@kernel
def _close_gap(ranks: int, taken: int) -> tuple[int, int]:
    below = (taken & -taken) - 1
    return ranks & below | ranks >> 1 & ~below, (taken & taken - 1) >> 1


@kernel
def _open_up(ranks: int, taken: int) -> int:
    """Undo `_close_up`."""
    while taken:
        below = (taken & -taken) - 1
        ranks = ranks & below | (ranks & ~below) << 1
        taken &= taken - 1
    return ranks


@kernel
def _next_holding(tables: IndexTables, pattern: int, place: int, rest: int) -> tuple[int, int]:
    """Read the holding at a place of a pattern from `rest`; return it and what remains.

    The holding is a key: thirteen bits for each round, the first round at the top.
    """
    shape = tables.pattern_shapes[pattern, place]
    weight = int(tables.patterns[pattern, 1 + place])
    alike = int(tables.patterns[pattern, 5 + place])
    digit = rest // weight
    # The largest number whose multisets do not exceed the digit.
    number, above = 0, int(tables.shape_holdings[shape])
    if alike == 1:
        number, above = digit, digit + 1
    while above - number > 1:
        middle = (number + above) // 2
        if _multisets(middle, alike) <= digit:
            number = middle
        else:
            above = middle
    rest -= weight * _multisets(number, alike)
    key = 0
    taken = 0
    free = 13
    for round_ in range(len(tables.round_sizes)):
        count = tables.shape_counts[shape, round_]
        sets = int(_CHOOSE[free, count])
        closed = int(_SET_OF_NUMBER[_FIRST_OF_SIZE[count] + number % sets])
        number //= sets
        ranks = _open_up(closed, taken)
        key = key << 13 | ranks
        taken |= ranks
        free -= count
    return key, rest


@kernel
def _multisets(number: int, size: int) -> int:
    """How many multisets of `size` numbers below `number` there are: C(number + size − 1, size).

    That is the place of `number` as the largest of a multiset of `size` numbers.
    """
    if size <= 2:
        return number if size == 1 else number * (number + 1) >> 1
    if size == 3:
        return number * (number + 1) * (number + 2) // 6
    return number * (number + 1) * (number + 2) * (number + 3) // 24


@kernel
def _sort_falling(a: int, b: int, c: int, d: int) -> tuple[int, int, int, int]:
    a, b = max(a, b), min(a, b)
    c, d = max(c, d), min(c, d)
    a, c = max(a, c), min(a, c)
    b, d = max(b, d), min(b, d)
    b, c = max(b, c), min(b, c)
    return a, b, c, d


@kernel
def _arrangements(a: int, b: int, c: int, d: int) -> int:
    """In how many different orders four sorted numbers can stand."""
    orders = 24
    run = 2 if a == b else 1
    orders //= run
    run = run + 1 if b == c else 1
    orders //= run
    run = run + 1 if c == d else 1
    return orders // run

"""The number of (hand, board) by way of the board, in compiled loops.

`pokerlab.cards.hand_index_kernels` computes the number of a deal from its cards. Here most of it
is looked up: the board leads to its class up to suits and to the suit permutation that carries
it to the standard form, the permutation carries the hand along. That takes three loads and some
arithmetic, about 20 nanoseconds, and players on the same board share the first.
"""

from __future__ import annotations

from math import comb
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pokerlab.cards.hand_index_kernels import IndexTables, deal_index
from pokerlab.jit import kernel

__all__ = ["BoardTables", "board_hand_index", "board_rank", "fill_boards", "spread_values"]

Int64s = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]
UInt16s = npt.NDArray[np.uint16]

N_COMBOS = 1326
_PERMUTATION_BITS = 5  # for 24 permutations
_PERMUTATION_MASK = 31
_ALL_RANKS = 0x1FFF

# Subsets of the cards below a card: an array outside of a kernel is a constant for Numba.
_CHOOSE = np.array([[comb(card, size) for size in range(6)] for card in range(52)])


class BoardTables(NamedTuple):
    """What the kernels need for boards of one size; `BoardIndexer` makes it."""

    boards: npt.NDArray[np.uint32]
    """By `board_rank`: the class, and in the lowest five bits the permutation."""
    images: UInt16s
    """(24, 1326): where each permutation carries each combo."""


@kernel(makes_arrays=False)
def board_rank(cards: Bytes, begin: int, end: int) -> int:
    """Number the set of ``cards[begin:end]``, up to five, among the sets of its size."""
    rank = 0
    for place in range(begin, end):
        card = cards[place]
        size = 1
        # Counting has no branches; sorting would have some that nobody can predict.
        for other in range(begin, end):
            size += cards[other] < card
        rank += _CHOOSE[card, size]
    return rank


@kernel(makes_arrays=False)
def board_hand_index(tables: BoardTables, cards: Bytes, board: int) -> int:
    """Number a hand of two cards and the `board` cards that follow; they must differ."""
    entry = int(tables.boards[board_rank(cards, 2, 2 + board)])
    low = min(int(cards[0]), int(cards[1]))
    high = max(int(cards[0]), int(cards[1]))
    combo = (high * (high - 1) >> 1) + low
    image = int(tables.images[entry & _PERMUTATION_MASK, combo])
    return (entry >> _PERMUTATION_BITS) * N_COMBOS + image


@kernel
def fill_boards(
    size: int, indexer: IndexTables, permutation_number: Bytes, boards: npt.NDArray[np.uint32]
) -> None:
    """Write `BoardTables.boards` for boards of `size` cards.

    The number of a permutation is found at 64 · the suit that clubs become + 16 · that of
    diamonds + 4 · that of hearts + that of spades in `permutation_number`.
    """
    cards = np.arange(size).astype(np.uint8)
    for rank in range(len(boards)):
        number = deal_index(indexer, cards)
        permutation = permutation_number[_standard_suits(cards)]
        boards[rank] = number << _PERMUTATION_BITS | permutation
        # The next set: the lowest card that can go up does, and those below begin again.
        place = 0
        while place + 1 < size and cards[place] + 1 == cards[place + 1]:
            cards[place] = place
            place += 1
        cards[place] += 1


@kernel
def _standard_suits(cards: Bytes) -> int:
    """The permutation that leads to the standard form: the suit that holds most is spades."""
    word = 0
    for card in cards:
        word |= 1 << (16 * (int(card) & 3) + (int(card) >> 2))
    code = 0
    for suit in range(4):
        ranks = word >> (16 * suit) & _ALL_RANKS
        image = 0
        for other in range(4):
            other_ranks = word >> (16 * other) & _ALL_RANKS
            image += other_ranks < ranks or (other_ranks == ranks and other < suit)
        code = 4 * code + image
    return code


@kernel(makes_arrays=False)
def spread_values(
    boards: Bytes, first: int, last: int, indexer: IndexTables, values: Any, spread: Any, cards: Bytes
) -> None:
    """Copy values by `deal_index` of (hand, board) to their places by `board_hand_index`.

    `boards` has the standard form of each class; hands that it blocks get 0. `cards` is scratch
    space for a hand and a board.
    """
    size = boards.shape[1]
    for board in range(first, last):
        blocked = 0
        for place in range(size):
            cards[2 + place] = boards[board, place]
            blocked |= 1 << int(boards[board, place])
        for high in range(1, 52):
            for low in range(high):
                if (blocked >> high | blocked >> low) & 1:
                    continue
                cards[0] = high
                cards[1] = low
                combo = (high * (high - 1) >> 1) + low
                spread[board * N_COMBOS + combo] = values[deal_index(indexer, cards)]

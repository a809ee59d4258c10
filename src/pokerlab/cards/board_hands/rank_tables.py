"""Ranks and suits of all hands as arrays, and the straights among any set of ranks.

Most of what a hand is on a board depends on its ranks alone, of which there are 91 pairs. A set of
ranks is 13 bits: bit 0 stands for deuces, bit 12 for aces.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.arrays import Bools, Bytes, Indices, Int8s
from pokerlab.cards.codes import COMBO_CARDS, N_CARDS, N_COMBOS, Cards, format_cards, to_cards

N_RANKS = 13

RANK_PAIRS: Indices = np.array([(high, low) for high in range(N_RANKS) for low in range(high + 1)])
"""The 91 pairs of ranks that a hand can have, the higher rank first: shape (91, 2)."""

HIGH_RANKS, LOW_RANKS = RANK_PAIRS.T
POCKET_PAIRS: Bools = HIGH_RANKS == LOW_RANKS

_HIGH, _LOW = (COMBO_CARDS.T >> 2).astype(np.intp)
RANK_PAIR_OF_COMBO: Indices = _HIGH * (_HIGH + 1) // 2 + _LOW
"""The pair of ranks of every combo."""

RANK_SETS: Indices = 1 << HIGH_RANKS | 1 << LOW_RANKS
"""Every pair of ranks as a set."""

RANK_COUNTS: Bytes = np.add(
    np.arange(N_RANKS)[:, None] == HIGH_RANKS,
    np.arange(N_RANKS)[:, None] == LOW_RANKS,
    dtype=np.uint8,
)
"""How many cards of each rank a pair of ranks holds: shape (13, 91)."""

STRAIGHT_WINDOWS: tuple[int, ...] = (0b1_0000_0000_1111, *(0b11111 << low for low in range(9)))
"""The ranks of the ten straights, the wheel first."""


def _suit_ranks() -> Indices:
    ranks = np.zeros((4, N_COMBOS), np.intp)
    for cards in COMBO_CARDS.T:
        ranks[cards & 3, np.arange(N_COMBOS)] |= 1 << (cards >> 2).astype(np.intp)
    return ranks


COMBO_SUIT_RANKS: Indices = _suit_ranks()
"""For each suit the ranks that a combo holds of it: shape (4, 1326)."""

RANK_SET_SIZES: Bytes = np.array([ranks.bit_count() for ranks in range(1 << N_RANKS)], np.uint8)
"""How many ranks a set holds."""

COMBO_SUIT_COUNTS: Bytes = RANK_SET_SIZES[COMBO_SUIT_RANKS]
"""For each suit how many cards a combo holds of it: shape (4, 1326)."""


def _straight_tops() -> Int8s:
    tops = np.full(1 << N_RANKS, -1, np.int8)
    sets = np.arange(1 << N_RANKS)
    for top, window in enumerate(STRAIGHT_WINDOWS, start=3):
        tops[sets & window == window] = top
    return tops


STRAIGHT_TOPS: Int8s = _straight_tops()
"""The highest rank of the best straight in a set of ranks; −1 where there is none."""


class BoardRanks(NamedTuple):
    """The ranks and suits of a board of three to five cards."""

    cards: tuple[int, ...]
    counts: Bytes
    """Cards of each rank: shape (13,)."""
    ranks: int
    """The ranks as a set."""
    suit_ranks: tuple[int, ...]
    """The same for each suit."""
    suit_counts: Bytes
    """Cards of each suit: shape (4,)."""

    def blocked(self) -> Bools:
        """The combos that hold a card of the board: shape (1326,)."""
        on_board = np.zeros(N_CARDS, np.bool_)
        on_board[list(self.cards)] = True
        return on_board[COMBO_CARDS[:, 0]] | on_board[COMBO_CARDS[:, 1]]

    def best_missing(self, suit: int) -> int:
        """The highest rank of a suit that does not lie on the board."""
        return int(~self.suit_ranks[suit] & ((1 << N_RANKS) - 1)).bit_length() - 1


def describe_board(board: Cards) -> BoardRanks:
    """Count a board; `ValueError` unless it has three, four or five cards.

    Examples
    --------
    >>> describe_board("AhKh2c").suit_counts
    array([1, 0, 2, 0], dtype=uint8)
    >>> describe_board("AhKh")
    Traceback (most recent call last):
    ValueError: a board has 3, 4 or 5 cards, 'AhKh' has 2
    """
    cards = to_cards(board)
    if not 3 <= len(cards) <= 5:
        raise ValueError(f"a board has 3, 4 or 5 cards, {format_cards(cards)!r} has {len(cards)}")
    counts = np.zeros(N_RANKS, np.uint8)
    suit_ranks = [0, 0, 0, 0]
    for card in cards:
        counts[card >> 2] += 1
        suit_ranks[card & 3] |= 1 << (card >> 2)
    ranks = suit_ranks[0] | suit_ranks[1] | suit_ranks[2] | suit_ranks[3]
    suit_counts = np.array([each.bit_count() for each in suit_ranks], np.uint8)
    return BoardRanks(cards, counts, ranks, tuple(suit_ranks), suit_counts)

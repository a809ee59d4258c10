"""Made hands on a board of three to five cards.

Every hand is in exactly one of `MADE_HANDS`, which stand in falling order. From a straight upwards
it is the category of the best five cards, also where the board alone makes it. Below that only what
a hole card takes part in counts: a pair, two pair or three of a kind of the board belongs to
everybody, so A-Q on K-7-7 is ace high. A pair that does not play counts for nothing: 3-3 on
K-K-7-7-2 plays the board's two pair.

======================  ==========================================================================
``straight-flush``      five cards in a row of one suit
``quads``               four of a kind
``full-house``          three of a kind and a pair
``nut-flush``           a flush with the highest card of its suit that does not lie on the board
``lower-flush``         any other flush
``straight``            five ranks in a row
``set``                 three of a kind with a pocket pair
``trips``               three of a kind with one hole card and a pair on the board
``top-two-pair``        both hole cards pair the two highest ranks of the board
``lower-two-pair``      both hole cards pair the board, not both with the two highest ranks
``overpair``            a pocket pair above all ranks of the board
``top-pair-top-kicker`` a hole card pairs the highest rank of the board; the other is the highest
                        rank that does not lie on the board
``top-pair-good-kicker``  the same, the other hole card is a ten or better
``top-pair-weak-kicker``  the same, the other hole card is a nine or lower
``pair-below-top``      a pocket pair below the highest rank of the board, above the second
``second-pair``         a hole card pairs the second-highest rank of the board
``pair-below-second``   a pocket pair below the second-highest rank of the board, above the third
``third-pair``          a hole card pairs the third-highest rank of the board
``low-pair``            a hole card pairs the fourth or fifth rank of the board; a pocket pair below
                        the third rank and above the lowest
``underpair``           a pocket pair below all ranks of the board
``ace-high``            no pair; the higher hole card is an ace
``king-high``           no pair; the higher hole card is a king
``nothing``             all other hands
======================  ==========================================================================

`MADE_HAND_FAMILIES` are words for several of them, as ``top-pair``, for filters.
"""

from __future__ import annotations

import numpy as np

from pokerlab.arrays import Bytes, Indices, Int8s
from pokerlab.cards.board_hands.rank_tables import (
    COMBO_SUIT_COUNTS,
    COMBO_SUIT_RANKS,
    HIGH_RANKS,
    LOW_RANKS,
    N_RANKS,
    POCKET_PAIRS,
    RANK_COUNTS,
    RANK_PAIR_OF_COMBO,
    RANK_PAIRS,
    RANK_SETS,
    STRAIGHT_TOPS,
    BoardRanks,
    describe_board,
)
from pokerlab.cards.codes import RANKS, Cards

MADE_HANDS: tuple[str, ...] = (
    "straight-flush",
    "quads",
    "full-house",
    "nut-flush",
    "lower-flush",
    "straight",
    "set",
    "trips",
    "top-two-pair",
    "lower-two-pair",
    "overpair",
    "top-pair-top-kicker",
    "top-pair-good-kicker",
    "top-pair-weak-kicker",
    "pair-below-top",
    "second-pair",
    "pair-below-second",
    "third-pair",
    "low-pair",
    "underpair",
    "ace-high",
    "king-high",
    "nothing",
)
"""The made hands, the best first."""

_NUMBER = {name: number for number, name in enumerate(MADE_HANDS)}

MADE_HAND_FAMILIES: dict[str, tuple[str, ...]] = {
    "flush": ("nut-flush", "lower-flush"),
    "three-of-a-kind": ("set", "trips"),
    "two-pair": ("top-two-pair", "lower-two-pair"),
    "top-pair": ("top-pair-top-kicker", "top-pair-good-kicker", "top-pair-weak-kicker"),
    "pair": MADE_HANDS[_NUMBER["overpair"] : _NUMBER["ace-high"]],
    "high-card": ("ace-high", "king-high", "nothing"),
}
"""Words for several made hands."""

_TEN = RANKS.index("T")


def _numbers(*names: str) -> Int8s:
    return np.array([_NUMBER[name] for name in names], np.int8)


# By the number of board ranks above the pair.
_POCKET_BY_PLACE = _numbers(
    "overpair", "pair-below-top", "pair-below-second", "low-pair", "low-pair", "underpair"
)
_BOARD_PAIR_BY_PLACE = _numbers(
    "top-pair-weak-kicker", "second-pair", "third-pair", "low-pair", "low-pair", "low-pair"
)


def made_hands(board: Cards) -> Int8s:
    """The made hand of every combo: its number in `MADE_HANDS`, −1 if it holds a card of the board.

    Examples
    --------
    >>> from pokerlab.cards import combo_index, parse_cards
    >>> def made(hand, board):
    ...     return MADE_HANDS[made_hands(board)[combo_index(*parse_cards(hand))]]
    >>> made("AsKd", "Kh7c2d"), made("9s9h", "Kh7c2d"), made("AsQd", "Kh7c7d")
    ('top-pair-top-kicker', 'pair-below-top', 'ace-high')
    >>> made("3s3h", "KhKc7d7h2s")
    'nothing'
    """
    here = describe_board(board)
    by_ranks = _made_of_ranks(here)
    made = by_ranks[RANK_PAIR_OF_COMBO]
    suit = int(here.suit_counts.argmax())
    if here.suit_counts[suit] >= 3:
        _write_flushes(made, here, suit)
    made[here.blocked()] = -1
    return made


def _made_of_ranks(here: BoardRanks) -> Int8s:
    """What each pair of ranks has made, flushes apart: shape (91,)."""
    counts = RANK_COUNTS + here.counts[:, None]
    # From the weakest to the strongest: what comes later replaces what stands there.
    made = np.full(len(RANK_PAIRS), _NUMBER["nothing"], np.int8)
    made[HIGH_RANKS == N_RANKS - 1] = _NUMBER["ace-high"]
    made[HIGH_RANKS == N_RANKS - 2] = _NUMBER["king-high"]
    _write_pairs(made, here, counts)
    high_there, low_there = here.counts[HIGH_RANKS], here.counts[LOW_RANKS]
    made[~POCKET_PAIRS & ((high_there == 2) | (low_there == 2))] = _NUMBER["trips"]
    made[POCKET_PAIRS & (high_there == 1)] = _NUMBER["set"]
    made[STRAIGHT_TOPS[RANK_SETS | here.ranks] >= 0] = _NUMBER["straight"]
    of_three = np.count_nonzero(counts == 3, axis=0)
    of_two = np.count_nonzero(counts == 2, axis=0)
    made[(of_three > 1) | ((of_three == 1) & (of_two > 0))] = _NUMBER["full-house"]
    made[(counts >= 4).any(axis=0)] = _NUMBER["quads"]
    return made


def _write_flushes(made: Int8s, here: BoardRanks, suit: int) -> None:
    held = COMBO_SUIT_RANKS[suit]
    flush = np.flatnonzero(COMBO_SUIT_COUNTS[suit] + here.suit_counts[suit] >= 5)
    held = held[flush]
    nuts = held >> here.best_missing(suit) & 1 == 1
    kind = np.where(nuts, _NUMBER["nut-flush"], _NUMBER["lower-flush"]).astype(np.int8)
    # Smaller numbers are better: quads and full houses stay what they are.
    kind = np.minimum(kind, made[flush])
    kind[STRAIGHT_TOPS[held | here.suit_ranks[suit]] >= 0] = _NUMBER["straight-flush"]
    made[flush] = kind


def _write_pairs(made: Int8s, here: BoardRanks, counts: Bytes) -> None:
    """Write the pairs and two pairs that hole cards take part in and that play."""
    pairs = counts == 2
    pairs_above = np.cumsum(pairs[::-1], axis=0, dtype=np.uint8)[::-1] - pairs
    plays = pairs & (pairs_above < 2)
    columns = np.arange(len(RANK_PAIRS))
    high_plays, low_plays = plays[HIGH_RANKS, columns], plays[LOW_RANKS, columns]

    on_board = here.counts > 0
    ranks_above: Indices = np.cumsum(on_board[::-1])[::-1] - on_board
    of_pocket = _POCKET_BY_PLACE[ranks_above]
    of_pocket[ranks_above == np.count_nonzero(on_board)] = _NUMBER["underpair"]
    pocket = POCKET_PAIRS & high_plays
    made[pocket] = of_pocket[HIGH_RANKS[pocket]]

    paired = ~POCKET_PAIRS & (high_plays | low_plays)
    pair = np.where(high_plays, HIGH_RANKS, LOW_RANKS)
    kicker = np.where(high_plays, LOW_RANKS, HIGH_RANKS)
    made[paired] = _BOARD_PAIR_BY_PLACE[ranks_above[pair[paired]]]
    top = paired & (ranks_above[pair] == 0)
    made[top & (kicker >= _TEN)] = _NUMBER["top-pair-good-kicker"]
    made[top & (kicker == np.flatnonzero(~on_board)[-1])] = _NUMBER["top-pair-top-kicker"]

    two = ~POCKET_PAIRS & high_plays & low_plays
    made[two] = _NUMBER["lower-two-pair"]
    made[two & (ranks_above[LOW_RANKS] == 1)] = _NUMBER["top-two-pair"]

"""Draws: the hands that may still be made with the cards to come, on a flop or a turn.

A hand has any number of `DRAWS`; on the river nobody has one.

==========================  ======================================================================
``combo-draw``              a flush draw and a straight draw
``nut-flush-draw``          a flush draw with the highest card of the suit that is not on the board
``flush-draw``              exactly four cards of a suit, at least one of them a hole card
``open-ended``              four ranks in a row, and a card at either end makes a straight
``double-gutshot``          two or more ranks make a straight, but not open-ended
``gutshot``                 exactly one rank makes a straight
``backdoor-flush-draw``     on the flop: exactly three cards of a suit, at least one a hole card
``backdoor-straight-draw``  on the flop: both hole cards and one rank of the board lie among five
                            ranks in a row, and one card makes no straight yet
``two-overcards``           no pair; both hole cards are above all ranks of the board
``one-overcard``            no pair; one hole card is above all ranks of the board
``no-draw``                 none of these
==========================  ======================================================================

A card makes a straight for a hand that has none if the straight needs a hole card: it is better
than any that the board has with that card. Overcards count in hands that are ace high, king high or
nothing. `DRAW_FAMILIES` are words for several draws, as ``straight-draw``, for filters.
"""

from __future__ import annotations

import numpy as np

from pokerlab.arrays import Bools
from pokerlab.cards.board_hands.made_hands import MADE_HANDS, made_hands
from pokerlab.cards.board_hands.rank_tables import (
    COMBO_SUIT_COUNTS,
    COMBO_SUIT_RANKS,
    HIGH_RANKS,
    LOW_RANKS,
    N_RANKS,
    RANK_PAIR_OF_COMBO,
    RANK_PAIRS,
    RANK_SET_SIZES,
    RANK_SETS,
    STRAIGHT_TOPS,
    STRAIGHT_WINDOWS,
    BoardRanks,
    describe_board,
)
from pokerlab.cards.codes import N_COMBOS, Cards

DRAWS: tuple[str, ...] = (
    "combo-draw",
    "nut-flush-draw",
    "flush-draw",
    "open-ended",
    "double-gutshot",
    "gutshot",
    "backdoor-flush-draw",
    "backdoor-straight-draw",
    "two-overcards",
    "one-overcard",
    "no-draw",
)
"""The draws, roughly the best first."""

DRAW_FAMILIES: dict[str, tuple[str, ...]] = {
    "straight-draw": ("open-ended", "double-gutshot", "gutshot"),
    "backdoor-draw": ("backdoor-flush-draw", "backdoor-straight-draw"),
    "overcards": ("two-overcards", "one-overcard"),
}
"""Words for several draws."""


_RANKS_AS_SETS = 1 << np.arange(N_RANKS)
_FIRST_HIGH_CARD = MADE_HANDS.index("ace-high")


def draws(board: Cards) -> Bools:
    """Which draws every combo has: shape (len(DRAWS), 1326).

    A combo that holds a card of the board has none, not even ``no-draw``.

    Examples
    --------
    >>> from pokerlab.cards import combo_index, parse_cards
    >>> def drawing(hand, board):
    ...     found = draws(board)[:, combo_index(*parse_cards(hand))]
    ...     return [name for name, has in zip(DRAWS, found, strict=True) if has]
    >>> drawing("AhTh", "KhQh2c")
    ['combo-draw', 'nut-flush-draw', 'flush-draw', 'gutshot', 'one-overcard']
    >>> drawing("JsTd", "9h6c2d"), drawing("Ks7d", "Kh7c2d")
    (['backdoor-straight-draw', 'two-overcards'], ['no-draw'])
    """
    here = describe_board(board)
    table = np.zeros((len(DRAWS), N_COMBOS), np.bool_)
    found = dict(zip(DRAWS, table, strict=True))
    to_come = 5 - len(here.cards)
    if to_come:
        by_ranks = np.zeros((len(DRAWS), len(RANK_PAIRS)), np.bool_)
        _find_straight_draws(dict(zip(DRAWS, by_ranks, strict=True)), here, to_come)
        table[:] = by_ranks[:, RANK_PAIR_OF_COMBO]
        _find_flush_draws(found, here, to_come)
        straight_draw = found["open-ended"] | found["double-gutshot"] | found["gutshot"]
        found["combo-draw"][:] = found["flush-draw"] & straight_draw
        _find_overcards(found, here)
    found["no-draw"][:] = ~table.any(axis=0)
    table[:, here.blocked()] = False
    return table


def straight_outs(board: Cards) -> Bools:
    """Which ranks make a straight for a combo that has none: shape (13, 1326).

    Examples
    --------
    >>> from pokerlab.cards import combo_index, parse_cards
    >>> import numpy as np
    >>> np.flatnonzero(straight_outs("9h8c2d")[:, combo_index(*parse_cards("JsTd"))])
    array([ 5, 10])
    """
    here = describe_board(board)
    return _outs_of_ranks(here)[:, RANK_PAIR_OF_COMBO]


def _outs_of_ranks(here: BoardRanks) -> Bools:
    """The same for each pair of ranks: shape (13, 91)."""
    ranks = RANK_SETS | here.ranks
    with_card = STRAIGHT_TOPS[ranks | _RANKS_AS_SETS[:, None]]
    of_board = STRAIGHT_TOPS[here.ranks | _RANKS_AS_SETS]
    return np.asarray((STRAIGHT_TOPS[ranks] < 0) & (with_card > of_board[:, None]))


def _find_straight_draws(found: dict[str, Bools], here: BoardRanks, to_come: int) -> None:
    """Write the straight draws of each pair of ranks."""
    outs = _outs_of_ranks(here)
    number = np.count_nonzero(outs, axis=0)
    ranks = RANK_SETS | here.ranks
    for low in range(N_RANKS - 4):
        in_a_row = ranks >> low & 0b1111 == 0b1111
        # An ace stands below a deuce, too: outs[-1].
        found["open-ended"] |= in_a_row & outs[low - 1] & outs[low + 4]
    found["double-gutshot"] |= (number >= 2) & ~found["open-ended"]
    found["gutshot"] |= number == 1
    if to_come == 2:
        windows = np.array(STRAIGHT_WINDOWS)[:, None]
        both = (RANK_SETS & windows == RANK_SETS) & (HIGH_RANKS != LOW_RANKS)
        near = (both & (RANK_SET_SIZES[ranks & windows] == 3)).any(axis=0)
        straight = STRAIGHT_TOPS[ranks] >= 0
        found["backdoor-straight-draw"] |= near & (number == 0) & ~straight


def _find_flush_draws(found: dict[str, Bools], here: BoardRanks, to_come: int) -> None:
    """Write the flush draws of each combo."""
    for suit in range(4):
        held = COMBO_SUIT_COUNTS[suit]
        lying = int(here.suit_counts[suit])
        if 2 <= lying <= 3:
            drawing = held == 4 - lying
            nuts = COMBO_SUIT_RANKS[suit] >> here.best_missing(suit) & 1 == 1
            found["flush-draw"] |= drawing
            found["nut-flush-draw"] |= drawing & nuts
        if to_come == 2 and 1 <= lying <= 2:
            found["backdoor-flush-draw"] |= held == 3 - lying


def _find_overcards(found: dict[str, Bools], here: BoardRanks) -> None:
    top = here.ranks.bit_length() - 1
    without_pair = made_hands(here.cards) >= _FIRST_HIGH_CARD
    above = (top < HIGH_RANKS).astype(np.int8) + (top < LOW_RANKS)
    above[HIGH_RANKS == LOW_RANKS] = 0  # a pocket pair that does not play
    by_combo = above[RANK_PAIR_OF_COMBO]
    found["two-overcards"] |= without_pair & (by_combo == 2)
    found["one-overcard"] |= without_pair & (by_combo == 1)

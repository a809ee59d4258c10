"""How strong every combo is on a board: against a random hand, or against a range.

Strength is the chance to win plus half the chance to tie at showdown. On a board that is not
complete it is the mean over all run-outs; `river_distribution` tells more than the mean.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pokerlab.cards.codes import N_COMBOS, Cards, card_mask, to_cards
from pokerlab.cards.equities.showdown_kernels import add_showdowns, add_strengths
from pokerlab.cards.equities.showdowns import (
    COMBO_MASKS,
    average_over_group,
    select_hands,
    sum_over_boards,
)
from pokerlab.cards.evaluator import tables as evaluator_tables
from pokerlab.cards.isomorphism.suits import symmetries
from pokerlab.cards.ranges.range import Range
from pokerlab.runtime.arrays import Bools, Bytes, Floats, Int64s
from pokerlab.runtime.errors import shorten


def hand_strength(
    board: Cards = "", opponent: Range | str = "random", *, dead: Cards = ""
) -> Floats:
    """Strength of each of the 1,326 combos against a range, exact; NaN where it is impossible.

    Parameters
    ----------
    board
        0 to 5 cards.
    opponent
        The opponent's range; card removal is taken into account.
    dead
        Cards that nobody can hold and that cannot come.

    Examples
    --------
    >>> from pokerlab.cards.codes import combo_index, parse_cards
    >>> strength = hand_strength("4h5h6h")
    >>> round(float(strength[combo_index(*parse_cards("AsAd"))]), 5)
    0.60105
    """
    known, dead_cards, possible = _known_cards(board, dead)
    weights = np.where(possible, Range(opponent).weights, 0.0)
    if not weights.any():
        raise ValueError(
            f"the range {shorten(str(opponent))!r} is empty once the known cards are removed"
        )
    beaten, tied, unblocked = showdown_sums(known, weights, dead_cards)
    # Rounding leaves a trace of weight where all opposing hands are blocked.
    meets = unblocked > 1e-9 * unblocked.max()
    strength = np.full(N_COMBOS, np.nan)
    strength[meets] = (beaten + tied / 2)[meets] / unblocked[meets]
    return strength


def showdown_sums(
    board: tuple[int, ...], weights: Floats, dead: tuple[int, ...] = ()
) -> tuple[Floats, Floats, Floats]:
    """What each combo meets of opposing weights at showdown, summed over all run-outs of a board.

    The weight that it beats, that it ties with, and all that shares no card with it; 0 for combos
    that hold a known card. Weights may have any scale; those of combos that hold a known card
    must be 0.

    Examples
    --------
    >>> from pokerlab.cards.codes import combo_index, parse_cards
    >>> board = tuple(parse_cards("AsKs7d4c2h"))
    >>> weights = np.zeros(1326)
    >>> weights[[combo_index(*parse_cards(hand)) for hand in ("AdAh", "AdQd", "QsQh")]] = 1, 2, 4
    >>> sums = showdown_sums(board, weights)
    >>> [float(each[combo_index(*parse_cards("AcQh"))]) for each in sums]
    [0.0, 2.0, 3.0]
    """
    _, _, possible = _known_cards(board, dead)
    group = symmetries(board, weights, dead)
    combos = np.flatnonzero(possible)
    hands = select_hands(combos, weights)

    def add(boards: Bytes, multiplicities: Int64s) -> Floats:
        sums = np.zeros((3, len(combos)))
        add_showdowns(boards, multiplicities, hands, sums, evaluator_tables.load())
        return sums

    sums = np.zeros((3, N_COMBOS))
    sums[:, combos] = sum_over_boards(add, board, dead, group)
    beaten, tied, unblocked = average_over_group(sums, group)
    return beaten, tied, unblocked


@dataclass(frozen=True, eq=False)
class RiverDistribution:
    """How the strength of each combo is distributed over the river boards to come.

    All strengths are against a random hand; arrays are by combo, NaN where it is impossible.
    """

    mean: Floats
    """Expected hand strength (1326)."""
    mean_square: Floats
    """Expected squared hand strength (1326): it favours hands that become strong or weak."""
    histogram: Floats
    """Share of the boards in each bin of equal width from 0 to 1 (1326, bins)."""


def river_distribution(board: Cards = "", *, bins: int = 0, dead: Cards = "") -> RiverDistribution:
    """Moments and histogram of the river strength of every combo, exact.

    Examples
    --------
    >>> from pokerlab.cards.codes import combo_index, parse_cards
    >>> flush_draw = combo_index(*parse_cards("AhKh"))
    >>> river = river_distribution("QhJh2c", bins=4)
    >>> river.histogram[flush_draw].round(3)
    array([0.   , 0.234, 0.144, 0.622])
    >>> bool(river.mean_square[flush_draw] > river.mean[flush_draw] ** 2)
    True
    """
    if not 0 <= bins <= 10_000:
        raise ValueError(f"bins must be 0 to 10000, got {bins}")
    known, dead_cards, possible = _known_cards(board, dead)
    group = symmetries(known, None, dead_cards)
    combos = np.flatnonzero(possible)
    hands = select_hands(combos, possible.astype(np.float64))

    def add(boards: Bytes, multiplicities: Int64s) -> Floats:
        sums = np.zeros((3, len(combos)))
        histogram = np.zeros((len(combos), bins))
        add_strengths(boards, multiplicities, hands, sums, histogram, evaluator_tables.load())
        return np.concatenate([sums, histogram.T])

    sums = np.zeros((3 + bins, N_COMBOS))
    sums[:, combos] = sum_over_boards(add, known, dead_cards, group)
    mean, mean_square, boards, *histogram = average_over_group(sums, group)
    boards[~possible] = np.nan
    shares = np.array(histogram).reshape(bins, N_COMBOS) / boards
    return RiverDistribution(mean / boards, mean_square / boards, shares.T)


def parse_board(board: Cards) -> tuple[int, ...]:
    """Take 0, 3, 4 or 5 board cards as text or codes.

    Examples
    --------
    >>> len(parse_board("4h5h6h"))
    3
    >>> parse_board("4h5h")
    Traceback (most recent call last):
    ValueError: a board has 0, 3, 4 or 5 cards, '4h5h' has 2
    """
    cards = to_cards(board)
    if len(cards) not in (0, 3, 4, 5):
        shown = board if isinstance(board, str) else list(cards)
        raise ValueError(f"a board has 0, 3, 4 or 5 cards, {shown!r} has {len(cards)}")
    return cards


def _known_cards(board: Cards, dead: Cards) -> tuple[tuple[int, ...], tuple[int, ...], Bools]:
    known = parse_board(board)
    dead_cards = to_cards(dead)
    to_cards(known + dead_cards)  # no card twice
    mask = np.uint64(card_mask(known + dead_cards))
    return known, dead_cards, (COMBO_MASKS & mask) == 0

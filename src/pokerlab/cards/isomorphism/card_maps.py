"""Permutations of the 52 cards, and what they do to hands."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pokerlab.cards.codes import COMBO_CARDS, N_CARDS
from pokerlab.cards.isomorphism.suits import permute_combos
from pokerlab.runtime.arrays import Indices


def to_card_map(permutation: npt.ArrayLike) -> Indices:
    """A permutation of four suits, or of the 52 cards, as one of the cards.

    Examples
    --------
    >>> to_card_map([1, 0, 2, 3])[:6].tolist()
    [1, 0, 2, 3, 5, 4]
    """
    given = np.asarray(permutation, np.intp)
    if len(given) == N_CARDS:
        return given
    cards = np.arange(N_CARDS)
    return np.asarray(cards & ~3 | given[cards & 3])


def swap_cards(first: int, second: int) -> Indices:
    """The permutation that exchanges two cards.

    Examples
    --------
    >>> swap_cards(0, 2)[:4].tolist()
    [2, 1, 0, 3]
    """
    cards = np.arange(N_CARDS)
    cards[[first, second]] = second, first
    return cards


def combo_images(permutation: npt.ArrayLike) -> Indices:
    """For each of the 1,326 combos its image under a permutation of suits or cards.

    Examples
    --------
    >>> from pokerlab.cards.codes import combo_cards, combo_index, format_cards, parse_cards
    >>> swap = swap_cards(*parse_cards("AsKh"))
    >>> format_cards(combo_cards(combo_images(swap)[combo_index(*parse_cards("AsKd"))]))
    'KhKd'
    """
    given = np.asarray(permutation, np.intp)
    if len(given) != N_CARDS:
        return permute_combos(given)
    moved = given[COMBO_CARDS]
    high, low = moved.max(axis=1), moved.min(axis=1)
    return np.asarray(high * (high - 1) // 2 + low)

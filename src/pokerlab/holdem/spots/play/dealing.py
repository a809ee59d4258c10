"""Hands from two ranges and cards from the rest of the deck."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.cards.codes import COMBO_CARDS, N_CARDS
from pokerlab.runtime.arrays import Bytes, Floats, Indices


class Pairs(NamedTuple):
    """All pairs of hands that can be dealt."""

    combos: tuple[Indices, Indices]
    """For each player the combos with some weight."""
    weights: Floats
    """(first hands, second hands): the product of the weights, 0 for hands that share a card."""


def hand_pairs(weights: tuple[Floats, Floats]) -> Pairs:
    """How likely each pair of hands is, given the weights of both ranges (1326 each)."""
    combos = (np.flatnonzero(weights[0]), np.flatnonzero(weights[1]))
    cards = [COMBO_CARDS[each] for each in combos]
    shared = (cards[0][:, None, :, None] == cards[1][None, :, None, :]).any(axis=(2, 3))
    likely = np.outer(weights[0][combos[0]], weights[1][combos[1]]) * ~shared
    if not likely.sum() > 0:
        raise ValueError("no pair of hands arrives here: nothing can be dealt")
    return Pairs(combos, likely)


class DealtPairs:
    """All pairs of hands of two ranges, ready to be drawn again and again."""

    def __init__(self, weights: tuple[Floats, Floats]) -> None:
        self.combos, likely = hand_pairs(weights)
        self._shape, self._total = likely.shape, np.cumsum(likely)

    def draw(self, deals: int, rng: np.random.Generator) -> Indices:
        """Deal a combo to each player, (deals, 2), as likely as their weights and apart."""
        pair = np.searchsorted(self._total, rng.random(deals) * self._total[-1], side="right")
        last = len(self._total) - 1
        first, second = np.unravel_index(np.minimum(pair, last), self._shape)
        return np.stack([self.combos[0][first], self.combos[1][second]], axis=1)


def deal_hands(weights: tuple[Floats, Floats], deals: int, rng: np.random.Generator) -> Indices:
    """Deal a combo to each player, (deals, 2), as likely as their weights and apart."""
    return DealtPairs(weights).draw(deals, rng)


def deal_cards(hands: Indices, known: tuple[int, ...], rng: np.random.Generator) -> Bytes:
    """Complete the boards: (deals, 5), the known cards first."""
    deals = len(hands)
    board = np.tile(np.array(known, np.uint8), (deals, 1))
    while board.shape[1] < 5:
        used = np.concatenate([board, COMBO_CARDS[hands].reshape(deals, 4)], axis=1)
        used.sort(axis=1)
        card = rng.integers(N_CARDS - used.shape[1], size=deals)
        for column in used.T:  # the n-th card that is left: step over those in use, in order
            card += card >= column
        board = np.concatenate([board, card[:, None].astype(np.uint8)], axis=1)
    return board

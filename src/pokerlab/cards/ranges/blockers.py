"""Card removal: what a hand meets of a range."""

from __future__ import annotations

import numpy as np

from pokerlab.cards.codes import COMBO_CARDS
from pokerlab.runtime.arrays import Floats

_ROUNDING = 1e-12
"""As a part of a range."""


def unblocked_weights(weights: Floats) -> Floats:
    """For each combo, the sum of the weights of the combos that share no card with it."""
    by_card = np.zeros(52)
    np.add.at(by_card, COMBO_CARDS[:, 0], weights)
    np.add.at(by_card, COMBO_CARDS[:, 1], weights)
    unblocked = weights.sum() - by_card[COMBO_CARDS[:, 0]] - by_card[COMBO_CARDS[:, 1]] + weights
    return np.asarray(np.maximum(unblocked, 0.0))


def met_weights(weights: Floats) -> Floats:
    """The same, 0 where what is left is rounding: such a hand meets nobody.

    Examples
    --------
    >>> from pokerlab.cards import Range, combo_index, parse_cards
    >>> met_weights(Range("AA, KK:0.3").weights)[combo_index(*parse_cards("AsAh"))].round(9)
    np.float64(2.8)
    """
    met = unblocked_weights(weights)
    return np.where(met > _ROUNDING * weights.sum(), met, 0.0)

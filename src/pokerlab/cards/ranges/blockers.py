"""Card removal: what a hand meets of a range."""

from __future__ import annotations

import numpy as np

from pokerlab.cards.codes import COMBO_CARDS, N_COMBOS
from pokerlab.runtime.arrays import Floats, Indices

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


def mean_by_combo(sums: Floats, combos: Indices, met: Floats) -> Floats:
    """What hands win on average, from sums over the opposing hands that they meet: (..., 1326).

    NaN for a combo that meets nobody, or is not among `combos`.

    Parameters
    ----------
    sums
        (..., hands): over the opposing hands, their weight times the chips that are won.
    combos
        (hands,): their combos; −1: none.
    met
        (1326,): the weight of the opposing hands that each combo meets, by `met_weights` or
        `unblocked_weights`.

    Examples
    --------
    >>> from pokerlab.cards import Range
    >>> met = met_weights(Range("AA").weights)
    >>> mean_by_combo(np.array([12.0, 5.0]), np.array([0, -1]), met)[:2]
    array([ 2., nan])
    """
    known = (combos >= 0) & (met[combos] > 0)
    found = np.full((*sums.shape[:-1], N_COMBOS), np.nan)
    found[..., combos[known]] = sums[..., known] / met[combos[known]]
    return found

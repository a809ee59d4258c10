"""What hands meet of a range, against all pairs of hands."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.cards.codes import COMBO_CARDS, N_COMBOS
from pokerlab.cards.ranges.blockers import mean_by_combo, met_weights, unblocked_weights

SHARED = (COMBO_CARDS[:, None, :, None] == COMBO_CARDS[None, :, None, :]).any(axis=(2, 3))


@given(st.integers(0, 2**32 - 1), st.integers(0, 60))
def test_means_are_those_over_all_opposing_hands(seed, hands):
    rng = np.random.default_rng(seed)
    weights, chips = np.zeros(N_COMBOS), rng.normal(size=(41, 2, N_COMBOS))
    weights[rng.permutation(N_COMBOS)[:hands]] = rng.random(hands)
    possible = np.where(SHARED, 0.0, weights)
    met = possible.sum(axis=1)
    assert np.allclose(unblocked_weights(weights), met, atol=1e-12)
    assert np.array_equal(met_weights(weights) > 0, met > 0)
    combos = np.append(rng.permutation(N_COMBOS)[:40], -1)
    sums = np.einsum("hao,ho->ah", chips, possible[combos])
    found = mean_by_combo(sums, combos, met_weights(weights))
    for place, combo in enumerate(combos[:-1]):
        if met[combo]:
            mean = chips[place] @ possible[combo] / met[combo]
            assert np.allclose(found[:, combo], mean)
        else:
            assert np.isnan(found[:, combo]).all()
    others = np.setdiff1d(np.arange(N_COMBOS), combos)
    assert np.isnan(found[:, others]).all()

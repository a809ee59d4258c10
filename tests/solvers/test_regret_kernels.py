"""The regret step, against NumPy."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.solvers.regret_kernels import discounted_regret, matched_share, matching_weight

NUMBERS = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=5)
SHARES = st.floats(0, 1)


@given(
    regrets=NUMBERS,
    gain=st.floats(-1e6, 1e6),
    positive=SHARES,
    negative=SHARES,
    ahead=SHARES,
    trial=SHARES,
)
def test_a_step_of_all_actions(regrets, gain, positive, negative, ahead, trial):
    before = np.array(regrets)
    gains = gain * np.linspace(-1, 1, len(before))
    after = np.where(before > 0, positive, negative) * before + gains
    weights = np.where(after > 0, after + ahead * gains, (ahead + trial) * gains)
    weights = np.maximum(0, weights)
    total = weights.sum()
    shares = weights / total if total > 0 else np.full(len(before), 1 / len(before))

    found = [
        discounted_regret(*pair, positive, negative) for pair in zip(before, gains, strict=True)
    ]
    np.testing.assert_allclose(found, after, atol=1e-9)
    found = [matching_weight(*pair, ahead, trial) for pair in zip(after, gains, strict=True)]
    np.testing.assert_array_equal(found, weights)
    found = [matched_share(weight, total, len(before)) for weight in weights]
    np.testing.assert_array_equal(found, shares)

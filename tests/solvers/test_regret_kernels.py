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


def matched(regrets):
    weights = [matching_weight(regret, 0.0, 0.0, 0.0) for regret in regrets]
    return [matched_share(weight, sum(weights), len(weights)) for weight in weights]


def test_the_example_of_figure_7_of_the_post_flop_thesis():
    """Regrets of 0.4 and 0.4 from before; checking is worth 0.7 and raising 1, played half each."""
    values, mean = (0.7, 1.0), 0.85
    regrets = [discounted_regret(0.4, value - mean, 1.0, 1.0) for value in values]
    check, raise_ = matched(regrets)
    assert (round(check, 4), round(raise_, 4)) == (0.3125, 0.6875)
    assert round(check * values[0] + raise_ * values[1], 2) == 0.91


def test_the_example_of_the_thesis_on_mappings():
    """Section 3.1 there: fold, call and raise are worth −3, 6 and 9; half the hands arrive."""
    values = np.array([-3.0, 6.0, 9.0])
    regrets = [discounted_regret(0.0, 0.5 * each, 1.0, 1.0) for each in values - values.mean()]
    assert regrets == [-3.5, 1.0, 2.5]
    np.testing.assert_allclose(matched(regrets), [0, 2 / 7, 5 / 7])

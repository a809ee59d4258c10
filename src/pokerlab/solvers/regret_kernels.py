"""The regret step of one action, as small functions that compilers inline into any loop.

Engines store regrets in other orders (slot by slot, bucket by bucket, hand by hand); what happens
to one regret is the same everywhere. With v the value of an action, σ·v the mean of all actions of
its information set and r = v − σ·v its gain::

    R ← R · (positive if R > 0 else negative) + r        `discounted_regret`
    σ ∝ max(0, R + prediction · r) where R > 0,
        max(0, (prediction + trial) · r) elsewhere       `matching_weight`, then
    σ ← σ / Σ σ, or uniform where all are 0              `matched_share`

Cost: arithmetic only; the callers read and write the arrays.
"""

from __future__ import annotations

from pokerlab.runtime.jit import kernel


@kernel(makes_arrays=False)
def discounted_regret(regret: float, gain: float, positive: float, negative: float) -> float:
    """A regret after an iteration in which its action gained so much."""
    return regret * (positive if regret > 0.0 else negative) + gain


@kernel(makes_arrays=False)
def matching_weight(regret: float, gain: float, prediction: float, trial: float) -> float:
    """What a strategy that matches regrets is proportional to."""
    if regret > 0.0:
        return max(regret + prediction * gain, 0.0)
    return max((prediction + trial) * gain, 0.0)


@kernel(makes_arrays=False)
def matched_share(weight: float, weights: float, actions: int) -> float:
    """The probability of an action: its share of the sum of all weights, uniform if that is 0."""
    return weight / weights if weights > 0.0 else 1.0 / actions

"""Regret matching on the choices of a gadget: a few thousand numbers, once an iteration."""

from __future__ import annotations

from pokerlab.runtime.arrays import Floats
from pokerlab.runtime.jit import kernel
from pokerlab.solvers.regret_kernels import discounted_regret, matching_weight


@kernel(makes_arrays=False)
def match_choices(
    gains: Floats,
    first: Floats,
    positive: float,
    negative: float,
    prediction: float,
    trial: float,
    regrets: Floats,
    played: Floats,
) -> None:
    """Update regrets and shares of choices (choices, decisions), given what each choice gains.

    As `pokerlab.solvers.rules.Step` says; where no choice has a weight, the shares are `first`.
    """
    choices, decisions = gains.shape
    for decision in range(decisions):
        mean = 0.0
        for choice in range(choices):
            mean += played[choice, decision] * gains[choice, decision]
        total = 0.0
        for choice in range(choices):
            gain = gains[choice, decision] - mean
            regret = discounted_regret(regrets[choice, decision], gain, positive, negative)
            regrets[choice, decision] = regret
            weight = matching_weight(regret, gain, prediction, trial)
            played[choice, decision] = weight
            total += weight
        for choice in range(choices):
            if total > 0.0:
                played[choice, decision] /= total
            else:
                played[choice, decision] = first[choice, decision]

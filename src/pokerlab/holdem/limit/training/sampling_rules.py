"""The update rules of the package, as training by sampling can follow them.

An engine that sees all of a game multiplies what it has accumulated by the rule's coefficients
before each iteration. A sampled iteration visits few rows, and cannot touch the others. So the same
is said the other way round: iteration t adds with a weight, a power of t. That is possible where
the discounts are powers of (t - 1)/t, the same for positive and negative regrets, or where negative
ones are forgotten: `cfr`, `linear` and `cfr+`. Other rules would need all rows in each iteration.
"""

from __future__ import annotations

from math import isclose, log2

from pokerlab.holdem.limit.sampling.walk_kernels import IterationWeights
from pokerlab.solvers.rules import PassedUpValue, Rule

SAMPLING_RULES = ("cfr", "linear", "cfr+")
_LOOKED_AT = range(2, 9)
"""Iterations in which a rule's coefficients are compared with powers."""


def sampling_weights(rule: Rule) -> IterationWeights:
    """How a rule weighs iteration t where only some rows are visited.

    Examples
    --------
    >>> from pokerlab.solvers.rules import parse_rule
    >>> sampling_weights(parse_rule("linear"))
    IterationWeights(regret_power=1.0, average_power=1.0, floor=False)
    >>> sampling_weights(parse_rule("cfr+(2)"))
    IterationWeights(regret_power=0.0, average_power=2.0, floor=True)
    >>> sampling_weights(parse_rule("dcfr"))
    Traceback (most recent call last):
    ValueError: rule: dcfr(1.5,0,2) does not work with sampling (cfr, linear, cfr+)
    """
    second = rule.at(2)
    floor = second.negative == 0.0
    if not rule.greedy and min(second.positive, second.average) > 0.0:
        weights = IterationWeights(_power(second.positive), _power(second.average), floor)
        if rule.passes_up == PassedUpValue.OLD and all(
            _follows(rule, weights, iteration) for iteration in _LOOKED_AT
        ):
            return weights
    raise ValueError(f"rule: {rule} does not work with sampling ({', '.join(SAMPLING_RULES)})")


def _power(kept_in_second: float) -> float:
    """The power of t whose weights lead to this discount in iteration 2."""
    return abs(log2(kept_in_second))


def _follows(rule: Rule, weights: IterationWeights, iteration: int) -> bool:
    step = rule.at(iteration)
    before = (iteration - 1) / iteration
    regret = before**weights.regret_power
    return (
        step.prediction == 0.0
        and step.trial == 0.0
        and isclose(step.positive, regret)
        and isclose(step.negative, 0.0 if weights.floor else regret)
        and isclose(step.average, before**weights.average_power)
    )

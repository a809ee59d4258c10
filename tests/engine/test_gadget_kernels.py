"""The kernel of a gadget's choices against a plain version."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab.engine.gadget_kernels import match_choices
from pokerlab.solvers.rules import Step


@pytest.mark.parametrize("shape", [(2, 50), (50, 1)])
@pytest.mark.parametrize(
    "step", [Step(0.9, 0.5, trial=0.1), Step(negative=0.0, prediction=1.0), Step()]
)
def test_choices_are_matched_as_the_rules_say(shape: tuple[int, int], step: Step) -> None:
    rng = np.random.default_rng(4)
    gains, regrets = rng.normal(size=(2, *shape))
    played = rng.dirichlet(np.ones(shape[0]), shape[1]).T.copy()
    gains[:, :10] = 3.0  # nothing to gain
    regrets[:, :5] = 0.0
    first = np.full(shape, 1 / shape[0])
    regret = gains - (played * gains).sum(axis=0)
    after = regrets * np.where(regrets > 0, step.positive, step.negative) + regret
    weights = np.where(
        after > 0, after + step.prediction * regret, (step.prediction + step.trial) * regret
    )
    weights = np.maximum(weights, 0.0)
    total = weights.sum(axis=0)
    expected = np.where(total > 1e-12, weights / np.where(total > 1e-12, total, 1), first)
    match_choices(
        gains, first, step.positive, step.negative, step.prediction, step.trial, regrets, played
    )
    np.testing.assert_allclose(regrets, after, atol=1e-12)
    clear = total > 1e-9
    np.testing.assert_allclose(played[:, clear], expected[:, clear], atol=1e-9)
    np.testing.assert_allclose(played.sum(axis=0), 1)

"""The ranges that gadgets hand to a walker."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pokerlab.engine.gadget_learning import GadgetLearner, RootGadget
from pokerlab.engine.walker import LARGEST_WEIGHT
from pokerlab.solvers.rules import Dcfr


class Walker:
    """Keeps the ranges that it is given; hands are worth what chance says."""

    unit = 0.5

    def __init__(self, hands: int) -> None:
        self.rng = np.random.default_rng(2)
        self.hands = hands
        self.ranges: list[Any] = []

    def set_range(self, player: int, weights: Any) -> None:
        self.ranges.append(weights)

    def learn(self, storage: Any, rule: Any, number: int, hero: int) -> Any:
        return self.rng.normal(0, 30, self.hands)

    def best_values(self, storage: Any, hero: int, *, average: bool) -> Any:
        return self.rng.normal(0, 30, self.hands)


@pytest.mark.parametrize("kind", ["resolve", "combined", "maxmargin"])
@pytest.mark.parametrize("prior", ["one", "few", "all"])
@pytest.mark.parametrize("held", [3.0, 1326.0])
def test_no_range_is_larger_than_a_walker_takes(kind: str, prior: str, held: float) -> None:
    hands, rng = 200, np.random.default_rng(1)
    weights = np.full(hands, held / hands)
    own = np.zeros(hands)
    own[: {"one": 1, "few": 5, "all": hands}[prior]] = 1.0
    mass = rng.uniform(0.5, 1, hands) * held
    mass[3], mass[7] = 1e-3 * held, 0.0  # blockers
    walker = Walker(hands)
    gadget = RootGadget(1, kind, rng.normal(0, 30, hands), own, mass)
    learner: Any = GadgetLearner(walker, Dcfr(), gadget, weights)  # type: ignore[arg-type]
    learner.iterate((), 1, 30)
    learner.exploitability(())
    room = max(own.sum(), weights.sum())
    assert len(walker.ranges) > 30
    for each in walker.ranges:
        assert each.min() >= 0
        assert each.max() <= LARGEST_WEIGHT * (1 + 1e-9)
        assert each.sum() <= room * (1 + 1e-9)

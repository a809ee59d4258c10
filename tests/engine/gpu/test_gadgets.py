"""A gadget at the root of a spot on the GPU, against the processor's engine.

On the processor by emulation; with ``POKERLAB_GPU=1`` on a GPU.
"""

from __future__ import annotations

import numpy as np
import pytest
from tests.engine.gpu.test_walker import machine

from pokerlab.engine.gadget_learning import GadgetLearner
from pokerlab.engine.gpu.walker import GpuWalker
from pokerlab.holdem.spots import Gadget, PostflopSolver, Spot
from pokerlab.holdem.spots.solver import root_gadget
from pokerlab.runtime.gpu.machine import Machine

__all__ = ["machine"]

RANGES = "AA:0.5, KQs, 88", "QQ, AJs"
RIVER = Spot("QhJh2c4d7h", *RANGES, pot=100, stack=150, bet="60%", raise_="a")
TURN = Spot("QhJh2c4d", *RANGES, pot=100, stack=150, bet="a", raise_="")
"""With all-ins before the river, which a GPU with tensor cores adds up in halves."""


@pytest.mark.parametrize(
    ("spot", "kind", "player"),
    [(RIVER, "combined", 0), (RIVER, "maxmargin", 1), (TURN, "maxmargin", 1), (TURN, "resolve", 0)],
    ids=lambda each: each if isinstance(each, str) else None,
)
def test_same_choices_as_on_the_processor(
    machine: Machine, spot: Spot, kind: str, player: int
) -> None:
    values = np.random.default_rng(1).uniform(20, 120, 1326)
    gadget = Gadget(player, values, kind=kind)
    cpu = PostflopSolver(spot, threads=1, gadget=gadget)
    walker = GpuWalker(machine, cpu.spot, cpu.boards, np.float32)
    storage = walker.make_storage(cpu.layout, np.float32, regrets=False, sums=True)
    learner = GadgetLearner(
        walker, cpu.rule, root_gadget(cpu.prepared, gadget), cpu.boards.weights[1 - player]
    )
    # From the third iteration on rounding decides where hands meet nobody, on the turn.
    cpu.iterate(2)
    learner.iterate(storage, 1, 2)
    assert learner.exploitability(storage) == pytest.approx(cpu.exploitability(), rel=1e-4)
    for name, expected in cpu.state().items():
        if name.startswith("gadget."):
            assert np.allclose(learner.state()[name], expected, rtol=1e-3, atol=1e-3), name

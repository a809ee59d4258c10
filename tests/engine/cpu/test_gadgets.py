"""Gadgets in the compiled loop, against a plain loop in Python: equal to the bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pokerlab.engine.gadget_kernels import match_choices
from pokerlab.holdem.spots import Gadget, PostflopSolver, Spot

RANGES = "AA:0.5, KQs, 88, T9s", "QQ, AJs, 76s"
SPOTS = [
    Spot("QhJh2c4d7h", *RANGES, pot=100, stack=150, bet="60%", raise_="a"),
    Spot("QhJh2c4d", *RANGES, pot=100, stack=150, bet="a", raise_=""),
]


def iterate_plainly(solver: PostflopSolver, first: int, iterations: int) -> None:
    """The loop of a gadget as its definition has it, with arrays of NumPy between the walks."""
    learner: Any = solver._gadget
    choices, walker, steps = learner._choices, solver._walker, solver.rule.steps(first, iterations)
    played, sums, met = choices.played, choices.sums, choices.met
    for number, step in enumerate(steps, first):
        for hero in range(2):
            if hero == learner.player:
                rows = walker.learn(solver.storage, solver.rule, number, hero)
                worth = rows[: len(met)].astype(np.float64)
                if choices.among_hands:
                    gains = (worth - choices.values) * choices.free
                    gains[~met] = gains[met].min()
                    gains = gains[:, None]
                else:
                    gains = np.stack([worth, choices.values])
                rates = step[[0, 1, 3, 6]]
                match_choices(gains, choices.first, *rates, choices.regrets, played)
            else:
                share = played[:, 0] if choices.among_hands else played[0]
                walker.set_range(
                    learner.player, choices.scale * (choices.must + choices.free * share)
                )
                sums *= step[2]
                sums += played
                walker.learn(solver.storage, solver.rule, number, hero)


@pytest.mark.parametrize("spot", SPOTS, ids=["river", "turn"])
@pytest.mark.parametrize(("kind", "player"), [("combined", 0), ("resolve", 1), ("maxmargin", 1)])
@pytest.mark.parametrize(("rule", "threads"), [("dcfr", 2), ("pcfr+", 1)])
def test_equal_to_the_bit_with_a_plain_loop(
    spot: Spot, kind: str, player: int, rule: str, threads: int
) -> None:
    gadget = Gadget(player, np.random.default_rng(1).uniform(20, 120, 1326), kind=kind)
    compiled, plain, called = (
        PostflopSolver(spot, rule, threads=threads, gadget=gadget) for _ in range(3)
    )
    for count in (1, 40, 9):
        compiled.iterate(count)
    iterate_plainly(plain, 1, 50)
    # What a walker gets that knows no gadgets.
    learner: Any = called._gadget
    learner._iterate_from_here(called.storage, 1, 50)
    expected = plain.state()
    for solver in (compiled, called):
        for name, found in solver.state().items():
            if name != "iteration":
                np.testing.assert_array_equal(found, expected[name], err_msg=name)
    assert expected["gadget.played"].std() > 0

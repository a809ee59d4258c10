"""Going on from a saved solution."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.holdem.spots.solved_spots import SPOTS, solved

from pokerlab.holdem.spots import PostflopSolution, PostflopSolver, Spot, solve_spot

CLOSE = 2e-3
"""Of the pot: probabilities are saved in halves, and 16-bit sums are rounded once more."""


def start(name: str, rule: str, precision: int = 32) -> tuple[PostflopSolution, PostflopSolver]:
    solver = PostflopSolver(SPOTS[name], rule, precision=precision, threads=1)
    solver.start_from(solved(name))
    return solved(name), solver


@pytest.mark.parametrize("name", ["river", "turn", "turn, one suit", "flop, one suit, rake"])
def test_the_exploitability_is_at_once_that_of_the_solution(name: str) -> None:
    solution, solver = start(name, "dcfr(1.5,0.25,3)")
    assert solver.iteration == solution.iterations
    close = CLOSE * solution.spot.pot / 10
    assert solver.exploitability() == pytest.approx(solution.exploitability.chips, abs=close)
    np.testing.assert_allclose(solver.values(), solution.values, atol=close)
    again = solver.probabilities()
    reached = [each.sums for each in solver.storage]
    for saved, found, sums in zip(solution.strategies, again, reached, strict=True):
        for player in range(2):
            known = sums[player] > 1e-6  # elsewhere the strategy is that of the guessed regrets
            assert known.any()
            np.testing.assert_allclose(
                found[player][known].astype(float), saved[player][known].astype(float), atol=2e-3
            )


@pytest.mark.parametrize("precision", [16, 64])
@pytest.mark.parametrize("rule", ["cfr", "cfr+", "pcfr+", "cgh(0.2)", "fp"])
def test_every_rule_starts_there(rule: str, precision: int) -> None:
    solution, solver = start("river", rule, precision)
    close = CLOSE * solution.spot.pot
    assert solver.exploitability() == pytest.approx(solution.exploitability.chips, abs=close)
    solver.iterate(3)
    assert np.isfinite(solver.exploitability())


def test_it_goes_on_from_there() -> None:
    spot = SPOTS["river"]
    rough = solve_spot(spot, target="1%", threads=1)
    fine = solve_spot(spot, target="0.05%", threads=1, start=rough)
    assert fine.exploitability.percent <= 0.05
    assert fine.iterations > rough.iterations
    assert fine.seconds > rough.seconds
    assert fine.history[: len(rough.history)] == rough.history
    counted = [point.iteration for point in fine.history]
    assert counted == sorted(counted)
    assert fine.history[len(rough.history)].seconds >= rough.history[-1].seconds
    # No more iterations in all than without the stop on the way, but for a few.
    straight = solve_spot(spot, target="0.05%", threads=1)
    assert fine.iterations <= 1.3 * straight.iterations


def test_a_start_that_is_good_enough_is_the_answer() -> None:
    solution = solved("river")
    assert solve_spot(solution.spot, target="0.2%", start=solution) is solution


def test_iterations_count_those_of_the_start() -> None:
    solution = solved("river")
    more = solve_spot(solution.spot, iterations=solution.iterations + 5, start=solution, threads=1)
    assert more.iterations == solution.iterations + 5


def test_starts_of_something_else() -> None:
    spot = SPOTS["river"]
    other = Spot("QhJh2c4d7h", spot.oop, spot.ip, pot=102, stack=260, bet="50%, a", raise_="60%, a")
    with pytest.raises(ValueError, match=r"^start: its pot is 101, not 102$"):
        PostflopSolver(other).start_from(solved("river"))
    merged = solved("turn, one suit")
    with pytest.raises(
        ValueError, match=r"^start: its suits are merged, those of this solve are not$"
    ):
        PostflopSolver(merged.spot, isomorphism=False).start_from(merged)
    with pytest.raises(ValueError, match=r"^start: it holds no strategies of the river"):
        PostflopSolver(SPOTS["turn"]).start_from(solved("turn").without_river())


def test_locks_may_be_other_ones() -> None:
    locks = {"x": {"x": "JsJd, AdKd, 7s7c, KsTs"}}
    locked = solve_spot(SPOTS["river"], target="0.2%", threads=1, locks=locks, start=None)
    from_free = solve_spot(
        SPOTS["river"],
        iterations=solved("river").iterations + 300,
        threads=1,
        locks=locks,
        start=replace(solved("river")),
    )
    assert from_free.locks == locked.locks
    assert from_free.exploitability.percent < 0.4
    assert from_free.values[0] == pytest.approx(locked.values[0], abs=0.6)

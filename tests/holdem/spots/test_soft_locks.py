"""Locks with a weight: against linear programs of the same spots written out, and at both ends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.holdem.spots.explicit_game import SpotGame, split_name

from pokerlab.engine.locks import parse_locks
from pokerlab.holdem.spots import (
    PostflopSolution,
    PostflopSolver,
    Spot,
    load_postflop,
    solve_spot,
)
from pokerlab.holdem.spots.checks.verify import verify
from pokerlab.holdem.spots.reports.locked import locked_combos
from pokerlab.solvers import RestrictedPlayer
from pokerlab.solvers.exact.restricted_form import respond_exactly
from pokerlab.trees import GameTree

# Three actions and two, some hands free, and a hand that a lock leaves no choice of its own.
RIVER = Spot(
    "QhJh2c4d7h",
    "AsAd:0.81, KcQs, QdQc:0.57, Th9h:0.93, 9s8s, 5h4h:0.71, AcKc",
    "AhJc:0.79, KdQc:0.43, JsJd:0.91, AdKd, 7s7c:0.52, 9h8h:0.86, KsTs",
    pot=100,
    stack=150,
    bet="50%, a",
    raise_="a",
)
LOCKS: Mapping[str, Any] = {
    "x": {"x": "AhJc:0.2, AdKd", "b50": "AhJc:0.8, KsTs", "weight": 0.6},
    "b50": {"f": 0.6, "a": 0.1, "weight": 0.35},
    "a": {"f": 1, "weight": 0.9},
}
"""All of the player in position."""


@cache
def explicit() -> GameTree:
    return GameTree.build(SpotGame(RIVER))


def value_by_program(locks: Mapping[str, Any]) -> float:
    """What the player out of position takes against the other, who is bound by the locks."""
    tree = explicit()
    infosets = tree.infosets
    model = np.zeros(infosets.slots)
    bound = np.zeros(len(infosets))
    by_line = {lock.line: lock for lock in parse_locks(RIVER, locks)}
    for number, name in enumerate(infosets.names):
        hand, line = split_name(name)
        slots = slice(infosets.offset[number], infosets.offset[number + 1])
        model[slots] = 1 / (slots.stop - slots.start)
        if infosets.player[number] == 1 and line in by_line:
            shares = by_line[line].shares[:, hand]
            if shares[0] >= 0:
                bound[number], model[slots] = by_line[line].weight, shares
    value, _, _ = respond_exactly(RestrictedPlayer.of(tree, model, 1, bound))
    return value + RIVER.pot / 2


def solved(
    locks: Mapping[str, Any] = LOCKS, rule: str = "pcfr+", **options: Any
) -> PostflopSolution:
    options = {"target": "0.004%", "threads": 1} | options
    return solve_spot(RIVER, rule, locks=locks, **options)


def assert_mixtures(solution: PostflopSolution, close: float = 2e-3) -> None:
    """What is saved holds at least the locked part, for every hand that arrives."""
    for lock in parse_locks(solution.spot, solution.locks):
        view = solution.at(lock.line)
        here = (lock.shares[0] >= 0) & (view.weights[view.player] > 1e-3)
        least = lock.weight * lock.shares[:, here]
        assert here.any() and (view.strategy[:, here] >= least - close).all()


@pytest.mark.parametrize("rule", ["pcfr+", "dcfr", "cfr+"])
def test_the_value_is_that_of_the_linear_program(rule: str) -> None:
    solution = solved(rule=rule)
    assert solution.values[0] == pytest.approx(value_by_program(LOCKS), abs=1e-4 * RIVER.pot)
    assert solution.exploitability.percent <= 0.005
    assert_mixtures(solution)


@pytest.mark.parametrize(
    ("rule", "options"),
    [
        ("cgh", {"iterations": 3000, "target": None}),
        ("fp", {"iterations": 3000, "target": None}),
        ("pcfr+", {"precision": 16, "target": "0.1%"}),
        ("dcfr", {"precision": 64}),
    ],
)
def test_all_rules_and_precisions(rule: str, options: dict[str, Any]) -> None:
    solution = solved(rule=rule, **options)
    off = solution.exploitability.chips + 1e-3
    assert solution.values[0] == pytest.approx(value_by_program(LOCKS), abs=2 * off)
    assert solution.exploitability.percent < 1
    assert_mixtures(solution)
    assert verify(solution).ok


def test_a_best_response_is_free_in_its_part_alone() -> None:
    solution = solve_spot(RIVER, iterations=20, threads=1, locks=LOCKS)
    bound = verify(solution)
    assert bound.ok
    np.testing.assert_allclose(bound.best_values, solution.best_values, atol=1e-5)
    loose = {line: {**lock, "weight": 0.05} for line, lock in LOCKS.items()}
    tight = {line: {**lock, "weight": 1} for line, lock in LOCKS.items()}
    values = [
        verify(replace(solution, locks=texts(each))).best_values[1] for each in (loose, tight)
    ]
    # Where the lock is all, responses keep to what is saved.
    assert values[0] > bound.best_values[1] + 1 > values[1] + 1


def texts(locks: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    return {line: {name: str(who) for name, who in lock.items()} for line, lock in locks.items()}


def test_a_weight_of_one_is_a_lock_to_the_bit() -> None:
    plain = {
        line: {a: who for a, who in lock.items() if a != "weight"} for line, lock in LOCKS.items()
    }
    whole = {line: lock | {"weight": 1} for line, lock in plain.items()}
    first, second = (
        solve_spot(RIVER, iterations=40, threads=1, locks=each) for each in (plain, whole)
    )
    assert first.values == second.values and first.best_values == second.best_values
    for one, other in zip(first.strategies[0], second.strategies[0], strict=True):
        assert one.tobytes() == other.tobytes()


def test_hardly_any_weight_is_no_lock_and_nearly_all_of_it_is_one() -> None:
    weights = 1e-7, 1 - 1e-7
    little, much = (
        solved({line: {**lock, "weight": weight} for line, lock in LOCKS.items()})
        for weight in weights
    )
    plain = {line: {**lock, "weight": 1} for line, lock in LOCKS.items()}
    for soft, other in ((little, solved({})), (much, solved(plain))):
        assert soft.values[0] == pytest.approx(other.values[0], abs=1e-4 * RIVER.pot)


def test_the_more_is_locked_the_more_the_other_wins() -> None:
    won = [
        value_by_program({line: {**lock, "weight": weight} for line, lock in LOCKS.items()})
        for weight in (0.01, 0.3, 0.6, 0.9, 1)
    ]
    assert (np.diff(won) > 0).all()


def test_groups_of_hands() -> None:
    by_hand, by_group = (
        solve_spot(RIVER, iterations=60, threads=1, locks=LOCKS, groups=groups)
        for groups in (None, "strength")
    )
    assert verify(by_group).ok
    assert by_group.exploitability_abstract.percent < 0.5
    np.testing.assert_allclose(by_group.values, by_hand.values, atol=0.5)
    assert_mixtures(by_group)


def test_locks_on_one_board_and_on_all(tmp_path: Path) -> None:
    spot = Spot("QhJh2c4d", "AA, KQs", "QQ, AJs", pot=100, stack=80, bet="50%", raise_="")
    locks = {
        "x/x/x": {"x": 0.2, "weight": 0.5},
        "x/x/Ks/x": {"x": "AJs", "weight": 0.9},  # queens are free there
    }
    solution = solve_spot(spot, iterations=60, threads=1, locks=locks)
    certificate = verify(solution)
    assert certificate.ok, certificate.problems
    for line, locked in (("x/x/Ks/x", 3), ("x/x/7h/x", 6)):
        assert locked_combos(solution, solution.at(line)).sum() == locked
    solution.save(tmp_path / "soft.safetensors")
    again = load_postflop(tmp_path / "soft.safetensors", check=True)
    assert again.spot == solution.spot and again.locks == solution.locks
    assert again.locks["x/x/x"] == {"x": "0.2", "weight": "0.5"}
    river = again.without_river().at("x/x/7h/x")
    arrives = river.weights[1] > 1e-3
    assert (river.strategy[0, arrives] >= 0.1 - 2e-3).all()
    assert (river.strategy[1, arrives] >= 0.4 - 2e-3).all()


def test_a_solve_goes_on_from_its_solution() -> None:
    for rule in ("dcfr(1.5,0.25,3)", "cgh"):
        rough = solve_spot(RIVER, rule, iterations=200, threads=1, locks=LOCKS)
        solver = PostflopSolver(RIVER, rule, threads=1, locks=LOCKS)
        solver.start_from(rough)
        assert solver.exploitability() == pytest.approx(rough.exploitability.chips, abs=0.05)
        solver.iterate(200)
        assert solver.exploitability() < 1.2 * rough.exploitability.chips


def test_checkpoints_know_the_weight() -> None:
    names = [
        PostflopSolver(RIVER, threads=1, locks={"a": {"f": 1, **weight}}).identity["locks"]
        for weight in ({}, {"weight": 1}, {"weight": 0.5}, {"weight": 0.6})
    ]
    assert names[0] == names[1] and len(set(names)) == 3

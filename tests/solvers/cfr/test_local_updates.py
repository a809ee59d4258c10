"""Rules with an update of their own, against plain versions and against the rules of the house."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numba
import numpy as np
import pytest
from tests.solvers.cfr.test_solver import PlainSolver, Trees

import pokerlab as pl
from pokerlab.games import load_game
from pokerlab.solvers import (
    CfrSolver,
    LocalRule,
    RestrictedPlayer,
    Step,
    Strategy,
    exploitability,
    parse_rule,
    run_side_by_side,
)
from pokerlab.trees import GameTree


@dataclass(frozen=True)
class Matching(LocalRule):
    """Regret matching, written by hand with the arithmetic of the house."""

    name: ClassVar[str] = "matching"

    @staticmethod
    def update(memory, strategy, values, reach, step):
        mean = 0.0
        for action in range(len(values)):
            mean += strategy[action] * values[action]
        total = 0.0
        for action in range(len(values)):
            memory[0, action] += values[action] - mean
            strategy[action] = max(memory[0, action], 0.0)
            total += strategy[action]
        share = 1.0 / total if total > 0.0 else 0.0
        for action in range(len(values)):
            strategy[action] = strategy[action] * share if total > 0.0 else 1.0 / len(values)


@dataclass(frozen=True)
class OptimisticHedge(LocalRule):
    """Exponential weights that count the last values twice."""

    name: ClassVar[str] = "optimistic-hedge"
    rate: float = 5.0

    @staticmethod
    def update(memory, strategy, values, reach, step):
        # In loops: Numba takes seconds to compile expressions of whole arrays.
        largest, total = -np.inf, 0.0
        for action in range(len(values)):
            memory[0, action] += values[action]
            largest = max(largest, memory[0, action] + values[action])
        for action in range(len(values)):
            strategy[action] = np.exp(step[1] * (memory[0, action] + values[action] - largest))
            total += strategy[action]
        for action in range(len(values)):
            strategy[action] /= total


@dataclass(frozen=True)
class MirrorDescent(LocalRule):
    """Magnetic mirror descent towards uniform play: its answer is its last strategy."""

    name: ClassVar[str] = "mmd"
    averages: ClassVar[bool] = False
    memory: ClassVar[int] = 0
    rate: float = 50.0
    temperature: float = 0.02

    @staticmethod
    def update(memory, strategy, values, reach, step):
        rate, temperature = step[1] / np.sqrt(step[0]), step[2] / np.sqrt(step[0])
        largest, total = -np.inf, 0.0
        for action in range(len(values)):
            likely = (np.log(strategy[action]) + rate * values[action]) / (1 + rate * temperature)
            strategy[action] = likely
            largest = max(largest, likely)
        for action in range(len(values)):
            strategy[action] = np.exp(strategy[action] - largest)
            total += strategy[action]
        for action in range(len(values)):
            strategy[action] /= total


@dataclass(frozen=True)
class Reaching(LocalRule):
    """Uses all that there is: plays more evenly where it seldom comes to, iteration t weighs t."""

    name: ClassVar[str] = "reaching"
    memory: ClassVar[int] = 3

    def at(self, iteration):
        return Step(average=(iteration - 1) / iteration)

    @staticmethod
    def update(memory, strategy, values, reach, step):
        memory[0] += values
        memory[1] = reach
        memory[2] += strategy
        likely = memory[0] * reach + 0.01 * memory[2] / step[0]
        strategy[:] = np.exp(likely - likely.max())
        strategy /= strategy.sum()


class PlainLocal(PlainSolver):
    """The same by recursion over nodes; each rule in closed form, from sums of all values."""

    def update(self, player: int) -> None:
        infosets, time = self.tree.infosets, self.iteration
        mine = infosets.slot_player == player
        if not hasattr(self, "sums"):
            self.sums, self.logs = np.zeros(infosets.slots), np.zeros(infosets.slots)
            self.mean = np.zeros(infosets.slots)
        own = self.own_reach(self.current)
        keep = self.rule.at(time).average
        self.total[mine] = (keep * self.total + own)[mine]
        self.mean[mine] += self.current[mine]
        worth = self.values(player)
        for infoset in reversed(np.flatnonzero(infosets.player == player).tolist()):
            here = slice(infosets.offset[infoset], infosets.offset[infoset + 1])
            before, value = infosets.parent[infoset], worth[here]
            if before >= 0:
                worth[before] += self.current[here] @ value
            self.sums[here] += value
            if isinstance(self.rule, OptimisticHedge):
                likely = self.rule.rate * (self.sums[here] + value)
            elif isinstance(self.rule, MirrorDescent):
                rate, cold = (
                    number / time**0.5 for number in (self.rule.rate, self.rule.temperature)
                )
                self.logs[here] = (self.logs[here] + rate * value) / (1 + rate * cold)
                likely = self.logs[here]
            else:
                reach = own[before] if before >= 0 else 1.0
                likely = reach * self.sums[here] + 0.01 * self.mean[here] / time
            weights = np.exp(likely - likely.max())
            self.current[here] = weights / weights.sum()


@pytest.mark.parametrize("alternating", [True, pytest.param(False, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "rule",
    [  # each is compiled anew, in every process
        OptimisticHedge(2),
        pytest.param(MirrorDescent(3, 0.5), marks=pytest.mark.slow),
        pytest.param(Reaching(), marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_updates_against_a_plain_version(
    rule: LocalRule, alternating: bool, random_tree: Trees
) -> None:
    for seed, players in [(1, 2), (8, 3)]:
        tree = random_tree(seed, players)
        solver = CfrSolver(tree, rule, alternating=alternating)
        plain = PlainLocal(tree, rule, alternating)
        for _ in range(3):
            solver.iterate(3)
            plain.iterate(3)
            assert solver.current().array == pytest.approx(plain.current, abs=1e-9)
            assert solver.strategy().array == pytest.approx(plain.strategy(), abs=1e-9)


@pytest.mark.parametrize(
    "rule", [pytest.param(OptimisticHedge(), marks=pytest.mark.slow), MirrorDescent()], ids=str
)
def test_other_kinds_of_rules_find_equilibria(rule: LocalRule) -> None:
    for name in ("kuhn", "leduc"):
        solver = CfrSolver(GameTree.of(load_game(name)), rule)
        far = {}
        for iterations in (100, 900, 4000):
            solver.iterate(iterations)
            far[iterations] = exploitability(solver.tree, solver.strategy())
        assert far[4000] < far[900] < far[100]
        assert far[4000] < (0.001 if name == "kuhn" else 0.015)


@pytest.mark.parametrize("alternating", [True, False])
def test_regret_matching_by_hand_is_cfr_to_the_bit(alternating: bool) -> None:
    tree = GameTree.of(load_game("leduc"))
    ours = CfrSolver(tree, Matching(), alternating=alternating)
    house = CfrSolver(tree, "cfr", alternating=alternating)
    for more in (1, 9, 490):
        ours.iterate(more)
        house.iterate(more)
        assert ours.strategy().array.tolist() == house.strategy().array.tolist()
    assert ours.nbytes == house.nbytes
    half = CfrSolver(tree, Matching(), alternating=alternating)
    half.iterate(200)
    again = CfrSolver(tree, Matching(), alternating=alternating)
    again.restore(half.state())
    again.iterate(300)
    assert again.strategy().array.tolist() == house.strategy().array.tolist()


def test_a_restricted_player_learns_by_any_update() -> None:
    tree = GameTree.of(load_game("kuhn"))
    restricted = RestrictedPlayer.of(tree, Strategy.uniform(tree.infosets), 1, 0.5)
    solvers = [CfrSolver(tree, rule, restricted=restricted) for rule in (Matching(), "cfr")]
    for solver in solvers:
        solver.iterate(50)
    assert solvers[0].strategy().array.tolist() == solvers[1].strategy().array.tolist()


def test_a_solution_by_a_local_rule_is_like_any_other(tmp_path) -> None:
    options = {"iterations": 100, "checkpoint": tmp_path / "run.safetensors"}
    solution = pl.solve("kuhn", MirrorDescent(5, 0.5), **options)
    assert solution.rule == "mmd(5,0.5)"
    solution.save(tmp_path / "kuhn.safetensors")
    assert pl.load(tmp_path / "kuhn.safetensors").rule == "mmd(5,0.5)"
    with pytest.raises(ValueError, match="mmd"):
        pl.solve("kuhn", "mmd(5,0.5)")
    race = list(run_side_by_side("kuhn", ["cfr", Matching()], iterations=8))
    assert race[-1].exploitability == race[-2].exploitability


def test_an_update_may_be_compiled_already() -> None:
    @dataclass(frozen=True)
    class Compiled(Matching):
        name: ClassVar[str] = "compiled"
        update = staticmethod(numba.njit(Matching.update))

    found = pl.solve("kuhn", Compiled(), iterations=20).strategy.array
    assert found.tolist() == pl.solve("kuhn", "cfr", iterations=20).strategy.array.tolist()


def rule_of(update: Callable[..., Any], **members: Any) -> LocalRule:
    kind = type("Mine", (LocalRule,), {"name": "mine", "update": staticmethod(update), **members})
    return dataclass(frozen=True)(kind)()


def too_few(memory, strategy, values):
    strategy[:] = values


def outside(memory, strategy, values, reach, step):
    memory[1] += values


def no_probabilities(memory, strategy, values, reach, step):
    strategy[:] = values


def unknown_name(memory, strategy, values, reach, step):
    strategy[:] = softmax(values)  # noqa: F821


def not_for_numba(memory, strategy, values, reach, step):
    strategy[:] = np.array(sorted({"a": 1}.items(), key=str) and list(strategy))
    globals()["seen"] = f"{values!r:>10}"


def late(memory, strategy, values, reach, step):
    memory[0, 0] += 1.0
    if memory[0, 0] > 50:
        strategy[0] = np.nan


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: rule_of(too_few), "rule mine: update(memory, strategy, values, reach, step) fai"),
        (lambda: rule_of(outside), "with 1 actions: IndexError: index 1 is out of bounds"),
        (lambda: rule_of(no_probabilities), "update left -0.1 as strategy of 1 actions in iter"),
        (lambda: rule_of(unknown_name), "NameError: name 'softmax' is not defined"),
        (lambda: rule_of(not_for_numba), "rule mine: Numba cannot compile update: "),
        (lambda: rule_of(late), "rule mine: after iteration "),
        (lambda: rule_of(Matching.update, memory=-1), "memory = -1 must be a whole number from 0"),
        (lambda: rule_of(Matching.update, memory="1"), "memory = '1' must be a whole number"),
        (
            lambda: rule_of(Matching.update, numbers=lambda self, iteration: "ab" * iteration),
            "rule mine: numbers(1) gave 'ab'; it must give as many numbers for every iteration",
        ),
        (
            lambda: rule_of(Matching.update, at=lambda self, iteration: 1.0),
            "rule mine: at(1) gave 1.0; it must give a Step(",
        ),
    ],
)
def test_bad_updates_are_one_line(make: Callable[[], LocalRule], message: str) -> None:
    with pytest.raises(ValueError) as caught:
        pl.solve("kuhn", make(), iterations=100)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_engines_that_know_coefficients_alone_refuse_it(tmp_path) -> None:
    message = r"rule matching: a rule with an update of its own runs on whole trees and on single"
    with pytest.raises(ValueError, match=message):
        parse_rule(Matching())
    with pytest.raises(ValueError, match=message):
        pl.solve("kuhn", Matching(), sampling="external", iterations=1)
    river = pl.Spot("QhJh2c4d7h", "AA", "QQ", pot=100, stack=80)
    with pytest.raises(ValueError, match=r"rule: Matching\(\) does not fit this field"):
        pl.batch(river, tmp_path / "batch", boards="QhJh2c4d7h", rule=Matching())

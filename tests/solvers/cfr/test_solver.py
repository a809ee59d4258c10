"""Full-tree solvers against a plain recursive version of every rule, and against known values."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from pokerlab.games.protocol import CHANCE
from pokerlab.solvers import CfrSolver, Strategy, best_response, values
from pokerlab.solvers.rules import RULES, Cfr, PassedUpValue, Rule, parse_rule
from pokerlab.trees import GameTree

Trees = Callable[..., GameTree]

ALL_RULES = [*RULES, "dcfr(1.4,0.5,3,0.1)", "cgh(0)", "cgh(0.3,1)", "cfr+(2)"]


class PlainSolver:
    """The rules as written down: recursion over nodes, lists, no sequences."""

    def __init__(self, tree: GameTree, rule: Rule, alternating: bool) -> None:
        self.tree, self.rule, self.alternating = tree, rule, alternating
        self.iteration = 0
        slots = tree.infosets.slots
        self.current = Strategy.uniform(tree.infosets).array.copy()
        self.faced = self.current.copy()
        self.regret = np.zeros(slots)
        self.total = np.zeros(slots)
        self.mixture = self.own_reach(self.current)

    def own_reach(self, strategy: np.ndarray) -> np.ndarray:
        infosets = self.tree.infosets
        found = np.zeros(infosets.slots)
        for slot in range(infosets.slots):
            parent = infosets.parent[infosets.slot_infoset[slot]]
            found[slot] = strategy[slot] * (found[parent] if parent >= 0 else 1.0)
        return found

    def values(self, player: int) -> np.ndarray:
        """Counterfactual values of terminal nodes, summed by the player's last slot."""
        tree = self.tree
        found = np.zeros(tree.infosets.slots)

        def walk(node: int, weight: float, last: int) -> None:
            children = tree.children(node)
            if not children and last >= 0:
                leaf = np.searchsorted(tree.terminals, node)
                found[last] += weight * tree.payoffs[leaf, player]
            for child in children:
                slot = tree.slot[child]
                if tree.player[node] == CHANCE:
                    walk(child, weight * tree.chance[child], last)
                elif tree.player[node] == player:
                    walk(child, weight, slot)
                else:
                    walk(child, weight * self.faced[slot], last)

        walk(0, 1.0, -1)
        return found

    def iterate(self, iterations: int) -> None:
        for _ in range(iterations):
            self.iteration += 1
            for player in range(self.tree.players):
                self.update(player)
                if self.alternating:
                    self.publish()
            self.publish()

    def publish(self) -> None:
        if self.rule.plays_against_average:
            self.faced = Strategy.from_weights(self.tree.infosets, self.mixture).array
        else:
            self.faced = self.current.copy()

    def update(self, player: int) -> None:
        infosets, step = self.tree.infosets, self.rule.at(self.iteration)
        mine = infosets.slot_player == player
        self.total[mine] = (step.average * self.total + self.own_reach(self.current))[mine]
        worth = self.values(player)
        for infoset in reversed(np.flatnonzero(infosets.player == player).tolist()):
            here = slice(infosets.offset[infoset], infosets.offset[infoset + 1])
            value, old = worth[here], self.current[here].copy()
            if self.rule.greedy:
                best = len(value) - 1 - np.argmax(value[::-1])
                new = np.maximum(0, (1 - step.greedy) * old - step.hedge / len(value))
                new[best] = 0
                new[best] = 1 - new.sum()
            else:
                gain = value - old @ value
                kept = self.regret[here]
                kept = np.where(kept > 0, step.positive, step.negative) * kept + gain
                self.regret[here] = kept
                tried = (kept <= 0) * step.trial
                new = np.maximum(0, np.maximum(0, kept) + (step.prediction + tried) * gain)
                new = new / new.sum() if new.sum() > 0 else np.full(len(new), 1 / len(new))
            self.current[here] = new
            if infosets.parent[infoset] >= 0:
                up = {
                    PassedUpValue.OLD: old @ value,
                    PassedUpValue.NEW: new @ value,
                    PassedUpValue.BEST: value.max(),
                }
                worth[infosets.parent[infoset]] += up[self.rule.passes_up]
        played = self.own_reach(self.current)
        mixed = step.average * self.mixture + (1 - step.average) * played
        self.mixture[mine] = mixed[mine]

    def strategy(self) -> np.ndarray:
        if self.rule.plays_against_average:
            return Strategy.from_weights(self.tree.infosets, self.mixture).array
        if self.rule.averages:
            return Strategy.from_weights(self.tree.infosets, self.total).array
        return self.current


@pytest.mark.parametrize("alternating", [True, False])
@pytest.mark.parametrize("rule", ALL_RULES)
def test_every_rule_against_the_plain_version(
    rule: str, alternating: bool, random_tree: Trees
) -> None:
    for seed, players in [(1, 2), (4, 2), (8, 3)]:
        tree = random_tree(seed, players)
        solver = CfrSolver(tree, rule, alternating=alternating)
        plain = PlainSolver(tree, parse_rule(rule), alternating)
        for _ in range(4):
            solver.iterate(2)
            plain.iterate(2)
            assert solver.current().array == pytest.approx(plain.current, abs=1e-9)
            assert solver.strategy().array == pytest.approx(plain.strategy(), abs=1e-9)


class Optimistic(Cfr):
    """A rule of somebody else: regret matching that passes up the best value."""

    passes_up = PassedUpValue.BEST


@pytest.mark.parametrize("players", [2, 3])
def test_own_rules_pass_up_what_they_say(players: int, random_tree: Trees) -> None:
    tree = random_tree(3, players)
    solver, plain = CfrSolver(tree, Optimistic()), PlainSolver(tree, Optimistic(), True)
    solver.iterate(6)
    plain.iterate(6)
    assert solver.current().array == pytest.approx(plain.current, abs=1e-9)
    usual = CfrSolver(tree, "cfr")
    usual.iterate(6)
    assert solver.current().array != pytest.approx(usual.current().array, abs=1e-9)


@pytest.mark.parametrize(
    ("rule", "kuhn", "leduc"),
    [
        ("cfr", 0.002, 0.02),
        ("cfr-return", 0.002, 0.02),
        ("cfr+", 2e-4, 5e-4),
        ("linear", 2e-4, 0.01),
        ("dcfr", 3e-4, 3e-4),
        ("pcfr+", 1e-6, 2e-3),
        ("pdcfr+", 1e-6, 2e-3),
        ("cgh", 0.004, 0.05),
        ("cgh(0)", 0.004, 0.05),
        ("cgh-return", 0.004, 0.05),
        ("cgh(0.2,1)", 0.002, 0.015),
        ("fp", 0.004, 0.04),
        ("fp-naive", 0.004, 0.1),
    ],
)
def test_exploitability_after_1000_iterations(
    rule: str, kuhn: float, leduc: float, catalogue_tree: Trees
) -> None:
    for name, bound, value in [("kuhn", kuhn, -1 / 18), ("leduc", leduc, -0.0856064240780514)]:
        tree = catalogue_tree(name)
        solver = CfrSolver(tree, rule)
        solver.iterate(1000)
        found = solver.exploitability()
        assert 0 <= found < bound
        # Each player's best response wins at least the value of the game, and 2ε bounds it.
        best = [best_response(tree, solver.strategy(), player).value for player in (0, 1)]
        assert best[0] >= value - 1e-12
        assert best[1] >= -value - 1e-12
        assert sum(best) == pytest.approx(2 * found, abs=1e-12)
        assert abs(values(tree, solver.strategy())[0] - value) <= 2 * bound


def test_three_players_reach_an_equilibrium(catalogue_tree: Trees) -> None:
    solver = CfrSolver(catalogue_tree("kuhn.3p"), "cfr+")
    solver.iterate(1000)
    assert solver.exploitability() < 1e-4


def test_rock_paper_scissors_is_mixed_evenly(catalogue_tree: Trees) -> None:
    tree = catalogue_tree("rps.dynamite")
    solver = CfrSolver(tree, "dcfr")
    solver.iterate(2000)
    for name in ("0:", "1:"):
        chosen = solver.strategy()[name]
        assert chosen["dynamite"] < 1e-3
        assert [chosen[move] for move in ("rock", "paper", "scissors")] == pytest.approx(
            [1 / 3] * 3, abs=0.02
        )


def test_one_call_or_many(catalogue_tree: Trees) -> None:
    tree = catalogue_tree("leduc")
    for rule in ALL_RULES:
        once, often = CfrSolver(tree, rule), CfrSolver(tree, rule)
        once.iterate(20)
        for _ in range(20):
            often.iterate(1)
        for name, tensor in once.state().items():
            assert (often.state()[name] == tensor).all(), (rule, name)


@pytest.mark.parametrize("rule", ALL_RULES)
def test_restored_state_goes_on_alike(rule: str, catalogue_tree: Trees) -> None:
    tree = catalogue_tree("kuhn")
    solver = CfrSolver(tree, rule)
    solver.iterate(7)
    state = solver.state()
    solver.iterate(5)
    other = CfrSolver(tree, rule)
    other.restore(state)
    assert other.iteration == 7
    other.iterate(5)
    assert (other.strategy().array == solver.strategy().array).all()
    assert state["iteration"][0] == 7


def test_greedy_hedging_keeps_a_third(catalogue_tree: Trees) -> None:
    tree = catalogue_tree("leduc")
    memory = {rule: CfrSolver(tree, rule).nbytes for rule in ("cfr", "dcfr", "cgh")}
    assert memory["cfr"] == memory["dcfr"] == 3 * memory["cgh"] == 3 * 8 * tree.infosets.slots


def test_identity_tells_solves_apart(catalogue_tree: Trees) -> None:
    kuhn = catalogue_tree("kuhn")
    identities = [
        CfrSolver(kuhn, "cfr").identity,
        CfrSolver(kuhn, "cfr", alternating=False).identity,
        CfrSolver(kuhn, "dcfr").identity,
        CfrSolver(kuhn, "dcfr(1.5,0,3)").identity,
        CfrSolver(catalogue_tree("kuhn2"), "cfr").identity,
    ]
    assert len({tuple(sorted(one.items())) for one in identities}) == len(identities)

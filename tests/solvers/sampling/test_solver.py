"""Monte Carlo CFR: without bias, with the right average, from a seed, and it converges.

CGH with sampling: each step is that of a plain version; without public chance, that of full CGH.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from pokerlab.cards.random_kernels import next_uniform
from pokerlab.solvers import (
    SAMPLING_KINDS,
    CfrSolver,
    SamplingSolver,
    Strategy,
    counterfactual_values,
    reach,
)
from pokerlab.solvers.rules import Cgh, parse_rule
from pokerlab.trees import GameTree

Trees = Callable[..., GameTree]


def make(tree: GameTree, kind: str, seed: int = 1, rule: str = "cfr") -> SamplingSolver:
    return SamplingSolver(tree, kind, rule, rng=np.random.default_rng(seed))


@pytest.mark.parametrize("kind", SAMPLING_KINDS)
@pytest.mark.parametrize(
    ("seed", "players"),
    [(1, 2), *(pytest.param(*each, marks=pytest.mark.slow) for each in ((5, 2), (7, 3)))],
)
def test_regrets_and_averages_have_no_bias(
    kind: str, seed: int, players: int, random_tree: Trees
) -> None:
    """The mean of many first steps is the step of full CFR, within five standard errors."""
    tree = random_tree(seed, players)
    infosets = tree.infosets
    regret = np.random.default_rng(seed).normal(size=infosets.slots)
    strategy = Strategy.from_weights(infosets, np.maximum(regret, 0))
    worth = counterfactual_values(tree, strategy, 0)[:, 0]
    value = np.bincount(tree.slot[tree.slot >= 0], worth[tree.slot >= 0], infosets.slots)
    expected = np.zeros(infosets.slots)
    for infoset in np.flatnonzero(infosets.player == 0):
        here = slice(infosets.offset[infoset], infosets.offset[infoset + 1])
        expected[here] = value[here] - strategy.array[here] @ value[here]
    # Whose average is checked, and how often he comes to a slot by himself and chance. Where
    # all strategies are still those of `regret`: player 0 is the first to be updated, and with
    # two players external and outcome sampling feed the opponent's average meanwhile.
    averaged = 1 if players == 2 and kind != "public" else 0
    others_one = np.where(infosets.slot_player == averaged, strategy.array, 1.0)
    arrival = np.ones(len(tree))
    for node in range(1, len(tree)):
        slot = tree.slot[node]
        edge = others_one[slot] if slot >= 0 else tree.chance[node]
        arrival[node] = arrival[tree.parent[node]] * edge
    comes = np.bincount(tree.slot[tree.slot >= 0], arrival[tree.slot >= 0], infosets.slots)

    solver = make(tree, kind)
    start = solver.state() | {"regret": regret}
    samples = 20_000 if kind == "outcome" else 4_000
    gains = np.zeros((samples, infosets.slots))
    totals = np.zeros((samples, infosets.slots))
    for sample in range(samples):
        start["seed"] = np.array([sample * 7919 + 1], np.uint64)
        solver.restore(start)
        solver.iterate(1)
        after = solver.state()
        gains[sample] = after["regret"] - regret
        totals[sample] = after["total"]
    mine = infosets.slot_player == 0
    error = gains.std(axis=0) / np.sqrt(samples)
    assert (np.abs(gains.mean(axis=0) - expected) <= 5 * error + 1e-12)[mine].all()
    owned = infosets.slot_player == averaged
    error = totals.std(axis=0) / np.sqrt(samples)
    if kind != "public":
        assert (np.abs(totals.mean(axis=0) - comes) <= 5 * error + 1e-12)[owned].all()
    else:  # own reach times a constant for each information set
        for infoset in np.flatnonzero(infosets.player == averaged):
            here = slice(infosets.offset[infoset], infosets.offset[infoset + 1])
            mean = totals.mean(axis=0)[here]
            assert mean == pytest.approx(mean.sum() * strategy.array[here], abs=1e-12)


@pytest.mark.parametrize("rule", ["cfr", "linear", "cgh", "cgh-return(0.1)", "cgh(0.2,1)"])
def test_public_sampling_without_public_chance_is_full_cfr(
    rule: str, catalogue_tree: Trees
) -> None:
    """With payoffs that leave no ties: CGH takes one of equals, and rounding would say which."""
    for name in ("kuhn", "kuhn.3p"):
        tree = catalogue_tree(name)
        noise = np.random.default_rng(1).normal(scale=0.01, size=tree.payoffs.shape)
        tree = replace(tree, payoffs=tree.payoffs + noise)
        sampled, full = make(tree, "public", rule=rule), CfrSolver(tree, rule)
        sampled.iterate(50)
        full.iterate(50)
        assert sampled.strategy().array == pytest.approx(full.strategy().array, abs=1e-9)


def plain_walk(
    tree: GameTree, hero: int, rule: Cgh, new_value: bool, plays: list[list[float]], n: list[int]
) -> Callable[[np.ndarray], float]:
    """One external walk of CGH, node by node; the last child is looked at first."""

    def pick(chances: list[float], seed: np.ndarray) -> int:
        point = next_uniform(seed)
        for number, chance in enumerate(chances[:-1]):
            point -= chance
            if point < 0:
                return number
        return len(chances) - 1

    def walk(node: int, seed: np.ndarray) -> float:
        children = [child for child in range(len(tree)) if tree.parent[child] == node and child]
        mover = tree.player[node]
        if not children:
            return float(tree.payoffs[list(tree.terminals).index(node), hero])
        if mover != hero:
            infoset = tree.infoset[node]
            chances = [tree.chance[child] for child in children] if mover < 0 else plays[infoset]
            return walk(children[pick(chances, seed)], seed)
        values = [walk(child, seed) for child in reversed(children)][::-1]
        infoset = tree.infoset[node]
        old = plays[infoset]
        best = max(range(len(values)), key=lambda a: (values[a], a))
        n[infoset] += 1
        new = [
            max(0.0, (1 - 1 / n[infoset]) * chance - rule.c / n[infoset] / len(old))
            for chance in old
        ]
        new[best] = 1.0 - sum(chance for a, chance in enumerate(new) if a != best)
        plays[infoset] = new
        weights = new if new_value else old
        return sum(weight * value for weight, value in zip(weights, values, strict=True))

    return lambda seed: walk(0, seed)


@pytest.mark.parametrize("text", ["cgh(0.2)", "cgh-return(0.1)"])
def test_external_cgh_takes_the_steps_of_a_plain_version(text: str, catalogue_tree: Trees) -> None:
    tree = catalogue_tree("kuhn")
    solver = make(tree, "external", rule=text)
    seed = solver.state()["seed"].copy()
    offset = tree.infosets.offset
    plays = [[0.5, 0.5] for _ in range(len(tree.infosets))]
    visits = [0] * len(tree.infosets)
    rule = parse_rule(text)
    assert isinstance(rule, Cgh)
    for iterations in (1, 1, 10, 40):
        solver.iterate(iterations)
        for _ in range(iterations):
            for hero in (0, 1):
                plain_walk(tree, hero, rule, rule.name == "cgh-return", plays, visits)(seed)
        found = solver.strategy().array
        for infoset, chances in enumerate(plays):
            assert found[offset[infoset] : offset[infoset + 1]] == pytest.approx(chances)
        assert solver.state()["visits"].tolist() == visits
        assert solver.state()["seed"] == seed


def test_nodes_are_counted(catalogue_tree: Trees) -> None:
    """An external walk of Kuhn: two deals, then 2 to 4 decisions and their ends."""
    tree = catalogue_tree("kuhn")
    for kind, lowest, highest in (("external", 2 * 5, 2 * 8), ("outcome", 2 * 5, 2 * 6)):
        solver = make(tree, kind)
        solver.iterate(100)
        assert 100 * lowest <= solver.touched <= 100 * highest
    solver = make(tree, "public")
    solver.iterate(3)
    assert solver.touched == 3 * 2 * len(tree)


@pytest.mark.parametrize(
    ("kind", "rule", "iterations", "kuhn", "leduc"),
    [
        ("external", "cfr", 200_000, 0.004, 0.1),
        ("external", "linear", 200_000, 0.006, 0.1),
        ("outcome", "cfr", 400_000, 0.01, 0.4),
        ("public", "cfr", 5_000, 3e-4, 0.1),
    ],
)
def test_it_converges(
    kind: str, rule: str, iterations: int, kuhn: float, leduc: float, catalogue_tree: Trees
) -> None:
    for name, bound in [("kuhn", kuhn), ("leduc", leduc)]:
        solver = make(catalogue_tree(name), kind, rule=rule)
        solver.iterate(iterations)
        assert solver.exploitability() < bound


@pytest.mark.parametrize("kind", SAMPLING_KINDS)
def test_same_seed_same_result_also_in_pieces(kind: str, catalogue_tree: Trees) -> None:
    tree = catalogue_tree("leduc")
    once, pieces, other = make(tree, kind, 3), make(tree, kind, 3), make(tree, kind, 4)
    once.iterate(50)
    pieces.iterate(20)
    resumed = make(tree, kind, 3)
    resumed.restore(pieces.state())
    resumed.iterate(30)
    other.iterate(50)
    assert resumed.iteration == 50
    assert (once.strategy().array == resumed.strategy().array).all()
    assert (once.strategy().array != other.strategy().array).any()
    assert once.identity == resumed.identity != other.identity
    assert once.nbytes == 2 * 8 * tree.infosets.slots


@pytest.mark.parametrize("kind", ["external", "public"])
@pytest.mark.parametrize("rule", ["cgh", "cgh(0.2,1)"])
def test_sampled_cgh_goes_on_where_it_was(kind: str, rule: str, catalogue_tree: Trees) -> None:
    tree = catalogue_tree("leduc")
    once, pieces, resumed = (make(tree, kind, 3, rule) for _ in range(3))
    once.iterate(50)
    pieces.iterate(20)
    resumed.restore(pieces.state())
    resumed.iterate(30)
    assert (once.strategy().array == resumed.strategy().array).all()
    assert once.touched == resumed.touched
    averages = rule != "cgh"
    assert once.nbytes == 8 * ((1 + averages) * tree.infosets.slots + len(tree.infosets))
    bad = pieces.state() | {"strategy": np.full(tree.infosets.slots, 0.7)}
    with pytest.raises(ValueError, match="sum"):
        resumed.restore(bad)
    bad = pieces.state() | {"visits": np.full(len(tree.infosets), 21)}
    with pytest.raises(ValueError, match="more updates than there were iterations"):
        resumed.restore(bad)


def test_bad_arguments(catalogue_tree: Trees) -> None:
    tree = catalogue_tree("kuhn")
    with pytest.raises(ValueError, match="unknown sampling 'chance'; it must be one of external"):
        make(tree, "chance")
    for rule in ("cfr+", "dcfr", "fp", "cfr-return"):
        with pytest.raises(ValueError, match=r"does not work with sampling \(cfr, linear, cgh, "):
            make(tree, "external", rule=rule)
    with pytest.raises(ValueError, match=r"cgh\(0.2\) compares all actions, and outcome sampling"):
        make(tree, "outcome", rule="cgh")
    with pytest.raises(ValueError, match=r"exploration is 0; it must be above 0 and at most 1"):
        SamplingSolver(tree, "outcome", rng=np.random.default_rng(1), exploration=0)


def test_reach_of_uniform_play_is_what_sampling_visits(catalogue_tree: Trees) -> None:
    """A first external walk comes to opponents' sets as often as chance and they let it."""
    tree = catalogue_tree("kuhn")
    solver = make(tree, "external")
    start = solver.state()
    visits = np.zeros(tree.infosets.slots)
    for seed in range(3000):
        start["seed"] = np.array([seed], np.uint64)
        solver.restore(start)
        solver.iterate(1)
        visits += solver.state()["total"]
    node = tree.find("0d{J} 1d{Q} 0c")
    expected = 2 * reach(tree, {}, without=0)[node]  # either other card of player 0
    infoset = tree.infosets.number("Qs:c")
    here = slice(tree.infosets.offset[infoset], tree.infosets.offset[infoset + 1])
    assert visits[here].sum() / 3000 == pytest.approx(expected, abs=0.05)

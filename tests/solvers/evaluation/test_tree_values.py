"""Values and best responses, against recursion over states and against all pure strategies."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest

from pokerlab.games.protocol import CHANCE, TERMINAL, State
from pokerlab.solvers import (
    Strategy,
    best_response,
    counterfactual_values,
    exploitability,
    nash_conv,
    node_values,
    reach,
    values,
)
from pokerlab.trees import GameTree

Trees = Callable[..., GameTree]


def some_strategy(tree: GameTree, seed: int = 0) -> Strategy:
    weights = np.random.default_rng(seed).random(tree.infosets.slots) ** 3
    return Strategy.from_weights(tree.infosets, weights)


def recursive_values(tree: GameTree, strategy: Strategy) -> list[list[float]]:
    """Node values by walking states and looking up names."""
    found: list[list[float]] = []
    prefixed = all(name[:2] == f"{tree.infosets.player[i]}:" for i, name in enumerate(strategy))

    def walk(state: State) -> np.ndarray:
        here = len(found)
        found.append([])
        if state.player == TERMINAL:
            worth = np.array(state.payoffs())
        elif state.player == CHANCE:
            worth = sum(
                chance * walk(state.apply(outcome))
                for outcome, chance in zip(state.actions(), state.chances(), strict=True)
            )
        else:
            name = state.seen_by(state.player)
            if prefixed and name not in strategy:
                name = f"{state.player}:{name}"
            chosen = strategy[name]
            worth = sum(chosen[action] * walk(state.apply(action)) for action in state.actions())
        found[here] = worth.tolist()
        return worth

    walk(tree.game.start())
    return found


@pytest.mark.parametrize("name", ["kuhn", "kuhn.3p", "rps", "seminar2"])
def test_node_values_against_recursion(name: str, catalogue_tree: Trees) -> None:
    tree = catalogue_tree(name)
    strategy = some_strategy(tree)
    expected = recursive_values(tree, strategy)
    assert node_values(tree, strategy) == pytest.approx(np.array(expected))
    assert values(tree, strategy) == pytest.approx(expected[0])


@pytest.mark.parametrize(("seed", "players"), [(1, 2), (4, 2), (7, 3), (2, 3)])
def test_reach(seed: int, players: int, random_tree: Trees) -> None:
    tree = random_tree(seed, players)
    strategy = some_strategy(tree)
    arrival = reach(tree, strategy)
    assert arrival[tree.terminals].sum() == pytest.approx(1)
    own = np.ones((players, len(tree)))
    for node in range(1, len(tree)):
        own[:, node] = own[:, tree.parent[node]]
        if tree.slot[node] >= 0:
            mover = tree.infosets.slot_player[tree.slot[node]]
            own[mover, node] *= strategy.array[tree.slot[node]]
    for player in range(players):
        without = reach(tree, strategy, without=player)
        assert without * own[player] == pytest.approx(arrival)
        worth = counterfactual_values(tree, strategy, player)
        assert worth == pytest.approx(without[:, None] * node_values(tree, strategy))


def best_by_brute_force(tree: GameTree, strategy: Strategy, player: int) -> float:
    infosets = tree.infosets
    mine = np.flatnonzero(infosets.player == player)
    fixed = np.where(infosets.slot_player == player, 0.0, strategy.array)
    best = -np.inf
    for choice in product(*[range(infosets.offset[i], infosets.offset[i + 1]) for i in mine]):
        pure = fixed.copy()
        pure[list(choice)] = 1.0
        best = max(best, values(tree, pure)[player])
    return best


@pytest.mark.parametrize("name", ["kuhn", "rps.dynamite", "coins.3p", "seminar2"])
@pytest.mark.parametrize("seed", range(3))
def test_best_response_against_all_pure_strategies(
    name: str, seed: int, catalogue_tree: Trees
) -> None:
    tree = catalogue_tree(name)
    strategy = some_strategy(tree, seed)
    gains = 0.0
    for player in range(tree.players):
        expected = best_by_brute_force(tree, strategy, player)
        found = best_response(tree, strategy, player)
        assert found.value == pytest.approx(expected, abs=1e-12)
        # The strategy it returns does win that much, and leaves the others alone.
        assert values(tree, found.strategy)[player] == pytest.approx(expected, abs=1e-12)
        others = tree.infosets.slot_player != player
        assert (found.strategy.array[others] == strategy.array[others]).all()
        assert np.isnan(found.action_values[others]).all()
        gains += expected - values(tree, strategy)[player]
    assert nash_conv(tree, strategy) == pytest.approx(gains, abs=1e-12)
    assert exploitability(tree, strategy) == pytest.approx(gains / tree.players, abs=1e-12)


@pytest.mark.parametrize(("seed", "players"), [(1, 2), (4, 2), (5, 2), (7, 3)])
def test_action_values_of_a_best_response(seed: int, players: int, random_tree: Trees) -> None:
    tree = random_tree(seed, players)
    for player in range(players):
        found = best_response(tree, some_strategy(tree), player)
        worth = counterfactual_values(tree, found.strategy, player)[:, player]
        for slot in tree.infosets.slots_of(player):
            expected = worth[tree.slot == slot].sum()
            assert found.action_values[slot] == pytest.approx(expected, abs=1e-12)
        assert found.value >= values(tree, some_strategy(tree))[player] - 1e-12
        # Nothing is better against what was given: the best response to it again wins as much.
        again = best_response(tree, found.strategy, player)
        assert again.value == pytest.approx(found.value, abs=1e-12)


def test_equilibrium_of_kuhn_cannot_be_exploited(catalogue_tree: Trees) -> None:
    tree = catalogue_tree("kuhn")
    third = 1 / 3
    for bluff in (0, 0.2, third):
        strategy = Strategy.of(
            tree.infosets,
            {
                "Js": {"c": 1 - bluff, "r": bluff},
                "Js:cr": {"f": 1},
                "Qs": {"c": 1},
                "Qs:cr": {"f": 2 * third - bluff, "c": third + bluff},
                "Ks": {"c": 1 - 3 * bluff, "r": 3 * bluff},
                "Ks:cr": {"c": 1},
                "Js:c": {"c": 2 * third, "r": third},
                "Js:r": {"f": 1},
                "Qs:c": {"c": 1},
                "Qs:r": {"f": 2 * third, "c": third},
                "Ks:c": {"r": 1},
                "Ks:r": {"c": 1},
            },
        )
        assert values(tree, strategy) == pytest.approx([-1 / 18, 1 / 18])
        assert exploitability(tree, strategy) == pytest.approx(0, abs=1e-12)


def test_bad_player_and_bad_strategy(catalogue_tree: Trees) -> None:
    tree = catalogue_tree("kuhn")
    with pytest.raises(ValueError, match="no player 2: kuhn has 2, from 0"):
        best_response(tree, {}, 2)
    for judge in (values, node_values, reach, nash_conv, exploitability):
        with pytest.raises(ValueError, match="information set 'Js' of player 0: probabilities"):
            judge(tree, np.zeros(24))

"""Teams against brute force: all plans, and matrix games by a program of their own."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from scipy.optimize import linprog

from pokerlab.games.theory import MatrixGame
from pokerlab.solvers import Strategy, best_response, solve
from pokerlab.solvers.analysis.teams import (
    TeamGame,
    _played,
    coordinated_response,
    coordinated_value,
    shared_cards_value,
    team_response,
)
from pokerlab.solvers.evaluation.tree_values import arrival
from pokerlab.trees import GameTree


def matrix_game(seed):
    """Three players with two or three moves and payoffs that sum to zero."""
    rng = np.random.default_rng(seed)
    moves = (("a", "b"), ("a", "b", "c"), ("a", "b"))
    table = {}
    for played in product(*moves):
        first, second = rng.integers(-5, 6, 2).tolist()
        table[played] = (float(first), float(second), float(-first - second))
    return MatrixGame("random", "", moves, table)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("player", range(3))
def test_matrix_games(seed, player):
    game = matrix_game(seed)
    tree = GameTree.build(game)
    others = [seat for seat in range(3) if seat != player]
    loss = np.array(
        [
            [
                -game.table[tuple(dict(zip((player, *others), (own, *joint), strict=True))[seat]
                                  for seat in range(3))][player]
                for joint in product(*(game.moves[seat] for seat in others))
            ]
            for own in game.moves[player]
        ]
    )  # fmt: skip
    response = team_response(tree, Strategy.uniform(tree.infosets), player)
    assert response.plan == pytest.approx(-loss.mean(axis=0).max())
    assert response.cards == pytest.approx(response.plan)  # there are no cards
    assert response.cards <= response.plan + 1e-9 <= response.alone + 2e-9
    # The player's own mixture, and the value: minimise what the best column wins.
    count = len(loss)
    found = linprog(
        np.append(np.zeros(count), 1.0),
        A_ub=np.column_stack([loss.T, -np.ones(loss.shape[1])]),
        b_ub=np.zeros(loss.shape[1]),
        A_eq=[np.append(np.ones(count), 0.0)],
        b_eq=[1.0],
        bounds=[(0, 1)] * count + [(None, None)],
    )
    assert coordinated_value(tree, player) == pytest.approx(-found.fun)


def test_a_target_below_rounding_is_refused(catalogue_tree):
    with pytest.raises(RuntimeError, match="the target -1e-09 is too small"):
        coordinated_value(catalogue_tree("coins.3p"), 0, target=-1e-9)


def test_kuhn_poker(catalogue_tree):
    tree = catalogue_tree("kuhn.3p")
    strategy = solve("kuhn.3p", rule="cfr+", iterations=500).strategy
    for player in (0, 2):
        found = team_response(tree, strategy, player)
        assert found.cards <= found.plan + 1e-9
        assert found.plan <= found.alone + 1e-9 <= found.value + 2e-9
        assert shared_cards_value(tree, player) >= found.cards - 1e-9


@pytest.mark.slow
def test_all_plans_of_kuhn_poker(catalogue_tree):
    tree = catalogue_tree("kuhn.3p")
    uniform = Strategy.uniform(tree.infosets).array
    # The second member answers each plan of the first.
    against = replace(tree, payoffs=np.repeat(-tree.payoffs[:, :1], 3, axis=1))
    sets = np.flatnonzero(tree.infosets.player == 1)
    most = -np.inf
    for choice in product((0, 1), repeat=len(sets)):
        plan = uniform.copy()
        for place, action in zip(sets, choice, strict=True):
            first = tree.infosets.offset[place]
            plan[first : first + 2] = 1 - action, action
        most = max(most, best_response(against, plan, 2).value)
    assert coordinated_response(tree, uniform, 0)[0] == pytest.approx(most)


@pytest.mark.slow
def test_what_a_seat_of_kuhn_poker_is_sure_of(catalogue_tree):
    tree = catalogue_tree("kuhn.3p")
    found = [coordinated_value(tree, player) for player in range(3)]
    assert found == pytest.approx([-5 / 132, -7 / 264, 1 / 24])


def test_deals_that_never_come_count_for_nothing(catalogue_tree):
    tree = catalogue_tree("kuhn.3p")
    chance = tree.chance.copy()
    chance[np.flatnonzero(tree.parent == 0)] = 1 / 3, 1 / 3, 1 / 3, 0.0
    everywhere = np.ones(tree.infosets.slots)
    at_end = arrival(replace(tree, chance=chance), everywhere)[tree.terminals]
    never = replace(tree, chance=chance, terminal_chance=at_end)
    with np.errstate(all="raise"):
        played = _played(never, 2, everywhere)
    assert np.isclose(played, at_end > 0.0).all() and 0.0 < played.mean() < 1.0


def test_a_team_of_all_but_one(catalogue_tree):
    for members in ((0,), (0, 1, 2), (1, 1), (0, 5)):
        with pytest.raises(ValueError, match=r"all seats of kuhn\.3p but one"):
            TeamGame(catalogue_tree("kuhn.3p").game, members)
    with pytest.raises(ValueError, match="no player 3"):
        team_response(catalogue_tree("kuhn.3p"), {}, 3)

from __future__ import annotations

from collections.abc import Callable

import pytest

from pokerlab.solvers import CfrSolver, exploitability, solve_lp, values
from pokerlab.trees import GameTree

Trees = Callable[..., GameTree]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("kuhn", -1 / 18),
        ("kuhn2", -1 / 18),
        ("onecard", -5 / 78),
        ("onecard2", -3 / 76),
        ("leduc", -0.0856064240780514),
        ("rps", 0.0),
        ("rps.dynamite", 0.0),
        ("pennies", 0.0),
    ],
)
def test_values_of_known_games(name: str, value: float, catalogue_tree: Trees) -> None:
    tree = catalogue_tree(name)
    found = solve_lp(tree)
    assert found.values == pytest.approx((value, -value), abs=1e-9)
    assert values(tree, found.strategy) == pytest.approx((value, -value), abs=1e-9)
    assert abs(exploitability(tree, found.strategy)) < 1e-9
    assert found.iterations > 0


@pytest.mark.parametrize("seed", [1, 3, 4, 5, 7])
def test_random_games_have_the_value_that_cfr_finds(seed: int, random_tree: Trees) -> None:
    tree = random_tree(seed, 2, zero_sum=True)
    found = solve_lp(tree)
    assert abs(exploitability(tree, found.strategy)) < 1e-9
    solver = CfrSolver(tree, "cfr+")
    solver.iterate(5000)
    assert values(tree, solver.strategy())[0] == pytest.approx(found.values[0], abs=1e-3)


def test_games_it_cannot_solve(catalogue_tree: Trees) -> None:
    with pytest.raises(ValueError, match=r"solves two-player games; kuhn\.3p has 3 players"):
        solve_lp(catalogue_tree("kuhn.3p"))
    with pytest.raises(ValueError, match="zero-sum games; payoffs of seminar1 do not sum to 0"):
        solve_lp(catalogue_tree("seminar1"))

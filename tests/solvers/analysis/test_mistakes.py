from __future__ import annotations

from collections.abc import Callable

import pytest

from pokerlab.solvers import Strategy, find_errors, solve_lp
from pokerlab.trees import GameTree

Trees = Callable[..., GameTree]


def test_rock_is_an_error_but_not_dominated(catalogue_tree: Trees) -> None:
    tree = catalogue_tree("rps.dynamite")
    rock = find_errors(tree, {"0:": {"rock": 1}}, 0)
    assert [(error.action, error.probability, error.dominated) for error in rock] == [
        ("rock", 1.0, False)
    ]
    dynamite = find_errors(tree, {"0:": {"dynamite": 0.25, "paper": 0.75}}, 0)
    by_action = {error.action: error for error in dynamite}
    assert by_action["dynamite"].dominated
    assert by_action["dynamite"].dominance is not None
    assert by_action["dynamite"].dominance.preferred == "paper"
    assert not by_action["paper"].dominated


@pytest.mark.parametrize("name", ["rps", "kuhn", "kuhn2"])
def test_equilibrium_has_no_undominated_errors(name: str, catalogue_tree: Trees) -> None:
    tree = catalogue_tree(name)
    strategy = solve_lp(tree).strategy
    for player in (0, 1):
        assert [error for error in find_errors(tree, strategy, player) if not error.dominated] == []


def test_errors_in_kuhn(catalogue_tree: Trees) -> None:
    tree = catalogue_tree("kuhn")
    strategy = solve_lp(tree).strategy
    folds = find_errors(tree, strategy.changed({"Ks:r": {"f": 0.5, "c": 0.5}}), 1)
    folding = next(error for error in folds if error.infoset == "Ks:r")
    assert folding.dominated
    assert (folding.action, folding.probability) == ("f", 0.5)
    assert folding.loss > 0
    calls = find_errors(tree, strategy.changed({"Qs:r": {"f": 0.2, "c": 0.8}}), 1)
    calling = next(error for error in calls if error.infoset == "Qs:r")
    assert (calling.action, calling.dominated) == ("c", False)
    assert calling.loss > 0


def test_unreached_mistakes_do_not_count(catalogue_tree: Trees) -> None:
    tree = catalogue_tree("kuhn")
    bets = Strategy.of(tree.infosets, {"Ks": {"r": 1}, "Ks:cr": {"f": 1}})
    assert ("Ks:cr", "f") not in {
        (error.infoset, error.action) for error in find_errors(tree, bets, 0)
    }

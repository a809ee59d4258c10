from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest

from pokerlab.solvers import Strategy, nash_conv, pure_equilibria
from pokerlab.trees import GameTree

Trees = Callable[..., GameTree]


def test_the_seminars_first_example(catalogue_tree: Trees) -> None:
    found = pure_equilibria(catalogue_tree("seminar1"))
    assert [(one[""], one["X"] + one["Y"]) for one in found] == [
        ("X", "wy"),
        ("X", "wz"),
        ("Y", "xy"),
    ]


@pytest.mark.parametrize("name", ["rps", "pennies", "kuhn"])
def test_games_without_any(name: str, catalogue_tree: Trees) -> None:
    assert pure_equilibria(catalogue_tree(name)) == []


def test_one_in_which_rounds_of_dominance_end(catalogue_tree: Trees) -> None:
    assert {"": "X", "X or Y": "x", "Z": "w"} in pure_equilibria(catalogue_tree("seminar2"))


@pytest.mark.parametrize("name", ["seminar1", "seminar2", "coins.3p", "rps.dynamite"])
def test_they_are_the_profiles_with_no_gain(name: str, catalogue_tree: Trees) -> None:
    tree = catalogue_tree(name)
    infosets = tree.infosets
    expected = []
    for chosen in product(*infosets.actions):
        profile = dict(zip(infosets.names, chosen, strict=True))
        pure = Strategy.of(infosets, {name: {action: 1} for name, action in profile.items()})
        if nash_conv(tree, pure) < 1e-9:
            expected.append(profile)
    found = pure_equilibria(tree)
    assert len(found) == len(expected)
    assert all(profile in expected for profile in found)


def test_three_coins(catalogue_tree: Trees) -> None:
    found = pure_equilibria(catalogue_tree("coins.3p"))
    assert np.unique([len(set(one.values())) for one in found]).tolist() == [1]
    assert len(found) == 2


def test_too_large(catalogue_tree: Trees) -> None:
    with pytest.raises(
        ValueError, match="profiles of pure strategies; at most 100,000 can be listed"
    ):
        pure_equilibria(catalogue_tree("leduc"))

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from pokerlab.solvers import Strategy, probabilities
from pokerlab.trees import GameTree

Trees = Callable[[str], GameTree]


def test_it_is_a_mapping(catalogue_tree: Trees) -> None:
    infosets = catalogue_tree("kuhn").infosets
    strategy = Strategy.uniform(infosets)
    assert len(strategy) == 12
    assert list(strategy) == list(infosets.names)
    assert strategy["Js"] == {"c": 0.5, "r": 0.5}
    assert "Xs" not in strategy
    assert strategy.get("Xs") is None
    with pytest.raises(KeyError):
        strategy["Xs"]
    assert repr(strategy) == "<Strategy of 12 information sets>"


def test_it_reads_itself_back(catalogue_tree: Trees) -> None:
    infosets = catalogue_tree("leduc").infosets
    weights = np.random.default_rng(1).random(infosets.slots)
    strategy = Strategy.from_weights(infosets, weights)
    assert (Strategy.of(infosets, strategy).array == strategy.array).all()
    assert not strategy.array.flags.writeable


def test_weights_of_zero_give_uniform(catalogue_tree: Trees) -> None:
    infosets = catalogue_tree("kuhn").infosets
    weights = np.zeros(infosets.slots)
    weights[infosets.offset[3]] = 3.0
    strategy = Strategy.from_weights(infosets, weights)
    name = infosets.names[3]
    assert list(strategy[name].values()) == [1.0, 0.0]
    assert all(list(strategy[other].values()) == [0.5, 0.5] for other in strategy if other != name)


def test_a_change_leaves_the_rest(catalogue_tree: Trees) -> None:
    before = Strategy.uniform(catalogue_tree("kuhn").infosets)
    after = before.changed({"Js": {"r": 1}})
    assert before["Js"] == {"c": 0.5, "r": 0.5}
    assert after["Js"] == {"c": 0.0, "r": 1.0}
    assert {name for name in before if before[name] != after[name]} == {"Js"}


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"Xs": {"c": 1}}, "no information set 'Xs'; there are 12"),
        (
            {"Js": {"b": 1}},
            "information set 'Js' of player 0 has no action 'b'; it has c, r",
        ),
        (
            {"Js:r": {"f": 0.5, "c": 0.6}},
            "information set 'Js:r' of player 1: probabilities must be at least 0 and sum to 1, "
            "not f 0.5, c 0.6 (sum 1.1)",
        ),
        (
            {"Js": {"c": -0.5, "r": 1.5}},
            "information set 'Js' of player 0: probabilities must be at least 0 and sum to 1, "
            "not c -0.5, r 1.5 (sum 1)",
        ),
        ({"Js": {"c": float("nan"), "r": 1}}, "information set 'Js' of player 0"),
        ({"Js": {"c": float("inf"), "r": 1}}, "information set 'Js' of player 0"),
        ({"Js": {"c": 1 + 2e-9}}, "information set 'Js' of player 0"),
    ],
)
def test_bad_strategies_are_named(
    choices: dict[str, dict[str, float]], message: str, catalogue_tree: Trees
) -> None:
    tree = catalogue_tree("kuhn")
    with pytest.raises(ValueError) as raised:
        probabilities(tree, choices)
    assert str(raised.value).startswith(message)


def test_rounding_is_forgiven(catalogue_tree: Trees) -> None:
    assert probabilities(catalogue_tree("kuhn"), {"Js": {"c": 1 + 5e-10}})[0] > 1


def test_a_strategy_of_another_game(catalogue_tree: Trees) -> None:
    kuhn, leduc = catalogue_tree("kuhn"), catalogue_tree("leduc")
    with pytest.raises(ValueError, match="belongs to another game: it has 12 information sets"):
        probabilities(leduc, Strategy.uniform(kuhn.infosets))
    with pytest.raises(ValueError, match=r"has 2184 probabilities, not \(24,\)"):
        probabilities(leduc, Strategy.uniform(kuhn.infosets).array)
    again = GameTree.build(kuhn.game)
    assert len(probabilities(kuhn, Strategy.uniform(again.infosets))) == 24

"""Best responses for one pocket at a time: closed forms, and the whole made of its parts."""

import numpy as np
import pytest

from pokerlab.games import load_game, merge_suits
from pokerlab.solvers import Strategy, best_response, pocket_values, values
from pokerlab.solvers.evaluation.pockets import deals_with, pockets_of
from pokerlab.trees import GameTree


@pytest.fixture(scope="module")
def kuhn():
    return GameTree.of(load_game("kuhn"))


@pytest.fixture(scope="module")
def leduc():
    return GameTree.of(load_game("leduc"))


def some_strategy(tree, seed=0):
    weights = np.random.default_rng(seed).random(tree.infosets.slots) ** 3
    return Strategy.from_weights(tree.infosets, weights)


def kuhn_equilibrium(tree, bluff):
    """Of the family of equilibria: player 0 bets the jack with probability `bluff`."""
    raises = {
        "Js": bluff,
        "Qs": 0.0,
        "Ks": 3 * bluff,
        "Js:c": 1 / 3,
        "Qs:c": 0.0,
        "Ks:c": 1.0,
    }
    calls = {
        "Js:cr": 0.0,
        "Qs:cr": bluff + 1 / 3,
        "Ks:cr": 1.0,
        "Js:r": 0.0,
        "Qs:r": 1 / 3,
        "Ks:r": 1.0,
    }
    weights = []
    for name, actions in zip(tree.infosets.names, tree.infosets.actions, strict=True):
        chance = raises.get(name, calls.get(name))
        assert actions in (("c", "r"), ("f", "c"))  # the bolder one is the second
        weights += [1 - chance, chance]
    return Strategy.from_weights(tree.infosets, np.array(weights))


@pytest.mark.parametrize("bluff", [0.0, 0.1, 1 / 3])
def test_kuhn_in_equilibrium(kuhn, bluff):
    found = pocket_values(kuhn, kuhn_equilibrium(kuhn, bluff), 0)
    assert [each.pocket for each in found] == ["Js", "Qs", "Ks"]
    assert [each.probability for each in found] == pytest.approx([1 / 3] * 3)
    # A jack loses the ante; a queen a third of it; a king wins it and every sixth time a bet.
    assert [each.best for each in found] == pytest.approx([-1, -1 / 3, 7 / 6])
    assert [each.value for each in found] == pytest.approx([-1, -1 / 3, 7 / 6])
    assert np.mean([each.best for each in found]) == pytest.approx(-1 / 18)


def test_kuhn_against_one_who_never_folds(kuhn):
    infosets = kuhn.infosets
    never = [float(infosets.action(slot) == "c") for slot in range(infosets.slots)]
    calling = Strategy.from_weights(infosets, np.array(never))
    best = {each.pocket: each.best for each in pocket_values(kuhn, calling, 0)}
    assert best == {"Js": -1.0, "Qs": 0.0, "Ks": 2.0}
    response = best_response(kuhn, calling, 0, "K")
    assert response.strategy["Ks"] == {"c": 0.0, "r": 1.0}
    assert response.strategy["Qs"] == calling["Qs"]
    answered = [
        infosets.names[number]
        for number in range(len(infosets))
        if not np.isnan(response.action_values[infosets.offset[number]])
    ]
    assert answered == ["Ks", "Ks:cr"]


@pytest.mark.parametrize("name", ["kuhn", "kuhn.3p", "leduc", "leduc merged"])
def test_a_best_response_is_made_of_those_to_each_pocket(name, kuhn, leduc):
    if name == "leduc merged":
        tree = GameTree.build(merge_suits(load_game("leduc")))
        assert pockets_of(tree, 1) == ("J", "Q", "K")
    else:
        built = {"kuhn": kuhn, "leduc": leduc}
        tree = built.get(name) or GameTree.of(load_game(name))
    for seed in range(3):
        strategy = some_strategy(tree, seed)
        for player in range(tree.players):
            found = pocket_values(tree, strategy, player)
            shares = [each.probability for each in found]
            assert sum(shares) == pytest.approx(1.0)
            whole = best_response(tree, strategy, player).value
            assert np.dot(shares, [each.best for each in found]) == pytest.approx(whole, abs=1e-12)
            mean = values(tree, strategy)[player]
            assert np.dot(shares, [each.value for each in found]) == pytest.approx(mean, abs=1e-12)
            assert all(each.best >= each.value - 1e-12 for each in found)


def test_the_response_wins_its_value_with_the_pocket_and_nothing_elsewhere(leduc):
    strategy = some_strategy(leduc)
    before = {each.pocket: each.value for each in pocket_values(leduc, strategy, 1)}
    response = best_response(leduc, strategy, 1, "Qs")
    after = {each.pocket: each.value for each in pocket_values(leduc, response.strategy, 1)}
    assert after.pop("Qs") == pytest.approx(response.value)
    assert before.pop("Qs") < response.value
    assert after == pytest.approx(before)


def test_a_rank_is_the_mean_over_its_cards(leduc):
    strategy = some_strategy(leduc, 4)
    both = [each.best for each in pocket_values(leduc, strategy, 0, "k")]
    assert len(both) == 2
    assert best_response(leduc, strategy, 0, "K").value == pytest.approx(np.mean(both))


def test_where_a_pocket_is_dealt(kuhn, leduc):
    assert [kuhn.path(node) for node in deals_with(kuhn, 1, "Ks")] == [
        "0d{Js} 1d{Ks}",
        "0d{Qs} 1d{Ks}",
    ]
    assert len(deals_with(leduc, 1, "K")) == 10
    for text in ("", "A", "KK", "KsQs", "s"):
        with pytest.raises(ValueError, match=r"no pocket '.*' of player 0 in kuhn \(Js, Qs, Ks\)"):
            deals_with(kuhn, 0, text)
    with pytest.raises(ValueError, match=r"no pocket 'Ks' .* \(J, Q, K\)"):
        deals_with(GameTree.build(merge_suits(load_game("leduc"))), 1, "Ks")
    with pytest.raises(ValueError, match="the player gets no private cards"):
        deals_with(GameTree.of(load_game("rps")), 0, "K")
    with pytest.raises(ValueError, match="no player 2"):
        pocket_values(kuhn, some_strategy(kuhn), 2)

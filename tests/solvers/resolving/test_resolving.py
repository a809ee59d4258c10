from importlib.resources import files

import numpy as np
import pytest

from pokerlab.games import load_game
from pokerlab.solvers import Strategy, best_response, exploitability, solve_lp, values
from pokerlab.solvers.resolving.kinds import KINDS
from pokerlab.solvers.resolving.resolving import resolve
from pokerlab.solvers.resolving.subgames import subgames_at, subgames_from
from pokerlab.studies.resolving.coin_toss import CoinToss
from pokerlab.trees import GameTree

SAFE = ("resolve", "maxmargin", "reach-resolve", "reach-maxmargin")


def random_strategy(tree, seed, sharp):
    """Some strategy; a sharp one never plays many of its actions."""
    rng = np.random.default_rng(seed)
    weights = rng.random(tree.infosets.slots) ** sharp
    weights[rng.random(tree.infosets.slots) < sharp / 30] = 0.0
    return Strategy.from_weights(tree.infosets, weights)


@pytest.fixture(scope="module")
def leduc():
    return GameTree.of(load_game("leduc"))


@pytest.fixture(scope="module")
def games(leduc):
    folder = files("pokerlab.studies") / "resolving"
    small = ("leduc.nolimit", "rhodeisland.small")
    return {
        "leduc": leduc,
        **{name: GameTree.of(load_game(str(folder / f"{name}.toml"))) for name in small},
    }


@pytest.mark.parametrize(
    ("name", "street"),
    [
        ("leduc", 2),
        ("leduc.nolimit", 2),
        ("rhodeisland.small", 2),
        pytest.param("rhodeisland.small", 3, marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("gadget", SAFE)
@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 6))]
)
def test_safe_gadgets_never_make_a_strategy_easier_to_exploit(games, name, street, gadget, seed):
    tree = games[name]
    before = random_strategy(tree, seed, (0.5, 2, 8)[seed % 3])
    found = resolve(tree, before, street, gadget=gadget)
    assert found.before == exploitability(tree, before)
    assert found.after == exploitability(tree, found.strategy)
    assert found.after <= found.before + 1e-9
    if not gadget.startswith("reach-"):
        assert found.margin >= -1e-8
    for seat in (0, 1):  # each player's own strategy, too
        assert (
            best_response(tree, found.strategy, 1 - seat).value
            <= best_response(tree, before, 1 - seat).value + 1e-9
        )


def test_an_equilibrium_stays_one(leduc):
    exact = solve_lp(leduc).strategy
    for gadget in ("resolve", "reach-maxmargin"):
        assert resolve(leduc, exact, gadget=gadget).after < 1e-8


def test_without_a_gadget_a_good_strategy_gets_worse(leduc):
    # Equilibria of subgames that nobody defends against other hands.
    found = resolve(leduc, solve_lp(leduc).strategy, gadget="unsafe")
    assert found.before < 1e-9
    assert found.after > 0.01
    assert found.margin < -0.1


def test_nothing_before_the_street_changes(leduc):
    before = random_strategy(leduc, 3, 2)
    after = resolve(leduc, before, gadget="maxmargin").strategy
    inside = {name for name in leduc.infosets if "/" in name}
    for name in leduc.infosets:
        if name not in inside:
            assert after[name] == before[name]


COIN = GameTree.build(CoinToss())
PLAYED = subgames_at(COIN, [COIN.find(f"0d{{{side}}} 0play") for side in ("heads", "tails")])


@pytest.mark.parametrize("gadget", [*KINDS, "reach-maxmargin"])
def test_the_coin_toss(gadget):
    # Seat 0 sells neither side or both: who looks at the subgame alone sees a fair coin.
    balanced = Strategy.of(COIN.infosets, {"play": {"heads": 0.25, "tails": 0.75}})
    assert best_response(COIN, balanced, 0).value == pytest.approx(0)
    found = resolve(COIN, balanced, PLAYED, gadget=gadget)
    gain = best_response(COIN, found.strategy, 0).value
    if gadget in ("unsafe",):
        assert gain > 0.2
    elif gadget != "combined":
        assert gain == pytest.approx(0, abs=1e-9)
        assert found.strategy["play"]["heads"] == pytest.approx(0.25)


def test_a_margin_by_hand():
    # Seat 1 guesses heads half of the time: playing on was worth 0 with either side. Whatever they
    # guess, one side gains what the other loses, so no answer has a better least margin.
    careless = Strategy.of(COIN.infosets, {"play": {"heads": 0.5, "tails": 0.5}})
    found = resolve(COIN, careless, PLAYED, gadget="maxmargin")
    assert found.strategy["play"]["heads"] == pytest.approx(0.5)
    assert found.margin == pytest.approx(0.0, abs=1e-9)
    # With what tails give away by playing instead of selling for −½, there is nothing to gain
    # either; heads give ½ away, a half of which counts: tails may be guessed more often.
    found = resolve(COIN, careless, PLAYED, gadget="reach-maxmargin")
    assert found.strategy["play"]["heads"] == pytest.approx(0.4375)
    assert best_response(COIN, found.strategy, 0).value < best_response(COIN, careless, 0).value


def test_nothing_is_left_to_win_a_second_time(leduc):
    before = random_strategy(leduc, 11, 2)
    subgames = subgames_from(leduc, 2)[:2]
    found = resolve(leduc, before, subgames, gadget="maxmargin")
    better = resolve(leduc, found.strategy, subgames, gadget="maxmargin")
    # The hand that gains least cannot be pressed further.
    assert better.margin == pytest.approx(0, abs=1e-7)


def test_unsafe_is_the_equilibrium_for_the_hands_that_come(leduc):
    before = random_strategy(leduc, 5, 2)
    found = resolve(leduc, before, gadget="unsafe")
    # No player can do better in the subgames while the other keeps the answer: the play of both
    # is an equilibrium of what follows their play before.
    won = values(leduc, found.strategy)
    for seat in (0, 1):
        best = best_response(leduc, found.strategy, seat).strategy
        inside = [name for name in leduc.infosets if "/" in name]
        mixed = found.strategy.changed({name: best[name] for name in inside})
        assert values(leduc, mixed)[seat] <= won[seat] + 1e-9


def test_bad_input(leduc):
    uniform = Strategy.uniform(leduc.infosets)
    with pytest.raises(ValueError, match="no gadget 'safe'"):
        resolve(leduc, uniform, gadget="safe")
    with pytest.raises(ValueError, match="cannot be worth 'much'"):
        resolve(leduc, uniform, worth="much")
    with pytest.raises(ValueError, match="no street 3 in leduc, which has 2"):
        resolve(leduc, uniform, 3)
    with pytest.raises(ValueError, match="from 2 on, not 1"):
        resolve(leduc, uniform, 1)
    three = GameTree.of(load_game("kuhn.3p"))
    with pytest.raises(ValueError, match=r"kuhn\.3p has 3 players"):
        resolve(three, Strategy.uniform(three.infosets))
    with pytest.raises(ValueError, match="lies in one subgame and outside"):
        subgames_at(leduc, [leduc.find("0d{Js} 1d{Qs} 0c")])

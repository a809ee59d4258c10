"""Models from hands: a known strategy is found again, shown or not."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from pokerlab.games import load_betting_game, load_game
from pokerlab.games.protocol import TERMINAL
from pokerlab.players.opponents import (
    Evidence,
    Observation,
    estimate_model,
    estimate_strategy,
    load_model,
    model_tree,
    observe,
)
from pokerlab.solvers import Strategy, reach, solve_lp
from pokerlab.trees import GameTree

KUHN = load_betting_game("kuhn")
TREE = model_tree(KUHN)


def hands_of(
    tree: GameTree,
    player: Strategy,
    other: Strategy,
    hands: int | None,
    *,
    hide: str,
    seed: int = 1,
) -> Counter[Observation]:
    """Hands of a player in both seats against another one; the exact shares if `hands` is None.

    `hide`: "nothing", "folded" (what a player at the table sees), "own" (his cards are never
    shown) or "all" (nobody's are, but at a showdown).
    """
    ends = [state for _, state in tree.states() if state.player == TERMINAL]
    found: Counter[Observation] = Counter()
    for seat in (0, 1):
        own = tree.infosets.slot_player == seat
        profile = np.where(own, player.array, other.array)
        probabilities = reach(tree, profile)[tree.terminals]
        rng = np.random.default_rng([seed, seat])
        counts = (
            probabilities * 1e6 if hands is None else rng.multinomial(hands // 2, probabilities)
        )
        for state, count in zip(ends, counts.tolist(), strict=True):
            if count:
                seen = observe(state, seat, shown_only=hide in ("folded", "all"))
                if hide == "own":
                    holes = [hole if each != seat else () for each, hole in enumerate(state.holes)]
                    seen = seen._replace(holes=tuple(holes))
                if hide == "all" and not seen.holes[seat]:
                    seen = seen._replace(holes=((), ()))
                found[seen] += count
    return found


def some_strategy(tree: GameTree, seed: int) -> Strategy:
    rng = np.random.default_rng(seed)
    return Strategy.from_weights(tree.infosets, rng.uniform(0.1, 1.0, tree.infosets.slots))


@pytest.mark.parametrize("hide", ["nothing", "folded", "own", "all"])
@pytest.mark.parametrize("seed", [1, 2])
def test_exact_shares_give_the_strategy_back(hide: str, seed: int) -> None:
    player, other = some_strategy(TREE, seed), some_strategy(TREE, seed + 10)
    hands = hands_of(TREE, player, other, None, hide=hide)
    found = estimate_strategy(TREE, Evidence.of(TREE, hands), prior_weight=0.0)
    assert np.abs(found.strategy.array - player.array).max() < 2e-3


def test_counting_only_what_was_shown_would_be_wrong() -> None:
    player, other = some_strategy(TREE, 1), some_strategy(TREE, 11)
    hands = hands_of(TREE, player, other, None, hide="folded")
    shown = {seen: count for seen, count in hands.items() if seen.holes[seen.seat]}
    naive = estimate_strategy(TREE, Evidence.of(TREE, shown), prior_weight=0.0)
    assert np.abs(naive.strategy.array - player.array).max() > 0.1


@pytest.mark.parametrize("hide", ["nothing", "folded", "own"])
def test_simulated_hands_give_it_back_within_their_error(hide: str) -> None:
    """The mean over many small logs: an estimator with a bias would miss it by many errors."""
    player, other = some_strategy(TREE, 3), some_strategy(TREE, 13)
    logs = [
        estimate_strategy(
            TREE,
            Evidence.of(TREE, hands_of(TREE, player, other, 20_000, hide=hide, seed=seed)),
            prior_weight=0.0,
        ).strategy.array
        for seed in range(12)
    ]
    error = np.std(logs, axis=0, ddof=1) / np.sqrt(len(logs))
    assert (np.abs(np.mean(logs, axis=0) - player.array) < 4.5 * error + 1e-3).all()


def test_counts_are_kept_and_add_up() -> None:
    player, other = some_strategy(TREE, 1), some_strategy(TREE, 11)
    hands = hands_of(TREE, player, other, 1000, hide="folded")
    model = estimate_model(TREE, hands, "bob")
    assert model.hands == 1000
    infosets = TREE.infosets
    first = [infosets.number(name) for name in ("Js", "Qs", "Ks")]
    assert model.observations[first].sum() == pytest.approx(500)
    assert (model.shown <= model.counts + 1e-9).all()
    assert model.shown.sum() < model.counts.sum()
    everything = estimate_model(TREE, hands_of(TREE, player, other, 1000, hide="nothing"), "bob")
    assert everything.shown == pytest.approx(everything.counts)


def test_the_prior_decides_where_nothing_was_seen() -> None:
    equilibrium = solve_lp(TREE).strategy
    seen = observe(KUHN.replay("rf", KUHN.make_deal(["Ks", "Js"])), 1)
    for weight in (0.0, 2.0):
        model = estimate_model(
            TREE, {seen: 2}, "bob", prior=equilibrium, prior_name="equilibrium", prior_weight=weight
        )
        assert model.strategy["Ks"] == equilibrium["Ks"]
        share = 2 + weight * equilibrium["Js:r"]["f"]
        assert model.strategy["Js:r"]["f"] == pytest.approx(share / (2 + weight))


def test_leduc_up_to_suits() -> None:
    tree = model_tree(load_betting_game("leduc"))
    player, other = some_strategy(tree, 1), some_strategy(tree, 11)
    hands = hands_of(tree, player, other, None, hide="nothing")
    found = estimate_strategy(tree, Evidence.of(tree, hands), prior_weight=0.0)
    assert np.abs(found.strategy.array - player.array).max() < 1e-6
    hidden = Evidence.of(tree, hands_of(tree, player, other, None, hide="folded"))
    found = estimate_strategy(tree, hidden, prior_weight=0.0)
    assert np.abs(found.strategy.array - player.array).max() < 0.02


def test_suits_do_not_matter() -> None:
    game = load_betting_game("leduc")
    tree = model_tree(game)
    slots = set()
    for holes, board in ((["Js", "Kh"], "Ks"), (["Jh", "Ks"], "Kh")):
        hand = game.replay("cc/rc", game.make_deal(holes, board))
        evidence = Evidence.of(tree, {observe(hand, 0): 1})
        slots.add((evidence.own.tolist()[0], evidence.others.tolist()[0][0]))
    assert len(slots) == 1


def test_a_file_gives_the_model_back(tmp_path) -> None:
    for name in ("kuhn", "leduc"):
        game = load_betting_game(name)
        tree = model_tree(game)
        hands = hands_of(tree, some_strategy(tree, 1), some_strategy(tree, 2), 100, hide="folded")
        model = estimate_model(tree, hands, "bob", prior_weight=0.5)
        model.save(tmp_path / name)
        again = load_model(tmp_path / name)
        assert again.tree.digest == tree.digest
        for key in ("player", "hands", "prior", "prior_weight"):
            assert getattr(again, key) == getattr(model, key)
        for key in ("counts", "shown", "observations"):
            assert getattr(again, key).tolist() == getattr(model, key).tolist()
        assert again.strategy.array.tolist() == model.strategy.array.tolist()


def test_bad_input_is_one_line() -> None:
    with pytest.raises(ValueError, match="no hands"):
        Evidence.of(TREE, {})
    with pytest.raises(ValueError, match="not over after 'cr'"):
        observe(KUHN.replay("cr", KUHN.make_deal(["Ks", "Js"])), 0)
    seen = observe(KUHN.replay("cc", KUHN.make_deal(["Ks", "Js"])), 0)
    with pytest.raises(ValueError, match="prior weight: -1"):
        estimate_strategy(TREE, Evidence.of(TREE, {seen: 1}), prior_weight=-1.0)
    with pytest.raises(ValueError, match="cards are drawn"):
        Evidence.of(GameTree.of(load_game("rps")), {seen: 1})
    with pytest.raises(ValueError, match="too many for a model"):
        model_tree(load_betting_game("holdem.limit.2p"))


def test_three_players() -> None:
    game = load_betting_game("kuhn.3p")
    tree = model_tree(game)
    hand = game.replay("ccrff", game.make_deal(["Js", "Qs", "Ks"]))
    evidence = Evidence.of(tree, {observe(hand, 2, shown_only=True): 1})
    assert evidence.others.shape == (2, 2)  # the two cards that are left
    assert estimate_strategy(tree, evidence).counts.sum() == pytest.approx(1.0)

"""Responses to models: linear programs, iterations and explicit games agree; the frontier."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest

from pokerlab.games import load_game, merge_suits
from pokerlab.games.protocol import CHANCE
from pokerlab.solvers import (
    CfrSolver,
    RestrictedPlayer,
    Strategy,
    best_response,
    confidence,
    exploitability,
    frontier,
    judge,
    respond,
    run,
    solve_lp,
    values,
)
from pokerlab.solvers.exact.restricted_form import respond_exactly
from pokerlab.trees import GameTree

SHARES = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0)


@cache
def tree_of(name: str) -> GameTree:
    game = load_game(name)
    return GameTree.build(merge_suits(game) if name == "leduc" else game)


@cache
def random_model(name: str, seed: int = 1) -> Strategy:
    infosets = tree_of(name).infosets
    return Strategy.from_weights(infosets, np.random.default_rng(seed).random(infosets.slots))


def always(tree: GameTree, action: str) -> Strategy:
    """Always raise, where that is possible, or always call."""
    infosets = tree.infosets
    return Strategy.of(
        infosets,
        {
            name: {action if action in actions else "c": 1.0}
            for name, actions in zip(infosets.names, infosets.actions, strict=True)
        },
    )


@dataclass(frozen=True)
class CoinGame:
    """The game against a restricted player, written out with coins as moves of chance.

    He knows which of his own moves were forced; that is of no use to him, and lets him remember
    all that he did.
    """

    tree: GameTree
    restricted: RestrictedPlayer

    name = "coins"
    players = 2

    def start(self) -> CoinState:
        return CoinState(self, self.tree.game.start(), "start", "")


@dataclass(frozen=True)
class CoinState:
    game: CoinGame
    inner: Any
    coin: str
    past: str

    def own(self) -> int:
        """The information set of the restricted player who moves; -1 if he does not."""
        if self.inner.player != self.game.restricted.player:
            return -1
        return self.game.tree.infosets.number(self.inner.seen_by(self.inner.player))

    @property
    def player(self) -> int:
        waits = self.coin == "start" or (self.own() >= 0 and self.coin in ("", "bound", "model"))
        return CHANCE if waits else self.inner.player

    def chances(self) -> Sequence[float]:
        restricted = self.game.restricted
        if self.coin == "start":
            return (restricted.restriction.whole, 1.0 - restricted.restriction.whole)
        infoset = self.own()
        if infoset < 0:
            return tuple(self.inner.chances())
        if self.coin == "":
            share = float(restricted.restriction.trust[infoset])
            return (share, 1.0 - share)
        model = Strategy(self.game.tree.infosets, restricted.restriction.model)
        return tuple(model[self.inner.seen_by(self.inner.player)].values())

    def actions(self) -> Sequence[str]:
        if self.coin == "start":
            return ("model", "free")
        if self.own() >= 0 and self.coin == "":
            return ("bound", "chooses")
        return tuple(self.inner.actions())

    def apply(self, action: str) -> CoinState:
        if self.coin == "start":
            return CoinState(self.game, self.inner, "model" if action == "model" else "", "")
        if self.own() >= 0 and self.coin == "":
            return CoinState(self.game, self.inner, action, self.past + action[0])
        coin = "model" if self.coin == "model" else ""
        return CoinState(self.game, self.inner.apply(action), coin, self.past)

    def payoffs(self) -> Sequence[float]:
        return tuple(self.inner.payoffs())

    def seen_by(self, seat: int) -> str:
        past = self.past if seat == self.game.restricted.player else ""
        return f"{self.inner.seen_by(seat)} {past}"

    def public(self) -> str:
        return str(self.inner.public())


def restrictions(name: str, player: int) -> list[RestrictedPlayer]:
    """A share of whole hands, and shares by information set (some 0, some 1)."""
    tree, model = tree_of(name), random_model(name)
    shares = np.random.default_rng(2).random(len(tree.infosets))
    shares[::5], shares[1::7] = 0.0, 1.0
    return [RestrictedPlayer.of(tree, model, player, p) for p in (0.4, shares)]


@pytest.mark.parametrize("player", [0, 1])
def test_the_program_solves_the_game_written_out_with_coins(player: int) -> None:
    tree = tree_of("kuhn")
    for restricted in restrictions("kuhn", player):
        coins = GameTree.build(CoinGame(tree, restricted))
        value, weights, _ = respond_exactly(restricted)
        assert value == pytest.approx(solve_lp(coins).values[1 - player], abs=1e-9)
        strategy = Strategy.from_weights(tree.infosets, weights)
        assert -restricted.best_reply(strategy) == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize(("name", "tolerance"), [("kuhn", 1e-8), ("leduc", 3e-6)])
def test_iterations_and_programs_agree(name: str, tolerance: float) -> None:
    for player in (0, 1):
        for restricted in restrictions(name, player):
            value, _, _ = respond_exactly(restricted)
            solver = CfrSolver(restricted.tree, "pcfr+", restricted=restricted)
            solver.iterate(12_000)
            profile = solver.strategy()
            best = best_response(restricted.tree, profile, 1 - player).value
            assert -restricted.best_reply(profile) - 1e-9 <= value <= best + 1e-9
            assert solver.exploitability() == pytest.approx(
                (best + restricted.best_reply(profile)) / 2
            )
            assert solver.exploitability() < tolerance


@pytest.mark.parametrize("rule", ["cfr", "cfr+", "dcfr", "cgh", "fp"])
@pytest.mark.parametrize("alternating", [True, False])
def test_every_rule_goes_to_the_same_response(rule: str, alternating: bool) -> None:
    for restricted in restrictions("kuhn", 1):
        solver = CfrSolver(restricted.tree, rule, alternating=alternating, restricted=restricted)
        solver.iterate(3000)
        assert 0.0 <= solver.exploitability() < 5e-3
        # What the restricted player plays is never less than what he is bound to.
        own = restricted.tree.infosets.slot_player == 1
        assert (solver.strategy().array[own] >= restricted.held[own] - 1e-12).all()


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_ends_are_equilibrium_and_best_response(name: str) -> None:
    tree, model = tree_of(name), random_model(name)
    safe, greedy = frontier(tree, model, (0.0, 1.0))
    assert safe.exploitability == pytest.approx(0.0, abs=1e-9)
    assert safe.guaranteed == pytest.approx(solve_lp(tree).values, abs=1e-9)
    assert greedy.won == pytest.approx(
        [best_response(tree, model, seat).value for seat in (0, 1)], abs=1e-9
    )


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
@pytest.mark.parametrize("action", ["c", "r", "uniform"])
def test_the_frontier_rises_and_is_concave(name: str, action: str) -> None:
    tree = tree_of(name)
    model = Strategy.uniform(tree.infosets) if action == "uniform" else always(tree, action)
    found = frontier(tree, model, SHARES)
    won, lost = (np.array([getattr(each, key) for each in found]) for key in ("won", "guaranteed"))
    for seat in (0, 1):
        gain, risk = won[:, seat], -lost[:, seat]
        assert (np.diff(gain) >= -1e-8).all()
        assert (np.diff(risk) >= -1e-8).all()
        assert gain[-1] > gain[0] + 0.05
        # No point lies above the line through one of them with the slope that belongs to its p.
        for share, here, there in zip(SHARES, gain, risk, strict=True):
            assert (
                share * gain - (1 - share) * risk <= share * here - (1 - share) * there + 1e-8
            ).all()
    assert [each.exploitability for each in found] == pytest.approx(
        [exploitability(tree, each.strategy) for each in found], abs=1e-12
    )


def test_no_strategy_does_better_on_the_frontier() -> None:
    tree, model = tree_of("leduc"), random_model("leduc")
    response = respond(tree, model, 0.6)
    for seed in range(20):
        other = judge(tree, random_model("leduc", seed), model)
        for seat in (0, 1):
            assert (
                0.6 * other.won[seat] + 0.4 * other.guaranteed[seat]
                <= 0.6 * response.won[seat] + 0.4 * response.guaranteed[seat]
            )


def test_certainty_everywhere_is_the_best_response_and_none_is_the_equilibrium() -> None:
    tree, model = tree_of("kuhn"), random_model("kuhn")
    sure = respond(tree, model, np.ones(len(tree.infosets)))
    unsure = respond(tree, model, np.zeros(len(tree.infosets)))
    assert sure.gain == pytest.approx(respond(tree, model, 1.0).gain, abs=1e-9)
    assert unsure.exploitability == pytest.approx(0.0, abs=1e-9)


def test_a_rule_gives_what_the_program_gives() -> None:
    tree, model = tree_of("kuhn"), random_model("kuhn")
    exact, found = respond(tree, model, 0.3), respond(tree, model, 0.3, rule="pcfr+")
    assert 0.0 <= found.gap <= 1e-6
    mixed = [0.3 * each.gain - 0.7 * each.exploitability for each in (exact, found)]
    assert mixed[1] == pytest.approx(mixed[0], abs=2e-6)
    short = respond(tree, model, 0.3, rule="dcfr", iterations=5)
    assert short.iterations == 10
    assert short.gap > 1e-4


def test_values_of_whole_hands_are_those_of_the_mixture() -> None:
    tree, model = tree_of("leduc"), random_model("leduc")
    restricted = RestrictedPlayer.of(tree, model, 0, 0.3)
    profile = random_model("leduc", 5)
    apart = 0.3 * values(tree, restricted_profile(tree, profile, model, 0)) + 0.7 * values(
        tree, profile
    )
    assert values(tree, restricted.mix_whole_hands(profile)) == pytest.approx(apart, abs=1e-12)


def restricted_profile(tree: GameTree, profile: Strategy, model: Strategy, player: int) -> Strategy:
    own = tree.infosets.slot_player == player
    return Strategy(tree.infosets, np.where(own, model.array, profile.array))


def test_a_checkpoint_of_another_model_is_refused(tmp_path: Any) -> None:
    file = tmp_path / "solve.safetensors"
    first, second = restrictions("kuhn", 1)
    run(CfrSolver(first.tree, "cfr+", restricted=first), iterations=10, checkpoint=file)
    with pytest.raises(ValueError, match="restricted"):
        run(CfrSolver(first.tree, "cfr+", restricted=second), iterations=20, checkpoint=file)
    again = CfrSolver(first.tree, "cfr+", restricted=first)
    assert run(again, iterations=20, checkpoint=file).iterations == 20
    through = CfrSolver(first.tree, "cfr+", restricted=first)
    through.iterate(20)
    assert again.strategy().array.tolist() == through.strategy().array.tolist()


def test_confidence_grows_with_observations() -> None:
    found = confidence([0, 1, 10, 1e9], most=0.8, half_at=10)
    assert found.tolist() == pytest.approx([0.0, 0.8 / 11, 0.4, 0.8])
    for bad in ({"most": 1.1}, {"half_at": 0.0}, {"half_at": float("nan")}):
        with pytest.raises(ValueError, match=next(iter(bad))):
            confidence([1.0], **bad)
    with pytest.raises(ValueError, match="observations must be"):
        confidence([-1.0])


@pytest.mark.parametrize("p", [-0.1, 1.1, float("nan"), [0.5], [2.0] * 12])
def test_what_is_not_a_probability_is_refused(p: Any) -> None:
    with pytest.raises(ValueError, match=r"^p: "):
        respond(tree_of("kuhn"), {}, p)


def test_games_of_three_are_refused() -> None:
    with pytest.raises(ValueError, match=r"for two-player games; kuhn\.3p has 3"):
        respond(GameTree.of(load_game("kuhn.3p")), {}, 0.5)

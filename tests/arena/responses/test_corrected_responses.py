"""Corrected results of local best responses: the mean over everything is the exact one."""

from itertools import product

import numpy as np
import pytest
from tests.arena.responses.test_local_best_response import LEDUC, NO_LIMIT_LEDUC, Mixed
from tests.arena.variance.every_hand import all_deals

from pokerlab.arena.responses.local_best_response import LocalBestResponse, _Hand
from pokerlab.games import Deal
from pokerlab.holdem.spots import Spot, solve_spot
from pokerlab.players.bots import Caller, Raiser, StrategyBot
from pokerlab.players.bots.hand_strategy import private_hands
from pokerlab.players.strategies import SpotGame
from pokerlab.solvers import solve


class Guessing(Mixed):
    """Tells values that are nonsense, and not everywhere."""

    def hand_values(self, view, seat):
        if "c" in view.betting[-1:]:
            return None
        return self._noise(view.betting, view.board, (2, len(private_hands(view.game))))

    def card_values(self, view, seat):
        game = view.game
        return self._noise(view.betting, (), (len(game.deck), 2, len(private_hands(game))))

    def _noise(self, betting, board, shape):
        seed = [*betting.encode(), *map(int, board)]
        return np.random.default_rng(seed).normal(0, 3, shape)


def equally_often(game):
    deals = list(all_deals(game))
    return [(deal, 1 / len(deals)) for deal in deals]


def by_the_ranges(game):
    """The deals of a river spot."""
    first, second = (each.weights for each in game.spot.ranges)
    hands = private_hands(game)
    found = [
        (Deal((hands[own], hands[other]), game.spot.board), first[own] * second[other])
        for own, other in product(np.flatnonzero(first), np.flatnonzero(second))
        if not {*hands[own]} & {*hands[other]}
    ]
    total = sum(chance for _, chance in found)
    return [(deal, chance / total) for deal, chance in found]


def every_result(responder, seat, deals=None):
    """The probability of every hand that can be played, with what was won in it, plain and not."""
    known, rows, policies = {}, [], []
    for deal, likely in deals or equally_often(responder.game):
        hand = _Hand(responder, deal.holes[seat], seat, np.random.default_rng(0))
        policies.append(hand.policy)  # it is the same for every hand
        hand.policy = policies[0]
        held = responder.hands.index(deal.holes[1 - seat])
        waiting = [(responder.game.start(deal), likely)]
        while waiting:
            state, chance = waiting.pop()
            if state.player < 0:
                key = state.betting, state.board
                if key not in known:
                    known[key] = hand.corrected(state, np.nan)
                rows.append((chance, state.payoffs()[seat], known[key]))
            elif state.player == seat:
                waiting.append((state.apply(hand.choose(state)), chance))
            else:
                told = hand.policy.answer(state)
                for action, row in zip(told.actions, told.probabilities[held], strict=True):
                    if row > 0:
                        waiting.append((state.apply(action), chance * row))
    return np.array(rows)


@pytest.mark.parametrize("menu", ["fc", "fcpa"])
@pytest.mark.parametrize("game", [LEDUC, NO_LIMIT_LEDUC], ids=lambda game: game.name)
@pytest.mark.parametrize("kind", [Mixed, pytest.param(Guessing)])
def test_the_mean_is_the_exact_one(game, menu, kind):
    """Over all deals and all the bot may do, in both seats, whatever values the bot tells."""
    bot = kind()
    bot.reset(game, np.random.default_rng(1))
    responder = LocalBestResponse(game, bot, menu)
    for seat in (0, 1):
        rows = every_result(responder, seat)
        exact = responder.expected([seat])
        assert rows[:, 0] @ rows[:, 1] == pytest.approx(exact, abs=1e-9)
        assert rows[:, 0] @ rows[:, 2] == pytest.approx(exact, abs=1e-9)


def equilibrium():
    return StrategyBot(solve("leduc", "lp"))


@pytest.mark.parametrize("kind", [Caller, Raiser, equilibrium])
def test_the_noise_falls(kind):
    bot = kind()
    bot.reset(LEDUC, np.random.default_rng(1))
    responder = LocalBestResponse(LEDUC, bot, "fc")
    rows = np.concatenate([every_result(responder, seat) for seat in (0, 1)])
    spread = [np.sqrt(np.cov(each, aweights=rows[:, 0])) for each in rows.T[1:]]
    assert spread[1] < spread[0] / 3


@pytest.mark.parametrize("menu", ["fc", pytest.param("fcpa", marks=pytest.mark.slow)])
def test_a_river_gives_what_is_exact(menu):
    """A solution tells what hands are worth; with what is known of both, little noise is left."""
    spot = Spot(
        "QhJh2c4d7s", "AA, QJs, 98s", "QQ, AJs, 65s", pot=100, stack=300,
        bet="100%, a", raise_="100%, a",
    )  # fmt: skip
    game = SpotGame.of(spot)
    bot = StrategyBot(solve_spot(spot, iterations=30))
    bot.reset(game, np.random.default_rng(1))
    responder = LocalBestResponse(game, bot, menu)
    for seat in (0, 1):
        rows = every_result(responder, seat, by_the_ranges(game))
        exact = responder.expected([seat])
        assert rows[:, 0] @ rows[:, 1] == pytest.approx(exact, abs=1e-4)
        assert rows[:, 0] @ rows[:, 2] == pytest.approx(exact, abs=1e-4)
        spread = [np.sqrt(np.cov(each, aweights=rows[:, 0])) for each in rows.T[1:]]
        assert spread[1] < (1e-3 if menu == "fc" else spread[0] / 3)

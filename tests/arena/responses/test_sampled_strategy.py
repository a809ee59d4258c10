"""The estimated strategy of a bot that is asked again and again."""

import numpy as np

from pokerlab.arena.responses.sampled_strategy import sampled_strategy
from pokerlab.games import load_game
from pokerlab.players.bots import FairBot, RandomBot

LEDUC = load_game("leduc")


def test_a_pure_bot_is_found_almost_at_once():
    view = LEDUC.replay("rc/r", LEDUC.make_deal(["Js", "Kh"], "Jh")).view(1)
    bot = FairBot()
    bot.reset(LEDUC, np.random.default_rng(1))
    told = bot.hand_strategy(view)
    found = sampled_strategy(FairBot(), LEDUC, view, 20, np.random.default_rng(1))
    for place, action in enumerate(told.actions):
        column = found.probabilities[:, found.actions.index(action)]
        assert abs(column - told.probabilities[:, place]).max() < 0.02


def test_only_the_hands_that_are_asked_have_a_strategy():
    view = LEDUC.replay("r").view(1)
    found = sampled_strategy(RandomBot(), LEDUC, view, 5, np.random.default_rng(1), [0, 4])
    np.testing.assert_allclose(found.probabilities.sum(axis=1), [1, 0, 0, 0, 1, 0])


def test_a_bot_that_fails_calls():
    class Broken(FairBot):
        def act(self, view):
            raise KeyError("ace")

    view = LEDUC.replay("r").view(1)
    found = sampled_strategy(Broken(), LEDUC, view, 1, np.random.default_rng(1))
    assert found.actions == ("c",)

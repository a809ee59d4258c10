"""Bots that play trained strategies."""

from dataclasses import replace

import numpy as np
import pytest

from pokerlab.arena.matches import play_match
from pokerlab.arena.simulation.compiled_match import simulate
from pokerlab.games import load_betting_game
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
from pokerlab.holdem.limit.training.training import train
from pokerlab.players.bots.limit_bot import LimitStrategy, ThreePlayerLimitBot, TwoPlayerLimitBot


@pytest.fixture(scope="module")
def leduc():
    game = BucketedGame.of(load_betting_game("leduc"), "each")
    return LimitStrategy.of(train(game, iterations=100_000, threads=1))


def test_plays_what_the_table_says(leduc, tmp_path):
    """At a table of the arena it wins what its table wins in the compiled loop."""
    path = tmp_path / "leduc.safetensors"
    leduc.save(path)
    match = play_match("leduc", [TwoPlayerLimitBot(path), "random"], 4000, 1)
    table = simulate("leduc", [leduc.table(), "random"], 400_000, 1)
    error = np.hypot(match.stderr[0], table.stderr[0])
    assert abs(match.mbb_per_hand[0] - table.mbb_per_hand[0]) < 4 * error
    assert match.mbb_per_hand[0] > 4 * match.stderr[0]


def test_calls_where_training_never_came():
    game = BucketedGame.of(load_betting_game("leduc"), "each")
    strategy = LimitStrategy.of(train(game, iterations=0, threads=1))
    bot = TwoPlayerLimitBot(strategy)
    bot.reset(game.game, np.random.default_rng(1))
    state = game.game.start(next(game.game.deals(np.random.default_rng(1), 1)))
    assert bot.probabilities(state.view(state.player)) == {"c": 1.0}


def test_three_players_play():
    game = BucketedGame.of(load_betting_game("holdem.limit.3p"), "classes")
    strategy = LimitStrategy.of(train(game, iterations=3_000, threads=1, boards=1))
    bot = ThreePlayerLimitBot(strategy)
    result = play_match("holdem.limit.3p", [bot, "caller", "random"], 300, 1)
    assert result.hands == 300
    assert sum(result.chips) == pytest.approx(0)


def test_only_its_own_game(leduc):
    bot = TwoPlayerLimitBot(leduc)
    renamed = replace(load_betting_game("leduc"), name="mine")
    bot.reset(renamed, np.random.default_rng(1))
    with pytest.raises(ValueError, match="a strategy of leduc cannot play kuhn"):
        bot.reset(load_betting_game("kuhn"), np.random.default_rng(1))


def test_says_how_to_train_the_default(tmp_path, monkeypatch):
    monkeypatch.setenv("POKERLAB_CACHE", str(tmp_path))
    with pytest.raises(ValueError, match=r"train holdem.limit.2p, or name its file: limit2:FILE"):
        TwoPlayerLimitBot()
    with pytest.raises(ValueError, match=r"train holdem.limit.3p --minutes 40, or name"):
        ThreePlayerLimitBot()

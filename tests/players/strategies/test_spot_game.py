from collections import Counter

import numpy as np
import pytest

from pokerlab.holdem.spots import Spot
from pokerlab.players.bots.simple import Caller
from pokerlab.players.strategies import SpotGame, load_table_game


@pytest.fixture
def spot():
    return Spot(
        "QhJh2c4d", "AA, KQs, 9h8h, 77", "JJ, 55, AhKh, QTs", pot=101, stack=300, bet="50%, a"
    )


def test_the_chips_are_those_of_the_spot(spot):
    game = SpotGame.of(spot)
    state = game.start(game.deal(np.random.default_rng(1)))
    assert (state.pot / game.unit, state.stacks[0] / game.unit) == (101, 300)
    assert state.board == spot.board and state.player == 0
    assert state.apply("r303").apply("f").payoffs() == (50.5, -50.5)


def test_likely_hands_come_more_often():
    spot = Spot("QhJh2c4d7s", "AsAd:0.25, KcKd", "TsTd", pot=10, stack=10)
    deals = SpotGame.of(spot).deals(np.random.default_rng(1), 5000)
    aces = sum(51 in deal.holes[0] for deal in deals)
    assert aces / 5000 == pytest.approx(0.2, abs=0.02)


def test_copies_keep_the_spot(spot):
    import pickle

    game = SpotGame.of(spot)
    again = pickle.loads(pickle.dumps(game))
    assert again == game and again.spot == spot
    assert game.with_stacks(game.stacks) == game
    assert game != SpotGame.of(Spot("QhJh2c4d", "AA", "KK", pot=101, stack=300, bet="50%, a"))


def test_spots_are_dealt_from_their_ranges(spot):
    game = SpotGame.of(spot)
    deals = list(game.deals(np.random.default_rng(1), 1200))
    assert deals[:7] == list(game.deals(np.random.default_rng(1), 7))
    assert all(deal.board[:4] == spot.board for deal in deals)
    held = Counter(spot.ranges[0].weights[combo(deal.holes[0])] for deal in deals)
    assert set(held) == {1.0}
    for deal in deals:
        cards = [*deal.holes[0], *deal.holes[1], *deal.board]
        assert len(set(cards)) == 9


def combo(hole):
    low, high = sorted(hole)
    return high * (high - 1) // 2 + low


def test_table_games(spot, tmp_path):
    path = tmp_path / "spot.toml"
    path.write_text(spot.to_toml())
    game = load_table_game(path)
    assert isinstance(game, SpotGame) and game.spot == spot
    assert Caller().act(game.start(game.deal(np.random.default_rng(1)))) == "c"
    with pytest.raises(ValueError, match="no game 'kuhm'"):
        load_table_game("kuhm")

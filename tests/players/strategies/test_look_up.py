import numpy as np
import pytest

from pokerlab.games import load_game, merge_suits
from pokerlab.holdem.spots import Spot, solve_spot
from pokerlab.players.strategies import GameLookUp, SpotLookUp, open_strategy
from pokerlab.solvers import solve


@pytest.fixture(scope="module")
def river():
    return solve_spot(
        Spot("QhJh2c4d7h", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80), target="0.5%"
    )


def test_every_information_set_of_leduc_is_found():
    solution = solve("leduc", "dcfr", iterations=20)
    strategy = open_strategy(solution)
    assert isinstance(strategy, GameLookUp)
    seen = set()
    for deal in strategy.game.deals(np.random.default_rng(1), 300):
        waiting = [strategy.game.start(deal)]
        while waiting:
            state = waiting.pop()
            if state.player >= 0:
                probabilities = strategy.probabilities(state.node, state.view(state.player))
                actions = list(state.actions())
                assert list(probabilities) == list(strategy.actions(state.node)) == actions
                assert probabilities == solution.strategy[state.seen_by(state.player)]
                seen.add(state.seen_by(state.player))
                waiting += [state.apply(action) for action in state.actions()]
    assert len(seen) == 936


def test_cards_that_came_later_do_not_count():
    strategy = open_strategy(solve("leduc", "dcfr", iterations=20))
    deal = strategy.game.make_deal(["Ks", "Qh"], "Jh")
    before, after = strategy.game.replay("c", deal), strategy.game.replay("cc/cr", deal)
    early = strategy.game.replay("", deal)
    assert strategy.probabilities(early.node, after.view(0)) == strategy.probabilities(
        early.node, early.view(0)
    )
    assert strategy.probabilities(before.node, before.view(1)) is not None


def test_suits_that_were_merged():
    merged = solve(merge_suits(load_game("leduc")), "dcfr", iterations=20)
    strategy = open_strategy(merged)
    deals = [
        strategy.game.make_deal(holes, board)
        for holes, board in (
            (["Ks", "Qh"], "Kh"),
            (["Kh", "Qs"], "Ks"),
        )
    ]
    told = [
        strategy.probabilities(state.node, state.view(0))
        for state in (strategy.game.replay("cc/", deal) for deal in deals)
    ]
    assert told[0] == told[1] == merged.strategy["Ks:cc/Kh"]


def test_a_spot_by_line(river, tmp_path):
    path = tmp_path / "river.safetensors"
    river.save(path)
    strategy = open_strategy(path)
    assert isinstance(strategy, SpotLookUp)
    game = strategy.game
    deal = game.make_deal(["AsAd", "QsQd"], "QhJh2c4d7h")
    start = game.start(deal)
    assert strategy.actions(start.node) == ["c", "r200", "r260"]
    row = 51 * 50 // 2 + 49
    assert list(strategy.probabilities(start.node, start.view(0)).values()) == pytest.approx(
        river.at("").strategy[:, row].tolist(), abs=1e-3
    )
    # A bet that the spot does not offer, a hand that is not in the range, another board.
    assert strategy.actions(start.apply("r210").node) == ()
    assert strategy.probabilities(start.apply("r210").node, start.apply("r210").view(1)) is None
    stranger = game.start(game.make_deal(["3s3d", "QsQd"], "QhJh2c4d7h"))
    assert strategy.probabilities(stranger.node, stranger.view(0)) is None
    elsewhere = game.start(game.make_deal(["AsAd", "QsQd"], "2h3h4c5d7s"))
    assert strategy.probabilities(elsewhere.node, elsewhere.view(0)) is None

import numpy as np
import pytest

from pokerlab.games import load_game, merge_suits
from pokerlab.postflop import Spot, solve_spot
from pokerlab.solvers import solve
from pokerlab.strategies import GameBook, SpotBook, open_book


@pytest.fixture(scope="module")
def river():
    return solve_spot(
        Spot("QhJh2c4d7h", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80), target="0.5%"
    )


def test_every_information_set_of_leduc_is_found():
    solution = solve("leduc", "dcfr", iterations=20)
    book = open_book(solution)
    assert isinstance(book, GameBook)
    seen = set()
    for deal in book.game.deals(np.random.default_rng(1), 300):
        waiting = [book.game.start(deal)]
        while waiting:
            state = waiting.pop()
            if state.player >= 0:
                chances = book.chances(state.node, state.view(state.player))
                assert list(chances) == list(book.actions(state.node)) == list(state.actions())
                assert chances == solution.strategy[state.seen_by(state.player)]
                seen.add(state.seen_by(state.player))
                waiting += [state.apply(action) for action in state.actions()]
    assert len(seen) == 936


def test_cards_that_came_later_do_not_count():
    book = open_book(solve("leduc", "dcfr", iterations=20))
    deal = book.game.make_deal(["Ks", "Qh"], "Jh")
    before, after = book.game.replay("c", deal), book.game.replay("cc/cr", deal)
    early = book.game.replay("", deal)
    assert book.chances(early.node, after.view(0)) == book.chances(early.node, early.view(0))
    assert book.chances(before.node, before.view(1)) is not None


def test_suits_that_were_merged():
    merged = solve(merge_suits(load_game("leduc")), "dcfr", iterations=20)
    book = open_book(merged)
    deals = [
        book.game.make_deal(holes, board)
        for holes, board in (
            (["Ks", "Qh"], "Kh"),
            (["Kh", "Qs"], "Ks"),
        )
    ]
    told = [
        book.chances(state.node, state.view(0))
        for state in (book.game.replay("cc/", deal) for deal in deals)
    ]
    assert told[0] == told[1] == merged.strategy["Ks:cc/Kh"]


def test_a_spot_by_line(river, tmp_path):
    path = tmp_path / "river.safetensors"
    river.save(path)
    book = open_book(path)
    assert isinstance(book, SpotBook)
    game = book.game
    deal = game.make_deal(["AsAd", "QsQd"], "QhJh2c4d7h")
    start = game.start(deal)
    assert book.actions(start.node) == ["c", "r200", "r260"]
    strategy = river.at("").strategy
    row = 51 * 50 // 2 + 49
    assert list(book.chances(start.node, start.view(0)).values()) == pytest.approx(
        strategy[:, row].tolist(), abs=1e-3
    )
    # A bet that the spot does not offer, a hand that is not in the range, another board.
    assert book.actions(start.apply("r210").node) == ()
    assert book.chances(start.apply("r210").node, start.apply("r210").view(1)) is None
    stranger = game.start(game.make_deal(["3s3d", "QsQd"], "QhJh2c4d7h"))
    assert book.chances(stranger.node, stranger.view(0)) is None
    elsewhere = game.start(game.make_deal(["AsAd", "QsQd"], "2h3h4c5d7s"))
    assert book.chances(elsewhere.node, elsewhere.view(0)) is None

from functools import partial

import numpy as np
import pytest
from tests.arena.variance.every_hand import Mixer, all_hands, match

from pokerlab.arena.hands import Fault, PlayedHand
from pokerlab.arena.variance import (
    all_in_payoffs,
    corrected_payoffs,
    estimate,
    showdown_shares,
)
from pokerlab.arena.variance.as_dealt import as_dealt_payoffs
from pokerlab.arena.variance.call_down import CallDown
from pokerlab.cards import equity
from pokerlab.cards.codes import parse_cards
from pokerlab.games import load_game
from pokerlab.holdem.spots import Spot
from pokerlab.players.bots.fair import FairBot
from pokerlab.players.bots.simple import Caller, Raiser, RandomBot
from pokerlab.players.strategies import SpotGame


@pytest.mark.parametrize(
    ("name", "bots"),
    [
        ("kuhn", [Mixer(), Mixer()]),
        ("kuhn", [Mixer(), RandomBot(1, 2, 1)]),
        pytest.param("leduc", [Mixer(), Mixer()], marks=pytest.mark.slow),
        ("kuhn.3p", [Mixer(), RandomBot(), Mixer()]),
    ],
)
def test_the_mean_stays_what_it_is(name, bots):
    """Over all deals and all actions: exact, not by sampling."""
    game = load_game(name)
    one = [bots[0]] + [None] * (game.players - 1)
    plain, all_in, known, both = np.zeros((4, game.players))
    values = CallDown(game, 1.35)
    squares = np.zeros(2)
    total = 0.0
    for hand, chance in all_hands(game, bots):
        total += chance
        plain += chance * np.array(hand.payoffs)
        all_in += chance * np.array(all_in_payoffs(hand))
        known += chance * np.array(as_dealt_payoffs(hand, one, CallDown(game, 1.7)))
        corrected = np.array(as_dealt_payoffs(hand, bots, values))
        both += chance * corrected
        squares += chance * np.array([hand.payoffs[0] ** 2, corrected[0] ** 2])
    assert total == pytest.approx(1.0)
    for other in (all_in, known, both):
        np.testing.assert_allclose(other, plain, atol=1e-9)
    before, after = squares - np.array([plain[0], both[0]]) ** 2
    assert after < 0.4 * before


@pytest.mark.slow
def test_it_shrinks_the_error_in_holdem():
    game = load_game("holdem.limit.2p")
    bots = [FairBot(), RandomBot(1, 4, 2)]
    hands = match(game, bots, 500)
    told = {"player 0": bots[0], "player 1": bots[1]}
    plain = estimate(hands)["player 0"]
    corrected = estimate(hands, partial(corrected_payoffs, bots=told))["player 0"]
    assert corrected.stderr < 0.5 * plain.stderr
    assert abs(corrected.mean - plain.mean) < 3 * plain.stderr
    assert corrected.hands == 500


def test_all_in_equity_shrinks_the_error_of_all_ins():
    game = load_game("holdem.nolimit.2p")
    hands = match(game, [FairBot(), Raiser(all_in=True)], 400)
    plain, fair = estimate(hands)["player 0"], estimate(hands, all_in_payoffs)["player 0"]
    assert fair.stderr < 0.5 * plain.stderr
    assert abs(fair.mean - plain.mean) < 3 * plain.stderr


def test_three_players_all_in_with_side_pots():
    game = load_game("holdem.nolimit.3p").with_stacks([500, 1000, 2000])
    deal = game.make_deal(["AsAd", "KsKd", "QsQd"], "2c7d9hKc3s")
    first = game.start(deal)
    state = first.apply("r2000").apply("c").apply("c")
    hand = PlayedHand(game, 0, deal, ("a", "b", "c"), state.betting, state.payoffs())
    main = showdown_shares(game, deal.holes, ())
    side = showdown_shares(game, deal.holes[1:], (), deal.holes[0])
    expected = [
        1500 * main[0] - 500,
        1500 * main[1] + 1000 * side[0] - 1000,
        1500 * main[2] + 1000 * side[1] - 1000,
    ]
    assert all_in_payoffs(hand) == pytest.approx(expected)
    assert sum(all_in_payoffs(hand)) == pytest.approx(0)


@pytest.mark.parametrize("board", ["4h5h6h", "4h5h6hTc", "4h5h6hTc2d"])
def test_shares_are_equities(board):
    game = load_game("holdem.limit.3p")
    holes = ["AsAd", "KhQh", "9c9d"]
    shares = showdown_shares(game, list(map(parse_cards, holes)), parse_cards(board))
    assert shares == pytest.approx(equity(*holes, board=board).values)
    two = showdown_shares(
        game, list(map(parse_cards, holes[:2])), parse_cards(board), parse_cards(holes[2])
    )
    assert two == pytest.approx(equity(*holes[:2], board=board, dead=holes[2]).values)


def test_sampled_shares_do_not_favour_a_seat():
    game = load_game("holdem.limit.2p")
    first, second = parse_cards("AsKd"), parse_cards("8h8c")
    shares = showdown_shares(game, [first, second], ())
    assert showdown_shares(game, [second, first], ()) == shares[::-1]
    assert shares[0] == pytest.approx(0.4499, abs=0.02)


def test_a_bot_at_fault_is_not_corrected():
    game = load_game("kuhn")
    deal = game.make_deal(["Ks", "Js"])
    fault = Fault(0, "", "x", "c", "not an action")
    hand = PlayedHand(game, 0, deal, ("a", "b"), "cc", (1.0, -1.0), (fault,))
    assert corrected_payoffs(hand, {"a": RandomBot()}) == corrected_payoffs(hand)
    assert corrected_payoffs(hand, {"b": RandomBot()}) != corrected_payoffs(hand)


def test_chosen_deals_are_no_luck():
    game = load_game("kuhn")
    hand = PlayedHand(game, 0, game.make_deal(["Ks", "Js"]), ("a", "b"), "cc", (1.0, -1.0))
    assert corrected_payoffs(hand, random_deal=False) == (1.0, -1.0)
    assert corrected_payoffs(hand)[0] < 1.0


def test_a_spot():
    spot = Spot("QhJh2c4d", "AA, KQs", "QQ, AJs", pot=100, stack=80)
    game = SpotGame.of(spot)
    hands = match(game, [Raiser(all_in=True), Caller()], 300)
    plain, fair = estimate(hands)["player 0"], estimate(hands, corrected_payoffs)["player 0"]
    assert fair.stderr < plain.stderr
    assert abs(fair.mean - plain.mean) < 3 * plain.stderr


def test_a_draw_game_keeps_its_mean():
    game = load_game("draw")
    bots = [RandomBot(1, 3, 1), Caller()]
    hands = match(game, bots, 1500)
    plain, fair = estimate(hands)["player 0"], estimate(hands, corrected_payoffs)["player 0"]
    assert abs(fair.mean - plain.mean) < 4 * plain.stderr

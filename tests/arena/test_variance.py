from functools import partial
from itertools import permutations

import numpy as np
import pytest

from pokerlab.arena.hands import Fault, PlayedHand
from pokerlab.arena.table import play_hand
from pokerlab.arena.variance import (
    all_in_payoffs,
    corrected_payoffs,
    estimate,
    showdown_shares,
)
from pokerlab.cards import equity
from pokerlab.cards.codes import parse_cards
from pokerlab.games import Deal, load_game
from pokerlab.holdem.spots import Spot
from pokerlab.players.bots.bot import PolicyBot
from pokerlab.players.bots.fair import FairBot
from pokerlab.players.bots.simple import Caller, Raiser, RandomBot
from pokerlab.players.strategies import SpotGame


class Mixer(PolicyBot):
    """A strategy that differs from information set to information set."""

    def __init__(self):
        self.known = {}

    def probabilities(self, view):
        name = view.seen_by(view.player)
        if name not in self.known:
            actions = list(view.actions())
            weights = np.random.default_rng(list(name.encode())).random(len(actions))
            self.known[name] = dict(zip(actions, (weights / weights.sum()).tolist(), strict=True))
        return self.known[name]


def all_deals(game):
    cards = game.players + game.board_cards[-1]
    for dealt in permutations(game.deck, cards):
        holes = tuple((card,) for card in dealt[: game.players])
        yield Deal(holes, dealt[game.players :])


def all_hands(game, bots):
    """Every hand that can be played, with its probability."""
    deals = list(all_deals(game))
    names = tuple(f"player {seat}" for seat in range(game.players))
    for deal in deals:
        waiting = [(game.start(deal), 1 / len(deals))]
        while waiting:
            state, chance = waiting.pop()
            if state.player < 0:
                yield PlayedHand(game, 0, deal, names, state.betting, state.payoffs()), chance
                continue
            for action, likely in (
                bots[state.player].probabilities(state.view(state.player)).items()
            ):
                if likely > 0:
                    waiting.append((state.apply(action), chance * likely))


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
    told = {f"player {seat}": bot for seat, bot in enumerate(bots)}
    one = {"player 0": bots[0]}
    plain, all_in, known, both = np.zeros((4, game.players))
    squares = np.zeros(2)
    total = 0.0
    for hand, chance in all_hands(game, bots):
        total += chance
        plain += chance * np.array(hand.payoffs)
        all_in += chance * np.array(all_in_payoffs(hand))
        known += chance * np.array(corrected_payoffs(hand, one, growth=1.7))
        corrected = np.array(corrected_payoffs(hand, told))
        both += chance * corrected
        squares += chance * np.array([hand.payoffs[0] ** 2, corrected[0] ** 2])
    assert total == pytest.approx(1.0)
    for other in (all_in, known, both):
        np.testing.assert_allclose(other, plain, atol=1e-9)
    before, after = squares - np.array([plain[0], both[0]]) ** 2
    assert after < 0.4 * before


def match(game, bots, hands, seed=1):
    for number, bot in enumerate(bots):
        bot.reset(game, np.random.default_rng([seed, number]))
    names = [f"player {seat}" for seat in range(len(bots))]
    return [
        play_hand(game, deal, bots, names=names, number=number)
        for number, deal in enumerate(game.deals(np.random.default_rng(seed), hands))
    ]


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


def test_hands_that_are_not_known_stay_as_they_are():
    game = load_game("leduc")
    deal = Deal(((), parse_cards("Kh")), parse_cards("Qs"))
    hand = PlayedHand(game, 0, deal, ("a", "b"), "rf", (1.0, -1.0))
    assert corrected_payoffs(hand, {"a": Caller()}) == hand.payoffs == all_in_payoffs(hand)


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

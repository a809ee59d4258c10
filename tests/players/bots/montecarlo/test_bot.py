import numpy as np
import pytest

from pokerlab.cards import Range, equity
from pokerlab.cards.codes import COMBO_CARDS, N_COMBOS, parse_cards
from pokerlab.games import game_names, load_betting_game, load_game
from pokerlab.games.theory import THEORY_GAMES
from pokerlab.players.bots.fair import FairBot
from pokerlab.players.bots.montecarlo.bot import MonteCarloBot
from pokerlab.players.bots.montecarlo.opponent_model import FOLD, RAISE
from pokerlab.players.bots.simple import Caller, Folder, Raiser, RandomBot

CARD_GAMES = [name for name in game_names() if name not in THEORY_GAMES]


def play(game, bots, hands, seed=1):
    """What each bot wins in each hand; positions go round."""
    for number, bot in enumerate(bots):
        bot.reset(game, np.random.default_rng([seed, number]))
    won = np.zeros((hands, len(bots)))
    for number, deal in enumerate(game.deals(np.random.default_rng(seed), hands)):
        players = [(position - number) % len(bots) for position in range(len(bots))]
        for position, player in enumerate(players):
            bots[player].begin(position, players)
        state = game.start(deal)
        while state.player >= 0:
            state = state.apply(bots[players[state.player]].act(state.view(state.player)))
        for position, player in enumerate(players):
            bots[player].end(state.view(position))
            won[number, player] = state.payoffs()[position]
    return won


@pytest.mark.parametrize("name", CARD_GAMES)
def test_it_plays_every_game_of_the_catalogue(name):
    game = load_betting_game(name)
    hands = 4 if name == "rhodeisland" else 15
    play(game, [MonteCarloBot(50), *[RandomBot() for _ in range(game.players - 1)]], hands)


@pytest.mark.slow
@pytest.mark.parametrize("opponent", [Caller(), FairBot(), Raiser(), RandomBot()])
def test_it_wins_in_limit_holdem(opponent):
    won = play(load_game("holdem.limit.2p"), [MonteCarloBot(300), opponent], 700)[:, 0]
    assert won.mean() > 2 * won.std() / len(won) ** 0.5


def test_it_learns_whom_to_bluff():
    """Against somebody who folds to every bet, it bets whatever it has."""
    game = load_game("holdem.limit.2p")
    bot = MonteCarloBot(200)
    won = play(game, [bot, Folder()], 150)[:, 0]
    assert won[75:].mean() > 0.95 * 7.5  # it takes nearly every blind of 5 or 10
    model = bot._models[1]
    assert model.frequencies(0, True)[FOLD] > 0.9


def test_it_knows_players_by_number_and_forgets_at_reset():
    game = load_game("holdem.limit.3p")
    bot = MonteCarloBot(50)
    play(game, [bot, Raiser(), Caller()], 60)
    assert bot._models[1].frequencies(0, True)[RAISE] > 0.6
    assert bot._models[2].frequencies(0, True)[RAISE] < 0.1
    bot.reset(game, np.random.default_rng(1))
    assert not bot._models


def test_its_share_is_the_equity_against_a_range():
    game = load_game("holdem.limit.2p")
    bot = MonteCarloBot(60_000)
    bot.reset(game, np.random.default_rng(1))
    rng = np.random.default_rng(2)
    weights = np.where((COMBO_CARDS >> 2).min(axis=1) > 7, rng.random(N_COMBOS), 0.0)
    for board, tolerance in (("4h5h6h", 0.01), ("4h5h6hTc2d", 1e-9)):
        deal = game.make_deal(["8s8d", ""], board)
        betting = "cc/" if len(parse_cards(board)) == 3 else "cc/cc/cc/"
        share = bot._share(game.replay(betting, deal).view(0), [weights])
        exact = equity("8s8d", Range(weights), board=board).value
        assert share == pytest.approx(exact, abs=tolerance)


def test_a_raise_makes_it_think_less_of_its_hand():
    game = load_game("holdem.limit.2p")
    deal = game.make_deal(["Ts9s", "AhAd"], "Tc5d2hKc3s")
    shares = []
    for betting in ("cc/cc/cc/", "rc/crc/crc/"):
        bot = MonteCarloBot(20_000)
        bot.reset(game, np.random.default_rng(1))
        bot.begin(0, [0, 1])
        view = game.replay(betting, deal).view(0)
        bot._read(view)
        shares.append(bot._share(view, [bot._weights[1]]))
    assert shares[1] < shares[0] - 0.1


def test_a_new_hand_without_a_word_is_noticed():
    game = load_game("leduc")
    bot = MonteCarloBot(50)
    bot.reset(game, np.random.default_rng(1))
    for betting in ("cr", "r", "cc/r"):
        view = game.replay(betting, game.make_deal(["Ks", "Jh"], "Qs"))
        assert bot.act(view.view(view.player)) in view.actions()

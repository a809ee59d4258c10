import numpy as np
import pytest

from pokerlab.games import game_names, load_betting_game, load_game
from pokerlab.games.theory import THEORY_GAMES
from pokerlab.players.bots.fair import FairBot, pot_odds, pot_sized_raise
from pokerlab.players.bots.simple import Caller, Raiser, RandomBot
from pokerlab.players.bots.winning_chances import winning_chance

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
    play(game, [FairBot(samples=50), *[RandomBot() for _ in range(game.players - 1)]], 20)


@pytest.mark.parametrize("opponent", [Caller(), Raiser(), RandomBot()])
@pytest.mark.parametrize("name", ["holdem.limit.2p", "leduc", "kuhn", "draw"])
def test_it_beats_players_that_do_not_look_at_their_cards(name, opponent):
    won = play(load_betting_game(name), [FairBot(), opponent], 800)[:, 0]
    assert won.mean() > 2 * won.std() / len(won) ** 0.5


def test_it_folds_below_and_calls_above_the_pot_odds():
    game = load_game("holdem.nolimit.2p")
    bot = FairBot(exact=True, margin=1e9)  # never raises
    bot.reset(game, np.random.default_rng(1))
    deals = list(game.deals(np.random.default_rng(2), 60))
    kinds = set()
    for deal in deals:
        for size in (200, 600, 5000):
            view = game.replay(f"cc/r{size}", deal).view(1)
            chance = winning_chance(game, view.holes[1], view.board, exact=True)
            odds = (size - 100) / (2 * (size - 100) + 200)
            assert pot_odds(view) == pytest.approx(odds)
            assert bot.act(view) == ("f" if chance < odds else "c")
            kinds.add(bot.act(view))
    assert kinds == {"f", "c"}


def test_each_raise_asks_more_of_its_hand():
    game = load_game("holdem.limit.2p")
    bot = FairBot()
    bot.reset(game, np.random.default_rng(1))
    raises = []
    for betting in ("cc/", "cc/r", "cc/rr", "cc/rrr"):
        count = 0
        for deal in game.deals(np.random.default_rng(3), 150):
            view = game.replay(betting, deal)
            count += bot.act(view.view(view.player)) == "r"
        raises.append(count)
    assert raises[0] > raises[1] > raises[2] > 0
    assert raises[1] > raises[3]


def test_pot_odds_of_a_short_stack_count_what_it_can_win():
    game = load_game("holdem.nolimit.3p").with_stacks([20000, 20000, 400])
    view = game.replay("cr10000c")  # the short stack called the blind and owes 300 of 9,900
    assert view.player == 2 and view.to_call == 300
    assert pot_odds(view) == pytest.approx(300 / 1200)
    assert pot_odds(game.replay("c")) == pytest.approx(50 / 300)


def test_sizes_are_legal():
    game = load_game("holdem.nolimit.2p").with_stacks([500, 500])
    assert pot_sized_raise(game.replay("r300")) == "r500"
    assert pot_sized_raise(load_game("leduc").replay("r")) == "r"
    assert pot_sized_raise(game.replay("r500")) == "c"


def test_it_tells_what_it_does():
    game = load_game("holdem.limit.2p")
    bot, twin = FairBot(), FairBot()
    bot.reset(game, np.random.default_rng(1))
    twin.reset(game, np.random.default_rng(2))
    for deal in game.deals(np.random.default_rng(4), 30):
        view = game.replay("rc/cr", deal)
        view = view.view(view.player)
        assert twin.probabilities(view) == {bot.act(view): 1.0}


def test_caution_folds_more_and_never_for_nothing():
    game = load_game("holdem.limit.2p")
    folds = []
    for caution in (0.0, 0.2, 1.0):
        bot = FairBot(caution=caution)
        bot.reset(game, np.random.default_rng(1))
        deals = list(game.deals(np.random.default_rng(4), 60))
        acted = [bot.act(game.replay("rc/cr", deal).view(0)) for deal in deals]
        folds.append(acted.count("f"))
        assert "f" not in [bot.act(game.replay("rc/", deal).view(0)) for deal in deals]
    assert folds[0] < folds[1] < folds[2] == 60


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"samples": 0}, "samples: 0 is not a number of deals to play"),
        ({"samples": True}, "samples: True is not a number of deals to play"),
        ({"margin": -0.5}, "margin: -0.5 must be 0 or more"),
        ({"caution": 1.5}, "caution: 1.5 must be from 0 to 1"),
    ],
)
def test_bad_arguments(arguments, complaint):
    with pytest.raises(ValueError, match=complaint):
        FairBot(**arguments)

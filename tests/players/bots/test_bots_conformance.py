"""What every bot of the catalogue must do, in every game that it plays."""

import random
import sys
from collections import Counter

import numpy as np
import pytest
from tests.effort import some_of

from pokerlab.arena.logs.acpc_log import write_acpc_log
from pokerlab.arena.logs.phh_log import write_phh
from pokerlab.arena.matches import play_match, seat_players
from pokerlab.games import load_game
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
from pokerlab.players.bots import Bot
from pokerlab.players.bots.catalogue import bot_names, make_bot
from pokerlab.players.strategies.limit_file import LimitStrategy
from pokerlab.solvers import solve

EVERY_GAME = (
    "kuhn",
    "kuhn.3p",
    "leduc",
    "onecard2",
    "rhodeisland",
    "holdem.limit.2p",
    "holdem.limit.3p",
    "holdem.nolimit.2p",
    "holdem.nolimit.3p",
    "draw",
    "draw of 4",
)
FEW_GAMES = ("kuhn.3p", "leduc", "holdem.nolimit.2p", "draw")
SLOW_BOTS = ("adam", "nolimit", "exploiter, hold'em")
THINKING = ("leduc", "holdem.limit.2p", "holdem.nolimit.3p", "draw")

# Text of the bot, games, hands of a match.
CASES = {
    "caller": ("caller", EVERY_GAME, 200),
    "raiser": ("raiser", EVERY_GAME, 200),
    "raiser, all-in": ("raiser:all-in", EVERY_GAME, 200),
    "folder": ("folder", EVERY_GAME, 200),
    "fold-to-raise": ("fold-to-raise", EVERY_GAME, 200),
    "random": ("random", EVERY_GAME, 200),
    "random, weights": ("random:1,3,2", EVERY_GAME, 200),
    "fair": ("fair:samples=20", THINKING, 25),
    "montecarlo": ("montecarlo:samples=30", THINKING, 25),
    "montecarlo, deep": ("montecarlo:samples=30,deep", THINKING, 25),
    "exploiter": ("exploiter", ("kuhn",), 300),
    "exploiter, file": ("exploiter:{leduc}", ("leduc",), 30),
    "exploiter, hold'em": ("exploiter:{limit},prepare=no", ("holdem.limit.2p",), 60),
    "switch": ("switch:caller,then=raiser,after=20", ("leduc", "holdem.limit.2p"), 60),
    "nolimit": ("nolimit:iterations=1", ("holdem.nolimit.2p",), 2),
    "draw": ("draw", ("draw", "draw of 4"), 40),
    "strategy": ("strategy:{leduc}", ("leduc",), 300),
    "limit2": ("limit2:{limit}", ("holdem.limit.2p",), 100),
    "adam": ("adam:{blind},iterations=3", ("holdem.limit.2p",), 4),
    "limit3": ("limit3:{limit3}", ("holdem.limit.3p",), 60),
    **{
        name: (f"{name}:{{limit}},nearest=3", ("holdem.limit.3p",), 40)
        for name in bot_names()
        if name.startswith("map-")
    },
    "hybrid": ("hybrid:map-nearest:{limit}", ("holdem.limit.3p",), 30),
    "stitched": ("stitched:fair,experts={experts}", ("holdem.limit.3p",), 30),
    "parrot": ("parrot:{log},seat=1", ("holdem.limit.2p",), 50),
    "cases": ("cases:{log},samples=20", ("holdem.limit.2p",), 30),
    "cases, copied": ("cases:{leduc_log},choose=copy", ("leduc",), 100),
    "exec": ("exec:{python} {client}", ("holdem.limit.2p",), 20),
}

CLIENT = """
import sys
from pokerlab.arena.acpc.client import play_acpc
from pokerlab.players.bots import Caller
from pokerlab.games import load_game
play_acpc(sys.argv[1], int(sys.argv[2]), Caller(), load_game("holdem.limit.2p"))
"""


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bots")
    solve("leduc", iterations=50).save(folder / "leduc.safetensors")
    played = []
    play_match("holdem.limit.2p", ["caller", "random"], 60, 4, on_hand=played.append)
    write_phh(folder / "log.phhs", played)
    played.clear()
    play_match("leduc", ["fair", "random"], 100, 4, on_hand=played.append)
    write_acpc_log(folder / "leduc.log", played)
    for name in ("holdem.limit.2p", "holdem.limit.3p"):
        limit = BucketedGame.of(load_game(name), "classes")
        rows = np.random.default_rng(8).dirichlet(np.ones(3), limit.rows).astype(np.float16)
        rows[::4] = np.nan
        trained = LimitStrategy(limit, rows, 1, 1.0, "none", "none", 0.0, 0.0, True)
        trained.save(folder / f"{name}.safetensors")
    blind = BucketedGame.of(load_game("holdem.limit.2p"), "none")
    rows = np.random.default_rng(8).dirichlet(np.ones(3), blind.rows).astype(np.float16)
    trained = LimitStrategy(blind, rows, 1, 1.0, "none", "none", 0.0, 0.0, True)
    trained.save(folder / "blind.safetensors")
    (folder / "experts").mkdir()
    expert = BucketedGame.of(load_game("holdem.limit.3p"), "none", "f")
    rows = np.random.default_rng(8).dirichlet(np.ones(3), expert.rows).astype(np.float16)
    rows[::4] = np.nan
    trained = LimitStrategy(expert, rows, 1, 1.0, "none", "none", 0.0, 0.0, True)
    trained.save(folder / "experts" / "f.safetensors")
    client = folder / "client.py"
    client.write_text(CLIENT)
    return {
        "log": folder / "log.phhs",
        "leduc_log": folder / "leduc.log",
        "limit": folder / "holdem.limit.2p.safetensors",
        "limit3": folder / "holdem.limit.3p.safetensors",
        "blind": folder / "blind.safetensors",
        "leduc": folder / "leduc.safetensors",
        "experts": folder / "experts",
        "client": client,
        "python": sys.executable,
    }


def game_of(name):
    name, _, seats = name.partition(" of ")
    game = load_game(name)
    return seat_players(game, int(seats or game.players))


def cases():
    for name, (text, games, hands) in CASES.items():
        for game in games:
            plain = games is EVERY_GAME and name != "random"
            slow = name in SLOW_BOTS or (plain and game not in FEW_GAMES)
            marks = [pytest.mark.slow] if slow else []
            played = max(some_of(hands), min(hands, 20))
            yield pytest.param(text, game_of(game), played, id=f"{name}-{game}", marks=marks)


every_bot = pytest.mark.parametrize(("text", "game", "hands"), list(cases()))


@pytest.fixture
def make(files):
    made = []

    def make_one(text):
        made.append(make_bot(text.format(**files)))
        return made[-1]

    yield make_one
    for bot in made:
        bot.close()


class Watch(Bot):
    """Passes everything on to a bot, and writes down what that was shown and what it said."""

    def __init__(self, bot, *, ask=False):
        self.bot, self.ask, self.log = bot, ask, []

    def reset(self, game, rng):
        self.bot.reset(game, rng)

    def begin(self, position, players):
        self.bot.begin(position, players)

    def act(self, view):
        probabilities = self.bot.probabilities(view) if self.ask else None
        action = self.bot.act(view)
        self.log.append((view, action, probabilities))
        return action

    def end(self, view):
        self.bot.end(view)


def play(bot, game, hands, seed=1):
    """The betting of a match against random bots, which go everywhere in the tree."""
    others = ["random:1,4,2"] * (game.players - 1)
    played = []
    result = play_match(game, [bot, *others], hands, seed, on_hand=played.append)
    assert result.faults == (0,) * game.players, result.first_faults
    return [hand.betting for hand in played]


def test_every_bot_of_the_catalogue_is_here():
    assert {text.partition(":")[0] for text, _, _ in CASES.values()} == set(bot_names())


@every_bot
def test_it_plays_by_the_rules_and_the_same_again(make, text, game, hands):
    first = make(text)
    betting = play(first, game, hands)
    assert len(set(betting)) > 1
    assert play(make(text), game, hands) == betting  # the same seed, the same play
    few = min(hands, 100)
    assert play(first, game, few) == betting[:few]  # a reset forgets


@every_bot
def test_its_chances_are_those_of_its_play(make, text, game, hands):
    silent, asked = make(text), Watch(make(text), ask=True)
    hands = min(hands, 60)
    assert play(asked, game, hands) == play(silent, game, hands)  # to be asked changes nothing
    told = [
        (view, action, probabilities)
        for view, action, probabilities in asked.log
        if probabilities is not None
    ]
    for view, action, probabilities in told:
        assert sum(probabilities.values()) == pytest.approx(1.0)
        assert all(0.0 <= chance <= 1.0 for chance in probabilities.values())
        assert all(other in view.actions() for other in probabilities)
        assert probabilities[action] > 0.0
    for view, _, probabilities in told[:: max(len(told) // 3, 1)]:
        count = 400
        taken = Counter(asked.bot.act(view) for _ in range(count))
        for action, chance in probabilities.items():
            error = (chance * (1.0 - chance) / count) ** 0.5
            assert taken[action] / count == pytest.approx(chance, abs=5.0 * error + 1e-9)


@every_bot
def test_it_is_shown_no_card_that_it_may_not_see(make, text, game, hands):
    watch = Watch(make(text))
    play(watch, game, min(hands, 30))
    assert watch.log
    for view, _, _ in watch.log:
        own = view.holes[view.player]
        assert [hand for hand in view.holes if hand] == [own]
        assert view.deal.holes == view.holes
        assert len(view.deal.board) == game.board_cards[view.street]
        assert view.deal.stub == view.deal.reshuffled == ()


@every_bot
def test_it_takes_its_random_numbers_from_the_generator(make, text, game, hands):
    """Nothing outside of the bot decides: NumPy's and Python's own generators are not used."""
    betting = play(make(text), game, min(hands, 30))
    np.random.seed(7)  # noqa: NPY002
    random.seed(7)
    assert play(make(text), game, min(hands, 30)) == betting
    assert random.random() == random.Random(7).random()
    assert np.random.random() == np.random.RandomState(7).random_sample()  # noqa: NPY002

import numpy as np
import pytest

from pokerlab.arena.matches import play_match
from pokerlab.games import load_game
from pokerlab.players.bots import Bot, Caller, FairBot, RandomBot, switching
from pokerlab.players.bots.switching import HybridBot


class Marked(Caller):
    """Calls, and writes down everything that it is told."""

    def __init__(self):
        self.told = []

    def reset(self, game, rng):
        super().reset(game, rng)
        self.told.append("reset")

    def begin(self, position, players):
        self.told.append("begin")

    def act(self, view):
        self.told.append(view.node.text)
        return super().act(view)

    def end(self, view):
        self.told.append("end")

    def close(self):
        self.told.append("close")


@pytest.mark.parametrize(
    ("betting", "always", "preflop"),
    [
        ("", False, False),
        ("rcc/rr", False, False),
        ("f", True, True),
        ("rfc/", True, True),
        ("rfc/cc/cc/r", True, True),
        ("ccc/rf", True, False),
        ("ccc/rfc/", True, False),
        ("ccc/ccc/ccc/rf", True, False),
    ],
)
def test_it_hands_over_when_one_has_folded(betting, always, preflop):
    view = load_game("holdem.limit.3p").replay(betting)
    assert (HybridBot(Marked()).player_of(view).__class__ is Marked) == always
    assert (HybridBot(Marked(), preflop=True).player_of(view).__class__ is Marked) == preflop


@pytest.mark.parametrize("preflop", [False, True])
def test_in_a_match_the_other_bot_acts_only_with_two_players(preflop):
    marked = Marked()
    others = [RandomBot(1, 4, 1), RandomBot(1, 4, 1)]
    result = play_match("holdem.limit.3p", [HybridBot(marked, preflop=preflop), *others], 120, 2)
    assert result.faults == (0, 0, 0), result.first_faults
    words = ("reset", "begin", "end", "close")
    played = [told for told in marked.told if told not in words]
    assert marked.told.count("begin") == marked.told.count("end") == 120
    assert played
    assert all("f" in (text.partition("/")[0] if preflop else text) for text in played)
    assert any("f" not in text.partition("/")[0] for text in played) != preflop


def test_it_tells_the_chances_of_the_one_who_plays():
    game = load_game("holdem.limit.3p")
    deal = game.make_deal(["7h2c", "AsKd", "QhQc"], "AcKhQdJs6c")
    bot, fair = HybridBot(RandomBot(1, 1, 1)), FairBot()
    for each in (bot, fair):
        each.reset(game, np.random.default_rng(1))
    with_three = game.replay("r", deal).view(0)
    assert bot.probabilities(with_three) == fair.probabilities(with_three)
    assert len(bot.probabilities(game.replay("rf", deal).view(1))) == 3


def test_a_bot_may_be_given_by_its_text():
    assert isinstance(HybridBot("raiser:all-in").bot, Bot)
    with pytest.raises(ValueError, match="no bot 'rauser', did you mean raiser"):
        HybridBot("rauser")


def test_options_need_no_file(monkeypatch):
    asked = []
    monkeypatch.setattr(switching, "make_bot", lambda text: asked.append(text) or Caller())
    for text in ("hbb2", "hbb2:FILE,bias", "hbb2,nearest=5,bias"):
        HybridBot(text)
    assert asked == ["hbb2", "hbb2:FILE,bias", "hbb2:,nearest=5,bias"]


def test_closing_closes_the_other_bot():
    marked = Marked()
    HybridBot(marked).close()
    assert marked.told == ["close"]

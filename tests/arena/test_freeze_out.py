from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from pokerlab.arena.freeze_out import play_freeze_out, play_freeze_outs
from pokerlab.games import load_betting_game
from pokerlab.players.bots.bot import Bot
from pokerlab.players.bots.draw.bot import DrawBot
from pokerlab.players.bots.fair import FairBot
from pokerlab.players.bots.simple import Caller, Folder, Raiser, RandomBot

DRAW = load_betting_game("draw")


class Watcher(Caller):
    """Notes what it is told."""

    def __init__(self):
        self.seats = []
        self.ends = 0

    def begin(self, position, players):
        self.seats.append((position, tuple(players)))

    def end(self, view):
        self.ends += 1


def play(bots, seed=1, **options):
    hands = []
    end = play_freeze_out(DRAW, bots, seed, watch=hands.append, **options)
    return end, hands


def test_chips_are_carried_and_never_lost():
    end, hands = play([RandomBot(), RandomBot(), Raiser(), Caller(), RandomBot()])
    assert end.finished
    assert sorted(end.stacks) == [0, 0, 0, 0, 5000]
    assert end.hands == len(hands)
    names = ["RandomBot", "RandomBot", "Raiser", "Caller", "RandomBot"]
    assert list(hands[0].players) == names
    for hand in hands:
        assert sum(hand.game.stacks) == 5000
        assert hand.final.payoffs() == hand.payoffs


def test_the_button_moves_among_those_left():
    end, hands = play([Watcher(), *(RandomBot() for _ in range(3))], names="abcd", seed=3)
    seats = [hand.players for hand in hands]
    for before, after in pairwise(seats):
        line = [*before[1:], before[0]]
        assert list(after) == [name for name in line if name in after]
    assert len(seats[-1]) == 2
    assert sorted(end.places) == pytest.approx([1, 2, 3, 4], abs=1)


def test_bots_are_told_stable_numbers():
    watcher = Watcher()
    _, hands = play([RandomBot(), watcher, RandomBot()], names="xyz")
    watched = [hand for hand in hands if "y" in hand.players]
    assert watcher.ends == len(watched)
    for (position, players), hand in zip(watcher.seats, watched, strict=True):
        assert hand.players[position] == "y"
        assert ["xyz"[player] for player in players] == list(hand.players)


def test_the_seed_decides_all():
    def run(seed):
        return play([RandomBot(), DrawBot(), RandomBot()], seed)

    assert run(7) == run(7)
    assert run(7)[0] != run(8)[0]


def test_cards_do_not_depend_on_what_was_played():
    _, calm = play([Caller(), Folder()], max_hands=5)
    _, wild = play([Raiser(), Caller()], max_hands=5)
    for one, other in zip(calm, wild, strict=False):
        assert one.deal == other.deal


def test_who_goes_out_in_the_same_hand_is_placed_by_chips():
    class Shove(Raiser):
        def __init__(self):
            super().__init__(all_in=True)

    game = DRAW.with_stacks([500, 400, 300])
    for seed in range(20):
        end = play_freeze_out(game, [Shove(), Shove(), Shove()], seed)
        if end.hands == 1:
            assert end.places == (1.0, 2.0, 3.0)
            break
    else:
        pytest.fail("no seed ends in one hand")


def test_a_tournament_that_does_not_end_is_stopped():
    result = play_freeze_outs(DRAW, [Caller(), Caller()], 3, seed=1, max_hands=4)
    assert result.unfinished == 3
    assert result.hands == 12
    assert result.names == ("Caller", "Caller.2")
    assert sum(result.wins) == pytest.approx(1)


def test_faults_are_counted_for_the_player():
    class Wrong(Bot):
        def act(self, view):
            return "nonsense"

    result = play_freeze_outs(DRAW, [Caller(), Wrong()], 2, seed=1, max_hands=3)
    assert result.faults[0] == 0
    assert result.faults[1] >= 12


def test_equal_players_win_equally_often():
    result = play_freeze_outs(DRAW, [RandomBot(), RandomBot(), RandomBot()], 150, seed=2)
    for share, error in zip(result.wins, result.errors, strict=True):
        assert error == pytest.approx(np.sqrt(share * (1 - share) / 149), rel=1e-6)
        assert abs(share - 1 / 3) < 4 * error
    assert sum(result.wins) == pytest.approx(1)
    assert sum(result.places) == pytest.approx(6)


@pytest.mark.parametrize(
    ("opponents", "tournaments"),
    [([Caller()], 60), ([Raiser()], 100), ([RandomBot()], 60)],
)
def test_the_draw_bot_beats_players_that_do_not_look(opponents, tournaments):
    result = play_freeze_outs(DRAW, [DrawBot(), *opponents], tournaments, seed=11)
    assert result.wins[0] - 3 * result.errors[0] > 0.5
    assert result.faults == (0, 0)


def test_the_draw_bot_wins_the_table():
    # By chance it would win one in five.
    bots = [DrawBot(), Caller(), Raiser(), RandomBot(), FairBot()]
    result = play_freeze_outs(DRAW, bots, 25, seed=11)
    assert result.wins[0] - 3 * result.errors[0] > 0.2
    assert result.wins[0] > max(result.wins[1:])
    assert result.unfinished == 0
    assert set(result.faults) == {0}


@pytest.mark.slow
def test_the_draw_bot_beats_each_player_alone_and_all_of_them_together():
    for opponents in ([FairBot()], [Raiser()], [Caller(), Raiser(), RandomBot(), FairBot()]):
        result = play_freeze_outs(DRAW, [DrawBot(), *opponents], 400, seed=12)
        assert result.wins[0] - 4 * result.errors[0] > 1 / (1 + len(opponents))


def test_two_players_with_blinds_play_to_the_end():
    game = load_betting_game("holdem.nolimit.2p").with_stacks([1000, 1000])
    played = []
    end = play_freeze_out(game, [FairBot(), Raiser()], 4, names=["ann", "bob"], watch=played.append)
    assert end.finished and sorted(end.stacks) == [0, 2000] and sorted(end.places) == [1.0, 2.0]
    assert end.faults == (0, 0)
    stacks = {"ann": 1000, "bob": 1000}
    for number, hand in enumerate(played):
        # The button, and with it the small blind, goes to the other one after each hand.
        assert hand.players == (("ann", "bob") if number % 2 == 0 else ("bob", "ann"))
        assert hand.game.stacks == tuple(stacks[name] for name in hand.players)
        for name, won in zip(hand.players, hand.payoffs, strict=True):
            stacks[name] += round(won)


@pytest.mark.parametrize(
    ("game", "bots", "message"),
    [
        (
            load_betting_game("holdem.nolimit.3p"),
            3,
            "holdem.nolimit.3p cannot be played as a freeze-out of 3: with more than two players,"
            " blinds belong to seats that go away; play draw, a no-limit game for two, or a .toml",
        ),
        (
            load_betting_game("kuhn"),
            2,
            "kuhn cannot be played as a freeze-out of 2: it has no stacks; play draw",
        ),
        (replace(DRAW, ante=0), 2, "draw has no ante: a freeze-out might never end"),
        (DRAW, 1, "1 bots: a freeze-out needs two or more"),
    ],
)
def test_bad_input(game, bots, message):
    with pytest.raises(ValueError, match=message):
        play_freeze_out(game, [Caller()] * bots, 1)
    with pytest.raises(ValueError, match="0 tournaments cannot be played"):
        play_freeze_outs(game, [Caller()] * bots, 0, 1)

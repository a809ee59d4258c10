from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from pokerlab.arena.matches import Match, play_match, seat_players, seatings
from pokerlab.arena.tournaments import check_bots
from pokerlab.games import load_game
from pokerlab.players.bots import Bot, Caller, Raiser, RandomBot


def hands_of(game, bots, hands, seed, **options):
    played = []
    result = play_match(game, bots, hands, seed, on_hand=played.append, **options)
    assert len(played) == hands
    return played, result


def test_positions_rotate_as_in_the_acpc():
    played, _ = hands_of("kuhn.3p", ["caller", "raiser", "folder"], 4, 1)
    assert [hand.players for hand in played] == [
        ("caller", "raiser", "folder"),
        ("raiser", "folder", "caller"),
        ("folder", "caller", "raiser"),
        ("caller", "raiser", "folder"),
    ]
    assert [hand.number for hand in played] == [0, 1, 2, 3]


def test_cards_depend_on_the_seed_and_the_number_only():
    first, _ = hands_of("leduc", ["caller", "random"], 30, 5)
    others, _ = hands_of("leduc", ["raiser", "folder"], 50, 5)
    elsewhere, _ = hands_of("leduc", ["caller", "random"], 30, 6)
    assert [hand.deal for hand in first] == [hand.deal for hand in others[:30]]
    assert [hand.deal for hand in first] != [hand.deal for hand in elsewhere]


def test_the_same_seed_is_the_same_match():
    for duplicate in (False, True):
        once, result = hands_of("leduc", ["random", "random"], 100, 9, duplicate=duplicate)
        again, second = hands_of("leduc", ["random", "random"], 100, 9, duplicate=duplicate)
        assert once == again
        assert result.chips == second.chips
    different, _ = hands_of("leduc", ["random", "random"], 100, 10)
    assert [hand.betting for hand in once] != [hand.betting for hand in different]


@pytest.mark.parametrize(
    ("game", "bots", "count"),
    [
        ("leduc", ["random", "raiser"], 2),
        ("leduc", ["random", "random"], 2),
        ("kuhn.3p", ["random", "raiser", "caller"], 6),
        ("kuhn.3p", ["random", "raiser", "random"], 3),
        ("draw", ["caller", "random", "raiser", "folder"], 4),
    ],
)
def test_duplicate_matches_play_each_deal_in_all_seatings(game, bots, count):
    deals = 5
    played, result = hands_of(game, bots, count * deals, 3, duplicate=True)
    for number in range(deals):
        same = [played[block * deals + number] for block in range(count)]
        assert len({hand.deal for hand in same}) == 1
        seated = [hand.players for hand in same]
        assert len(set(seated)) == count
        kinds = Counter(tuple(name.split("#")[0] for name in players) for players in seated)
        if len(bots) <= 3:  # each different seating equally often
            assert set(kinds) == set(permutations(bots))
            assert len(set(kinds.values())) == 1
        for position in range(len(bots)):  # everybody sits everywhere, equally often
            assert set(Counter(players[position] for players in seated).values()) == {
                count // len(bots)
            }
    assert result.hands == count * deals


def test_the_error_is_that_of_deals_summed_over_seatings():
    played, result = hands_of("leduc", ["random:0,1,1", "raiser"], 600, 4, duplicate=True)
    won = [hand.payoffs[hand.players.index("raiser")] for hand in played]
    by_deal = [(won[number] + won[number + 300]) / 2 for number in range(300)]
    expected = np.std(by_deal, ddof=1) / 300**0.5 * 1000
    assert result.stderr[1] == pytest.approx(expected)
    assert result.chips[1] == sum(won)
    assert result.mbb_per_hand[1] == pytest.approx(sum(won) / 600 * 1000)
    assert sum(result.chips) == 0


def test_the_error_without_duplicates_is_that_of_hands():
    played, result = hands_of("holdem.limit.2p", ["random", "raiser"], 500, 4)
    won = [hand.payoffs[hand.players.index("raiser")] for hand in played]
    assert result.stderr[1] == pytest.approx(np.std(won, ddof=1) / 500**0.5 / 10 * 1000)
    assert result.mbb_per_hand[1] == pytest.approx(np.mean(won) / 10 * 1000)


@pytest.mark.slow
def test_errors_are_honest():
    """Over many seeds, the spread of results is the error that they claim."""
    for duplicate in (False, True):
        results = [
            play_match("leduc", ["random", "raiser"], 200, seed, duplicate=duplicate)
            for seed in range(100)
        ]
        spread = np.std([result.mbb_per_hand[0] for result in results], ddof=1)
        claimed = np.mean([result.stderr[0] for result in results])
        assert spread == pytest.approx(claimed, rel=5 / 200**0.5)


def test_duplicates_shrink_the_error():
    bots = ["random:0,3,1", "raiser"]
    plain = play_match("holdem.limit.2p", bots, 2000, 1)
    duplicate = play_match("holdem.limit.2p", bots, 2000, 1, duplicate=True)
    assert duplicate.stderr[0] < 0.5 * plain.stderr[0]


def test_payoffs_in_units_are_turned_into_antes():
    """In onecard2 payoffs are bets; the ante is half a bet."""
    played, result = hands_of("onecard2", ["caller", "raiser"], 101, 1)
    bets = sum(hand.payoffs[hand.players.index("caller")] for hand in played)
    assert bets != 0
    assert result.chips[0] == bets
    assert result.mbb_per_hand[0] == pytest.approx(2 * bets / 101 * 1000)


class Diary(Caller):
    def __init__(self):
        self.resets, self.begun, self.ended, self.closed = [], [], 0, 0

    def reset(self, game, rng):
        super().reset(game, rng)
        self.resets.append(rng.random())

    def begin(self, position, players):
        self.begun.append((position, players[position]))

    def end(self, view):
        self.ended += 1

    def close(self):
        self.closed += 1


def test_what_a_bot_is_told():
    first, second = Diary(), Diary()
    play_match("leduc", [first, second], 6, 1, duplicate=True)
    assert first.begun == [(0, 0), (1, 0), (0, 0), (1, 0), (0, 0), (1, 0)]
    assert second.begun == [(1, 1), (0, 1), (1, 1), (0, 1), (1, 1), (0, 1)]
    assert first.ended == second.ended == 6
    assert first.closed == 0  # who brings a bot keeps it
    # A reset for each block, each with random numbers of its own.
    assert len(set(first.resets + second.resets)) == 4


def test_blocks_of_a_duplicate_match_swap_the_seats():
    first, second = Diary(), Diary()
    play_match("leduc", [first, second], 4, 1, duplicate=True)
    assert [position for position, _ in first.begun] == [0, 1, 1, 0]
    assert [position for position, _ in second.begun] == [1, 0, 0, 1]


def test_names_are_different():
    result = play_match("kuhn.3p", ["caller", "caller", "caller"], 3, 1, duplicate=True)
    assert result.names == ("caller", "caller#2", "caller#3")
    result = play_match("kuhn", [RandomBot(), RandomBot(0, 1, 0)], 4, 1)
    assert result.names == ("RandomBot", "RandomBot#2")


def test_objects_are_different_bots():
    match = Match("kuhn.3p", [RandomBot(), RandomBot(0, 1, 0), "caller"], 6, duplicate=True)
    assert len(match.seatings) == 6


class Rude(Bot):
    def act(self, view):
        return "c" if view.street else "please"


def test_faults_are_counted_by_player():
    result = play_match("holdem.limit.2p", [Caller(), Rude()], 10, 1)
    assert result.faults == (0, 10)
    assert result.first_faults[0] == ""
    assert result.first_faults[1].startswith("hand 0, after '': answered 'please', illegal action")


class Rebel(BaseException):
    """Nobody expects it."""


@pytest.mark.parametrize("error", ["RuntimeError", "ValueError", "SystemExit", "GeneratorExit"])
def test_a_bot_that_fails_to_close_loses_nothing(error, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "from pokerlab.players.bots import Caller\n\nclass Mine(Caller):\n"
        f"    def close(self): raise {error}('no')\n"
    )
    bot = f"{file}:Mine"
    for limit in (None, 10.0):
        result = play_match("kuhn", [bot, "caller"], 4, 1, time_limit=limit)
        assert result.hands == 4
        assert result.faults == (1, 0)
        assert result.first_faults[0].startswith("close(): mine.py:4: ")
    check_bots("kuhn", [bot])


@pytest.mark.parametrize("error", [RuntimeError, ValueError, Rebel])
def test_a_bot_that_fails_to_begin_is_named(error):
    class Mine(Caller):
        def reset(self, game, rng):
            raise error("no")

    expected = rf"bot 'Mine' cannot begin a match: test_matches.py:\d+: {error.__name__}: no"
    with pytest.raises(ValueError, match=expected):
        play_match("kuhn", [Mine(), "caller"], 4)


def test_a_late_bot_is_at_fault():
    result = play_match("kuhn", ["caller", "caller"], 4, 1, time_limit=1e-9)
    assert sum(result.faults) == 8
    assert "out of time" in result.first_faults[0]


def test_a_match_that_is_broken_off():
    with Match("leduc", ["raiser", "caller"], 100, 1, duplicate=True) as match:
        won = []
        for hand in match:
            won.append(hand.payoffs[hand.players.index("raiser")])
            if hand.number == 79:
                break
        result = match.result()
    assert not result.complete
    assert (result.hands, result.plan.hands) == (80, 100)
    assert result.chips[0] == sum(won)
    assert result.stderr[0] == pytest.approx(np.std(won, ddof=1) / 80**0.5 * 1000)
    with pytest.raises(ValueError, match="has been played"):
        next(iter(match))


def test_before_the_first_hand_there_is_a_result_too():
    result = Match("leduc", ["raiser", "caller"], 10).result()
    assert (result.hands, result.chips, result.mbb_per_hand) == (0, (0.0, 0.0), (0.0, 0.0))
    assert np.isnan(result.stderr).all()


def test_the_results_of_the_theory():
    """The caller breaks even with the raiser; the folder loses what it has posted."""
    result = play_match("holdem.limit.2p", ["folder", "raiser"], 400, 1)
    assert result.mbb_per_hand == (-750.0, 750.0)
    assert result.stderr[0] > 0
    result = play_match("holdem.limit.2p", ["folder", "raiser"], 400, 1, duplicate=True)
    assert result.mbb_per_hand == (-750.0, 750.0)
    assert result.stderr == (0.0, 0.0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("leduc", ["caller"], 10), "leduc is a game for 2 players, and 1 bot was given"),
        (("leduc", ["caller"] * 3, 10), "leduc is a game for 2 players, and 3 bots were given"),
        (("leduc", ["caller", "nobody"], 10), "no bot 'nobody'"),
        (("leduk", ["caller", "caller"], 10), "no game 'leduk', did you mean leduc"),
        (("rps", ["caller", "caller"], 10), "rps is not a card game"),
        (("leduc", ["caller", "caller"], 0), "hands: 0 is not a number of hands"),
        (("leduc", ["caller", "caller"], 10, -1), "seed: -1 is not a seed"),
        (("draw", ["caller"] * 11, 11), "players: 11 is not a number of seats"),
    ],
)
def test_bad_input(arguments, message):
    with pytest.raises(ValueError) as raised:
        play_match(*arguments)
    assert message in str(raised.value)


def test_hands_must_divide():
    with pytest.raises(ValueError, match=r"hands: 1000 hands .* the 6 seatings .*996 or 1002"):
        play_match("kuhn.3p", ["caller", "raiser", "folder"], 1000, duplicate=True)
    with pytest.raises(ValueError, match=r"hands: 1 hands .*\(take 2\)"):
        play_match("leduc", ["caller", "raiser"], 1, duplicate=True)
    with pytest.raises(ValueError, match="time limit: 0 is not"):
        play_match("leduc", ["caller", "raiser"], 2, time_limit=0)


def test_a_bot_that_cannot_begin():
    class NotHere(Caller):
        def reset(self, game, rng):
            raise KeyError("table")

    message = r"bot 'NotHere' cannot begin a match: test_matches\.py:\d+: KeyError: 'table'"
    with pytest.raises(ValueError, match=message):
        play_match("leduc", [NotHere(), Caller()], 2)


def test_games_with_any_number_of_seats():
    assert seat_players(load_game("draw"), 3).players == 3
    result = play_match("draw", ["caller", "raiser", "folder"], 60, 1, duplicate=True)
    assert sum(result.chips) == 0


def test_seatings_of_more_than_three_are_rotations():
    assert seatings(4) == ((0, 1, 2, 3), (1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2))


def test_raiser_objects_play_as_their_names_do():
    by_name = play_match("leduc", ["raiser", "random"], 100, 2)
    as_objects = play_match("leduc", [Raiser(), RandomBot()], 100, 2)
    assert by_name.chips == as_objects.chips


EXITING = """
import sys
from pokerlab.players.bots import Caller

class Exiting(Caller):
    def act(self, view):
        sys.exit(3)

class Unready(Caller):
    def reset(self, game, rng):
        sys.exit("not today")
"""


def test_sys_exit_in_a_bot_is_a_fault(tmp_path):
    path = tmp_path / "exiting.py"
    path.write_text(EXITING)
    result = play_match("kuhn", ["caller", f"{path}:Exiting"], 4, 1)
    assert result.hands == 4
    assert result.faults[0] == 0 and result.faults[1] >= 4
    assert result.first_faults[1].endswith("exiting.py:7: sys.exit(3)")
    with pytest.raises(ValueError) as raised:
        play_match("kuhn", ["caller", f"{path}:Unready"], 4, 1)
    assert str(raised.value).endswith("cannot begin a match: exiting.py:11: sys.exit('not today')")
    assert "\n" not in str(raised.value)

"""Our client at a table whose dealer is played by the test."""

import re
import socket
from concurrent.futures import ThreadPoolExecutor

import pytest

from pokerlab.arena.acpc.client import ClientMatch, play_acpc
from pokerlab.games import load_betting_game
from pokerlab.players.bots import Bot, Caller

LIMIT = load_betting_game("holdem.limit.2p")
THREE = load_betting_game("holdem.limit.3p")


def play(lines, bot, game=LIMIT, *, wait_for_answer=True, **options):
    """Send the lines, each after the answer to the one before; what the client did and said."""
    with socket.create_server(("127.0.0.1", 0)) as door, ThreadPoolExecutor() as pool:
        port = door.getsockname()[1]
        client = pool.submit(play_acpc, "127.0.0.1", port, bot, game, **options)
        table = door.accept()[0]
        with table, table.makefile("rb") as said:
            heard = [said.readline()]
            table.sendall(b"".join(line.encode() + b"\r\n" for line in lines))
            table.shutdown(socket.SHUT_WR)
            heard += said.readlines()
        return client, [line.decode() for line in heard]


class Noting(Caller):
    """Calls, and notes what it is told."""

    def __init__(self):
        self.told = []

    def begin(self, position, players):
        self.told.append(("begin", position, list(players)))

    def act(self, view):
        self.told.append(("act", view.betting, view.holes[view.player]))
        return "c"

    def end(self, view):
        self.told.append(("end", view.betting, view.payoffs()))


HAND = [
    "# welcome",
    "MATCHSTATE:1:0::|AsKd",
    "MATCHSTATE:1:0:c:|AsKd",
    "; a comment",
    "MATCHSTATE:1:0:cr:|AsKd",
    "MATCHSTATE:1:0:crc/:|AsKd/2c3c4c",
    "MATCHSTATE:1:0:crc/r:|AsKd/2c3c4c",
    "MATCHSTATE:1:0:crc/rf:|AsKd/2c3c4c",
]


class Unready(Caller):
    """Fails before the match."""

    def warm_up(self):
        raise KeyError("no tables")


def test_a_bot_warms_up_before_the_clock_runs():
    with pytest.raises(ValueError, match=r"'Unready' cannot begin a match: .*no tables"):
        play_acpc("127.0.0.1", 1, Unready(), LIMIT)


def test_it_answers_in_turn_and_counts():
    bot = Noting()
    client, said = play(HAND, bot)
    assert client.result() == ClientMatch(hands=1, total=-20.0, faults=0)
    assert said == [
        "VERSION:2.0.0\r\n",
        "MATCHSTATE:1:0::|AsKd:c\r\n",
        "MATCHSTATE:1:0:cr:|AsKd:c\r\n",
        "MATCHSTATE:1:0:crc/r:|AsKd/2c3c4c:c\r\n",
    ]
    assert bot.told == [
        ("begin", 1, [0, 1]),
        ("act", "", (51, 45)),
        ("act", "cr", (51, 45)),
        ("act", "crc/r", (51, 45)),
        ("end", "crc/rf", (20.0, -20.0)),
    ]


@pytest.mark.parametrize(
    ("positions", "expected"),
    [
        ((2, 1, 0), [[0, 1, 2], [1, 2, 0], [2, 0, 1]]),  # the official dealer
        ((0, 1, 2), [[0, 1, 2], [2, 0, 1], [1, 2, 0]]),  # the other way round
        ((1, 1, 1), [[0, 1, 2], [0, 1, 2], [0, 1, 2]]),  # a button that stays
    ],
)
def test_players_keep_their_numbers_however_the_button_moves(positions, expected):
    cards = ["AsKd||", "|AsKd|", "||AsKd"]
    lines = [
        f"MATCHSTATE:{position}:{hand}::{cards[position]}"
        for hand, position in enumerate(positions)
    ]
    bot = Noting()
    play(lines, bot, THREE)[0].result()
    assert [players for what, _, players in bot.told if what == "begin"] == expected


def test_errors_of_the_bot_are_calls():
    class Broken(Bot):
        def begin(self, position, players):
            raise RuntimeError("no seat")

        def act(self, view):
            if not view.betting:
                raise KeyError("lost")
            return "all in"

    warnings = []
    client, said = play(HAND, Broken(), warn=warnings.append)
    assert client.result() == ClientMatch(hands=1, total=-20.0, faults=4)
    assert [line[-4:] for line in said[1:]] == [":c\r\n"] * 3
    assert [re.sub(r"test_client\.py:\d+: ", "", line) for line in warnings] == [
        "hand 0: begin failed, RuntimeError: no seat",
        "hand 0: act failed, KeyError: 'lost'",
        "hand 0: 'all in' is not legal, played c",
        "hand 0: 'all in' is not legal, played c",
    ]


def test_a_dealer_that_plays_something_else():
    client, _ = play(["MATCHSTATE:1:0:r300:|AsKd"], Caller())
    with pytest.raises(ValueError, match=r"the dealer does not play holdem\.limit\.2p: bad state"):
        client.result()


def test_a_dealer_that_falls_silent():
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
        with pytest.raises(ValueError, match=r"the dealer has sent nothing for 0\.1 s, after 0"):
            play_acpc("127.0.0.1", port, Caller(), LIMIT, seconds=0.1)


def test_a_dealer_that_leaves_at_once():
    client, _ = play([], Caller())
    assert client.result() == ClientMatch(0, 0.0, 0)

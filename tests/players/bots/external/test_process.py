import os
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from pokerlab.arena.table import play_hand
from pokerlab.games import load_betting_game
from pokerlab.players.bots import Caller, Raiser
from pokerlab.players.bots.external import acpc_connection, process
from pokerlab.players.bots.external.process import ProcessBot

GAME = load_betting_game("holdem.limit.2p")
CALLER = """
say("VERSION:2.0.0")
for state in states:
    if my_turn(state):
        say(state + ":c")
"""
HEAD = """
import os, socket, sys, time

connection = socket.create_connection((sys.argv[-2], int(sys.argv[-1])))
states = (line.decode().rstrip() for line in connection.makefile("rb"))

def say(line):
    connection.sendall((line + "\\r\\n").encode())

def my_turn(state):
    # Heads up: position 1 acts first, then position 0 first on every later street.
    position, betting = int(state.split(":")[1]), state.split(":")[3]
    if betting.endswith("f") or betting.count("/") == 3 and ends_the_street(betting):
        return False
    streets = betting.split("/")
    first = 1 if len(streets) == 1 else 0
    return (len(streets[-1]) + first) % 2 == position

def ends_the_street(betting):
    last = betting.split("/")[-1]
    return len(last) > 1 and last.endswith("c")
"""


@pytest.fixture
def program(tmp_path):
    """Write a program in Python, and give the bot that runs it."""
    bots = []

    def make(body, **limits):
        path = tmp_path / "program.py"
        path.write_text(HEAD + body)
        bots.append(ProcessBot([sys.executable, str(path)], **limits))
        return bots[-1]

    yield make
    for bot in bots:
        bot.close()


def play(bot, hands, other=None):
    """Play some hands, the button going round."""
    other = other or Raiser()
    other.reset(GAME, np.random.default_rng(1))
    played = []
    for number, deal in enumerate(GAME.deals(np.random.default_rng(2), hands)):
        players = [(position + number) % 2 for position in range(2)]
        table = [(bot, other)[player] for player in players]
        played.append(play_hand(GAME, deal, table, players=players, number=number))
    return played


def test_a_program_plays_as_it_would_as_a_bot(program):
    bot = program(CALLER)
    bot.reset(GAME, np.random.default_rng(1))
    hands = play(bot, 20)
    assert [(hand.betting, hand.payoffs) for hand in hands] == [
        (hand.betting, hand.payoffs) for hand in play(Caller(), 20)
    ]
    assert not any(hand.faults for hand in hands)


def test_it_is_sent_every_state_as_a_dealer_would(program, tmp_path):
    heard = tmp_path / "heard.txt"
    body = CALLER.replace("for state in states:", "for state in states:\n    note(state)")
    bot = program(f"def note(state):\n    print(state, file=open({str(heard)!r}, 'a'))\n{body}")
    bot.reset(GAME, np.random.default_rng(1))
    hand = play(bot, 2)[1]
    bot.close()
    lines = [line for line in heard.read_text().splitlines() if line.split(":")[2] == "1"]
    bettings = [line.split(":")[3] for line in lines]
    expected = [GAME.replay("").betting]
    state = GAME.start(hand.deal)
    for action in hand.betting.replace("/", ""):
        state = state.apply(action)
        expected.append(state.betting)
    assert bettings == expected
    assert {line.split(":")[1] for line in lines} == {"1"}


def test_a_reset_starts_it_anew_and_close_ends_it(program):
    bot = program(CALLER)
    bot.reset(GAME, np.random.default_rng(1))
    first = bot._process
    bot.reset(GAME, np.random.default_rng(1))
    second = bot._process
    assert first.poll() is not None and second.poll() is None and first.pid != second.pid
    bot.close()
    assert second.poll() is not None
    with pytest.raises(RuntimeError, match="has been closed"):
        bot.act(GAME.start(GAME.deal(np.random.default_rng(1))).view(1))
    bot.close()


def test_what_a_script_has_started_ends_with_it(program, monkeypatch):
    monkeypatch.setattr(process, "_GOODBYE_SECONDS", 0.1)  # it does not leave by itself
    bot = program(
        "say('VERSION:2.0.0')\nif os.fork():\n    time.sleep(600)\nelse:\n    time.sleep(600)"
    )
    bot.reset(GAME, np.random.default_rng(1))
    group = bot._process.pid
    bot.close()
    end = time.monotonic() + 300
    while time.monotonic() < end:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    raise AssertionError("something is still running")


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("sys.exit('no table found')", "it ended with exit status 1, 'no table found'"),
        (
            "1 / 0",
            "it has closed .*VERSION:2.0.0: it ended .* 'ZeroDivisionError: division by zero'",
        ),
        ("say('HELLO')", "it said 'HELLO' instead of VERSION:2.0.0"),
        ("time.sleep(600)", "it does not answer in time and has not said VERSION:2.0.0"),
    ],
)
def test_a_program_that_does_not_start(program, monkeypatch, body, why):
    # A busy machine may take seconds to start Python; who has connected and is silent need not be
    # waited for as long.
    bot = program(body, start_seconds=300.0)
    if "sleep" in body:
        monkeypatch.setattr(acpc_connection, "_seconds_left", lambda deadline: 0.05)
    if "sys.exit" in body:  # before it has connected
        (path,) = [word for word in bot._words if word.endswith("program.py")]
        Path(path).write_text(f"import sys\n{body}\n")
    with pytest.raises(ValueError, match=f"^bot command '.*program.py' does not start: {why}$"):
        bot.reset(GAME, np.random.default_rng(1))
    assert bot._process is None


def test_a_program_that_never_connects(tmp_path):
    path = tmp_path / "idle.py"
    path.write_text("import time\ntime.sleep(600)\n")
    bot = ProcessBot([sys.executable, str(path)], start_seconds=0.3)
    with pytest.raises(ValueError, match=r"does not start: it has not connected within 0\.3 s"):
        bot.reset(GAME, np.random.default_rng(1))


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("", "bad bot command ''"),
        ("play 'holdem", "bad bot command .*No closing quotation"),
        ("/no/such/program", "there is no program '/no/such/program' that can be run"),
    ],
)
def test_commands_that_cannot_be(command, why):
    with pytest.raises(ValueError, match=why):
        ProcessBot(command)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("sys.exit('out of ideas')", "has closed the connection: .* exit status 1, 'out of ideas'"),
        ("time.sleep(600)", r"does not answer in time \(0.1 s\) and has been ended"),
        (
            "for _ in range(5): say('nonsense')\n        time.sleep(600)",
            "does not answer in time after 5 lines that were no answer, as 'nonsense'",
        ),
    ],
)
def test_a_program_that_fails_is_a_fault_and_the_table_goes_on(program, body, why):
    # Time enough to say five lines first, or to say why it ended.
    limit = 0.1 if body == "time.sleep(600)" else 2.0 if "sleep" in body else 300.0
    bot = program(CALLER.replace('say(state + ":c")', body), action_seconds=limit)
    bot.reset(GAME, np.random.default_rng(1))
    hands = play(bot, 5)
    faults = [fault for hand in hands for fault in hand.faults]
    assert len(hands) == 5 and len(faults) > 5
    assert {fault.action for fault in faults} == {"c"}
    with pytest.raises(RuntimeError, match=why):
        bot.act(GAME.start(hands[0].deal).view(1))


def test_nonsense_for_an_action_is_left_to_the_table(program):
    bot = program(CALLER.replace(':c"', ':fly"'))
    bot.reset(GAME, np.random.default_rng(1))
    bot.begin(1, [0, 1])
    assert bot.act(GAME.start(GAME.deal(np.random.default_rng(1))).view(1)) == "f"


def test_games_the_protocol_has_no_words_for(program):
    with pytest.raises(ValueError, match="draw has a draw"):
        program(CALLER).reset(load_betting_game("draw"), np.random.default_rng(1))

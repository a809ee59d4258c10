import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from threading import Event

import pytest

from pokerlab.arena.acpc.client import play_acpc
from pokerlab.arena.acpc.dealer import AcpcDealer
from pokerlab.arena.logs.acpc_log import read_acpc_log
from pokerlab.games import load_betting_game
from pokerlab.players.bots import Caller, Raiser

GAME = load_betting_game("holdem.limit.2p")


@pytest.fixture
def port():
    """A free port: bound, so that nobody else gets it, but nobody listens there yet."""
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]


@contextmanager
def guest(call, *arguments):
    """Call in a thread, again until somebody listens, for as long as the block lasts."""
    ended = Event()

    def come():
        while not ended.wait(0.05):
            with suppress(ValueError, ConnectionRefusedError):
                return call(*arguments)
        raise AssertionError("nobody listens")

    with ThreadPoolExecutor() as pool:
        try:
            yield pool.submit(come)
        finally:
            ended.set()


def leave_early(port):
    with socket.create_connection(("127.0.0.1", port)) as guest, guest.makefile("rb") as states:
        guest.sendall(b"VERSION:2.0.0\n")
        for line in states:
            if b"MATCHSTATE:0:4:" in line:
                return
            guest.sendall(line.rstrip() + b":c\n")


def test_serve_and_a_guest(run, port, tmp_path):
    log = tmp_path / "night.log"
    with guest(play_acpc, "127.0.0.1", port, Caller(), GAME) as playing:
        outcome = run(
            *("acpc", "serve", "holdem.limit.2p", "--players", 2, "--hands", 20, "--seed", 3),
            *("--port", port, "--name", "ann", "--bot", "raiser", "--log", log),
        )
        result = playing.result()
    assert outcome.code == 0 and outcome.err == ""
    ports, score = outcome.out.splitlines()
    assert ports == str(port)
    assert score == f"SCORE:{result.total:.0f}|{-result.total:.0f}:ann|raiser"
    lines = log.read_text().splitlines()
    assert lines[0] == "# name/game/hands/seed night holdem.limit.2p 20 3"
    assert lines[1:4] == ["#--t_response 600000", "#--t_hand 600000", "#--t_per_hand 7000"]
    assert lines[-1] == score
    assert len(list(read_acpc_log(log, GAME))) == 20


def test_bots_among_themselves_in_json(run):
    outcome = run(
        *("acpc", "serve", "holdem.nolimit.3p", "--hands", 5, "--json", "--matches", 2),
        *("--bot", "caller", "--bot", "caller", "--bot", "random:1,2,1"),
    )
    assert outcome.code == 0
    assert [match["names"] for match in outcome.json["matches"]] == [
        ["caller", "caller.2", "random-1,2,1"]
    ] * 2
    assert [match["hands"] for match in outcome.json["matches"]] == [5, 5]
    totals = [match["totals"] for match in outcome.json["matches"]]
    assert totals[0] != totals[1]


def test_a_broken_match_is_named_and_its_hands_are_kept(run, port, tmp_path):
    log = tmp_path / "night.log"
    with guest(leave_early, port):
        outcome = run(
            *("acpc", "serve", "holdem.limit.2p", "--hands", 20, "--port", port),
            *("--bot", "caller", "--log", log, "--time-action", 5000),
        )
    assert outcome.code == 1
    assert outcome.err.splitlines()[-1].startswith("ERROR: seat 1 (player1) has closed the conn")
    assert outcome.out.splitlines()[-1].startswith("# ended after 4 hands, SCORE:")
    assert len(list(read_acpc_log(log, GAME, partial=True))) == 4
    assert log.read_text().splitlines()[-1].startswith("# ended after 4 hands: seat 1 (player1)")


def test_nobody_comes(run):
    outcome = run("acpc", "serve", "kuhn", "--bot", "caller", "--time-start", 50)
    assert outcome.code == 1
    assert outcome.err == "ERROR: seat 1 (player1) has not connected within 0.05 s\n"


def test_a_port_in_use_is_one_line(run, tmp_path):
    (tmp_path / "old.log").write_text("kept\n")
    with socket.create_server(("127.0.0.1", 0)) as door:
        taken = door.getsockname()[1]
        outcome = run(
            *("acpc", "serve", "kuhn", "--port", taken, "--port", 0),
            *("--log", tmp_path / "old.log"),
        )
    assert outcome.code == 2
    assert outcome.err == (
        f"pokerlab: port {taken} of 127.0.0.1 cannot be listened on: Address already in use\n"
    )
    assert (tmp_path / "old.log").read_text() == "kept\n"


def test_play_at_a_dealer(run):
    with AcpcDealer(GAME, [None, Raiser()]) as dealer, ThreadPoolExecutor() as pool:
        match = pool.submit(dealer.play, 10, 1)
        where = ("acpc", "play", "127.0.0.1", dealer.ports[0], "--bot", "caller")
        outcome = run(*where, "--game", "holdem.limit.2p", "--json")
        total = match.result().totals[0]
    assert outcome.json == {
        "game": "holdem.limit.2p",
        "bot": "caller",
        "hands": 10,
        "total": total,
        "faults": 0,
    }


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["serve", "no-such-game"], "no game 'no-such-game'"),
        (["serve", "draw"], "draw has a draw: the ACPC protocol has no words for it"),
        (["serve", "kuhn", "--players", "3"], "--players 3: kuhn has 2 seats"),
        (["serve", "kuhn", "--hands", "0"], "Invalid value for '--hands'"),
        (["serve", "kuhn", "--matches", "0"], "Invalid value for '--matches'"),
        (["serve", "kuhn", "--seed", "-1"], "Invalid value for '--seed'"),
        (["serve", "kuhn", "--bot", "nobody"], "no bot 'nobody'"),
        (["serve", "kuhn", *["--bot", "caller"] * 3], "--bot: 3 bots given, the game has 2 seats"),
        (["serve", "kuhn", "--name", "a:b"], "bad name 'a:b' of a player"),
        (["serve", "kuhn", *["--name", "a"] * 3], "--name: 3 names given, 2 seats wait"),
        (["serve", "kuhn", "--port", "1234"], "1 ports given, 2 seats of kuhn wait for players"),
        (["serve", "kuhn", "--port", "70000", "--port", "0"], "Invalid value for '--port'"),
        (["serve", "kuhn", "--time-hand", "0"], "time limit of 0 s for hand: it must be above 0"),
        (["serve", "kuhn", "--log", "/no/such/folder/x.log"], "--log /no/such/folder/x.log: there"),
        (["play", "127.0.0.1", "1", "--bot", "caller"], "no dealer at 127.0.0.1, port 1: Connec"),
        (["play", "127.0.0.1", "1", "--bot", "nobody"], "no bot 'nobody'"),
    ],
)
def test_bad_input_is_one_line(run, arguments, complaint):
    outcome = run("acpc", *arguments)
    assert outcome.code == 2 and outcome.out == ""
    assert outcome.err.startswith(f"pokerlab: {complaint}") and outcome.err.count("\n") == 1

"""Against the official ACPC dealer (project_acpc_server, version 1.0.42, plain C).

The files of tests/data/acpc were made by running it; nothing in them was written by hand. Two or
three players connected to ``dealer NAME GAME HANDS SEED ann bob …`` and drew their actions from a
seeded generator. A ``.log`` is the dealer's own log. A ``.transcript`` is what it printed to
stderr, without the times: each line sent to a seat (TO), each line that came from it (FROM), and
its warnings. In those named ``nonsense`` players sent, at random: comments, garbage, empty lines,
old and foreign states, actions in capitals, sizes with signs, blanks or leading zeros, sizes out
of bounds, folds where checking is free, raises after the last one, words, and nothing at all. In
``uneven.3p`` the stacks are 300, 2000 and 900, so that there are side pots and short all-ins.

With the C program at hand, ``POKERLAB_ACPC=FOLDER`` (where ``dealer`` and ``example_player``
were built) also plays 3,000-hand matches against it and with its player, as a slow test.
"""

import os
import re
import socket
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from pokerlab.arena.acpc.client import play_acpc
from pokerlab.arena.acpc.dealer import AcpcDealer
from pokerlab.arena.acpc.match import AcpcMatch, TimeLimits
from pokerlab.arena.chosen_deals import MatchCards
from pokerlab.arena.logs.acpc_log import (
    AcpcLogWriter,
    read_acpc_log,
    read_acpc_scores,
    write_acpc_log,
)
from pokerlab.games import load_betting_game, read_acpc
from pokerlab.games.formats.match_state import parse_match_state
from pokerlab.players.bots import Caller, Raiser, RandomBot
from pokerlab.players.bots.external.acpc_connection import LineConnection

DATA = Path(__file__).parent.parent / "data" / "acpc"
KUHN_3P = """GAMEDEF
limit
numPlayers = 3
numRounds = 1
blind = 1 1 1
raiseSize = 1
firstPlayer = 1
maxRaises = 1
numSuits = 1
numRanks = 4
numHoleCards = 1
numBoardCards = 0
END GAMEDEF"""
LOGS = sorted(path.stem for path in DATA.glob("*.log"))
TRANSCRIPTS = sorted(path.stem for path in DATA.glob("*.transcript"))


def game_of(name):
    if name == "kuhn.3p":
        return read_acpc(KUHN_3P, "kuhn.limit.3p")
    name = name.removeprefix("nonsense.")
    if name == "uneven.3p":
        return load_betting_game(DATA / "uneven.3p.game")
    return load_betting_game(f"holdem.{name}")


def test_there_is_something_to_compare():
    assert len(LOGS) == 9 and len(TRANSCRIPTS) == 4


@pytest.mark.parametrize("name", LOGS)
def test_its_logs_are_read_and_every_payoff_is_ours(name):
    # The reader plays each hand again, and refuses a log whose amounts are not ours.
    path = DATA / f"{name}.log"
    hands = list(read_acpc_log(path, game_of(name)))
    assert [hand.number for hand in hands] == list(range(len(hands))) and len(hands) >= 12
    totals = {}
    for hand in hands:
        for player, chips in zip(hand.players, hand.final.payoffs(), strict=True):
            totals[player] = totals.get(player, 0.0) + chips
    assert dict(read_acpc_scores(path)) == pytest.approx(totals, abs=1e-6)
    # The button moves as in our own dealer.
    names = hands[0].players
    for hand in hands:
        shift = hand.number % len(names)
        assert hand.players == names[shift:] + names[:shift]


@pytest.mark.parametrize("name", LOGS)
def test_its_logs_are_written_back_letter_for_letter(name, tmp_path):
    path = DATA / f"{name}.log"
    write_acpc_log(tmp_path / "back.log", read_acpc_log(path, game_of(name)))
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    assert (tmp_path / "back.log").read_text().splitlines() == lines


def completed(game, deal):
    """A deal of a log, which ends with the hand, with the cards that nobody saw."""
    seen = {card for cards in (*deal.holes, deal.board) for card in cards}
    rest = [card for card in game.deck if card not in seen]
    missing = game.board_cards[-1] - len(deal.board)
    return deal._replace(board=(*deal.board, *rest[:missing]))


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_our_dealer_says_the_same_to_the_same_players(name):
    game = game_of(name)
    log = DATA / f"{name}.log"
    transcript = (DATA / f"{name}.transcript").read_text().splitlines()
    hands = list(read_acpc_log(log, game))
    seats = range(game.players)
    ours, theirs = zip(*(socket.socketpair() for _ in seats), strict=True)
    played, warnings = [], []
    match = AcpcMatch(
        game,
        hands[0].players,
        [None] * game.players,
        {seat: LineConnection(ours[seat]) for seat in seats},
        TimeLimits(action=10.0),
        hands=len(hands),
        seed=0,
        cards=MatchCards(game, [completed(game, hand.deal) for hand in hands]),
        warn=lambda seat, line: warnings.append((seat, line)),
        record=played.append,
    )
    # A dealer reads from a seat only when it is its turn: all can be said in advance.
    for seat in seats:
        said = [line[7:] for line in transcript if line.startswith(f"FROM {seat + 1}")]
        theirs[seat].sendall("".join(line + "\r\n" for line in said).encode())
    with ThreadPoolExecutor() as pool:
        ears = [pool.submit(theirs[seat].makefile("rb").read) for seat in seats]
        try:
            match.play()
        finally:
            for seat in seats:
                ours[seat].close()
        for seat in seats:
            heard = ears[seat].result().decode().split("\r\n")[:-1]
            theirs[seat].close()
            assert heard == [line[5:] for line in transcript if line.startswith(f"TO {seat + 1} ")]
    assert [(hand.betting, hand.payoffs) for hand in played] == [
        (hand.betting, hand.payoffs) for hand in hands
    ]
    its_warnings = [line for line in transcript if line.startswith("WARNING")]
    ignored = [line for line in its_warnings if "bad state" in line or "un-requested" in line]
    counts = [int(found[1]) for _, line in warnings if (found := re.search(r"ignored (\d+)", line))]
    assert sum(counts) == len(ignored) > 0
    assert sum(match.fault_counts) == len(its_warnings) - len(ignored) > 0


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_all_that_it_sends_is_read(name):
    game = game_of(name)
    sent = re.findall(r"^TO \d (.*)$", (DATA / f"{name}.transcript").read_text(), re.MULTILINE)
    assert len(sent) > 100
    for line in sent:
        assert str(parse_match_state(line, game)) == line


FOLDER = os.environ.get("POKERLAB_ACPC", "")
needs_program = pytest.mark.skipif(not FOLDER, reason="POKERLAB_ACPC names no folder")
MATCHES = {
    "holdem.limit.2p": "holdem.limit.2p.reverse_blinds.game",
    "holdem.nolimit.2p": "holdem.nolimit.2p.reverse_blinds.game",
    "holdem.limit.3p": "holdem.limit.3p.game",
    "holdem.nolimit.3p": "holdem.nolimit.3p.game",
}


@needs_program
@pytest.mark.slow
@pytest.mark.parametrize("name", MATCHES)
def test_our_bots_play_3000_hands_under_it(name, tmp_path):
    folder, game = Path(FOLDER), load_betting_game(name)
    bots = [RandomBot(), Caller(), Raiser()][: game.players]
    names = ["random", "caller", "raiser"][: game.players]
    command = [folder / "dealer", tmp_path / "night", folder / MATCHES[name], "3000", "5", *names]
    with (
        subprocess.Popen(
            [*map(str, command), "-q"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ) as dealer,
        ThreadPoolExecutor() as pool,
    ):
        ports = map(int, dealer.stdout.readline().split())
        seated = [
            pool.submit(play_acpc, "127.0.0.1", port, bot, game, rng=np.random.default_rng(port))
            for port, bot in zip(ports, bots, strict=True)
        ]
        results = [seat.result() for seat in seated]
        assert dealer.wait() == 0
    assert {(result.hands, result.faults) for result in results} == {(3000, 0)}
    assert len(list(read_acpc_log(tmp_path / "night.log", game))) == 3000
    scores = [score for _, score in read_acpc_scores(tmp_path / "night.log")]
    assert scores == pytest.approx([result.total for result in results], abs=1e-5)


@needs_program
@pytest.mark.slow
@pytest.mark.parametrize("name", MATCHES)
def test_its_player_plays_3000_hands_under_ours(name, tmp_path):
    folder, game = Path(FOLDER), load_betting_game(name)
    with (
        AcpcDealer(game, [None] * game.players) as dealer,
        (tmp_path / "night.log").open("w") as file,
    ):
        programs = [
            subprocess.Popen(
                [folder / "example_player", folder / MATCHES[name], "127.0.0.1", str(port)]
            )
            for port in dealer.ports
        ]
        writer = AcpcLogWriter(file)
        match = dealer.play(3000, 1, record=writer.hand, start_seconds=300)
        writer.score()
        assert [program.wait(10) for program in programs] == [0] * game.players
    assert (match.hands, match.ended, sum(match.faults)) == (3000, "", 0)
    assert len(list(read_acpc_log(tmp_path / "night.log", game))) == 3000

"""Our dealer with well-behaved and with hostile players, over real sockets."""

import re
import socket
import time
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import numpy as np
import pytest

from pokerlab.arena.acpc import lobby
from pokerlab.arena.acpc.client import play_acpc
from pokerlab.arena.acpc.dealer import AcpcDealer
from pokerlab.arena.acpc.match import AcpcMatch, SeatLostError, TimeLimits
from pokerlab.arena.chosen_deals import MatchCards
from pokerlab.arena.matches import Match
from pokerlab.games import load_betting_game
from pokerlab.games.formats.match_state import parse_match_state
from pokerlab.players.bots import Caller, Raiser, RandomBot
from pokerlab.players.bots.external.acpc_connection import LineConnection

LIMIT = load_betting_game("holdem.limit.2p")
NOLIMIT = load_betting_game("holdem.nolimit.2p")
THREE = load_betting_game("holdem.nolimit.3p")
QUICK = TimeLimits(action=0.4, hand=5.0, match=20.0)
"""For guests that are to be out of time; a good one may be slower than that on a busy machine."""
PATIENT = TimeLimits(action=300.0)


class Guest:
    """A player that sends what it likes."""

    def __init__(self, port, greeting=b"VERSION:2.0.0\r\n"):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.lines = self.socket.makefile("rb")
        self.socket.sendall(greeting)

    def state(self):
        return self.lines.readline().decode().rstrip("\r\n")

    def say(self, text):
        self.socket.sendall(text if isinstance(text, bytes) else text.encode() + b"\r\n")

    def until_my_turn(self, game):
        while line := self.state():
            state = parse_match_state(line, game)
            if state.view.player == state.position:
                return line
        return ""

    def rest(self):
        try:
            return self.lines.read()
        except ConnectionError:
            return b""

    def close(self):
        self.lines.close()
        self.socket.close()


def serve(game, behave, *, hands=3, other=None, limits=PATIENT, start_seconds=300.0, **options):
    """Play a match between a guest and a bot of ours; `behave` is called with the guest's port."""
    warnings, played = [], []
    with (
        AcpcDealer(
            game,
            [None, other or Caller(), *[Caller()] * (game.players - 2)],
            ["eve", "bob", "ann"][: game.players],
            limits=limits,
            warn=warnings.append,
            **options,
        ) as dealer,
        ThreadPoolExecutor() as pool,
    ):
        guest = pool.submit(behave, dealer.ports[0])
        match = dealer.play(hands, 1, record=played.append, start_seconds=start_seconds)
        dealer.close()
        guest.result()
    return match, played, warnings


@pytest.mark.parametrize("game", [LIMIT, NOLIMIT, THREE], ids=lambda game: game.name)
def test_a_match_is_the_same_over_sockets(game):
    bots = [Raiser(), Caller(), Raiser(all_in=True)][: game.players]
    with AcpcDealer(game, [None] * game.players) as dealer, ThreadPoolExecutor() as pool:
        guests = [
            pool.submit(play_acpc, "127.0.0.1", port, bot, game)
            for port, bot in zip(dealer.ports, bots, strict=True)
        ]
        over_sockets = []
        match = dealer.play(30, 5, record=over_sockets.append)
        results = [guest.result() for guest in guests]
    at_home = []
    with AcpcDealer(game, bots) as dealer:
        assert dealer.ports == ()
        again = dealer.play(30, 5, record=at_home.append)
    assert over_sockets == at_home
    assert (match.totals, match.faults, match.ended) == (again.totals, (0,) * game.players, "")
    assert [result.total for result in results] == pytest.approx(list(match.totals))
    assert {(result.hands, result.faults) for result in results} == {(30, 0)}


def test_the_cards_are_those_of_a_match_with_the_same_seed():
    dealt = []
    with AcpcDealer(LIMIT, [Caller(), Caller()]) as dealer:
        dealer.play(5, 9, record=dealt.append)
    with Match(LIMIT, ["caller", "caller"], 5, seed=9) as match:
        assert [hand.deal for hand in dealt] == [hand.deal for hand in match]


def test_the_button_moves_as_in_the_official_dealer():
    hands = []
    with AcpcDealer(THREE, [Caller(), Caller(), Caller()], ["a", "b", "c"]) as dealer:
        dealer.play(4, 1, record=hands.append)
    assert ["".join(hand.players) for hand in hands] == ["abc", "bca", "cab", "abc"]


def test_a_seat_is_sent_no_card_it_may_not_see():
    heard = []

    def behave(port):
        guest = Guest(port)
        while line := guest.state():
            heard.append(line)
            state = parse_match_state(line, THREE)
            if state.view.player == state.position:
                guest.say(f"{line}:{'f' if state.view.to_call else 'c'}")
        guest.close()

    match, played, _ = serve(THREE, behave, hands=6, other=RandomBot(1, 2, 1))
    assert match.hands == 6
    for line in heard:
        state = parse_match_state(line, THREE)
        hand = played[state.hand]
        whole = THREE.replay(state.view.betting, hand.deal)
        assert state.view.holes == whole.view(state.position).holes
        assert state.view.board == whole.board


def test_illegal_actions_are_calls_sizes_are_clamped_and_all_is_recorded():
    answers = iter(["r1", "x", "r999999"])

    def behave(port):
        guest = Guest(port)
        while line := guest.until_my_turn(NOLIMIT):
            guest.say(f"{line}:{next(answers, 'c')}")
        guest.close()

    match, played, warnings = serve(NOLIMIT, behave, hands=1)
    assert played[0].betting == "cr200c/cc/r20000c/"
    assert match.faults == (3, 0) and match.ended == ""
    faults = played[0].faults
    assert [(fault.answer, fault.action) for fault in faults] == [
        ("r1", "r200"),
        ("x", "c"),
        ("r999999", "r20000"),
    ]
    assert warnings[1].startswith("seat 1 (eve): hand 0 answered 'x', played c: illegal action 'x'")


@pytest.mark.parametrize(
    "noise",
    [
        b"# comment\r\n; comment\n",
        b"garbage\r\n\x00\xff\xfe\r\n\r\n\n",
        b"MATCHSTATE:0:77::AsKd|:f\r\nMATCHSTATE:5:0::|:f\r\n",
        b"VERSION:2.0.0\r\n" * 50,
        b"x" * 10_000_000 + b"\r\n",
    ],
    ids=["comments", "garbage", "wrong states", "many lines", "10 MB line"],
)
def test_noise_is_ignored_and_the_match_goes_on(noise):
    def behave(port):
        guest = Guest(port)
        while line := guest.until_my_turn(LIMIT):
            guest.say(noise)
            half = len(line) // 2
            guest.say(line[:half].encode())
            guest.say(f"{line[half:]}:r")
        guest.close()

    match, played, warnings = serve(LIMIT, behave, hands=2)
    assert (match.hands, match.ended, match.faults) == (2, "", (0, 0))
    assert all("r" in hand.betting for hand in played)
    if not noise.startswith(b"#"):
        assert warnings and all(line.startswith("seat 1 (eve): hand ") for line in warnings)
        assert all(len(line) < 250 for line in warnings)


def test_memory_is_bounded_whatever_is_sent():
    def behave(port):
        guest = Guest(port)
        guest.until_my_turn(LIMIT)
        try:
            for _ in range(400):
                guest.say(b"y" * 50_000 + b"\n" * 50)
        except OSError:
            pass
        guest.close()

    tracemalloc.start()
    try:
        match, _, _ = serve(LIMIT, behave, limits=TimeLimits(action=3.0))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert match.ended.startswith("seat 1 (eve) ")
    assert peak < 20_000_000 / 4  # of 20 MB sent; most of it is what the threads and tests need


@pytest.mark.parametrize(
    ("line", "after"),
    [(b"# thinking\r\n", ""), (b"nonsense\r\n", " after .* as 'nonsense'"), (b"", "")],
    ids=["comments", "nonsense", "silence"],
)
def test_time_runs_whatever_is_said_meanwhile(line, after):
    def behave(port):
        guest = Guest(port)
        guest.until_my_turn(LIMIT)
        try:
            while True:
                guest.say(line * 100)
                if not line:
                    guest.rest()
                    break
        except OSError:
            pass
        guest.close()

    match, played, _ = serve(LIMIT, behave, limits=QUICK)
    assert match.hands == 0 and not played
    pattern = rf"seat 1 \(eve\) does not answer in time{after}: it had 0\.4 s for an action"
    assert re.match(pattern, match.ended)


@pytest.mark.parametrize(
    ("limits", "which"),
    [
        (TimeLimits(action=300.0, hand=0.25), "left for the hand"),
        (TimeLimits(action=300.0, hand=300.0, match=0.25), "left for the match"),
    ],
)
def test_time_adds_up_over_a_hand_and_a_match(limits, which):
    def behave(port):
        guest = Guest(port)
        while line := guest.until_my_turn(LIMIT):
            time.sleep(0.1)
            try:
                guest.say(f"{line}:c")
            except OSError:
                break
        guest.close()

    match, _, _ = serve(LIMIT, behave, hands=50, limits=limits)
    assert match.ended.startswith("seat 1 (eve) does not answer in time: it had ")
    assert which in match.ended
    assert match.hands == 0


@pytest.mark.parametrize("when", ["at once", "on its turn", "after an answer", "half a line"])
def test_who_leaves_ends_the_match_and_hands_played_are_kept(when):
    def behave(port):
        guest = Guest(port)
        if when != "at once":
            for _ in range(12):  # more actions than a hand of calls has
                line = guest.until_my_turn(LIMIT)
                guest.say(f"{line}:c")
            if when == "half a line":
                guest.say(guest.until_my_turn(LIMIT)[:9].encode())
            elif when == "on its turn":
                guest.until_my_turn(LIMIT)
        guest.close()

    match, played, _ = serve(LIMIT, behave, hands=50)
    assert match.ended.startswith("seat 1 (eve) has closed the connection")
    assert match.hands == len(played) == (0 if when == "at once" else 3)
    assert sum(match.totals) == 0.0


def test_who_does_not_read_is_out_of_time():
    ours, theirs = socket.socketpair()
    connection = LineConnection(ours)
    with pytest.raises(TimeoutError):
        while True:
            connection.send("# more than it has room for", 0.05)
    match = AcpcMatch(
        LIMIT,
        ["eve", "bob"],
        [None, Caller()],
        {0: connection},
        QUICK,
        hands=1,
        seed=1,
        cards=MatchCards(LIMIT),
        warn=lambda seat, line: None,
        record=lambda hand: None,
    )
    with pytest.raises(SeatLostError, match=r"does not read what it is sent \(hand 0\)") as lost:
        match.play()
    assert lost.value.seat == 0
    ours.close()
    theirs.close()


@pytest.mark.parametrize(
    ("greeting", "complaint"),
    [
        (b"", "has closed the connection and has not said VERSION:2.0.0: sent away"),
        (b"GET / HTTP/1.1\r\n\r\n", "said 'GET / HTTP/1.1', not VERSION:2.0.0: sent away"),
        (b"\x00" * 100_000, "not VERSION:2.0.0: sent away"),
    ],
)
def test_strangers_are_sent_away_and_the_seat_stays_open(greeting, complaint):
    def behave(port):
        with suppress(OSError):  # it may be sent away before it has said all
            stranger = Guest(port, greeting)
            stranger.socket.shutdown(socket.SHUT_WR)
            stranger.rest()
            stranger.close()
        play_acpc("127.0.0.1", port, Caller(), LIMIT)

    match, _, warnings = serve(LIMIT, behave)
    assert (match.hands, match.ended) == (3, "")
    assert warnings[0].startswith("seat 1 (eve): who connected ") and complaint in warnings[0]


def test_silent_connections_hold_no_seat():
    with AcpcDealer(LIMIT, [None, None], limits=PATIENT) as dealer, ThreadPoolExecutor() as pool:
        silent = [Guest(port, greeting) for port in dealer.ports for greeting in (b"", b"VERS")]
        guests = [
            pool.submit(play_acpc, "127.0.0.1", port, Caller(), LIMIT) for port in dealer.ports
        ]
        match = dealer.play(3, 1, start_seconds=300.0)
        assert (match.hands, match.ended) == (3, "")
        assert [guest.result().hands for guest in guests] == [3, 3]
        # Who was there first may still say its version, and plays the next match.
        silent[1].say(b"ION:2.0.0\r\n")
        second = pool.submit(play_acpc, "127.0.0.1", dealer.ports[1], Caller(), LIMIT)
        silent[1].socket.shutdown(socket.SHUT_WR)
        ended = dealer.play(3, 1, start_seconds=300.0).ended
        assert ended.startswith("seat 1 (player1) has closed the connection")
        second.result()
    for guest in silent:
        assert guest.rest() == b"" or guest is silent[1]
        guest.close()


def test_a_silent_connection_does_not_stop_the_clock_of_the_start():
    warnings = []
    with AcpcDealer(LIMIT, [None, Caller()], limits=PATIENT, warn=warnings.append) as dealer:
        silent = Guest(dealer.ports[0], b"")
        match = dealer.play(3, 1, start_seconds=0.2)
        assert match.ended == "seat 1 (player1) has not connected within 0.2 s"
        assert warnings == []
    silent.close()


def test_a_silent_connection_is_sent_away():
    warnings, guests = [], []

    def warn(line):
        warnings.append(line)
        guests.append(pool.submit(play_acpc, "127.0.0.1", dealer.ports[0], Caller(), LIMIT))

    with (
        AcpcDealer(LIMIT, [None, Caller()], limits=PATIENT, warn=warn) as dealer,
        ThreadPoolExecutor() as pool,
    ):
        dealer._lobby._greeting_seconds = 0.05
        silent = Guest(dealer.ports[0], b"")
        while not dealer.play(3, 1, start_seconds=300.0).hands:
            pass  # a guest that was slow to speak on a busy machine was sent away too
    assert silent.rest() == b""
    silent.close()
    assert warnings[0] == (
        "seat 1 (player1): who connected does not answer in time and has not said VERSION:2.0.0:"
        " sent away"
    )


def test_a_crowd_of_silent_connections_makes_room(monkeypatch):
    monkeypatch.setattr(lobby, "MAX_STRANGERS", 3)
    warnings = []
    with (
        AcpcDealer(LIMIT, [None, Caller()], limits=PATIENT, warn=warnings.append) as dealer,
        ThreadPoolExecutor() as pool,
    ):
        crowd = [Guest(dealer.ports[0], b"") for _ in range(5)]
        guest = pool.submit(play_acpc, "127.0.0.1", dealer.ports[0], Caller(), LIMIT)
        assert dealer.play(3, 1, start_seconds=300.0).hands == 3
        assert guest.result().hands == 3
        assert ["makes room for others" in line for line in warnings] == [True, True, True]
        assert [stranger.rest() for stranger in crowd[:3]] == [b"", b"", b""]
    for stranger in crowd:
        stranger.close()


def test_another_version_is_a_warning():
    def behave(port):
        guest = Guest(port, b"VERSION:3.1.0\n")
        while line := guest.until_my_turn(LIMIT):
            guest.say(f"{line}:c")
        guest.close()

    match, _, warnings = serve(LIMIT, behave)
    assert match.ended == ""
    assert "seat 1 (eve): speaks 'VERSION:3.1.0', this is VERSION:2.0.0" in warnings[0]


def test_a_seat_that_stays_empty():
    match, _, _ = serve(LIMIT, lambda port: None, start_seconds=0.1)
    assert match.ended == "seat 1 (eve) has not connected within 0.1 s"


def test_the_server_stays_up_for_the_next_match():
    with (
        AcpcDealer(LIMIT, [None, Caller()], limits=PATIENT) as dealer,
        ThreadPoolExecutor() as pool,
    ):
        rude = pool.submit(lambda: Guest(dealer.ports[0]).close())
        assert "has closed the connection" in dealer.play(5, 1).ended
        rude.result()
        guest = pool.submit(play_acpc, "127.0.0.1", dealer.ports[0], Caller(), LIMIT)
        assert dealer.play(5, 2).ended == ""
        assert guest.result().hands == 5


def test_errors_of_our_own_bots_are_faults():
    class Broken(Caller):
        def begin(self, position, players):
            raise RuntimeError("no\nidea")

        def act(self, view):
            raise KeyError("lost")

        def end(self, view):
            raise RuntimeError

    hands = []
    with AcpcDealer(LIMIT, [Broken(), Caller()]) as dealer:
        match = dealer.play(2, 1, record=hands.append)
    assert match.ended == "" and match.faults[0] == 2 * (1 + 4 + 1) and match.faults[1] == 0
    said = {re.sub(r"^test_dealer\.py:\d+: ", "", fault.why) for fault in hands[0].faults}
    assert said == {"RuntimeError: no idea", "KeyError: 'lost'", "RuntimeError"}


def test_a_round_has_no_more_actions_than_programs_have_room_for():
    hands = []
    with AcpcDealer(NOLIMIT, [Raiser(), Raiser()]) as dealer:
        match = dealer.play(2, 1, record=hands.append)
    assert max(len(street.split("r")) for street in hands[0].betting.split("/")) <= 64
    assert hands[0].betting.startswith("r200r300") and match.faults == (3, 3)
    assert "no more raises: a betting round has at most 64 actions" in hands[0].faults[0].why


def test_bad_tables():
    with pytest.raises(ValueError, match=r"3 seats given, holdem\.limit\.2p has 2"):
        AcpcDealer(LIMIT, [None] * 3)
    with pytest.raises(ValueError, match="1 names given"):
        AcpcDealer(LIMIT, [None] * 2, ["ann"])
    with pytest.raises(ValueError, match=r"1 ports given, 2 seats of holdem\.limit\.2p wait"):
        AcpcDealer(LIMIT, [None] * 2, ports=[0])
    with pytest.raises(ValueError, match="draw has a draw"):
        AcpcDealer(load_betting_game("draw"), [None] * 2)
    with pytest.raises(ValueError, match="time limit of 0 s for hand: it must be above 0"):
        TimeLimits(hand=0.0)
    with AcpcDealer(LIMIT, [Caller()] * 2) as dealer:
        with pytest.raises(ValueError, match="0 hands: a match has one or more"):
            dealer.play(0, 1)
        with pytest.raises(ValueError, match="seed -1"):
            dealer.play(1, -1)


def test_a_port_in_use_frees_the_others():
    with AcpcDealer(LIMIT, [None, None]) as dealer:
        free, taken = socket.create_server(("127.0.0.1", 0)), dealer.ports[0]
        port = free.getsockname()[1]
        free.close()
        with pytest.raises(ValueError, match=f"port {taken} of 127.0.0.1 cannot be listened on"):
            AcpcDealer(LIMIT, [None, None], ports=[port, taken])
        socket.create_server(("127.0.0.1", port)).close()


def test_the_rng_of_bots_comes_from_the_seed():
    totals = []
    for seed in (3, 3, 4):
        with AcpcDealer(NOLIMIT, [RandomBot(), RandomBot()]) as dealer:
            totals.append(dealer.play(20, seed).totals)
    assert totals[0] == totals[1] != totals[2]
    assert np.isfinite(totals).all()


def test_chosen_deals_and_a_button_that_stays():
    deals = list(LIMIT.deals(np.random.default_rng(5), 6))
    played = []
    with AcpcDealer(LIMIT, [Raiser(), Caller()], ["ann", "bob"]) as dealer:
        dealer.play(6, 0, deals=deals, fixed_button=True, record=played.append)
        assert [hand.deal for hand in played] == deals
        assert {hand.players for hand in played} == {("ann", "bob")}
        dealer.play(4, 0, pockets={1: "AsAd"}, record=played.append)
        assert {hand.deal.holes[1] for hand in played[6:]} == {(51, 49)}
        assert [hand.players[1] for hand in played[6:]] == ["bob", "ann"] * 2
        with pytest.raises(ValueError, match="deals: 6 deals are enough for 6 hands, not for 7"):
            dealer.play(7, 0, deals=deals)

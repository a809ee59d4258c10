import socket
import threading
import tracemalloc
from time import monotonic

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.games import load_betting_game
from pokerlab.players.bots.external.acpc_connection import (
    LineConnection,
    connection_to,
    listen,
    read_action,
)

STATE = "MATCHSTATE:0:0::AsKd|"


@pytest.fixture
def ends():
    """A connection, and the bare socket at its other end."""
    ours, theirs = socket.socketpair()
    yield LineConnection(ours), theirs
    ours.close()
    theirs.close()


def soon(seconds=300.0):
    return monotonic() + seconds


def test_lines_come_in_pieces_and_in_heaps(ends):
    connection, other = ends
    other.sendall(b"one\r\ntwo\nthr")
    assert [connection.receive(soon()), connection.receive(soon())] == ["one", "two"]
    other.sendall(b"ee\r\n\r\nfive")
    other.close()
    assert [connection.receive(soon()) for _ in range(3)] == ["three", "", "five"]
    with pytest.raises(ConnectionError, match="has closed the connection"):
        connection.receive(soon())


def test_what_is_here_is_received_without_waiting(ends):
    connection, other = ends
    assert connection.receive_now() is None
    other.sendall(b"one")
    assert connection.receive_now() is None
    other.sendall(b"\r\ntwo\nx")
    assert connection.receive_now() == "one"
    assert connection.receive_now() == "two"
    assert connection.receive_now() is None
    other.sendall(b"y" * 9000)
    found = None
    while found is None:
        found = connection.receive_now()
    assert found.startswith("xyyy") and len(found) == 4096
    other.close()
    with pytest.raises(ConnectionError):
        while True:
            connection.receive_now()


def test_a_half_line_is_waited_for_no_longer_than_told(ends):
    connection, other = ends
    other.sendall(b"MATCHSTATE:0")
    with pytest.raises(TimeoutError, match="does not answer in time"):
        connection.receive(soon(0.1))
    other.sendall(b":0\n")
    assert connection.receive(soon()) == "MATCHSTATE:0:0"


def test_a_line_of_10_megabytes_takes_no_memory(ends):
    connection, other = ends

    def flood():
        for _ in range(160):
            other.sendall(b"x" * 65536)
        other.sendall(b"\r\nafter\r\n")

    sender = threading.Thread(target=flood)
    sender.start()
    tracemalloc.start()
    try:
        assert connection.receive(soon()) == "x" * 4096
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    sender.join()
    assert connection.receive(soon()) == "after"
    assert peak < 500_000


@pytest.mark.parametrize("line", [b"# comment\r\n", b"garbage\r\n", b"\n"])
def test_a_flood_does_not_stop_the_clock(ends, line):
    connection, other = ends
    stop = threading.Event()

    def flood():
        while not stop.is_set():
            try:
                other.sendall(line * 500)
            except OSError:
                return

    sender = threading.Thread(target=flood)
    sender.start()
    with pytest.raises(TimeoutError, match="does not answer in time"):
        connection.receive_answer(STATE, soon(0.3))
    stop.set()
    connection.close()
    sender.join()


def test_only_the_answer_to_the_state_counts(ends):
    connection, other = ends
    other.sendall(
        b"# thinking\r\n; still\r\n\x00\xff\r\nMATCHSTATE:0:0:c:AsKd|:f\r\n" + STATE.encode()
    )
    other.sendall(b":r300\r\n")
    answer = connection.receive_answer(STATE, soon())
    assert (answer.action, answer.ignored) == ("r300", 2)
    assert answer.example == "\x00\ufffd"
    other.sendall(STATE.encode() + b"\r\n")
    assert connection.receive_answer(STATE, soon()).action == ""


def test_who_does_not_read_is_slow(ends):
    connection, _ = ends
    with pytest.raises(TimeoutError, match="does not read what it is sent"):
        for _ in range(100_000):
            connection.send("x" * 1000, 0.1)


def test_sending_to_nobody(ends):
    connection, other = ends
    other.close()
    with pytest.raises(ConnectionError, match="has closed the connection"):
        for _ in range(3):
            connection.send("hello", 1.0)


def test_ports():
    with listen("127.0.0.1", 0) as door:
        port = door.getsockname()[1]
        with pytest.raises(
            ValueError, match=f"port {port} of 127.0.0.1 cannot be listened on: Add"
        ):
            listen("127.0.0.1", port)
    with pytest.raises(
        ValueError, match=f"no dealer at 127.0.0.1, port {port}: Connection refused"
    ):
        connection_to("127.0.0.1", port)
    for call in (listen, connection_to):
        with pytest.raises(ValueError, match="70000 is not a port"):
            call("127.0.0.1", 70000)
    with pytest.raises(ValueError, match=r"port 1234 of no\.such\.invalid cannot be listened on: "):
        listen("no.such.invalid", 1234)
    with pytest.raises(ValueError, match=r"no host 'no\.such\.invalid'"):
        connection_to("no.such.invalid", 1234)


@given(text=st.text())
def test_any_action_can_be_read(text):
    for name in ("holdem.limit.2p", "holdem.nolimit.2p"):
        action = read_action(text, load_betting_game(name))
        assert action == text or action[0] in "fcr"

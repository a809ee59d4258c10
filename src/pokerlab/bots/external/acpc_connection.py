"""Lines over a socket, as dealers and players of the ACPC protocol send them to each other.

Whatever the other side sends, memory and time are bounded: a line is cut at 4,096 bytes (as
the official dealer does) and what follows of it is thrown away, and every wait has an end.
"""

from __future__ import annotations

import re
import socket
from time import monotonic
from typing import NamedTuple

from pokerlab.games.rules import GameRules

VERSION = "VERSION:2.0.0"
"""What a player says first."""

MAX_LINE = 4096
_CHUNK = MAX_LINE
_LETTERS = {"f": "f", "c": "c", "k": "c", "r": "r", "b": "r"}
_SIZE = re.compile(r"\s*([+-]?)0*(\d+)", re.ASCII)


class Answer(NamedTuple):
    """The answer of a player to a state.

    Attributes
    ----------
    action
        What stands after the state.
    ignored
        How many lines before it were no answer to this state.
    example
        The first of these, shortened.
    """

    action: str
    ignored: int = 0
    example: str = ""


class LineConnection:
    """A socket that sends and receives lines.

    Both raise `ConnectionError` when the other side is gone, and `TimeoutError` when it is slow.

    Examples
    --------
    >>> here, there = map(LineConnection, socket.socketpair())
    >>> there.send("# hello", 1.0)
    >>> there.send("MATCHSTATE:0:0::Js|:r", 1.0)
    >>> here.receive_answer("MATCHSTATE:0:0::Js|", monotonic() + 1.0)
    Answer(action='r', ignored=0, example='')
    >>> here.close(), there.close()
    (None, None)
    """

    def __init__(self, connected: socket.socket) -> None:
        self._socket = connected
        self._buffer = b""
        self._ended = False
        if connected.family != getattr(socket, "AF_UNIX", None):
            connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, line: str, seconds: float | None) -> None:
        """Send a line, within some seconds (None: however long it takes)."""
        try:
            self._socket.settimeout(seconds)
            self._socket.sendall(line.encode("ascii", "replace") + b"\r\n")
        except TimeoutError:
            raise TimeoutError("does not read what it is sent") from None
        except OSError:
            raise ConnectionError("has closed the connection") from None

    def receive(self, deadline: float | None) -> str:
        """The next line, without its end; `deadline` is a time of `time.monotonic`."""
        # What is already here is no excuse: a flood of lines must not stop the clock.
        _seconds_left(deadline)
        cut = b""
        while (end := self._buffer.find(b"\n")) < 0:
            if len(self._buffer) >= MAX_LINE:
                cut = cut or self._buffer[:MAX_LINE]
                self._buffer = b""
            chunk = self._read(deadline)
            if not chunk:
                self._ended = True
                end = len(self._buffer)
                if not (self._buffer or cut):
                    raise ConnectionError("has closed the connection")
                break
            self._buffer += chunk
        line = cut or self._buffer[: min(end, MAX_LINE)]
        self._buffer = self._buffer[end + 1 :]
        return line.decode("ascii", "replace").rstrip("\r")

    def receive_now(self) -> str | None:
        """The next line, or None if it is not here yet: this never waits.

        What is longer than a line may be counts as one.
        """
        if b"\n" not in self._buffer and not self._ended:
            try:
                self._socket.settimeout(0.0)
                chunk = self._socket.recv(_CHUNK)
            except BlockingIOError:
                return None
            except OSError:
                chunk = b""
            self._ended = not chunk
            self._buffer += chunk
            if chunk and b"\n" not in chunk:
                if len(self._buffer) < MAX_LINE:
                    return None
                return self._buffer[:MAX_LINE].decode("ascii", "replace")
        return self.receive(None)

    def fileno(self) -> int:
        """The number of the socket, for `selectors`."""
        return self._socket.fileno()

    def receive_answer(self, state: str, deadline: float | None) -> Answer:
        """Wait for the answer to a state; comments and all other lines are ignored."""
        ignored = 0
        example = ""
        while True:
            try:
                line = self.receive(deadline)
            except (TimeoutError, ConnectionError) as error:
                noise = f" after {ignored} lines that were no answer, as {example!r}"
                raise type(error)(f"{error}{noise if ignored else ''}") from None
            if line.startswith(("#", ";")):
                continue
            if line.startswith(state):
                # A state with nothing after it is an answer too: one without an action.
                return Answer(line[len(state) + 1 :], ignored, example)
            ignored += 1
            example = example or (line if len(line) <= 60 else line[:57] + "...")

    def close(self) -> None:
        """End the connection."""
        self._socket.close()

    def _read(self, deadline: float | None) -> bytes:
        if self._ended:
            return b""
        try:
            self._socket.settimeout(_seconds_left(deadline))
            return self._socket.recv(_CHUNK)
        except TimeoutError:
            raise TimeoutError("does not answer in time") from None
        except OSError:
            return b""


def _seconds_left(deadline: float | None) -> float | None:
    if deadline is None:
        return None
    left = deadline - monotonic()
    if left <= 0.0:
        raise TimeoutError("does not answer in time")
    return left


def read_action(text: str, game: GameRules) -> str:
    """Read an action as the official dealer does: one letter, a size in no-limit, and no more.

    ``b`` stands for ``r`` and ``k`` for ``c``, in either case. What cannot be read is returned as
    it is, and is not legal.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> game = load_game("holdem.nolimit.2p")
    >>> [read_action(text, game) for text in ("f", "Kx", "r0300", "b300", "r-1", "r", "?")]
    ['f', 'c', 'r300', 'r300', 'r0', 'r', '?']
    >>> read_action("r300", load_game("holdem.limit.2p"))
    'r'
    """
    letter = _LETTERS.get(text[:1].lower())
    if letter is None:
        return text
    if letter != "r" or game.betting == "limit":
        return letter
    size = _SIZE.match(text, 1)
    if size is None:
        return text
    return "r0" if size.group(1) == "-" else f"r{size.group(2)}"


def listen(host: str, port: int) -> socket.socket:
    """A socket on which players can arrive; port 0 takes a free one.

    Examples
    --------
    >>> with listen("127.0.0.1", 0) as first:
    ...     listen("127.0.0.1", first.getsockname()[1])
    Traceback (most recent call last):
    ValueError: port ... of 127.0.0.1 cannot be listened on: Address already in use
    """
    if not 0 <= port <= 65535:
        raise ValueError(f"{port} is not a port (1 to 65535, or 0 for a free one)")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=8)
    except OSError as error:
        why = (error.strerror or str(error)).partition(" (")[0]
        raise ValueError(f"port {port} of {host} cannot be listened on: {why}") from None


def connection_to(host: str, port: int, seconds: float | None = 10.0) -> LineConnection:
    """Connect to a dealer; `ValueError` if there is none."""
    if not 1 <= port <= 65535:
        raise ValueError(f"{port} is not a port (1 to 65535)")
    try:
        return LineConnection(socket.create_connection((host, port), timeout=seconds))
    except socket.gaierror:
        raise ValueError(f"no host {host!r}: its address cannot be found") from None
    except OSError as error:
        why = error.strerror or "no answer"
        raise ValueError(f"no dealer at {host}, port {port}: {why}") from None

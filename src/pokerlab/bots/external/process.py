"""A player that is a program of its own and speaks the ACPC protocol."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import signal
import socket
import subprocess
import threading
from collections.abc import Sequence
from time import monotonic
from typing import IO

import numpy as np

from pokerlab.bots.bot import Bot
from pokerlab.bots.external.acpc_connection import VERSION, LineConnection, listen, read_action
from pokerlab.games import BettingGame, DealtState, split_betting
from pokerlab.games.formats.match_state import check_acpc_game, format_match_state

_LOOPBACK = "127.0.0.1"
_GOODBYE_SECONDS = 2.0


class ProcessBot(Bot):
    """Plays the answers of a program, which is started as ``COMMAND HOST PORT``.

    Programs written for the ACPC dealer can sit at any table so. A program is started anew at
    each `reset`, since it cannot be made to forget. It is sent every state of a hand, as a
    dealer would, though some of them late. One that ends, or does not answer in time, has lost
    its seat until the next reset: from then on `act` raises an error at once.

    Parameters
    ----------
    command
        A program and its arguments, as in a shell, or as a list of words.
    start_seconds
        How long it may take to connect and to say ``VERSION:2.0.0``.
    action_seconds
        How long it may take to answer.

    Examples
    --------
    >>> ProcessBot("no-such-program --fast")
    Traceback (most recent call last):
    ValueError: bot command 'no-such-program --fast' does not start: there is no program ...
    """

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        start_seconds: float = 30.0,
        action_seconds: float = 30.0,
    ) -> None:
        self.command = command if isinstance(command, str) else shlex.join(command)
        try:
            self._words = shlex.split(self.command)
        except ValueError as error:
            raise ValueError(f"bad bot command {self.command!r}: {error}") from None
        if not self._words:
            raise ValueError(
                "bad bot command '': it must be a program that speaks the ACPC protocol"
            )
        if shutil.which(self._words[0]) is None:
            raise self._no_start(f"there is no program {self._words[0]!r} that can be run")
        self.start_seconds = start_seconds
        self.action_seconds = action_seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._connection: LineConnection | None = None
        self._complaints: _LastLine | None = None
        self._failure = "has not been started"
        self._position = 0
        self._hand = -1
        self._told = -1

    def reset(self, game: BettingGame, rng: np.random.Generator) -> None:
        """Start the program anew; `ValueError` if it does not start."""
        super().reset(game, rng)
        check_acpc_game(game)
        self.close()
        self._hand = -1
        with listen(_LOOPBACK, 0) as door:
            self._start(door.getsockname()[1])
            try:
                self._connection = self._welcome(door)
            except BaseException:
                self._kill()
                raise

    def begin(self, position: int, players: Sequence[int]) -> None:
        """Remember where it sits; the program sees that from the next state."""
        self._position = position
        self._hand += 1
        self._told = -1

    def act(self, view: DealtState) -> str:
        """Send the state, and wait for the answer to it."""
        if self._connection is None:
            raise RuntimeError(f"bot command {self.command!r} {self._failure}")
        try:
            state = self._tell(self._connection, view)
            deadline = monotonic() + self.action_seconds
            answer = self._connection.receive_answer(state, deadline)
        except (TimeoutError, ConnectionError) as error:
            self._give_up(error)
            raise RuntimeError(f"bot command {self.command!r} {self._failure}") from None
        return read_action(answer.action, view.game)

    def end(self, view: DealtState) -> None:
        """Send how the hand ended."""
        if self._connection is None:
            return
        try:
            self._tell(self._connection, view)
        except (TimeoutError, ConnectionError) as error:
            self._give_up(error)

    def close(self) -> None:
        """End the program: close its connection, and kill it if it does not leave."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
            self._failure = "has been closed"
            if self._process is not None:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._process.wait(_GOODBYE_SECONDS)
        self._kill()

    def _start(self, port: int) -> None:
        try:
            self._process = subprocess.Popen(
                [*self._words, _LOOPBACK, str(port)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                start_new_session=True,  # so that a script ends with all that it has started
            )
        except OSError as error:
            raise self._no_start(error.strerror or str(error)) from None
        assert self._process.stderr is not None
        self._complaints = _LastLine(self._process.stderr)

    def _welcome(self, door: socket.socket) -> LineConnection:
        """Wait until the program has connected and said its version."""
        assert self._process is not None
        deadline = monotonic() + self.start_seconds
        door.settimeout(0.05)
        while True:
            try:
                connection = LineConnection(door.accept()[0])
                break
            except TimeoutError:
                if self._process.poll() is not None:
                    raise self._no_start(self._exit_text()) from None
                if monotonic() > deadline:
                    raise self._no_start(
                        f"it has not connected within {self.start_seconds:g} s"
                    ) from None
        try:
            line = connection.receive(deadline)
        except (TimeoutError, ConnectionError) as error:
            connection.close()
            ended = self._end_text() if isinstance(error, ConnectionError) else ""
            raise self._no_start(f"it {error} and has not said {VERSION}{ended}") from None
        if not line.startswith("VERSION:2."):
            connection.close()
            raise self._no_start(f"it said {line[:40]!r} instead of {VERSION}")
        return connection

    def _tell(self, connection: LineConnection, view: DealtState) -> str:
        """Send all states of this hand that the program has not been sent; the last of them."""
        state = DealtState.first(view.game, view.deal)
        actions = split_betting(view.node.text)
        for number in range(len(actions) + 1):
            if number > 0:
                state = state.apply(actions[number - 1])
            if number > self._told:
                text = format_match_state(state, self._position, self._hand)
                connection.send(text, self.action_seconds)
        self._told = len(actions)
        return format_match_state(state, self._position, self._hand)

    def _give_up(self, error: Exception) -> None:
        """Remember why the program is out of the game, and end it."""
        assert self._connection is not None
        self._connection.close()
        self._connection = None
        if isinstance(error, TimeoutError):
            self._failure = f"{error} ({self.action_seconds:g} s) and has been ended"
        else:
            self._failure = f"{error}{self._end_text()}"
        self._kill()

    def _end_text(self) -> str:
        """How a program ended that has closed the connection, after a colon, if it has ended."""
        assert self._process is not None
        try:
            self._process.wait(_GOODBYE_SECONDS)
        except subprocess.TimeoutExpired:
            return ""
        return f": {self._exit_text()}"

    def _exit_text(self) -> str:
        assert self._process is not None and self._complaints is not None
        last = self._complaints.text()
        return f"it ended with exit status {self._process.poll()}" + (f", {last!r}" if last else "")

    def _no_start(self, why: str) -> ValueError:
        return ValueError(f"bot command {self.command!r} does not start: {why}")

    def _kill(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        # The group outlives its first process where a script has left something running.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        process.wait()
        if self._complaints is not None:
            self._complaints.close()


class _LastLine:
    """Reads all that a program writes to stderr, and keeps the last line."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._tail = b""
        self._thread = threading.Thread(target=self._drain, daemon=True)
        self._thread.start()

    def text(self) -> str:
        """The last line that is not empty; who asks knows that the program has ended."""
        self._thread.join(_GOODBYE_SECONDS)
        lines = self._tail.decode("utf-8", "replace").split("\n")
        return next((line.strip()[:120] for line in reversed(lines) if line.strip()), "")

    def close(self) -> None:
        self._thread.join(0.2)
        if not self._thread.is_alive():
            self._stream.close()

    def _drain(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            while chunk := os.read(self._stream.fileno(), 4096):
                self._tail = (self._tail + chunk)[-4096:]

"""Ctrl-C, SIGTERM and SIGHUP: an interrupted command says what it saved, with an exit code.

A command catches ``KeyboardInterrupt`` where it has something to keep, saves and shows that, and
raises `CutShortError` with a few words about it. `pokerlab.cli.main` prints them on stderr and ends
with 130, with 143 after SIGTERM, or with 129 after SIGHUP (the terminal was closed). A signal that
the parent process has ignored stays ignored: Ctrl-C in the background of a script, SIGHUP under
``nohup``.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Any

from pokerlab.solvers.interrupts import interrupt

NOTHING_KEPT = "nothing was saved"

_HANGUP: signal.Signals | None = getattr(signal, "SIGHUP", None)  # not on Windows

STOPPING = tuple(filter(None, (signal.SIGINT, signal.SIGTERM, _HANGUP)))
"""The signals that end a command."""

_STREAMS = (0, 1, 2)


class CutShortError(Exception):
    """The work was interrupted; the text says what was saved."""


@contextmanager
def going_on_from(resume: Path | None) -> Iterator[None]:
    """For work that keeps its parts in a file: when interrupted, say that it goes on from there."""
    try:
        yield
    except KeyboardInterrupt:
        if resume is None or not resume.exists():
            raise
        raise CutShortError(f"what was solved is in {resume}; the same command goes on") from None


class Stopping:
    """Which signal came, if any."""

    def __init__(self) -> None:
        self.signal: signal.Signals | None = None
        self._terminals = [stream for stream in _STREAMS if _is_terminal(stream)]

    @property
    def code(self) -> int:
        """The exit code of a command that a signal stopped."""
        return 128 + (self.signal or signal.SIGINT)

    def interrupt(self, number: int, frame: FrameType | None) -> None:
        """Note Ctrl-C, and do what Python does."""
        self.signal = self.signal or signal.SIGINT
        raise KeyboardInterrupt

    def terminate(self, number: int, frame: FrameType | None) -> None:
        """Do on SIGTERM what Ctrl-C would do now: a solve ends its iteration first."""
        self.signal = signal.SIGTERM
        interrupt()

    def hang_up(self, number: int, frame: FrameType | None) -> None:
        """Do the same when the terminal is closed, of which a process may hear more than once.

        What is written to the terminal from now on goes nowhere, and must not be an error.
        """
        for stream in self._terminals:
            with suppress(OSError):
                nowhere = os.open(os.devnull, os.O_RDWR)
                os.dup2(nowhere, stream)
                os.close(nowhere)
        if self.signal is None:
            self.signal = _HANGUP
            interrupt()


@contextmanager
def watching_signals() -> Iterator[Stopping]:
    """Treat SIGTERM and SIGHUP as Ctrl-C in here."""
    stopping = Stopping()
    if threading.current_thread() is not threading.main_thread():
        yield stopping
        return
    wanted: dict[signal.Signals, Any] = {signal.SIGTERM: stopping.terminate}
    if _HANGUP is not None:
        wanted[_HANGUP] = stopping.hang_up
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else somebody else's
        wanted[signal.SIGINT] = stopping.interrupt
    previous: dict[signal.Signals, Any] = {}
    for number, handler in wanted.items():
        if signal.getsignal(number) is not signal.SIG_IGN:
            previous[number] = signal.signal(number, handler)
    try:
        yield stopping
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


def _is_terminal(stream: int) -> bool:
    try:
        return os.isatty(stream)
    except OSError:  # it is closed
        return False

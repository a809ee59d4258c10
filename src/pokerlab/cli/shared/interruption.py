"""Ctrl-C and SIGTERM: a command that is cut short says what is kept, and its exit code tells.

A command catches ``KeyboardInterrupt`` where it has something to keep, saves and shows that, and
raises `CutShortError` with a few words about it. `pokerlab.cli.main` prints them on stderr and ends
with 130, or with 143 after SIGTERM.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

__all__ = ["NOTHING_KEPT", "CutShortError", "Stopping", "watching_signals"]

NOTHING_KEPT = "nothing was saved"


class CutShortError(Exception):
    """The work was cut short; the text says what is kept."""


class Stopping:
    """Which signal came, if any."""

    def __init__(self) -> None:
        self.signal: signal.Signals | None = None

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
        on_interrupt: Any = signal.getsignal(signal.SIGINT)
        if not callable(on_interrupt):  # ignored, as in the background of a script
            raise KeyboardInterrupt
        on_interrupt(signal.SIGINT, frame)


@contextmanager
def watching_signals() -> Iterator[Stopping]:
    """Treat SIGTERM as Ctrl-C in here."""
    stopping = Stopping()
    if threading.current_thread() is not threading.main_thread():
        yield stopping
        return
    previous: dict[signal.Signals, Any] = {
        signal.SIGTERM: signal.signal(signal.SIGTERM, stopping.terminate)
    }
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else somebody else's
        previous[signal.SIGINT] = signal.signal(signal.SIGINT, stopping.interrupt)
    try:
        yield stopping
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)

"""Ctrl-C that waits for the end of an update."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_waiting: list[threading.Event] = []
"""What Ctrl-C sets in the solves of the main thread, the innermost last."""


@contextmanager
def interrupts() -> Iterator[threading.Event]:
    """An event that Ctrl-C sets, so that it never lands in the middle of an update.

    A second Ctrl-C is not held back. Where the process that started this one has Ctrl-C ignored
    (in the background of a script), it stays ignored, and only `interrupt` sets the event. Outside
    the main thread, where Python delivers no signals, it is never set.
    """
    pressed = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield pressed
        return

    def note(number: int, frame: FrameType | None) -> None:
        _press(pressed)

    previous = signal.getsignal(signal.SIGINT)
    if previous is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, note)
    _waiting.append(pressed)
    try:
        yield pressed
    finally:
        _waiting.remove(pressed)
        signal.signal(signal.SIGINT, previous)


def interrupt() -> None:
    """Do what Ctrl-C would do now, for handlers of other signals.

    A solve ends its update first; anything else gets a ``KeyboardInterrupt`` at once.
    """
    if not _waiting:
        raise KeyboardInterrupt
    _press(_waiting[-1])


def is_interrupted() -> bool:
    """Whether Ctrl-C waits for a solve to end: measurements that take long are given up then."""
    return bool(_waiting) and _waiting[-1].is_set()


def _press(pressed: threading.Event) -> None:
    if pressed.is_set():
        raise KeyboardInterrupt
    pressed.set()

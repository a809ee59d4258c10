"""Ctrl-C that waits for the end of an update."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

__all__ = ["interrupts"]


@contextmanager
def interrupts() -> Iterator[threading.Event]:
    """An event that Ctrl-C sets, so that it never lands in the middle of an update.

    A second Ctrl-C is not held back. Outside the main thread, where Python delivers no signals,
    the event is never set.
    """
    pressed = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield pressed
        return

    def note(number: int, frame: FrameType | None) -> None:
        if pressed.is_set():
            raise KeyboardInterrupt
        pressed.set()

    previous = signal.signal(signal.SIGINT, note)
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, previous)

"""Builds that take minutes and end in a file: who is told, whether there is room, who goes first.

Strength tables and buckets are built when somebody first needs them, which may be deep inside a
bot. So a build tells whoever watches (`watching_builds`), unless its caller names somebody.
"""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from threading import Lock
from typing import TypeAlias

__all__ = ["Meter", "Report", "Tick", "check_room", "one_builder", "reporter", "watching_builds"]

Report: TypeAlias = Callable[[str, int, int], None]
"""Is told what is counted (in the plural), how much of it is done, and of how much."""
Tick: TypeAlias = Callable[[float], None]
"""Is told what share of some work has just been done; the shares of all of it add up to 1."""

_watcher: ContextVar[Report | None] = ContextVar("watcher", default=None)
_SECONDS_BETWEEN_LOOKS = 0.2


@contextmanager
def watching_builds(report: Report) -> Iterator[None]:
    """Be told of all builds that are begun in here.

    Examples
    --------
    >>> with watching_builds(lambda what, done, total: print(done, "of", total, what)):
    ...     reporter(None)("boards", 1, 10)
    1 of 10 boards
    """
    before = _watcher.set(report)
    try:
        yield
    finally:
        _watcher.reset(before)


def reporter(report: Report | None) -> Report:
    """Whom to tell: who is named, else who watches, else nobody."""
    return report or _watcher.get() or (lambda what, done, total: None)


class Meter:
    """Adds up work that several threads do, and reports it in thousandths.

    Parameters
    ----------
    report
        Is told.
    what
        What is built; the report calls its thousandths parts of it.
    total
        All the work, in any unit.

    Examples
    --------
    >>> meter = Meter(lambda what, done, total: print(done, "of", total, what), "the buckets", 8.0)
    0 of 1000 parts of the buckets
    >>> meter.add(2.0)
    250 of 1000 parts of the buckets
    """

    def __init__(self, report: Report, what: str, total: float) -> None:
        self._report = report
        self._what = f"parts of {what}"
        self._total = total
        self._done = 0.0
        self._lock = Lock()
        report(self._what, 0, 1000)

    def add(self, amount: float) -> None:
        """Some more is done."""
        with self._lock:
            before = self._thousandths()
            self._done += amount
            if self._thousandths() != before:
                self._report(self._what, self._thousandths(), 1000)

    def ticks(self, amount: float) -> Tick:
        """What adds shares of an amount."""
        return lambda share: self.add(share * amount)

    def _thousandths(self) -> int:
        # Shares do not add up to 1 in the last digits.
        return min(1000, int(1000 * self._done / self._total + 1e-6))


def check_room(folder: Path, needed: int, what: str) -> None:
    """Refuse to begin what does not fit on the disk."""
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise ValueError(
            f"{what} need {_megabytes(needed)} in {folder}, and {_megabytes(free)} are free"
        )


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.0f} MB"


@contextmanager
def one_builder(path: Path, report: Report) -> Iterator[None]:
    """Be the only one to build a file; wait as long as somebody else does.

    A builder that is killed lets the next one in. (Windows has no such lock: there, two builders
    both write the file, and the last one stays.)

    Parameters
    ----------
    path
        The file that is built; the lock is a file beside it, as long as somebody builds.
    report
        Is told while this waits.
    """
    if sys.platform == "win32":
        yield
        return
    lock = path.with_name(f".{path.name}.lock")
    others = "builds by another pokerlab"
    waited = False
    while (handle := _try_to_lock(lock)) is None:
        waited = True
        report(others, 0, 1)
        time.sleep(_SECONDS_BETWEEN_LOOKS)
    try:
        if waited:
            report(others, 1, 1)
        # What a builder was writing when it was killed; nobody else writes now.
        for unfinished in path.parent.glob(f".{path.name}.*.tmp"):
            unfinished.unlink(missing_ok=True)
        yield
    finally:
        lock.unlink(missing_ok=True)
        os.close(handle)


def _try_to_lock(lock: Path) -> int | None:
    """Open and lock a file; None if somebody else has it."""
    if sys.platform == "win32":
        return None
    import fcntl

    handle = os.open(lock, os.O_CREAT | os.O_RDWR, 0o666)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # The last builder may have removed the file after it was opened here.
        if lock.stat().st_ino == os.fstat(handle).st_ino:
            return handle
    except (BlockingIOError, FileNotFoundError):
        pass
    except BaseException:
        os.close(handle)
        raise
    os.close(handle)
    return None

"""Builds that take minutes and end in a file: their progress, room on the disk, and turns.

Strength tables and buckets are built when somebody first needs them, which may be deep inside a
bot. So a build reports to whoever watches (`watching_builds`), unless its caller names somebody.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from threading import Lock
from typing import TypeAlias, TypeVar

from pokerlab.file_locks import locked
from pokerlab.files.atomic import remove_unfinished

Report: TypeAlias = Callable[[str, int, int], None]
"""Called with what is counted (in the plural), how much of it is done, and of how much."""
Tick: TypeAlias = Callable[[float], None]
"""Called with the share of some work that has just been done; all shares add up to 1."""

Made = TypeVar("Made")

_watcher: ContextVar[Report | None] = ContextVar("watcher", default=None)


@contextmanager
def watching_builds(report: Report) -> Iterator[None]:
    """Report all builds that are begun in here.

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
    """The report that is named, else the one that watches, else one that does nothing."""
    return report or _watcher.get() or (lambda what, done, total: None)


class Meter:
    """Adds up work that several threads do, and reports it in thousandths.

    Parameters
    ----------
    report
        Called with each new thousandth.
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
        """A function that adds shares of an amount."""
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


def cached(
    path: Path,
    make: Callable[[Report], None],
    load: Callable[[Path], Made],
    report: Report | None = None,
    again: str = "made",
) -> Made:
    """Load a file of the cache folder; make it the first time.

    Parameters
    ----------
    path
        The file.
    make
        Writes it, and reports how far it is.
    load
        Reads it; `ValueError` for a damaged file.
    report
        Called with the progress; by default the report that watches (`watching_builds`).
    again
        What happens to a damaged file that is removed: it is made, counted or built again.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = Path(folder.name) / "numbers" / "seven.txt"
    >>> cached(path, lambda report: path.write_text("7"), lambda path: int(path.read_text()))
    7
    >>> folder.cleanup()
    """
    build_once(path, make, report)
    try:
        return load(path)
    except ValueError as error:
        raise ValueError(f"{error}; remove it, and it is {again} again") from None


def build_once(path: Path, make: Callable[[Report], None], report: Report | None = None) -> None:
    """Make a file that is not there; if somebody else makes it now, wait for that."""
    if not path.is_file():
        tell = reporter(report)
        path.parent.mkdir(parents=True, exist_ok=True)
        with one_builder(path, tell):
            if not path.is_file():  # somebody else may have been faster
                make(tell)


@contextmanager
def one_builder(path: Path, report: Report) -> Iterator[None]:
    """Be the only one to build a file; wait as long as somebody else does.

    A builder that is killed lets the next one in, who removes what it had written so far.

    Parameters
    ----------
    path
        The file that is built; the lock is a file beside it, as long as somebody builds.
    report
        Called while this waits.
    """
    others = "builds by another pokerlab"
    waits: list[None] = []

    def waiting() -> None:
        waits.append(None)
        report(others, 0, 1)

    with locked(path, waiting):
        if waits:
            report(others, 1, 1)
        remove_unfinished(path)
        yield

"""A log while its match is played: under another name, until it is complete.

``night.log`` is written as ``night.log.part`` (``.part2`` if there is one already, that of a match
that was killed) and renamed at the end. Such a file can be read up to its last complete hand. It is
removed when a log with its hands is complete, that of the same match played again; of others, the
newest one is kept. And when the disk is full, the match goes on: what was played is worth more than
the log of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import chain, count
from pathlib import Path
from typing import TextIO

from pokerlab.runtime.file_locks import locked
from pokerlab.runtime.files.atomic import followed

_UNFINISHED = re.compile(r"(.+)\.part\d*", re.DOTALL)


class LogNotWrittenError(ValueError):
    """A log that could not be written to its end, of a match that was played to its end."""


def finished_name(path: Path) -> Path | None:
    """The name that an unfinished log was to get; None for any other file.

    Examples
    --------
    >>> finished_name(Path("night.phhs.part2")), finished_name(Path("night.log"))
    (PosixPath('night.phhs'), None)
    """
    match = _UNFINISHED.fullmatch(path.name)
    return None if match is None else path.with_name(match[1])


class UnfinishedLog:
    """A file to write hands to, for a ``with`` block: complete at its end, or not there.

    What the disk does not take is no error before the end of the block, where it is a
    `LogNotWrittenError`; any other error removes the file.
    """

    def __init__(self, path: Path) -> None:
        self._path = followed(path)
        self._failure: OSError | None = None
        self._held = ExitStack()
        with suppress(OSError), _left_behind(self._path) as parts:
            for part in parts[:-1]:
                part.unlink(missing_ok=True)
        self._file = self._create()

    def _create(self) -> TextIO:
        for number in chain([""], map(str, count(2))):
            self.part = self._path.with_name(f"{self._path.name}.part{number}")
            try:
                file = self.part.open("x", encoding="utf-8", newline="\n")
            except FileExistsError:
                continue
            except OSError as error:
                raise ValueError(f"{self._path}: cannot be written: {error.strerror}") from None
            self._held.enter_context(locked(self.part))
            return file
        raise AssertionError

    def write(self, text: str) -> None:
        """Add a text."""
        self._attempt(lambda: self._file.write(text))

    def flush(self) -> None:
        """Hand all that was written to the system."""
        self._attempt(self._file.flush)

    def _attempt(self, step: Callable[[], object]) -> None:
        if self._failure is None:
            try:
                step()
            except OSError as error:
                self._failure = error

    def __enter__(self) -> UnfinishedLog:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            self._file.close()
            if kind is None and self._failure is None:
                self.part.replace(self._path)
        except OSError as error:
            self._failure = self._failure or error
        self._held.close()
        if kind is None and self._failure is None:
            self._remove_repeated()
        if kind is not None:
            self.part.unlink(missing_ok=True)
        elif self._failure is not None:
            raise LogNotWrittenError(
                f"{self._path}: cannot be written: {self._failure.strerror}; {self.part} has the"
                " hands before"
            )

    def _remove_repeated(self) -> None:
        """Remove what killed matches left whose hands stand in the complete log."""
        with suppress(OSError), _left_behind(self._path) as parts:
            for part in parts:
                if _begins_with(self._path, part):
                    part.unlink(missing_ok=True)


class _InUseError(Exception):
    """Somebody writes a file."""


@contextmanager
def _left_behind(path: Path) -> Iterator[list[Path]]:
    """The unfinished logs of this name that nobody writes, oldest first; nobody begins to."""
    with ExitStack() as stack:
        found = []
        for part in path.parent.iterdir():
            if finished_name(part) == path:
                with suppress(_InUseError):
                    stack.enter_context(locked(part, _refuse_to_wait))
                    found.append((part.stat().st_mtime_ns, part))
        yield [part for _, part in sorted(found)]


def _refuse_to_wait() -> None:
    raise _InUseError


def _begins_with(path: Path, part: Path) -> bool:
    with path.open("rb") as whole, part.open("rb") as some:
        while block := some.read(1 << 20):
            if whole.read(len(block)) != block:
                return False
    return True

"""Where the results of jobs are kept, and who works on which of them.

A store belongs to all processes that work on it: each job is claimed by a lock that the system
takes back when its owner dies, however it dies, and a result is there whole or not at all.
"""

from __future__ import annotations

import json
import os
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from math import isfinite
from pathlib import Path
from threading import Lock
from typing import Any, Generic, TypeAlias, TypeVar

from filelock import FileLock, Timeout

from pokerlab.runtime.errors import DamagedFileError, shorten
from pokerlab.runtime.files.atomic import atomic_file
from pokerlab.runtime.files.hashes import digest

Result = TypeVar("Result")

_FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}")
MAX_LINE = 1 << 20
"""Bytes of a line, if nothing else is said; a finished match takes about 1,000."""


class Claim:
    """The right to do one job, until it is released or this process ends.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     first = Claim.take(Path(folder, "a.claim"))
    ...     print(Claim.take(Path(folder, "a.claim")))
    ...     first.release()
    ...     second = Claim.take(Path(folder, "a.claim"))
    ...     print(second is not None)
    ...     second.release()
    None
    True
    """

    def __init__(self, path: Path, lock: FileLock) -> None:
        self._path = path
        self._lock = lock

    @classmethod
    def take(cls, path: Path) -> Claim | None:
        """Claim the job of a file name; None if another process or thread has it."""
        # The thread that takes a claim need not be the one that releases it.
        lock = FileLock(path, thread_local=False)
        try:
            lock.acquire(blocking=False)
        except Timeout:
            return None
        return cls(path, lock)

    def release(self, *, done: bool = False) -> None:
        """Let others have the job; once it is done, nobody needs the file any more.

        The file of a job that is not done stays: another process may just have opened it, and
        would then hold another file than the next process.
        """
        if done:
            with suppress(OSError):  # Windows removes no open file
                self._path.unlink()
        self._lock.release()


class JobStore(ABC, Generic[Result]):
    """Results by the keys of their jobs."""

    @abstractmethod
    def get(self, key: str) -> Result | None:
        """The result of a job, whoever did it; None if it is still to be done."""

    @abstractmethod
    def add(self, key: str, result: Result) -> None:
        """Keep a result; it is on the disk when this returns."""

    @abstractmethod
    def claim(self, key: str) -> Claim | None:
        """Take the right to do a job; None while somebody else has it."""


class LineStore(JobStore[Result]):
    """A file with one JSON object a line for each finished job.

    A last line without an end is what a kill left of a result: it does not count, and the next
    result takes its place. Any other line that is not a result is a `DamagedFileError`.

    Parameters
    ----------
    path
        The file; made with the first result.
    to_json, from_json
        A result as JSON, and back; `from_json` raises a `ValueError` for anything else.
    key_of
        The key of the job that a result is of.
    longest
        The most bytes of a line.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "squares.jsonl")
    ...     store = LineStore(path, lambda n: [n, n * n], lambda data: data[0], str)
    ...     store.add("3", 3)
    ...     print(store.get("3"), store.get("4"), path.read_text(), end="")
    3 None [3, 9]
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        to_json: Callable[[Result], Any],
        from_json: Callable[[Any], Result],
        key_of: Callable[[Result], str],
        longest: int = MAX_LINE,
    ) -> None:
        self.path = Path(path)
        self._longest = longest
        self._to_json = to_json
        self._from_json = from_json
        self._key_of = key_of
        self._reading = Lock()
        self._writing = FileLock(self.path.with_name(f".{self.path.name}.lock"))
        self._found: dict[str, Result] = {}
        self._end = 0
        self._lines = 0

    def all(self) -> dict[str, Result]:
        """Every result of the file, by key."""
        with self._reading:
            self._read_on()
            return dict(self._found)

    def get(self, key: str) -> Result | None:
        """The result of a job, also one that another process has just written."""
        with self._reading:
            self._read_on()
            return self._found.get(key)

    def add(self, key: str, result: Result) -> None:
        """Append a result; several processes may do so at the same time."""
        line = json.dumps(self._to_json(result), ensure_ascii=False).encode() + b"\n"
        with (
            self._writing,
            self.path.open("r+b" if self.path.exists() else "xb") as file,
        ):
            end = _whole_lines(file)
            file.truncate(end)
            file.seek(end)
            file.write(line)
            file.flush()
            os.fsync(file.fileno())

    def claim(self, key: str) -> Claim | None:
        """Take the right to do a job, by a lock beside the file."""
        return Claim.take(self.path.with_name(f".{self.path.name}.{digest(key, length=20)}.claim"))

    def _read_on(self) -> None:
        """Read the lines that were not there the last time."""
        if not self.path.exists():
            self._found, self._end, self._lines = {}, 0, 0
            return
        if not self.path.is_file():
            raise ValueError(f"{self.path}: this is not a file of results")
        if self.path.stat().st_size < self._end:  # somebody put another file there
            self._found, self._end, self._lines = {}, 0, 0
        with self.path.open("rb") as file:
            file.seek(self._end)
            while (line := file.readline(self._longest + 1)).endswith(b"\n"):
                self._take(line)
                self._end += len(line)
            if len(line) > self._longest:
                raise self._damaged(f"more than {self._longest:,} bytes")

    def _take(self, line: bytes) -> None:
        try:
            result = self._from_json(json.loads(line))
        except RecursionError:
            raise self._damaged("brackets inside brackets, too many to be read") from None
        except ValueError as error:
            raise self._damaged(shorten(str(error), 200)) from None
        self._lines += 1
        self._found[self._key_of(result)] = result

    def _damaged(self, reason: str) -> DamagedFileError:
        return DamagedFileError(self.path, f"line {self._lines + 1}: {reason}")


KeptValues: TypeAlias = tuple[str, tuple[float, ...]]
"""The key of a job and its numbers."""


def value_store(
    path: str | os.PathLike[str], what: str, counts: Collection[int]
) -> LineStore[KeptValues]:
    """A file for jobs whose results are a few finite numbers each; `what` names them in messages.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     store = value_store(Path(folder, "values.jsonl"), "squares", [1])
    ...     store.add("3", ("3", (9.0,)))
    ...     print(store.get("3"), store.path.read_text(), end="")
    ('3', (9.0,)) ["3", [9.0]]
    """

    def read(data: Any) -> KeptValues:
        match data:
            case [str() as key, list() as values] if len(values) in counts:
                if all(isinstance(each, float) and isfinite(each) for each in values):
                    return key, tuple(values)
        raise ValueError(f"this is not a checkpoint of {what}; name another file")

    return LineStore(path, list, read, lambda result: result[0])


class FolderStore(JobStore[Result]):
    """A folder with a JSON file for each finished job; a damaged one is no result.

    Parameters
    ----------
    path
        The folder; made with the first job.
    to_json, from_json
        A result as JSON, and back; `from_json` raises a `ValueError` for anything else, such as a
        result whose other files are gone, and the job is done again.
    settings
        What all jobs of the folder have in common, as JSON. It is kept in ``settings.json``, and a
        folder that was begun with others is refused.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     store = FolderStore(folder, settings={"pot": 10})
    ...     store.add("AhKh7c", {"ev": 4.5})
    ...     print(store.get("AhKh7c"), *sorted(file.name for file in Path(folder).iterdir()))
    ...     FolderStore(folder, settings={"pot": 12})
    Traceback (most recent call last):
    ValueError: ... was begun with pot 10, not 12: name another folder, or remove this one
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        to_json: Callable[[Result], Any] = lambda result: result,
        from_json: Callable[[Any], Result] = lambda data: data,
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        self.path = Path(path)
        self._to_json = to_json
        self._from_json = from_json
        if settings is not None:
            self._check_settings(json.loads(json.dumps(settings)))

    def file(self, key: str) -> Path:
        """The file of a job: its key where that is a good name, else a digest of it.

        Examples
        --------
        >>> store = FolderStore("runs")
        >>> store.file("AhKh7c").name, store.file("a/b").name
        ('AhKh7c.json', 'c14cddc033f64b9dea80.json')
        """
        return self.path / f"{key if _FILE_NAME.fullmatch(key) else digest(key, length=20)}.json"

    def get(self, key: str) -> Result | None:
        """The result of a job; None if it was not done, or its file is damaged."""
        try:
            return self._from_json(json.loads(self.file(key).read_bytes()))
        except (OSError, ValueError, RecursionError):
            return None

    def add(self, key: str, result: Result) -> None:
        """Write the file of a job."""
        self._write(self.file(key), self._to_json(result))

    def claim(self, key: str) -> Claim | None:
        """Claim a job, and remove the rest of its file after a kill."""
        self.path.mkdir(parents=True, exist_ok=True)
        name = self.file(key).name
        claim = Claim.take(self.path / f".{name}.claim")
        if claim is not None:
            for unfinished in self.path.glob(f".{name}.*.tmp"):
                unfinished.unlink(missing_ok=True)
        return claim

    def _check_settings(self, settings: dict[str, Any]) -> None:
        file = self.path / "settings.json"
        self.path.mkdir(parents=True, exist_ok=True)
        with FileLock(self.path / ".settings.lock"):
            if not file.exists():
                self._write(file, settings)
                return
            try:
                found = json.loads(file.read_bytes())
            except (ValueError, RecursionError):
                found = None
        if not isinstance(found, dict):
            raise DamagedFileError(file, "these are not the settings of a folder of results")
        for name in {**found, **settings}:
            before, now = (_written(side.get(name)) for side in (found, settings))
            if before != now:
                raise ValueError(
                    f"{self.path} was begun with {shorten(name)} {before}, not {now}:"
                    " name another folder, or remove this one"
                )

    def _write(self, file: Path, data: Any) -> None:
        self.path.mkdir(parents=True, exist_ok=True)
        with atomic_file(file) as temporary, temporary.open("wb") as stream:
            stream.write(json.dumps(data, separators=(",", ":")).encode())
            stream.flush()
            os.fsync(stream.fileno())


def _written(value: Any) -> str:
    return shorten(json.dumps(value, sort_keys=True))


def _whole_lines(file: Any) -> int:
    """How many bytes of a file are lines with an end."""
    end: int = file.seek(0, os.SEEK_END)
    tail = b""
    while end > 0 and b"\n" not in tail:
        start = max(end - MAX_LINE, 0)
        file.seek(start)
        tail = file.read(end - start)
        if b"\n" in tail:
            return start + int(tail.rfind(b"\n")) + 1
        end = start
    return 0

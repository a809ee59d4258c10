"""Results in a file: one JSON object a line, only ever added to.

A line is written when a decision is made, and one when a hand is over. A line that a kill cut short
does not count, and the next takes its place; several programs may write at the same time. Lines::

    {"session": "3f9c…", "number": 7, "source": "turn.safetensors", "at": …, "decision": {…}}
    {"session": "3f9c…", "number": 7, "source": "turn.safetensors", "at": …, "result": {…}}

`number` is that of the hand in its session; a decision is a `Judgement`, a result a `HandResult`.
`at` is when it happened, with the offset of the local time; `seconds`, beside a decision, how long
it took. Files of earlier versions have neither. A `gone` in place of a decision is one (`board`,
`line` and `hand`) that cannot be dealt again, because the solution is another one by now.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path
from typing import Any, TypeAlias

from pokerlab.drills.dealing import Position
from pokerlab.drills.judging import Judgement
from pokerlab.runtime.errors import shorten
from pokerlab.runtime.files.job_stores import LineStore

_LARGEST = 1e300
"""Whole numbers of JSON may have more digits than a float takes."""

SUFFIX, BATCH_LOG = ".training.jsonl", "training.jsonl"
"""How files of results end beside solutions, and their name in the folder of a batch."""

NOLIMIT_LOG = f"nolimit{SUFFIX}"
"""Results of whole hands that come in turn with others, beside those."""

Clock: TypeAlias = Callable[[], datetime]
"""What tells the time, with the offset of the local time; tests bring one that they move."""


def local_time() -> datetime:
    """The time here, to the second."""
    return datetime.now().astimezone().replace(microsecond=0)


@dataclass(frozen=True)
class LogEntry:
    """One line of the file.

    Attributes
    ----------
    session, number, source
        The session, the number of the hand in it, and the file or folder of the hand.
    decision
        A decision that was judged; None where the hand is over.
    won
        What the hand won, in chips, where it is over.
    line
        The line of the decision, or of the whole hand.
    at
        When it happened; None in files of earlier versions.
    seconds
        How long the decision took; None if nobody measured it.
    gone
        A decision that cannot be dealt again; then there is neither a decision nor a result.
    """

    session: str
    number: int
    source: str
    line: str
    decision: Judgement | None = None
    won: float | None = None
    at: datetime | None = None
    seconds: float | None = None
    gone: Position | None = None

    @property
    def key(self) -> str:
        """The unique key of a line of the file."""
        if self.gone is not None:
            kind = f"gone {self.gone.board} {self.gone.hand}"
        else:
            kind = "result" if self.decision is None else "decision"
        return f"{self.session} {self.number} {kind} {self.line} {self.source}"

    @property
    def day(self) -> date | None:
        """The day of the person on which it happened; None where that is not known."""
        return None if self.at is None else self.at.date()

    @property
    def position(self) -> Position | None:
        """The decision to deal again; None where a hand is over."""
        if self.decision is None:
            return self.gone
        return Position(self.decision.board, self.decision.line, self.decision.hand)

    def to_json(self) -> dict[str, Any]:
        """As a line of the file."""
        data: dict[str, Any] = {
            "session": self.session,
            "number": self.number,
            "source": self.source,
        }
        if self.at is not None:
            data["at"] = self.at.isoformat()
        if self.seconds is not None:
            data["seconds"] = self.seconds
        if self.gone is not None:
            gone = {"board": self.gone.board, "line": self.gone.line, "hand": self.gone.hand}
            return {**data, "gone": gone}
        if self.decision is not None:
            return {**data, "decision": self.decision.to_json()}
        return {**data, "result": {"line": self.line, "won": self.won}}

    @classmethod
    def from_json(cls, data: Any) -> LogEntry:
        """Read a line; `ValueError` for anything else."""
        if not isinstance(data, dict):
            raise ValueError(f"{shorten(repr(data))} is not a result of practice")
        session, number, source = (data.get(name) for name in ("session", "number", "source"))
        if not isinstance(session, str) or not isinstance(source, str):
            raise ValueError(f"{shorten(repr(data))} is not a result of practice")
        if not isinstance(number, int) or isinstance(number, bool) or number < 0:
            raise ValueError(f"number is {shorten(repr(number))}")
        at, seconds = _time(data.get("at")), data.get("seconds")
        if seconds is not None and not (_is_finite(seconds) and seconds >= 0):
            raise ValueError(f"seconds is {shorten(repr(seconds))}")
        if "gone" in data:
            gone = _position(data["gone"])
            return cls(session, number, source, gone.line, at=at, gone=gone)
        if "decision" in data:
            decision = Judgement.from_json(data["decision"])
            return cls(session, number, source, decision.line, decision, at=at, seconds=seconds)
        result = data.get("result")
        if not isinstance(result, dict) or not isinstance(result.get("line"), str):
            raise ValueError(f"result is {shorten(repr(result))}")
        won = result.get("won")
        if won is None or not _is_finite(won):
            raise ValueError(f"won is {shorten(repr(won))}")
        return cls(session, number, source, result["line"], won=float(won), at=at)


def _is_finite(value: Any) -> bool:
    good = isinstance(value, int | float) and not isinstance(value, bool)
    return good and abs(value) <= _LARGEST


def _time(text: Any) -> datetime | None:
    if text is None:
        return None
    try:
        found = datetime.fromisoformat(text)
        found.date()
        known = found.utcoffset() is not None
    except (TypeError, ValueError):
        known = False
    if not known:
        raise ValueError(f"at is {shorten(repr(text))}")
    return found


def _position(data: Any) -> Position:
    names = ("board", "line", "hand")
    if not isinstance(data, dict) or not all(isinstance(data.get(name), str) for name in names):
        raise ValueError(f"gone is {shorten(repr(data))}")
    return Position(data["board"], data["line"], data["hand"])


class DrillLog:
    """The results of one file, or of this process alone where there is none.

    Parameters
    ----------
    path
        The file; None for none.
    source
        What all results are of, whatever its name was when they were written; empty where a file
        has results of several sources.

    Examples
    --------
    >>> log = DrillLog(None)
    >>> log.add(LogEntry("a", 0, "turn.safetensors", "x/x", won=100.0))
    >>> [entry.won for entry in log.entries()]
    [100.0]
    """

    def __init__(self, path: Path | None, source: str = "") -> None:
        self.path = path
        self._memory: dict[str, LogEntry] = {}
        self._store = None

        def read(data: Any) -> LogEntry:
            entry = LogEntry.from_json(data)
            return replace(entry, source=source) if source else entry

        if path is not None:
            self._store = LineStore(path, LogEntry.to_json, read, lambda entry: entry.key)

    def add(self, entry: LogEntry) -> None:
        """Keep an entry; it is on the disk when this returns."""
        if self._store is None:
            self._memory[entry.key] = entry
            return
        try:
            self._store.add(entry.key, entry)
        except OSError as error:
            raise ValueError(f"{self.path}: cannot be written: {error.strerror}") from None

    def entries(self) -> list[LogEntry]:
        """All entries, the oldest first; `DamagedFileError` if a line is not an entry."""
        found = self._memory if self._store is None else self._store.all()
        return list(found.values())


def open_log(path: str | os.PathLike[str] | None, source: str = "") -> DrillLog:
    """Open the results of a file, which need not exist yet; None keeps them in memory.

    With `source` all of them are of that source, as in `DrillLog`.
    """
    if path is None:
        return DrillLog(None)
    path = Path(path)
    if not path.parent.is_dir():
        raise ValueError(f"{path}: there is no folder {str(path.parent)!r}")
    log = DrillLog(path, source)
    log.entries()  # what is damaged is said before the first hand
    return log


def own_log(source: str | os.PathLike[str]) -> DrillLog:
    """Open the results of a solution or a batch where they are if nothing else is said.

    They stay its own when it is renamed together with them.
    """
    return open_log(default_log(source), source_name(source))


def source_name(source: str | os.PathLike[str]) -> str:
    """What the results of a solution or of the folder of a batch are filed under."""
    path = Path(source)
    return path.resolve().name if path.is_dir() else path.name


def default_log(source: str | os.PathLike[str]) -> Path:
    """Where results are kept if nothing else is said: beside the solution, or in the batch.

    Examples
    --------
    >>> default_log("spots/turn.safetensors").as_posix()
    'spots/turn.training.jsonl'
    """
    path = Path(source)
    return path / BATCH_LOG if path.is_dir() else path.with_suffix(SUFFIX)

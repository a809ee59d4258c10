"""Tables at which somebody sits: those used last are open, all others are a small file.

A table has a random id, which its page has in its address. After each action its state is written
to a file of that name, so that it goes on after the server was started anew. How many are open and
how many are kept has a limit; those that nobody used in the longest time go first.
"""

from __future__ import annotations

import json
import re
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Generic, TypeVar

from pokerlab.runtime.errors import one_line
from pokerlab.runtime.files.atomic import write_text
from pokerlab.web.answers import UnknownIdError

Table = TypeVar("Table")

_ID = re.compile(r"[0-9a-f]{24}")


class KeptTables(Generic[Table]):
    """Tables by id.

    Parameters
    ----------
    folder
        Where their states are kept; made with the first.
    most_open, most_kept
        How many are in memory, and how many files there are.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> tables = KeptTables(folder)
    >>> name = tables.add([1], {"cards": [1]})
    >>> with KeptTables(folder).use(name, lambda state: state["cards"]) as table:
    ...     print(table)
    [1]
    """

    def __init__(self, folder: Path, most_open: int = 24, most_kept: int = 300) -> None:
        self.folder = folder
        self._most_open, self._most_kept = most_open, most_kept
        self._open: OrderedDict[str, Table] = OrderedDict()
        self._locks: dict[str, threading.Lock] = {}
        self._lock = threading.Lock()

    def new_id(self) -> str:
        """An id that nobody can guess."""
        return secrets.token_hex(12)

    def add(self, table: Table, state: Mapping[str, Any], id_: str | None = None) -> str:
        """Keep a new table; gives its id."""
        id_ = id_ or self.new_id()
        self.save(id_, state)
        with self._lock:
            self._put(id_, table)
        self._remove_oldest()
        return id_

    @contextmanager
    def use(self, id_: str, restore: Callable[[dict[str, Any]], Table]) -> Iterator[Table]:
        """A table, for this thread alone; one that is not open is made of its state."""
        if not _ID.fullmatch(id_):
            raise UnknownIdError(f"there is no table {one_line(id_, 30)!r}")
        with self._lock:
            own = self._locks.setdefault(id_, threading.Lock())
        with own:
            with self._lock:
                table = self._open.get(id_)
            if table is None:
                table = restore(self._read(id_))
            with self._lock:
                self._put(id_, table)
            yield table

    def save(self, id_: str, state: Mapping[str, Any]) -> None:
        """Write the state of a table."""
        self.folder.mkdir(parents=True, exist_ok=True)
        write_text(self._file(id_), json.dumps(state, separators=(",", ":")))

    def results(self, id_: str) -> Path:
        """A file for what happened at a table, beside its state."""
        return self.folder / f"{id_}.jsonl"

    def _file(self, id_: str) -> Path:
        return self.folder / f"{id_}.json"

    def _read(self, id_: str) -> dict[str, Any]:
        try:
            state = json.loads(self._file(id_).read_bytes())
        except (OSError, ValueError, RecursionError):
            state = None
        if not isinstance(state, dict):
            with self._lock:
                self._locks.pop(id_, None)
            raise UnknownIdError("this table is gone; sit down at a new one")
        return state

    def _put(self, id_: str, table: Table) -> None:
        self._open[id_] = table
        self._open.move_to_end(id_)
        while len(self._open) > self._most_open:
            oldest, _ = self._open.popitem(last=False)
            if not self._locks.get(oldest, self._lock).locked():
                self._locks.pop(oldest, None)

    def _remove_oldest(self) -> None:
        files = sorted(self.folder.glob("*.json"), key=_changed, reverse=True)
        for file in files[self._most_kept :]:
            for each in (file, *self.folder.glob(f"*{file.stem}.*")):
                each.unlink(missing_ok=True)


def _changed(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0

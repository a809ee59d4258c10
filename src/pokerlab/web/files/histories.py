"""`HistoryFiles`: the hands of the histories of a folder, as columns made once for each file.

Small files are read at once. A large one is read by a process of its own, so that the pages go on;
until it is done, they are told how many hands it has read. Columns are in ``.pokerlab/hands`` and
are made anew when a file has changed.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
import threading
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pokerlab.runtime.errors import one_line
from pokerlab.runtime.files.hashes import digest
from pokerlab.web.answers import UnknownIdError
from pokerlab.web.files.library import Library, Listed
from pokerlab.web.files.opened import file_identity

if TYPE_CHECKING:
    from pokerlab.arena.logs.hand_index import HandIndex

PLACE = Path(".pokerlab") / "hands"
_VERSION = 1
"""Of the columns: another version reads files again."""
_AT_ONCE = 400_000
"""Bytes of a history that is read while the page waits."""
_MOST_KEPT = 500
_MOST_PARTS = 300
_MOST_JOINED = 4
"""Columns that stay in memory: of files, and of several files together."""


class OpenHands(NamedTuple):
    """The hands of some files.

    Attributes
    ----------
    files
        The files, in the order of `hands`.
    hands
        What is known of their hands; of files that are still being read, none.
    reading
        The files that are being read: name, hands so far.
    faults
        Files that cannot be read, with a line each.
    """

    files: list[Listed]
    hands: HandIndex
    reading: list[dict[str, Any]]
    faults: list[dict[str, str]]


class HistoryFiles:
    """The hands of the histories of a folder.

    Parameters
    ----------
    folder, library
        What is served, and its files.
    """

    def __init__(self, folder: Path, library: Library) -> None:
        self.place = folder / PLACE
        self.library = library
        self._lock = threading.Lock()
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._parts: OrderedDict[str, HandIndex] = OrderedDict()
        self._joined: OrderedDict[tuple[str, ...], HandIndex] = OrderedDict()

    def files(self, ids: Sequence[str] = ()) -> list[Listed]:
        """The histories with these ids; without ids all that can be read, by their names."""
        if ids:
            return [self.library.find(id_, "history") for id_ in ids]
        listing = self.library.listing()
        found = [each for each in listing if each["kind"] == "history" and not each["error"]]
        found.sort(key=lambda each: str(each["name"]))
        return [self.library.find(each["id"]) for each in found]

    def open(self, ids: Sequence[str] = ()) -> OpenHands:
        """The hands of files, as far as they have been read."""
        from pokerlab.arena.logs.hand_index import HandIndex, index_hands

        files: list[Listed] = []
        keys: list[str] = []
        parts: list[HandIndex] = []
        reading: list[dict[str, Any]] = []
        faults: list[dict[str, str]] = []
        for listed in self.files(ids):
            try:
                key, count, part = self._find(listed)
            except ValueError as error:
                faults.append({"name": listed.name, "error": one_line(str(error), 200)})
                continue
            if part is None:
                reading.append({"name": listed.name, "hands": count})
                continue
            files.append(listed)
            keys.append(key)
            parts.append(part)
        if not keys:
            return OpenHands([], index_hands([], ""), reading, faults)
        with self._lock:
            index = self._joined.get(tuple(keys))
            if index is None:
                index = self._joined[tuple(keys)] = HandIndex.join(parts)
                while len(self._joined) > _MOST_JOINED:
                    self._joined.popitem(last=False)
            self._joined.move_to_end(tuple(keys))
        return OpenHands(files, index, reading, faults)

    def _find(self, listed: Listed) -> tuple[str, int, HandIndex | None]:
        """The key of a file's columns, how many hands were read so far, and the columns if all."""
        from pokerlab.arena.logs.hand_index import HandIndex, index_file

        try:
            identity = file_identity(listed.path)
        except OSError:
            raise UnknownIdError(f"{listed.name} is gone") from None
        key = digest(repr((_VERSION, identity)).encode())[:32]
        with self._lock:
            part = self._parts.get(key)
            if part is not None:
                self._parts.move_to_end(key)
                return key, len(part), part
        path = self._path(key)
        if path.is_file():
            try:
                return key, 0, self._keep(key, HandIndex.load(path))
            except ValueError:  # damaged: it is made again
                path.unlink(missing_ok=True)
        self.place.mkdir(parents=True, exist_ok=True)
        if identity[2] > _AT_ONCE:
            return key, self._read_apart(key, listed), None
        part = index_file(listed.path, name=listed.name)
        part.save(path)
        self._remove_oldest()
        return key, len(part), self._keep(key, part)

    def _keep(self, key: str, part: HandIndex) -> HandIndex:
        with self._lock:
            self._parts[key] = part
            while len(self._parts) > _MOST_PARTS:
                self._parts.popitem(last=False)
        return part

    def _read_apart(self, key: str, listed: Listed) -> int:
        """How many hands a process has read; one file at a time."""
        with self._lock:
            process = self._processes.get(key)
            if process is not None and process.poll() is not None:
                del self._processes[key]
                if process.returncode:
                    raise ValueError(self._note(key, ".fault") or "it could not be read")
                process = None
            running = any(each.poll() is None for each in self._processes.values())
            if process is None and not running:
                self._processes[key] = subprocess.Popen(
                    [
                        sys.executable,
                        "-m",
                        "pokerlab.web.jobs.reading_process",
                        *map(str, (listed.path, self._path(key), listed.name)),
                    ],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                )
                self._remove_oldest()
        text = self._note(key, ".count")
        return int(text) if text.isascii() and text.isdecimal() else 0

    def _note(self, key: str, ending: str) -> str:
        try:
            return self._path(key).with_suffix(ending).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return ""

    def _path(self, key: str) -> Path:
        return self.place / f"{key}.safetensors"

    def _remove_oldest(self) -> None:
        with contextlib.suppress(OSError):
            files = sorted(self.place.iterdir(), key=lambda path: -path.stat().st_mtime)
            for path in files[_MOST_KEPT:]:
                path.unlink(missing_ok=True)

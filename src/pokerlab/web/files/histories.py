"""`HistoryFiles`: the hands of the histories of a folder, as columns made once for each file.

Small files are read at once, for two seconds. A large one is read by a process of its own, so that
the pages go on; meanwhile they show how many hands it has read. Columns are in
``.pokerlab/hands``, and made anew when a file has changed.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
import threading
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

from pokerlab.runtime.errors import one_line
from pokerlab.runtime.files.hashes import digest
from pokerlab.web.files.library import Library, Listed
from pokerlab.web.files.opened import file_identity

if TYPE_CHECKING:
    from pokerlab.arena.logs.hand_index import HandIndex

PLACE = Path(".pokerlab") / "hands"
_VERSION = 2
"""Of the columns: another version reads files again."""
_AT_ONCE = 400_000
"""Bytes of a history that is read while the page waits."""
_SECONDS = 2.0
"""So long a page waits for files that are read at once; the rest follows when it asks again."""
_MOST_KEPT = 20_000
"""Columns that stay on the disk, of a file each."""
_MOST_HANDS = 1_000_000
_MOST_OPENED = 4
"""What stays in memory: columns of files by their hands, and answers for several files together."""


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
        self._remove_oldest()
        self._lock = threading.Lock()
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._parts: OrderedDict[str, HandIndex] = OrderedDict()
        self._opened: OrderedDict[tuple[str, ...], OpenHands] = OrderedDict()

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

        asked: list[tuple[str, Listed]] = []
        for listed in self.files(ids):
            with contextlib.suppress(OSError):  # gone since the folder was looked at
                asked.append((_key(listed), listed))
        name = tuple(key for key, _ in asked)
        with self._lock:
            opened = self._opened.get(name)
            if opened is not None:
                self._opened.move_to_end(name)
                return opened
        found: dict[str, HandIndex] = {}
        for key, _ in asked:
            part = self._kept(key)
            if part is not None:
                found[key] = part
        reading: list[dict[str, Any]] = []
        faults: list[dict[str, str]] = []
        until, tried = monotonic() + _SECONDS, False
        for key, listed in asked:
            if key in found:
                continue
            try:
                if listed.path.stat().st_size > _AT_ONCE:
                    reading.append({"name": listed.name, "hands": self._read_apart(key, listed)})
                elif tried and monotonic() > until:
                    reading.append({"name": listed.name, "hands": 0})
                else:
                    tried = True
                    found[key] = self._read(key, listed)
            except OSError as error:
                faults.append({"name": listed.name, "error": error.strerror or "cannot be read"})
            except ValueError as error:
                reason = str(error).replace(str(listed.path), listed.name)
                faults.append({"name": listed.name, "error": one_line(reason, 200)})
        parts = [found[key] for key, _ in asked if key in found]
        opened = OpenHands(
            [listed for key, listed in asked if key in found],
            HandIndex.join(parts) if parts else index_hands([], ""),
            reading,
            faults,
        )
        if not reading:
            with self._lock:
                self._opened[name] = opened
                while len(self._opened) > _MOST_OPENED:
                    self._opened.popitem(last=False)
        return opened

    def _kept(self, key: str) -> HandIndex | None:
        """The columns that were made of a file, from memory or from the disk."""
        from pokerlab.arena.logs.hand_index import HandIndex

        with self._lock:
            part = self._parts.get(key)
            if part is not None:
                self._parts.move_to_end(key)
                return part
        path = self._path(key)
        try:
            return self._keep(key, HandIndex.load(path)) if path.is_file() else None
        except ValueError:  # damaged: it is made again
            path.unlink(missing_ok=True)
            return None

    def _keep(self, key: str, part: HandIndex) -> HandIndex:
        with self._lock:
            self._parts[key] = part
            hands = sum(map(len, self._parts.values()))
            while hands > _MOST_HANDS and len(self._parts) > 1:
                hands -= len(self._parts.popitem(last=False)[1])
        return part

    def _read(self, key: str, listed: Listed) -> HandIndex:
        from pokerlab.arena.logs.hand_index import index_file

        part = index_file(listed.path, name=listed.name)
        self.place.mkdir(parents=True, exist_ok=True)
        part.save(self._path(key))
        return self._keep(key, part)

    def _read_apart(self, key: str, listed: Listed) -> int:
        """How many hands a process has read; one file at a time."""
        self.place.mkdir(parents=True, exist_ok=True)
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
        """Bound what stays on the disk, once for each start of the pages."""
        with contextlib.suppress(OSError):
            files = sorted(self.place.iterdir(), key=lambda path: -path.stat().st_mtime)
            for path in files[_MOST_KEPT:]:
                path.unlink(missing_ok=True)


def _key(listed: Listed) -> str:
    """What names the columns of a file, as it is now."""
    return digest(repr((_VERSION, file_identity(listed.path))).encode())[:32]

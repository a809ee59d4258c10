"""`Library`: the spots, solutions and batches of a folder, each by an id.

An id is a short digest of the path below the folder, so that an address holds no path and nothing
outside of the folder has an address. Hidden files, and links that lead out, are not seen. Of a
solution only the header is read: the listing of a folder costs the same whatever their size.
"""

from __future__ import annotations

import os
import re
import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from pokerlab.drills.log import BATCH_LOG, default_log
from pokerlab.holdem.batches.question_file import is_batch
from pokerlab.holdem.spots.question.spot_file import place_range_files
from pokerlab.runtime.errors import one_line, shorten
from pokerlab.runtime.files.atomic import atomic_file
from pokerlab.runtime.files.confined import confined_to
from pokerlab.runtime.files.toml_text import parse_toml
from pokerlab.web.answers import FieldError, UnknownIdError
from pokerlab.web.files.opened import file_identity
from pokerlab.web.files.summaries import summary_of

LIVE = "live-"
"""How the ids of solves begin that are under way: they are no files of the library."""

_MOST_FILES = 20_000
_MOST_FOLDERS = 3_000
_DEEPEST = 6
"""Levels of folders: somebody may serve a home folder with a million files."""
_OTHERS = {"__pycache__", "node_modules", "site-packages"}
_SUFFIXES = (".toml", ".safetensors", ".txt", ".csv", ".tsv", ".phh", ".phhs", ".xml")


@dataclass(frozen=True)
class Listed:
    """A file of the library (or the folder of a batch)."""

    id: str
    path: Path
    name: str
    """The path below the folder, with forward slashes."""


class Library:
    """The files of a folder.

    Attributes
    ----------
    folder
        The folder.
    cut
        Whether it holds more folders or files than were looked at.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "river.toml").write_text('board = "QhJh2c4d7h"', encoding="utf-8")
    >>> library = Library(folder)
    >>> [(entry["name"], entry["kind"]) for entry in library.listing()]
    [('river.toml', 'spot')]
    >>> library.find(library.listing()[0]["id"]).path.name
    'river.toml'
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.cut = False
        self._lock = threading.Lock()
        self._known: dict[str, Listed] = {}
        self._summaries: dict[str, tuple[object, dict[str, Any]]] = {}

    def find(self, id_: str, kind: str | None = None) -> Listed:
        """The file with an id; `UnknownIdError` if there is none, or none of this kind.

        What follows a ``~`` in an id chooses some boards of a batch (`boards_of`).
        """
        if id_.startswith(LIVE):
            raise UnknownIdError("a solve under way is only to look at: stop it and keep it first")
        id_ = id_.partition("~")[0]
        listed = self._of_batch(id_) if "-" in id_ else self._known.get(id_)
        if listed is None or not listed.path.exists():
            self._scan()
            listed = self._of_batch(id_) if "-" in id_ else self._known.get(id_)
        if listed is None:
            raise UnknownIdError(f"there is no file with the id {one_line(id_, 20)!r} (any more)")
        if kind is not None and self.summary(listed)["kind"] != kind:
            raise UnknownIdError(f"{listed.name} is not a {kind}")
        return listed

    def _of_batch(self, id_: str) -> Listed | None:
        """A solution of a batch, whose id is that of the batch and the board."""
        batch, _, board = id_.partition("-")
        folder = self._known.get(batch)
        if folder is None or not _BOARD.fullmatch(board):
            return None
        path = folder.path / "solutions" / f"{board}.safetensors"
        if not path.is_file() or not self._is_inside(path):
            return None
        return Listed(id_, path, f"{folder.name}/{board}")

    def batches(self) -> list[Listed]:
        """The folders of batches."""
        return [listed for listed in self._scan() if listed.path.is_dir()]

    def listing(self) -> list[dict[str, Any]]:
        """All files, and what can be said about each without opening it; the newest first."""
        found = [self.summary(listed) for listed in self._scan()]
        return sorted(
            (entry for entry in found if entry["kind"] != "other"),
            key=lambda entry: (-entry["modified"], entry["name"]),
        )

    def summary(self, listed: Listed) -> dict[str, Any]:
        """The summary of a file; for a damaged one, what is wrong."""
        try:
            identity: object = file_identity(listed.path)
            known = self._summaries.get(listed.id)
            if known is not None and known[0] == identity and known[1]["kind"] != "batch":
                return known[1]
            with confined_to(self.folder):
                found = {"id": listed.id, "name": listed.name} | summary_of(listed.path)
        except OSError as error:  # it has just gone, or may not be read
            return {
                "id": listed.id,
                "name": listed.name,
                "kind": "other",
                "modified": 0.0,
                "bytes": 0,
                "size": "",
                "error": error.strerror or "it cannot be read",
            }
        self._summaries[listed.id] = identity, found
        return found

    def rename(self, id_: str, name: str) -> Listed:
        """Give a file another name in the same folder; its ending stays."""
        listed = self.find(id_)
        path = listed.path.with_name(check_name(name) + _ending(listed.path))
        if path != listed.path:
            if path.exists() or path.is_symlink():
                raise FieldError("name", f"there is a file {path.name} already")
            _rename(listed.path, path)
        return self.find(self.id_of(path))

    def move(self, id_: str, place: str) -> Listed:
        """Put a file into a folder of the library, which is made if it is not there.

        `place` is a path below the library's folder, with forward slashes; empty for that folder.
        """
        listed = self.find(id_)
        folder = self._place(place)
        path = folder / listed.path.name
        if path != listed.path:
            if path.exists() or path.is_symlink():
                raise FieldError("folder", f"there is a file {path.name} already in that folder")
            _check_alone(listed.path)
            folder.mkdir(parents=True, exist_ok=True)
            _rename(listed.path, path)
        return self.find(self.id_of(path))

    def _place(self, place: str) -> Path:
        """A folder by its path below ours: no hidden one, no batch, none that leads out."""
        inner = place.strip(" /")
        parts = [part.strip() for part in inner.split("/")] if inner else []
        if len(parts) >= _DEEPEST:
            raise FieldError("folder", f"folders may be {_DEEPEST - 1} deep")
        folder = self.folder
        for part in parts:
            if not _is_name(part) or part in _OTHERS:
                raise FieldError("folder", f"{shorten(part)!r} is not a name of a folder: {_SIGNS}")
            folder = folder / part
            if folder.exists() and (not folder.is_dir() or is_batch(folder)):
                raise FieldError("folder", f"{part} is not a folder for files")
            if folder.is_symlink() or (folder.exists() and not self._is_inside(folder)):
                raise FieldError("folder", f"{part} leads to another folder")
        return folder

    def duplicate(self, id_: str) -> Listed:
        """Copy a file (or a batch) beside itself, under the next free name."""
        listed = self.find(id_)
        path = free_path(listed.path)
        if listed.path.is_dir():
            temporary = path.with_name(f".{path.name}.copy")
            shutil.rmtree(temporary, ignore_errors=True)
            results = shutil.ignore_patterns(f"*{BATCH_LOG}*")  # a copy has none of its own yet
            shutil.copytree(listed.path, temporary, symlinks=True, ignore=results)
            temporary.rename(path)
        else:
            with atomic_file(path) as temporary:
                shutil.copyfile(listed.path, temporary)
        return self.find(self.id_of(path))

    def delete(self, id_: str) -> None:
        """Remove a file, or a batch with all that is in it."""
        listed = self.find(id_)
        if listed.path.is_dir() and not listed.path.is_symlink():
            shutil.rmtree(listed.path)
        else:
            listed.path.unlink(missing_ok=True)

    def id_of(self, path: Path) -> str:
        """The id of a file below the folder, by its name, wherever a link leads."""
        return _id(path.relative_to(self.folder).as_posix())

    def _scan(self) -> list[Listed]:
        with self._lock:
            found = [
                Listed(_id(name), path, name)
                for path in self._files()
                for name in [path.relative_to(self.folder).as_posix()]
            ]
            self._known = {listed.id: listed for listed in found}
            for id_ in self._summaries.keys() - self._known.keys():
                del self._summaries[id_]
            return found

    def _files(self) -> Iterator[Path]:
        """Files that may be ours, and folders of batches."""
        count = looked = 0
        self.cut = False
        for place, folders, files in os.walk(self.folder):
            folder = Path(place)
            looked += 1
            folders[:] = sorted(
                name for name in folders if not name.startswith(".") and name not in _OTHERS
            )
            deep = len(folder.relative_to(self.folder).parts) >= _DEEPEST
            if folders and (deep or looked >= _MOST_FOLDERS):
                self.cut = True
                folders[:] = []
            if folder != self.folder and is_batch(folder):
                folders[:] = []
                yield folder
                continue
            for name in sorted(files):
                if name.startswith(".") or not name.lower().endswith(_SUFFIXES):
                    continue
                path = folder / name
                if path.is_symlink() and not self._is_inside(path):
                    continue
                count += 1
                if count > _MOST_FILES:
                    self.cut = True
                    return
                yield path

    def _is_inside(self, path: Path) -> bool:
        try:
            return path.resolve(strict=True).is_relative_to(self.folder)
        except (OSError, RuntimeError):
            return False


def _id(name: str) -> str:
    return blake2b(name.encode("utf-8", "surrogateescape"), digest_size=6).hexdigest()


def _rename(path: Path, new: Path) -> None:
    """Rename a file, and the results of training beside it."""
    log, new_log = default_log(path), default_log(new)
    has_log = path.is_file() and log.is_file() and not new_log.exists()
    path.rename(new)
    if has_log:
        log.rename(new_log)


def _check_alone(path: Path) -> None:
    """Refuse to move a spot that names range files beside it: they would not be found."""
    if path.suffix.lower() != ".toml":
        return
    try:
        fields = parse_toml(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):  # a damaged file may be put aside
        return
    if place_range_files(fields, Path("elsewhere")) != fields:
        raise FieldError("folder", f"{path.name} names files of ranges beside it: move it by hand")


_BOARD = re.compile(r"([2-9TJQKA][shdc]){3,5}")
_SIGNS = "letters, digits, spaces and -_.,()+="
_NAME = re.compile(r"\w[\w ,()+=.-]{0,99}", re.UNICODE)
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)


def boards_of(id_: str) -> str:
    """The boards of a batch that an id means, as a texture or a list; empty for all.

    Examples
    --------
    >>> boards_of("5f0c6a~rainbow paired"), boards_of("5f0c6a")
    ('rainbow paired', '')
    """
    return id_.partition("~")[2]


def check_name(name: str) -> str:
    """A name for a file, without its ending: not a path, and accepted by every system.

    Examples
    --------
    >>> check_name(" turn, 3-bet pot ")
    'turn, 3-bet pot'
    >>> check_name("../secret")
    Traceback (most recent call last):
    pokerlab.web.answers.FieldError: '../secret' is not a name: letters, digits, spaces and -_.,()+=
    """
    found = name.strip()
    for ending in (".safetensors", ".toml", ".phhs", ".phh", ".xml"):
        found = found.removesuffix(ending)
    if not _is_name(found):
        raise FieldError("name", f"{shorten(name)!r} is not a name: {_SIGNS}")
    return found


def _is_name(text: str) -> bool:
    named = _NAME.fullmatch(text) and not _RESERVED.fullmatch(text)
    return bool(named) and not text.endswith((".", " "))


def free_path(path: Path) -> Path:
    """The path itself if nothing is there, or with the first number after its name that is free.

    Examples
    --------
    >>> free_path(Path("no such folder/river.toml")).name
    'river.toml'
    """
    stem, ending = path.name.removesuffix(_ending(path)), _ending(path)
    number = 1
    while path.exists() or path.is_symlink():
        number += 1
        path = path.with_name(f"{stem}-{number}{ending}")
    return path


def _ending(path: Path) -> str:
    return "" if path.is_dir() else path.suffix

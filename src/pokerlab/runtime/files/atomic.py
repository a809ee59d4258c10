"""Files that appear whole or not at all: written under another name, then renamed.

The other name says which process writes, ``.NAME.HOST-PROCESS.TOKEN.tmp`` beside the file. When a
writer is killed its file stays behind, and the next one that writes the same file removes it.
"""

from __future__ import annotations

import os
import platform
import re
import secrets
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def atomic_file(path: str | Path) -> Iterator[Path]:
    """A name to write a file under; it takes the place of `path` when the block ends well.

    When the block ends with an exception nothing is left behind, and what was at `path` stays.
    What is there but is no ordinary file, such as ``/dev/stdout``, is written to directly. Where
    `path` is a symbolic link, the file that it leads to is replaced and the link stays.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> with atomic_file(folder / "a.txt") as temporary:
    ...     _ = temporary.write_text("whole", encoding="utf-8")
    ...     (folder / "a.txt").exists()
    False
    >>> [file.name for file in folder.iterdir()]
    ['a.txt']
    """
    path = followed(Path(path))
    if path.exists() and not path.is_file() and not path.is_dir():
        yield path
        return
    remove_unfinished(path)
    temporary = path.with_name(f".{path.name}.{_writer(os.getpid())}.{secrets.token_hex(4)}.tmp")
    try:
        yield temporary
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def followed(path: Path) -> Path:
    """Where a file is that is written under a name: a symbolic link is followed to its end."""
    return Path(os.path.realpath(path)) if path.is_symlink() else path


def write_text(path: str | Path, text: str) -> None:
    """Write a text in UTF-8, whole or not at all."""
    write_bytes(path, text.encode())


def write_bytes(path: str | Path, content: bytes) -> None:
    """Write a file, whole or not at all."""
    with atomic_file(path) as temporary:
        temporary.write_bytes(content)


def remove_unfinished(path: str | Path) -> None:
    """Remove what writers of this file left behind that were killed on this machine."""
    path = Path(path)
    if not path.parent.is_dir():
        return
    begin = f".{path.name}."
    with os.scandir(path.parent) as entries:
        left = [entry.path for entry in entries if entry.name.startswith(begin)]
    for name in left:
        found = _UNFINISHED.fullmatch(Path(name).name[len(begin) :])
        if found and found[1] == _HOST and not _is_running(int(found[2])):
            Path(name).unlink(missing_ok=True)


_HOST = f"{zlib.crc32(platform.node().encode()):08x}"
_UNFINISHED = re.compile(r"([0-9a-f]{8})-([0-9]{1,10})\.[0-9a-f]{8}\.tmp")


def _writer(process: int) -> str:
    return f"{_HOST}-{process}"


def _is_running(process: int) -> bool:
    import psutil

    return bool(psutil.pid_exists(process))

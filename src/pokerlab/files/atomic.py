"""Files that appear whole or not at all: written under another name, then renamed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["atomic_file", "write_text"]


@contextmanager
def atomic_file(path: str | Path) -> Iterator[Path]:
    """A name to write a file under; it takes the place of `path` when the block ends well.

    When the block ends with an exception nothing is left behind, and what was at `path` stays.

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
    path = Path(path)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        yield temporary
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def write_text(path: str | Path, text: str) -> None:
    """Write a text in UTF-8, whole or not at all."""
    with atomic_file(path) as temporary:
        temporary.write_text(text, encoding="utf-8")

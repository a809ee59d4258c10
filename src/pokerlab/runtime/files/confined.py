"""Files that others may name: inside of `confined_to`, only those below one folder are read.

Range texts and spots may name files (``@btn.txt``). On a command line these are the user's own
words; what arrives over a network must not reach beyond a folder.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from pokerlab.runtime.errors import shorten

_folder: ContextVar[Path | None] = ContextVar("folder", default=None)


@contextmanager
def confined_to(folder: Path) -> Iterator[None]:
    """In this block, and in what it starts, files outside of `folder` are refused."""
    before = _folder.set(folder.resolve())
    try:
        yield
    finally:
        _folder.reset(before)


def allowed_path(name: str | Path) -> Path:
    """A file that a text names; `ValueError` where it may not be read.

    A name that is not absolute is looked up in the current folder, and where only one folder is
    allowed in that.

    Examples
    --------
    >>> with confined_to(Path("/somewhere/spots")):
    ...     allowed_path("../secret.txt")
    Traceback (most recent call last):
    ValueError: 'secret.txt' is not in the folder that is served
    """
    folder = _folder.get()
    if folder is None:
        return Path(name)
    try:
        path = (folder / name).resolve()
    except (OSError, ValueError, RuntimeError):  # a name that no system has, links in a circle
        path = None
    if path is None or not path.is_relative_to(folder):
        raise ValueError(f"{shorten(Path(name).name)!r} is not in the folder that is served")
    return path

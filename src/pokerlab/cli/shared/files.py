"""Files that commands read and write: of what kind one is, and whether it can be written."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["check_output", "check_picture", "is_postflop", "saving", "size_text"]

_PICTURES = (".png", ".svg")


def is_postflop(path: Path) -> bool:
    """Whether a file holds the solution of a spot, of any version of the format."""
    from pokerlab.files.tensor_map import file_format
    from pokerlab.postflop.answer.solution import POSTFLOP_FORMAT

    return file_format(path).startswith(POSTFLOP_FORMAT.rstrip("0123456789"))


def check_output(path: Path | None, option: str, *, size: int = 0) -> None:
    """Say now that a file cannot be written, not after an hour of solving.

    Parameters
    ----------
    path
        The file; None for none.
    option
        What the user called it.
    size
        How many bytes it will have, at most.
    """
    if path is None:
        return
    if not path.parent.is_dir():
        raise ValueError(f"{option} {path}: there is no folder {path.parent}")
    if path.exists() and not path.is_file():
        what = "a folder" if path.is_dir() else "not a plain file"
        raise ValueError(f"{option} {path}: this is {what}; name a file to write")
    if not os.access(path.parent, os.W_OK):
        raise ValueError(f"{option} {path}: the folder {path.parent} cannot be written to")
    free = shutil.disk_usage(path.parent).free
    if size > free:
        raise ValueError(
            f"{option} {path}: the file needs up to {size_text(size)}, and {size_text(free)} are "
            f"free on the disk of {path.parent.resolve()}; free some, or name another folder"
        )


def check_picture(path: Path | None, option: str) -> None:
    """The same for a picture, which is a .png or a .svg file."""
    check_output(path, option)
    if path is not None and path.suffix.lower() not in _PICTURES:
        raise ValueError(f"{option} {path}: a picture is a {' or '.join(_PICTURES)} file")


@contextmanager
def saving(path: Path, option: str) -> Iterator[None]:
    """Turn a failure to write into one line; writers leave nothing half-written behind."""
    from safetensors import SafetensorError

    try:
        yield
    except OSError as error:
        raise ValueError(f"{option} {path}: cannot be written: {error.strerror}") from None
    except SafetensorError as error:
        raise ValueError(f"{option} {path}: cannot be written: {error}") from None


def size_text(size: float) -> str:
    """A number of bytes for people.

    Examples
    --------
    >>> size_text(44928), size_text(625377792), size_text(10)
    ('45 kB', '625 MB', '10 bytes')
    """
    for unit, name in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if size >= unit:
            number = size / unit
            return f"{number:.1f} {name}" if number < 10 else f"{number:,.0f} {name}"
    return f"{size:.0f} bytes"

"""Files that commands read and write: of what kind one is, and whether it can be written."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from pokerlab.runtime.machine import size_text

if TYPE_CHECKING:
    from pokerlab.runtime.files.columns import Columns

_PICTURES = (".png", ".svg")


def is_postflop(path: Path) -> bool:
    """Whether a file holds the solution of a spot, of any version of the format."""
    from pokerlab.holdem.spots.answer.solution_file import POSTFLOP_FORMAT
    from pokerlab.runtime.files.tensor_map import file_kind, kind_of

    return file_kind(path) == kind_of(POSTFLOP_FORMAT)


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


def check_distinct(
    outputs: Mapping[str, Path | None], inputs: Iterable[str | Path | None] = ()
) -> None:
    """Refuse to write over a file that the same command reads, or to write one file twice.

    However they are spelled: relative or not, through links, in capitals where that is the same.

    Parameters
    ----------
    outputs
        By the options that name them, the files to write.
    inputs
        What the command reads: files, or texts such as ``limit2:FILE``, ``bot.py:Class`` and
        ``@FILE``; texts that name no file are passed over.

    Examples
    --------
    >>> check_distinct({"--svg": Path("a.svg"), "--png": Path("./a.svg")})
    Traceback (most recent call last):
    ValueError: --png a.svg: --svg is the same file; name another one
    """
    read = [path for text in inputs if text is not None for path in _files_named(text)]
    earlier: dict[str, Path] = {}
    for option, path in outputs.items():
        if path is None:
            continue
        if any(_same_file(path, other) for other in read):
            raise ValueError(f"{option} {path}: this file is read by the command; name another one")
        for name, other in earlier.items():
            if _same_file(path, other):
                raise ValueError(f"{option} {path}: {name} is the same file; name another one")
        earlier[option] = path


def _files_named(text: str | Path) -> list[Path]:
    """The files that an argument names: all of it, or a part of it beside a colon."""
    words = [str(text), *_around_colons(str(text)), str(text).removeprefix("@")]
    return [path for path in map(Path, words) if len(path.name) < 256 and path.is_file()]


def _around_colons(text: str) -> Iterator[str]:
    for place, letter in enumerate(text):
        if letter == ":":
            yield text[:place]
            yield text[place + 1 :]


def _same_file(one: Path, other: Path) -> bool:
    if one.exists() and other.exists():
        return one.samefile(other)
    if one.exists() or other.exists():
        return False
    return _spelled(one) == _spelled(other)


def _spelled(path: Path) -> str:
    spelled = os.path.normcase(path.resolve())
    return spelled.casefold() if sys.platform == "darwin" else spelled


def save_bytes(path: Path, content: bytes, option: str) -> None:
    """Write a picture, whole or not at all; a failure is one line."""
    from pokerlab.runtime.files.atomic import write_bytes

    with saving(path, option):
        write_bytes(path, content)


def save_columns(columns: Columns, csv: Path | None, parquet: Path | None) -> list[str]:
    """Write a table to the files of ``--csv`` and ``--parquet``; the names of those written."""
    from pokerlab.runtime.files.columns import write_csv, write_parquet

    files = []
    # Parquet first: where its package is missing, nothing at all is written.
    for option, path, write in (("--parquet", parquet, write_parquet), ("--csv", csv, write_csv)):
        if path is not None:
            with saving(path, option):
                write(columns, path)
            files.append(str(path))
    return files


@contextmanager
def saving(path: Path, option: str) -> Iterator[None]:
    """Turn a failure to write into one line; writers leave nothing half-written behind."""
    try:
        yield
    except OSError as error:
        raise ValueError(f"{option} {path}: cannot be written: {error.strerror}") from None

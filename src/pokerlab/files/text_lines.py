"""Text files of other people's making, read line by line without trust in their size."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

MAX_LINE = 1_000_000
"""Characters of a line; a hand takes a few hundred."""
MAX_TEXT = 1 << 30
"""Bytes of a file that has to be read as a whole."""


def text_lines(path: str | Path) -> Iterator[str]:
    r"""The lines of a file, with their ends; `ValueError` if it is not a text file in UTF-8.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "a.log").write_text("one\ntwo")
    ...     list(text_lines(Path(folder, "a.log")))
    ['one\n', 'two']
    >>> list(text_lines("/dev/zero"))
    Traceback (most recent call last):
    ValueError: /dev/zero: this is not a file with text
    """
    path = Path(path)
    number = 1
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise ValueError(f"{path}: this is not a file with text")
        with path.open(encoding="utf-8") as file:
            while line := file.readline(MAX_LINE + 1):
                if len(line) > MAX_LINE:
                    raise ValueError(f"{path}: line {number}: more than {MAX_LINE:,} characters")
                yield line
                number += 1
    except UnicodeDecodeError:
        raise ValueError(f"{path}: not a text file in UTF-8") from None
    except OSError as error:
        raise ValueError(f"{path}: cannot be read: {error.strerror}") from None


def whole_text(path: str | Path) -> str:
    """All lines of a file; `ValueError` also for one that is too large to be read as a whole."""
    path = Path(path)
    if path.is_file() and path.stat().st_size > MAX_TEXT:
        raise ValueError(f"{path}: more than {MAX_TEXT:,} bytes: cut it into several files")
    return "".join(text_lines(path))

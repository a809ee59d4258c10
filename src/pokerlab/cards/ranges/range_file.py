"""Ranges from files: ``@btn.txt`` stands for the range in the file.

A file holds a range text, or the 1,326 weights that PioSOLVER writes, in the order ``2d2c 2h2c 2h2d
2s2c …`` of its ``show_hand_order`` (`pokerlab.cards.ranges.text` reads both); or, if its name ends
with ``.csv`` or ``.tsv``, a chart (see `pokerlab.cards.ranges.chart`): ``@chart.csv#raise`` is the
column ``raise`` of one.
"""

from __future__ import annotations

from pathlib import Path

from pokerlab.cards.ranges.chart import parse_chart
from pokerlab.cards.ranges.text import MAX_LENGTH, parse_range
from pokerlab.runtime.arrays import Floats
from pokerlab.runtime.errors import shorten
from pokerlab.runtime.files.confined import allowed_path

_CHARTS = (".csv", ".tsv")


def read_range_file(name: str) -> Floats:
    """The weights in a file; a name that is not absolute is looked up in the current folder.

    Examples
    --------
    >>> read_range_file("missing.txt")
    Traceback (most recent call last):
    ValueError: no range file 'missing.txt' (@ is followed by the name of a text file)
    """
    file, column = name, None
    if "#" in name and not _is_file(name):
        file, _, column = name.rpartition("#")
    content = _read(file)
    try:
        if Path(file).suffix.lower() in _CHARTS:
            return parse_chart(content, column, Path(file).name)
        if column is not None:
            raise ValueError(f"#{shorten(column)} names a column, and this is no .csv file")
        return parse_range(content)
    except ValueError as error:
        raise ValueError(f"range file {shorten(file)!r}: {error}") from None


def _is_file(name: str) -> bool:
    try:
        return allowed_path(name).is_file()
    except (OSError, ValueError):  # too long, or characters that no name may have
        return False


def _read(name: str) -> str:
    shown = shorten(name)
    try:
        path = allowed_path(name)
        if not path.is_file():
            raise ValueError(f"no range file {shown!r} (@ is followed by the name of a text file)")
        if path.stat().st_size > MAX_LENGTH:
            raise ValueError(f"range file {shown!r} is too long (at most {MAX_LENGTH:,} bytes)")
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ValueError(f"range file {shown!r}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ValueError(f"range file {shown!r} is not text (UTF-8)") from None

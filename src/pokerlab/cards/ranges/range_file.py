"""Range text from a file: ``@btn.txt`` stands for what the file says."""

from __future__ import annotations

from pathlib import Path

from pokerlab.cards.ranges.text import MAX_LENGTH
from pokerlab.errors import shorten

__all__ = ["read_range_file"]


def read_range_file(name: str) -> str:
    """The text of a file; a name that is not absolute is looked up in the current folder.

    Examples
    --------
    >>> read_range_file("missing.txt")
    Traceback (most recent call last):
    ValueError: no range file 'missing.txt' (@ is followed by the name of a text file)
    """
    shown = shorten(name)
    try:
        path = Path(name)
        if not path.is_file():
            raise ValueError(f"no range file {shown!r} (@ is followed by the name of a text file)")
        if path.stat().st_size > MAX_LENGTH:
            raise ValueError(f"range file {shown!r} is too long (at most {MAX_LENGTH:,} bytes)")
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ValueError(f"range file {shown!r}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ValueError(f"range file {shown!r} is not text (UTF-8)") from None

"""What the machine has to offer; sizes in bytes and times as people write them."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

from pokerlab.errors import shorten

__all__ = ["duration_text", "free_memory", "parse_size", "size_text"]

_MEMORY = Path("/proc/meminfo")
_UNITS = {"": 1, "b": 1} | {
    f"{letter}{unit}": base**power
    for power, letter in enumerate("kmgt", 1)
    for unit, base in (("b", 1000), ("ib", 1024), ("", 1000))
}
_SIZE = re.compile(r"([0-9]{1,20}(?:\.[0-9]{1,20})?)\s*([a-z]{0,3})")


def free_memory() -> int:
    """Bytes of memory that can be had without swapping.

    Examples
    --------
    >>> free_memory() > 1_000_000
    True
    """
    if _MEMORY.is_file():  # where psutil would look too, on Linux, but importing it takes longer
        found = re.search(r"^MemAvailable:\s*([0-9]+) kB$", _MEMORY.read_text(), re.MULTILINE)
        if found is not None:
            return 1024 * int(found[1])
    import psutil

    return int(psutil.virtual_memory().available)


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


def duration_text(seconds: float) -> str:
    """A time as people say it.

    Examples
    --------
    >>> duration_text(30), duration_text(600), duration_text(9000)
    ('30 s', '10 min', '2.5 h')
    """
    if seconds < 100:
        return f"{seconds:.0f} s"
    if seconds < 6000:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


def parse_size(text: str) -> int:
    """Read a number of bytes: ``2GB``, ``800 MB``, ``2.5GiB``, or the bytes themselves.

    Examples
    --------
    >>> parse_size("2GB"), parse_size("2.5 GiB"), parse_size("1000000")
    (2000000000, 2684354560, 1000000)
    >>> parse_size("two gigabytes")
    Traceback (most recent call last):
    ValueError: 'two gigabytes' is not a size: write 800MB, 2GB, 2.5GiB or a number of bytes
    """
    found = _SIZE.fullmatch(text.strip().lower())
    unit = 0 if found is None else _UNITS.get(found[2], 0)
    size = 0 if found is None else int(Fraction(found[1]) * unit)
    if size < 1:
        raise ValueError(
            f"{shorten(text)!r} is not a size: write 800MB, 2GB, 2.5GiB or a number of bytes"
        )
    return size

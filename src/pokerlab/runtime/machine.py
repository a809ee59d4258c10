"""What the machine has to offer; sizes in bytes and times as people write them."""

from __future__ import annotations

import os
import re
from fractions import Fraction
from functools import cache
from math import ceil, inf
from numbers import Integral
from pathlib import Path

from pokerlab.runtime.errors import shorten

MOST_THREADS = 1024

_MEMORY = Path("/proc/meminfo")
_GROUP = Path("/proc/self/cgroup")
_GROUPS = Path("/sys/fs/cgroup")
_UNITS = {"": 1, "b": 1} | {
    f"{letter}{unit}": base**power
    for power, letter in enumerate("kmgt", 1)
    for unit, base in (("b", 1000), ("ib", 1024), ("", 1000))
}
_SIZE = re.compile(r"([0-9]{1,20}(?:\.[0-9]{1,20})?)\s*([a-z]{0,3})")


@cache
def core_count() -> int:
    """How many cores this process may use: those it may run on, and no more than its quota.

    A container has a quota of processor time. More threads than that are stopped, all together, for
    the rest of each tenth of a second.

    Examples
    --------
    >>> core_count() >= 1
    True
    """
    allowed = getattr(os, "sched_getaffinity", None)  # Linux
    cores = len(allowed(0)) if allowed is not None else os.cpu_count() or 1
    return max(ceil(min(cores, _quota(_GROUP, _GROUPS))), 1)


def check_threads(threads: int | None) -> int:
    """How many threads to use: all cores if None; `ValueError` for a number that makes no sense.

    Examples
    --------
    >>> check_threads(3), check_threads(None) >= 1
    (3, True)
    >>> check_threads(0)
    Traceback (most recent call last):
    ValueError: threads: 0 is not a number of threads (1 to 1024)
    """
    if threads is None:
        return core_count()
    if not isinstance(threads, Integral) or not 1 <= threads <= MOST_THREADS:
        shown = shorten(str(threads))
        raise ValueError(f"threads: {shown} is not a number of threads (1 to {MOST_THREADS})")
    return int(threads)


def _quota(group: Path, groups: Path) -> float:
    """The processor time a second of all that holds this process; infinite without a limit.

    `group` says which control groups it is in, and `groups` holds them. Version 2 has all limits
    of a group in one folder (``cpu.max``); version 1 has a tree of folders for processors.
    """
    quota = inf
    try:
        lines = [line.split(":", 2) for line in group.read_text().splitlines()]
    except OSError:  # no Linux
        return quota
    for _, controllers, path in (line for line in lines if len(line) == 3):
        if controllers and "cpu" not in controllers.split(","):
            continue
        top = groups if not controllers else groups / "cpu"
        # In a container the path is that of the host, and its own group may be the top.
        here = Path(path.lstrip("/"))
        for folder in (top / here, *(top / above for above in here.parents), top):
            quota = min(quota, _group_quota(folder))
    return quota


def _group_quota(folder: Path) -> float:
    """The processor time a second of one control group; infinite without a limit."""
    try:
        if (folder / "cpu.max").is_file():
            limit, period = (folder / "cpu.max").read_text().split()
        else:
            limit = (folder / "cpu.cfs_quota_us").read_text()
            period = (folder / "cpu.cfs_period_us").read_text()
        return int(limit) / int(period) if int(limit) > 0 else inf
    except (OSError, ValueError, ZeroDivisionError):  # "max" is no limit
        return inf


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

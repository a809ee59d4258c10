"""The standard streams: closed ones, streams that cannot show suits, full disks."""

from __future__ import annotations

import errno
import io
import os
import select
import sys
from pathlib import Path
from typing import Any

from pokerlab.cli.shared.plain_text import REPLACING, tell

_NOWHERE = Path(os.devnull)


def prepare_streams() -> None:
    """Open every stream, and replace characters that it cannot show instead of failing."""
    # In this order, each gets its own number, which no file that is opened later can then have.
    if sys.stdin is None:
        sys.stdin = _NOWHERE.open(encoding="utf-8")
    if sys.stdout is None:
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(_Closed(_NOWHERE, "w")), encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = _NOWHERE.open("w", encoding="utf-8")
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors=REPLACING)


def reader_left() -> bool:
    """Whether the program that read our output (such as `head`) has ended."""
    if not hasattr(select, "poll"):
        return True
    watched = select.poll()
    watched.register(sys.stdout.fileno(), 0)  # no events but errors
    return bool(watched.poll(0))


def flush_stdout() -> bool:
    """Flush the standard output; False, and a line on stderr, if that fails."""
    try:
        sys.stdout.flush()
        return True
    except BrokenPipeError:
        lost = ""
    except OSError as error:
        lost = error.strerror or str(error)
    # What is left is written again when Python ends, which must not fail again.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if lost:
        tell(f"pokerlab: {lost}")
    return not lost


class _Closed(io.FileIO):
    """Stands for an output that was closed: what is written is lost, and that is said once."""

    _said = False

    def write(self, data: Any, /) -> int:
        if self._said:  # when Python ends, it writes what is left
            return super().write(data)
        self._said = True
        raise OSError(errno.EBADF, "the standard output is closed")

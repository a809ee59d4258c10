"""Files of an earlier or later pokerlab: one line that says so, and what to do."""

from __future__ import annotations

from pathlib import Path

from pokerlab.runtime.errors import one_line
from pokerlab.runtime.files.tensor_map import file_format


def check_version(path: str | Path, expected: str, what: str, remedy: str) -> None:
    """Refuse a file of another version of a format; one of another kind is left to its reader.

    Parameters
    ----------
    path
        The file.
    expected
        The format that is read here; its last word is the version.
    what
        What the file holds, in the user's words.
    remedy
        What to do about it.
    """
    kind, version = expected.rsplit(" ", 1)
    found = file_format(path)
    if found.startswith(f"{kind} ") and found != expected:
        other = one_line(found.removeprefix(kind).strip())
        raise ValueError(
            f"{str(path)!r} has {what} of version {other}, this pokerlab reads version {version}:"
            f" {remedy}"
        )

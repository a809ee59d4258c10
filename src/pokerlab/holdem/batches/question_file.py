"""The file by which the folder of a batch is known; who asks for it loads nothing else."""

from __future__ import annotations

from pathlib import Path

QUESTION_FILE = "batch.toml"


def is_batch(path: str | Path) -> bool:
    """Whether a path is the folder of a batch.

    Examples
    --------
    >>> is_batch("no such folder"), is_batch("x" * 10_000)
    (False, False)
    """
    try:
        return (Path(path) / QUESTION_FILE).is_file()
    except (ValueError, OSError):  # a text that is too long for a path
        return False

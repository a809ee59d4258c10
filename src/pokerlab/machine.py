"""What the machine has to offer."""

from __future__ import annotations

__all__ = ["free_memory"]


def free_memory() -> int:
    """Bytes of memory that can be had without swapping.

    Examples
    --------
    >>> free_memory() > 1_000_000
    True
    """
    import psutil

    return int(psutil.virtual_memory().available)

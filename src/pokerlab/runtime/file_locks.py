"""One process at a time: a lock beside the file that is written."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from math import inf
from pathlib import Path

_SECONDS_BETWEEN_LOOKS = 0.2


@contextmanager
def locked(
    path: str | Path, waiting: Callable[[], None] | None = None, patience: float = inf
) -> Iterator[None]:
    """Be the only one, among all processes and threads, to work on a file.

    The system takes the lock from a process that ends, however it ends: a killed one lets the
    next one in.

    Parameters
    ----------
    path
        The file; the lock is a file beside it, for as long as somebody has it.
    waiting
        Called again and again while somebody else has the lock.
    patience
        Seconds to wait at most; then a `TimeoutError`.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> with locked(folder / "tables"):
    ...     [file.name for file in folder.iterdir()]
    ['.tables.lock']
    >>> list(folder.iterdir())
    []
    """
    from filelock import FileLock, Timeout

    path = Path(path)
    file = path.with_name(f".{path.name}.lock")
    lock = FileLock(file, thread_local=False)
    give_up = time.monotonic() + patience
    while True:
        try:
            lock.acquire(timeout=0)
            break
        except Timeout:
            if time.monotonic() >= give_up:
                raise TimeoutError(f"{path} was locked for {patience:g} s") from None
            if waiting is not None:
                waiting()
            time.sleep(_SECONDS_BETWEEN_LOOKS)
    try:
        yield
    finally:
        if sys.platform == "win32":  # where nobody can remove a file that is open
            lock.release()
            with suppress(OSError):
                file.unlink()
        else:  # a process that opened the file before checks, once it has the lock, that it exists
            file.unlink(missing_ok=True)
            lock.release()

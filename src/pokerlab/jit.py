"""`kernel`, the one decorator of every compiled function in the package.

It is ``numba.njit`` with the settings that all our kernels share, a cache on disk that is
never stale, and a type signature that type checkers see.

Numba's own cache looks only at the file in which a function stands: when a kernel calls a
kernel of another module and that module changes (an edit, an upgrade of pokerlab), Numba would
go on running the old machine code. Here the cache folder of a module is named by a digest of
its source and of the source of every ``*_kernels`` module that it mentions, so a change in any
of them leads to a fresh folder.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, overload

import numba
from numba.core import config
from platformdirs import user_cache_path

__all__ = ["cache_folder", "kernel"]

Function = TypeVar("Function", bound=Callable[..., Any])

_MENTIONED_KERNELS = re.compile(r"\b\w+_kernels\b")
_DAYS_KEPT_UNUSED = 30


def cache_folder() -> Path:
    """Where pokerlab keeps what it can make again (``POKERLAB_CACHE`` overrides it)."""
    chosen = os.environ.get("POKERLAB_CACHE")
    return Path(chosen) if chosen else Path(user_cache_path("pokerlab", appauthor=False))


@overload
def kernel(function: Function) -> Function: ...
@overload
def kernel(*, makes_arrays: bool = True, **options: Any) -> Callable[[Function], Function]: ...
def kernel(function: Function | None = None, *, makes_arrays: bool = True, **options: Any) -> Any:
    """Compile a function with Numba at its first call, without the GIL, cached on disk.

    A kernel that only writes into arrays it is given says so with ``makes_arrays=False``. Numba
    then need not count references, which costs an atomic operation for each array of each call,
    on memory that all threads share. (Numba refuses to compile a promise that is broken.)

    Options are those of ``numba.njit``; by default ``nogil=True``, ``error_model="numpy"``
    (a division by zero gives inf or nan, as in NumPy) and ``cache=True``.
    """
    settings = {"cache": True, "nogil": True, "error_model": "numpy", "_nrt": makes_arrays}
    settings |= options

    def compile_lazily(python_function: Function) -> Any:
        # Numba reads the folder while it decorates; put back at once, because other packages
        # in this process may use Numba's cache as well.
        previous = config.CACHE_DIR
        if not os.environ.get("NUMBA_CACHE_DIR"):
            config.CACHE_DIR = _module_cache(python_function.__module__)
        try:
            return numba.njit(**settings)(python_function)
        finally:
            config.CACHE_DIR = previous

    return compile_lazily(function) if function is not None else compile_lazily


@cache
def _module_cache(module: str) -> str:
    source = sys.modules[module].__file__
    if source is None:
        return ""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version}".encode())
    for path in sorted(_kernel_sources(Path(source))):
        digest.update(path.read_bytes())
    parent = cache_folder() / "jit" / module
    folder = parent / digest.hexdigest()[:16]
    try:
        if not folder.exists():
            _forget_unused(parent)
            folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
    except OSError:  # a read-only home: let Numba find a place, or go without
        return ""
    return str(folder)


def _kernel_sources(source: Path) -> set[Path]:
    """`source` and the files of all ``*_kernels`` modules that it mentions, directly or not."""
    homes = _kernel_files()
    found: set[Path] = set()
    waiting = [source]
    while waiting:
        path = waiting.pop()
        if path in found or not path.is_file():
            continue
        found.add(path)
        for name in _MENTIONED_KERNELS.findall(path.read_text(encoding="utf-8")):
            waiting.extend(homes.get(name, []))
    return found


@cache
def _kernel_files() -> dict[str, list[Path]]:
    files: dict[str, list[Path]] = {}
    for path in Path(__file__).parent.rglob("*_kernels.py"):
        files.setdefault(path.stem, []).append(path)
    return files


def _forget_unused(parent: Path) -> None:
    oldest = time.time() - _DAYS_KEPT_UNUSED * 86400
    for folder in parent.glob("*"):
        if folder.stat().st_mtime < oldest:
            shutil.rmtree(folder, ignore_errors=True)

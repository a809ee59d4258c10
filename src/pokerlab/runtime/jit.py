"""`kernel`, the one decorator of every compiled function in the package.

It is ``numba.njit`` with the settings that all our kernels share, a cache on disk that is
never stale, and a type signature that type checkers see.

Numba's own cache looks only at the file in which a function stands: when that file takes a
constant, a named tuple or another kernel from a second module and the second module changes (an
edit, an upgrade of pokerlab), Numba would go on running the old machine code. Here the cache
folder of a module is named by a digest of its source and of every module of the package that it
imports, directly or not (see `import_graph`), so a change in any of them leads to a fresh folder.

A cache that cannot be written is not used: kernels are compiled again in each process. What the
folder holds, and how it is loaded, is the business of `kernel_cache`.
"""

from __future__ import annotations

import gc
import hashlib
import os
import shutil
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, overload

import numba
from numba.core import event
from numba.core.compiler_lock import global_compiler_lock
from numba.core.sigutils import normalize_signature
from numba.core.types.misc import unliteral
from platformdirs import user_cache_path

from pokerlab.runtime.import_graph import files_behind
from pokerlab.runtime.kernel_cache import KernelCache

Function = TypeVar("Function", bound=Callable[..., Any])

_DAYS_KEPT_UNUSED = 30


def cache_folder() -> Path:
    """Where pokerlab keeps what it can make again (``POKERLAB_CACHE`` overrides it)."""
    chosen = os.environ.get("POKERLAB_CACHE")
    return Path(chosen) if chosen else Path(user_cache_path("pokerlab", appauthor=False))


@overload
def kernel(function: Function) -> Function: ...
@overload
def kernel(
    *, makes_arrays: bool = True, inner: bool = False, **options: Any
) -> Callable[[Function], Function]: ...
def kernel(
    function: Function | None = None,
    *,
    makes_arrays: bool = True,
    inner: bool = False,
    **options: Any,
) -> Any:
    """Compile a function with Numba at its first call, without the GIL, cached on disk.

    A kernel that only writes into arrays it is given says so with ``makes_arrays=False``. Numba
    then need not count references, which costs an atomic operation for each array of each call,
    on memory that all threads share. (Numba refuses to compile a promise that is broken; a
    version of Numba without the option counts.)

    An `inner` kernel is called by other kernels alone: what unpacks arguments from Python is not
    compiled, and Python must not call it.

    Options are those of ``numba.njit``; by default ``nogil=True`` and ``error_model="numpy"``
    (a division by zero gives inf or nan, as in NumPy). There is no function for callers in C, whom
    nobody is.
    """
    settings = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True, **options}
    if not makes_arrays and _can_leave_out_counting():
        settings["_nrt"] = False
    if inner:
        settings["no_cpython_wrapper"] = True

    def compile_lazily(python_function: Function) -> Any:
        dispatcher = numba.njit(**settings)(python_function)
        folder = _module_cache(python_function.__module__)
        if folder and hasattr(dispatcher, "_cache"):
            _compile_in_one_process(dispatcher, KernelCache(python_function, folder))
        return _once_for_all_numbers(dispatcher)

    return compile_lazily(function) if function is not None else compile_lazily


class _PausedGarbageCollector(event.Listener):  # type: ignore[misc]
    """Pause Python's garbage collector while Numba compiles.

    The compiler makes millions of objects that it keeps using: searching them again and again took
    an eighth of the time. (Some 150 MB of garbage stay meanwhile.)
    """

    def __init__(self) -> None:
        self._depth = 0
        self._was_on = False

    def on_start(self, event: Any) -> None:
        """A kernel is compiled, perhaps for another one; one thread at a time does that."""
        if self._depth == 0:
            self._was_on = gc.isenabled()
            gc.disable()
        self._depth += 1

    def on_end(self, event: Any) -> None:
        """It has been compiled, or could not be."""
        self._depth -= 1
        if self._depth == 0 and self._was_on:
            gc.enable()


event.register("numba:compile", _PausedGarbageCollector())


def _compile_in_one_process(dispatcher: Any, kept: KernelCache) -> None:
    """Give a kernel its cache; processes that miss the same machine code compile it once."""
    dispatcher._cache = kept
    compile_here = dispatcher.compile

    def compile_once(signature: Any) -> Any:
        # The compiler's own lock comes first: whoever waits for another process has it, too.
        with global_compiler_lock:
            if tuple(normalize_signature(signature)[0]) in dispatcher.overloads:
                return compile_here(signature)
            with kept.one_at_a_time(signature, dispatcher.targetctx):
                return compile_here(signature)

    dispatcher.compile = compile_once


def _once_for_all_numbers(dispatcher: Any) -> Any:
    """Compile a kernel that another calls with ``0`` as for any other integer.

    Numba would compile it for the type "the number 0", and again for all others.
    """
    if hasattr(dispatcher, "get_call_template"):
        get_call_template = dispatcher.get_call_template

        def without_literals(arguments: Any, keywords: Any) -> Any:
            named = {name: unliteral(kind) for name, kind in keywords.items()}
            return get_call_template(tuple(map(unliteral, arguments)), named)

        dispatcher.get_call_template = without_literals
    return dispatcher


@cache
def _can_leave_out_counting() -> bool:
    """Whether this version of Numba has its private option to leave out reference counts."""
    try:
        from numba.core.compiler import Flags
        from numba.core.registry import cpu_target

        cpu_target.options.parse_as_flags(Flags(), {"_nrt": False})
    except (ImportError, AttributeError, KeyError, TypeError):
        return False
    return True


@cache
def _module_cache(module: str) -> str:
    """The folder for a module's machine code, or nothing where there can be none."""
    source = getattr(sys.modules[module], "__file__", None)
    if source is None or not Path(source).is_file():
        return ""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version}".encode())
    for path in sorted(files_behind(Path(source))):
        digest.update(_digest(path))
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    parent = (Path(chosen) / "pokerlab" if chosen else cache_folder() / "jit") / module
    folder = parent / digest.hexdigest()[:16]
    try:
        if not folder.exists():
            _forget_unused(parent)
            folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
    except OSError:
        return ""
    return str(folder)


@cache
def _digest(path: Path) -> bytes:
    return hashlib.sha256(path.read_bytes()).digest()


def _forget_unused(parent: Path) -> None:
    oldest = time.time() - _DAYS_KEPT_UNUSED * 86400
    for folder in parent.glob("*"):
        with suppress(FileNotFoundError):  # another process forgets it at the same time
            if folder.stat().st_mtime < oldest:
                shutil.rmtree(folder, ignore_errors=True)

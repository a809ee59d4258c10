"""Know when the engine is being compiled: half a minute, the first time it runs on a machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

_ENGINE = "pokerlab.engine.cpu.kernels.solve_kernels"
"""Its functions take half a minute; those of other modules are not worth a word."""


@contextmanager
def watching_compiling(begins: Callable[[], None]) -> Iterator[None]:
    """Call `begins` each time a kernel of the engine is about to be compiled in this block.

    Numba announces when it begins to compile; what it finds in its cache on disk is loaded
    without a word.
    """
    from numba.core import event

    class Listener(event.Listener):  # type: ignore[misc]
        def on_start(self, started: Any) -> None:
            if started.data["dispatcher"].py_func.__module__ == _ENGINE:
                begins()

        def on_end(self, ended: Any) -> None:
            pass

    with event.install_listener("numba:compile", Listener()):
        yield

"""Say once that the engine is being compiled, so that nobody thinks that it hangs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pokerlab.cli.shared.plain_text import tell

__all__ = ["announce_compiling"]

_ENGINE = "pokerlab.postflop.cpu.solve_kernels"
"""Its functions take half a minute; those of other modules are not worth a word."""


@contextmanager
def announce_compiling(*, quiet: bool = False) -> Iterator[None]:
    """Print a line on stderr when the engine's kernels are compiled here, at most once.

    Numba tells when it begins to compile; what it finds in its cache on disk is loaded without
    a word.
    """
    if quiet:
        yield
        return
    from numba.core import event

    class Announcer(event.Listener):  # type: ignore[misc]
        said = False

        def on_start(self, started: Any) -> None:
            function = started.data["dispatcher"].py_func
            if not self.said and function.__module__ == _ENGINE:
                self.said = True
                tell("compiling the engine for this machine: about a minute, only the first time")

        def on_end(self, ended: Any) -> None:
            pass

    with event.install_listener("numba:compile", Announcer()):
        yield

"""Say that the engine is being compiled, so that nobody thinks that it hangs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from pokerlab.cli.shared.plain_text import tell

__all__ = ["COMPILING", "announce_compiling"]

COMPILING = "compiling (first time, half a minute)"

_ENGINE = "pokerlab.postflop.cpu.solve_kernels"
"""Its functions take half a minute; those of other modules are not worth a word."""


@contextmanager
def announce_compiling(
    say: Callable[[str], None] | None = None, *, quiet: bool = False
) -> Iterator[None]:
    """Say when the engine's kernels are compiled here: each time, or once on stderr if None.

    Numba announces when it begins to compile; what it finds in its cache on disk is loaded
    without a word.
    """
    if quiet:
        yield
        return
    from numba.core import event

    class Announcer(event.Listener):  # type: ignore[misc]
        said = False

        def on_start(self, started: Any) -> None:
            function = started.data["dispatcher"].py_func
            if function.__module__ != _ENGINE:
                return
            if say is not None:
                say(COMPILING)
            elif not self.said:
                tell(COMPILING)
            self.said = True

        def on_end(self, ended: Any) -> None:
            pass

    with event.install_listener("numba:compile", Announcer()):
        yield

"""Say that the engine is being compiled, so that nobody thinks that it hangs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from pokerlab.cli.terminal.plain_text import tell

COMPILING = "compiling (first time, half a minute)"


@contextmanager
def announce_compiling(
    say: Callable[[str], None] | None = None, *, quiet: bool = False
) -> Iterator[None]:
    """Say when the engine's kernels are compiled here: each time, or once on stderr if None."""
    if quiet:
        yield
        return
    from pokerlab.holdem.spots.compiling import watching_compiling

    said = False

    def begins() -> None:
        nonlocal said
        if say is not None:
            say(COMPILING)
        elif not said:
            tell(COMPILING)
        said = True

    with watching_compiling(begins):
        yield

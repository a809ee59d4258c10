"""The progress of builds: strength tables and buckets, minutes the first time."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from pokerlab.cli.shared.counting import counting_progress
from pokerlab.cli.shared.plain_text import tell
from pokerlab.files.builds import watching_builds


@contextmanager
def building_progress(*, quiet: bool = False) -> Iterator[None]:
    """Draw a line for each build that begins in this block, for any bot or command.

    A command that makes bots or buckets does so inside. Nothing is drawn, and nothing is
    imported that takes time, when nothing is missing. Where stderr is no terminal, one line says
    what takes so long.

    Parameters
    ----------
    quiet
        Whether to say nothing at all.
    """
    drawn = ""
    draw: Callable[[int], None] | None = None
    with ExitStack() as stack:

        def report(what: str, done: int, total: int) -> None:
            nonlocal drawn, draw
            if draw is None or what != drawn:
                stack.close()  # the line of the build before
                draw = stack.enter_context(counting_progress(total, what, quiet=quiet, done=done))
                if what != drawn and not quiet and not sys.stderr.isatty():
                    tell(f"building on the way, the first time only: {total:,} {what}")
                drawn = what
            draw(done)
            if done >= total:
                # What follows may draw lines of its own.
                stack.close()
                draw = None

        with watching_builds(report):
            yield

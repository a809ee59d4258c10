"""Progress of something that is counted: hands, matches. One line, drawn again, with an ETA."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from pokerlab.cli.terminal.output import new_console
from pokerlab.runtime.machine import duration_text


@contextmanager
def counting_progress(
    total: int, what: str, *, quiet: bool = False, done: int = 0
) -> Iterator[Callable[[int], None]]:
    """Give a function to call with how many are done; it draws on a terminal.

    Parameters
    ----------
    total
        How many there are.
    what
        What is counted, in the plural.
    quiet
        Whether to say nothing at all.
    done
        How many were done before; they say nothing about the speed.
    """
    with staged_progress(quiet=quiet, done=done) as tell:
        tell(what, done, total)
        yield lambda count: tell(what, count, total)


@contextmanager
def staged_progress(
    *, quiet: bool = False, done: int = 0
) -> Iterator[Callable[[str, int, int], None]]:
    """The same for work in several stages: call it with what, how many are done, and how many."""
    if quiet or not sys.stderr.isatty():
        yield lambda what, count, total: None
        return
    from rich.live import Live
    from rich.text import Text

    began = drawn = time.perf_counter()
    stage = ""
    with Live(console=new_console(stderr=True), transient=True, auto_refresh=False) as live:

        def report(what: str, count: int, total: int) -> None:
            nonlocal began, drawn, stage
            now = time.perf_counter()
            if what != stage:
                stage, began, drawn = what, now, 0.0
            if now - drawn >= 0.1 or count == done:
                drawn = now
                line = counting_text(count, total, what, now - began, done)
                live.update(Text(line, overflow="ellipsis", no_wrap=True), refresh=True)

        yield report


def counting_text(count: int, total: int, what: str, seconds: float, before: int = 0) -> str:
    """The line.

    Examples
    --------
    >>> counting_text(300, 1200, "hands", 10.0)
    '█████               300 of 1,200 hands  10 s  about 30 s left'
    """
    bar = "█" * (20 * count // total) if total else ""
    parts = [f"{bar:<20}{count:,} of {total:,} {what}", duration_text(seconds)]
    if count > before:
        left = seconds / (count - before) * (total - count)
        parts.append(f"about {duration_text(left)} left")
    return "  ".join(parts)

"""The progress of a batch on stderr: boards, rate, time left, memory; one line, or a log."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pokerlab.cli.progress.solve_status import LogTimes
from pokerlab.cli.terminal.output import new_console
from pokerlab.cli.terminal.plain_text import tell
from pokerlab.runtime.machine import duration_text, free_memory, size_text
from pokerlab.views.texts import number_text

if TYPE_CHECKING:
    from pokerlab.runtime.files.jobs import JobProgress


@contextmanager
def batch_progress(
    total: int, *, what: str = "boards", quiet: bool = False
) -> Iterator[Callable[[JobProgress], None] | None]:
    """Give the report function of `run_batch`: a line drawn again, or lines of a log."""
    if quiet:
        yield None
        return
    began = time.perf_counter()
    if not sys.stderr.isatty():
        times = LogTimes()

        def log(progress: JobProgress) -> None:
            elapsed = time.perf_counter() - began
            if times.is_due(elapsed):
                tell(batch_text(progress, elapsed, free_memory(), what))

        yield log
        return
    from rich.live import Live
    from rich.text import Text

    from pokerlab.runtime.files.jobs import JobProgress

    latest = [JobProgress(done=0, total=total, known=0, seconds=0.0)]

    def draw() -> Text:
        line = batch_text(latest[-1], time.perf_counter() - began, free_memory(), what)
        return Text(line, overflow="ellipsis", no_wrap=True)

    with Live(
        console=new_console(stderr=True), transient=True, refresh_per_second=2, get_renderable=draw
    ):

        def report(progress: JobProgress) -> None:
            latest[:] = [progress]

        yield report


def batch_text(progress: JobProgress, elapsed: float, free: int, what: str = "boards") -> str:
    """The line, some seconds after the start.

    Examples
    --------
    >>> from pokerlab.runtime.files.jobs import JobProgress
    >>> batch_text(JobProgress(done=30, total=100, known=10, seconds=40.0), 45.0, 2_000_000_000)
    '30 of 100 boards, 45 s, 1,800 an hour, about 2 min left, 2.0 GB of memory free'
    """
    parts = [f"{progress.done:,} of {progress.total:,} {what}", duration_text(elapsed)]
    if progress.seconds_left is not None:
        parts.append(f"{number_text(3600 * progress.rate)} an hour")
        parts.append(f"about {duration_text(progress.seconds_left)} left")
    return ", ".join([*parts, f"{size_text(free)} of memory free"])

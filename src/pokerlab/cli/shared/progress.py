"""The progress of a solve: a line that is drawn again, with an ETA and a small curve.

It goes to stderr and only when that is a terminal, so logs and pipes stay clean.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pokerlab.cli.shared.output import new_console

if TYPE_CHECKING:
    from pokerlab.solvers.loop import Point, Progress
    from pokerlab.studies.cgh.race import RaceProgress

__all__ = ["curve", "duration_text", "race_progress", "seconds_left", "solve_progress"]

_BLOCKS = "▁▂▃▄▅▆▇█"

_FURTHEST = math.log(1e6)
"""A target that is more than a million times as far as what is done: no guess."""


@contextmanager
def solve_progress(
    show: Callable[[float], str], *, quiet: bool = False
) -> Iterator[Callable[[Progress], None] | None]:
    """Give the report function for `pokerlab.solvers.run`; None where nobody looks.

    Parameters
    ----------
    show
        Turns an exploitability into text with its unit.
    quiet
        Whether to say nothing at all.
    """
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.live import Live
    from rich.text import Text

    began = time.perf_counter()
    with Live(console=new_console(stderr=True), transient=True, refresh_per_second=8) as live:

        def report(progress: Progress) -> None:
            parts = [f"iteration {progress.iteration:,}", f"{progress.seconds:.1f} s"]
            if progress.exploitability is not None:
                parts.append(f"ε {show(progress.exploitability)}")
            left = seconds_left(progress, time.perf_counter() - began)
            if left is not None:
                parts.append(f"about {duration_text(left)} left")
            parts.append(curve(progress.history))
            live.update(Text("  ".join(parts), overflow="ellipsis", no_wrap=True))

        yield report


@contextmanager
def race_progress(*, quiet: bool = False) -> Iterator[Callable[[RaceProgress], None] | None]:
    """Give the report function for a race; None where nobody looks."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.live import Live
    from rich.text import Text

    with Live(console=new_console(stderr=True), transient=True, refresh_per_second=8) as live:

        def report(progress: RaceProgress) -> None:
            parts = [
                f"{progress.number} of {progress.total}",
                f"{progress.rule} on {progress.game}",
                f"iteration {progress.run.iteration:,}",
                curve(progress.run.history),
            ]
            live.update(Text("  ".join(parts), overflow="ellipsis", no_wrap=True))

        yield report


def seconds_left(progress: Progress, elapsed: float | None = None) -> float | None:
    """Guess how long a solve still takes, by whichever of its limits comes first.

    The way to a target is guessed from the last measurements: exploitability falls about like
    a power of the iterations, a line in logarithms.

    Parameters
    ----------
    progress
        Where the solve stands.
    elapsed
        Seconds since the loop began, which its limit counts; `Progress.seconds` are others
        after a resume (those before count too) and when measuring is slow (it does not count).
        By default taken to be the same.
    """
    guesses = []
    rate = progress.seconds / progress.iteration if progress.iteration else None
    if progress.iterations is not None and rate is not None:
        guesses.append(rate * (progress.iterations - progress.iteration))
    if progress.limit is not None:
        guesses.append(progress.limit - (progress.seconds if elapsed is None else elapsed))
    if progress.target is not None and progress.target > 0 and rate is not None:
        needed = _iterations_to(progress.history, progress.target)
        if needed is not None:
            guesses.append(rate * (needed - progress.iteration))
    return max(0.0, min(guesses)) if guesses else None


def _iterations_to(history: Sequence[Point], target: float) -> float | None:
    if len(history) < 3:
        return None
    half = history[len(history) // 2]
    last = history[-1]
    if last.exploitability <= target or last.exploitability <= 0 or half.exploitability <= 0:
        return float(last.iteration)
    fall = math.log(half.exploitability) - math.log(last.exploitability)
    if fall <= 0:
        return None
    slope = fall / math.log(last.iteration / half.iteration)
    way = (math.log(last.exploitability) - math.log(target)) / slope
    return last.iteration * math.exp(way) if way <= _FURTHEST else None


def curve(history: Sequence[Point], width: int = 16) -> str:
    """The exploitability so far on a logarithmic scale, as one row of blocks.

    Examples
    --------
    >>> from pokerlab.solvers import Point
    >>> curve([Point(n, 0.0, 1 / n) for n in (1, 2, 4, 8, 16)], width=5)
    '█▆▄▂▁'
    """
    values = [math.log(point.exploitability) for point in history if point.exploitability > 0]
    if len(values) < 2:
        return ""
    chosen = [values[round(place * (len(values) - 1) / (width - 1))] for place in range(width)]
    low, high = min(chosen), max(chosen)
    if high == low:
        return _BLOCKS[0] * width
    return "".join(_BLOCKS[int(7.999 * (value - low) / (high - low))] for value in chosen)


def duration_text(seconds: float) -> str:
    """A time as people say it.

    Examples
    --------
    >>> duration_text(30), duration_text(600), duration_text(9000)
    ('30 s', '10 min', '2.5 h')
    """
    if seconds < 100:
        return f"{seconds:.0f} s"
    if seconds < 6000:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"

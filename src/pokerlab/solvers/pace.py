"""The time that a solve still takes, extrapolated from its measurements so far.

Exploitability falls about like a power of the iterations, a straight line where both scales are
logarithmic. The first measurements lie above that line (regrets have to build up first), so only
recent ones count; a single measurement may lie far off the line, so the slope is the median of
the slopes between all pairs of them (Theil and Sen), and the line passes through their median.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from statistics import median

from pokerlab.solvers.history import Point
from pokerlab.solvers.loop import TIMES_OVER, Progress

_RECENT = 4.0
"""Measurements count back to this part of the iterations done: a quarter of them."""

_FEWEST = 4
"""Fewer points say little about a slope."""

_EARLIEST = 12
"""Before this iteration the slope does not predict the rest of the way."""

_SLOPES = 0.4, 2.5
"""The fall of every solve that we recorded lies between these powers of the iterations, once
the first iterations are over. A slope outside of them is noise."""

_FURTHEST = 1e4
"""A target that takes more than this multiple of the iterations done is out of sight."""


def seconds_left(progress: Progress, elapsed: float | None = None) -> float | None:
    """Guess how long a solve still takes, by whichever of its limits is reached first.

    Parameters
    ----------
    progress
        Where the solve stands.
    elapsed
        Seconds since the loop began, which its limit counts; `Progress.seconds` are others
        after a resume (those before count too) and when measuring is slow (it does not count).
        By default taken to be the same.

    Returns
    -------
    Seconds, or None where there is nothing to go by yet.

    Examples
    --------
    >>> history = tuple(Point(n, n / 10, 1 / n) for n in (1, 2, 4, 8, 16, 24, 32))
    >>> round(seconds_left(Progress(32, 3.2, history, None, 0.01, None)), 1)
    6.8
    >>> seconds_left(Progress(2, 0.2, history[:2], None, 0.01, None)) is None
    True
    """
    guesses = []
    pace = _pace(progress)
    if progress.iterations is not None and pace is not None:
        guesses.append(pace * (progress.iterations - progress.iteration))
    if progress.limit is not None:
        guesses.append(progress.limit - (progress.seconds if elapsed is None else elapsed))
    if progress.target is not None and pace is not None:
        inside = [
            point._replace(exploitability=point.exploitability_abstract)
            for point in progress.history
            if point.exploitability_abstract is not None
        ]
        for needed in (
            iterations_to(progress.history, progress.target),
            iterations_to(inside, progress.target / TIMES_OVER),
        ):
            if needed is not None:
                guesses.append(pace * (needed - progress.iteration))
    return max(0.0, min(guesses)) if guesses else None


def _pace(progress: Progress) -> float | None:
    """Seconds for an iteration, counted from the first measurement on.

    A solve that goes on from a solution begins with its iterations, and with none of its seconds.
    """
    if not progress.history or progress.iteration <= progress.history[0].iteration:
        return None
    first = progress.history[0]
    return (progress.seconds - first.seconds) / (progress.iteration - first.iteration)


def iterations_to(history: Sequence[Point], target: float) -> float | None:
    """After how many iterations the exploitability is about `target`; None without a good guess.

    Examples
    --------
    >>> history = [Point(n, 0.0, n**-1.5) for n in (1, 2, 4, 8, 16, 24, 32)]
    >>> round(iterations_to(history, 0.001))
    100
    """
    if not history or target <= 0:
        return None
    last = history[-1]
    if last.exploitability <= target:
        return float(last.iteration)
    recent = [
        (math.log(point.iteration), math.log(point.exploitability))
        for point in history
        if point.iteration * _RECENT >= last.iteration > 0 and point.exploitability > 0
    ]
    if last.iteration < _EARLIEST or len(recent) < _FEWEST:
        return None
    slope = -median(
        (later[1] - earlier[1]) / (later[0] - earlier[0])
        for earlier, later in combinations(recent, 2)
        if later[0] > earlier[0]
    )
    if slope <= 0:
        return None
    slope = min(max(slope, _SLOPES[0]), _SLOPES[1])
    height = median(value + slope * place for place, value in recent)
    # Above the target it is not reached yet, whatever the line says.
    reached = max((height - math.log(target)) / slope, math.log(last.iteration + 1))
    if reached > math.log(last.iteration * _FURTHEST):
        return None
    return math.exp(reached)

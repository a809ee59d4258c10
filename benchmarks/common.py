"""Rows of the table, and timing by alternating turns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import perf_counter

__all__ = ["Row", "best_seconds"]


@dataclass(frozen=True)
class Row:
    """One line of the table: a figure, and how it stands against something measured beside it."""

    claim: str
    value: float
    unit: str
    peer: str = ""
    ratio: float | None = None
    note: str = ""


def best_seconds(
    jobs: Mapping[str, Callable[[], object]],
    turns: int = 5,
    clock: Callable[[], float] = perf_counter,
) -> dict[str, float]:
    """Shortest time of each job; the jobs take turns, so that a slow spell hits them all.

    With ``time.thread_time`` as the clock, other work on the same core does not count.
    """
    best = dict.fromkeys(jobs, float("inf"))
    for job in jobs.values():
        job()  # compile, and warm the caches
    for _ in range(turns):
        for name, job in jobs.items():
            start = clock()
            job()
            best[name] = min(best[name], clock() - start)
    return best

"""Rows of the table, and timing by alternating turns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from time import perf_counter
from types import ModuleType

__all__ = ["Row", "best_seconds", "peer", "row_beside"]


@dataclass(frozen=True)
class Row:
    """One line of the table: a figure, and how it stands against something measured beside it."""

    claim: str
    value: float
    unit: str
    peer: str = ""
    ratio: float | None = None
    note: str = ""


def peer(name: str) -> ModuleType | None:
    """Import another project's module; None where it is not installed."""
    try:
        return import_module(name)
    except ImportError:
        return None


def row_beside(
    claim: str, value: float, unit: str, name: str, theirs: float | None, note: str = ""
) -> Row:
    """Make the row of a speed beside a peer's, which is None where the peer is not installed."""
    if theirs is None:
        return Row(claim, value, unit, name, note="not installed")
    return Row(claim, value, unit, name, value / theirs, note)


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

"""Runs of many hands: blocks by threads, what every result says of its run, means and errors.

Every block has its own random numbers, and blocks are counted in order: a seed gives the same
result whatever the number of threads.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from time import perf_counter, thread_time
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from pokerlab.arrays import Floats

POINTS = 500
"""About this many points of a curve are kept."""

Played = TypeVar("Played")


class BlockRun(Generic[Played]):
    """Deals that are played in blocks, by threads.

    Iterate over it for what was played, block by block in the order of their numbers.

    Parameters
    ----------
    play
        Plays a block, given its number and how many deals it has.
    deals, block
        How many deals, and how many of them make a block.
    threads
        How many.

    Attributes
    ----------
    played, seconds, cpu_seconds
        Deals so far, the time that they took, and how long the threads were really running.

    Examples
    --------
    >>> run = BlockRun(lambda number, deals: 100 * number + deals, 10, block=4, threads=2)
    >>> list(run), run.played
    ([4, 104, 202], 10)
    """

    def __init__(
        self, play: Callable[[int, int], Played], deals: int, block: int, threads: int
    ) -> None:
        self._play, self._block = play, block
        self.deals, self.threads = deals, threads
        self.played = 0
        self.seconds = self.cpu_seconds = 0.0

    def __iter__(self) -> Iterator[Played]:
        """Play from the first deal on."""
        firsts = iter(range(0, self.deals, self._block))
        began = perf_counter()
        waiting: deque[Future[tuple[Played, int, float]]] = deque()
        with ThreadPoolExecutor(self.threads) as executor:
            try:
                while True:
                    # A few blocks in advance: enough for all threads, and soon over at Ctrl-C.
                    while len(waiting) < 2 * self.threads and (first := next(firsts, -1)) >= 0:
                        waiting.append(executor.submit(self._timed, first))
                    if not waiting:
                        return
                    played, deals, seconds = waiting.popleft().result()
                    self.played += deals
                    self.cpu_seconds += seconds
                    self.seconds = perf_counter() - began
                    yield played
            finally:
                for future in waiting:
                    future.cancel()

    def _timed(self, first: int) -> tuple[Played, int, float]:
        began = thread_time()
        deals = min(self._block, self.deals - first)
        return self._play(first // self._block, deals), deals, thread_time() - began


@dataclass(frozen=True, kw_only=True)
class PlayResult:
    """The fields that every result of many hands has.

    Attributes
    ----------
    hands, planned_hands, seed, threads
        How many hands were played, and of how many.
    seconds, cpu_seconds
        How long it took, compiling and preparation not counted; and the time that the threads
        were really running, added up: on a busy machine it is less.
    """

    hands: int
    planned_hands: int
    seed: int
    threads: int
    seconds: float
    cpu_seconds: float

    @property
    def complete(self) -> bool:
        """Whether all hands were played."""
        return self.hands == self.planned_hands

    @property
    def hands_per_second(self) -> float:
        """By the clock on the wall."""
        return self.hands / self.seconds if self.seconds else 0.0

    def run_json(self) -> dict[str, Any]:
        """The part of the JSON that all results share."""
        return {
            "hands": self.hands,
            "planned_hands": self.planned_hands,
            "seed": self.seed,
            "threads": self.threads,
            "seconds": self.seconds,
            "cpu_seconds": self.cpu_seconds,
            "hands_per_second": self.hands_per_second,
        }


class Sums(NamedTuple):
    """Sums after some deals, of one or several quantities."""

    deals: int
    total: Floats
    squares: Floats

    @property
    def mean(self) -> Floats:
        """The average of a deal."""
        return self.total / max(self.deals, 1)

    @property
    def stderr(self) -> Floats:
        """The standard error of that; NaN for fewer than two deals."""
        counts = np.full(self.total.shape, float(self.deals))
        return standard_errors(counts, self.total, self.squares)


class Totals:
    """Adds up some quantities of each deal.

    Attributes
    ----------
    last
        The sums of all that was added.
    curve
        The sums on the way, at evenly spaced numbers of deals.

    Examples
    --------
    >>> totals = Totals(columns=1, deals=4)
    >>> totals.add(np.array([[1.0], [3.0], [-1.0]]))
    >>> float(totals.last.mean[0]), [float(point.total[0]) for point in totals.curve]
    (1.0, [1.0, 4.0, 3.0])
    """

    def __init__(self, columns: int, deals: int) -> None:
        self.last = Sums(0, np.zeros(columns), np.zeros(columns))
        self.curve: list[Sums] = []
        self._step = max(1, deals // POINTS)

    def add(self, samples: Floats) -> None:
        """Count more deals: (deals, columns)."""
        begin = 0
        while begin < len(samples):
            # Up to the next point of the curve, or to the end.
            end = min(begin + self._step - self.last.deals % self._step, len(samples))
            part = samples[begin:end]
            self.last = Sums(
                self.last.deals + len(part),
                self.last.total + part.sum(axis=0),
                self.last.squares + (part**2).sum(axis=0),
            )
            if self.last.deals % self._step == 0:
                self.curve.append(self.last)
            begin = end


def standard_errors(counts: Floats, sums: Floats, squares: Floats) -> Floats:
    """The standard errors of means, from sums and sums of squares; NaN for fewer than two."""
    with np.errstate(invalid="ignore", divide="ignore"):
        spread = np.maximum(squares - sums * sums / counts, 0.0) / (counts - 1.0)
        errors: Floats = np.sqrt(spread / counts)
    errors[counts < 2] = np.nan
    return errors


def standardised(difference: float, error: float) -> float:
    """A difference in standard errors; infinite where there is a difference and no error."""
    if abs(difference) < 1e-9:
        return 0.0
    return difference / error if error > 0 else float(np.copysign(np.inf, difference))


def known(number: float) -> float | None:
    """A number for JSON, which has neither NaN nor infinity."""
    return number if abs(number) < float("inf") else None

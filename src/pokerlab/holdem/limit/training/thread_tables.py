"""Regrets and strategy sums that several threads learn on, with a result that timing cannot change.

Each thread has tables of its own. Its regrets begin a round as a copy of the common ones; when the
round is over, those become the mean of what the threads have made of them. Strategy sums decide
nothing during training, and are added up when somebody asks for the average.

Why the mean: by the bound of regret matching, n deals raise the sum of squared positive regrets by
at most n times a constant, on each thread; this sum is convex, so that it holds for the mean as
well, however long a round is. (The sum of what the threads have added has no such bound: all of
them correct the same mistake in a round, and together they overshoot. On Leduc poker that made
exploitability three to four times as large after as many deals.) Against tables that threads
share without locks the mean costs nothing: 15 to 19 mbb after a million deals on Leduc, as before.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Executor
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from pokerlab.holdem.limit.training.merging_kernels import merge_tables
from pokerlab.runtime.arrays import AnyArray, Singles
from pokerlab.trees.limit.betting_kernels import RAISE

_ACTIONS = RAISE + 1
_FIRST_DEALS = 64
"""Deals of each thread in the first round, when nobody knows how many updates a deal makes."""
_SHARE = 1 / 4
"""A round is this share of all deals before it, as long as that is within the next two limits."""
_MIN_UPDATES, _MAX_UPDATES = 20_000, 200_000
"""Updates in a round of a game with few rows: fewer, and threads wait for each other."""
_MIN_VISITS, _MAX_VISITS = 2, 16
"""Updates in a round for each row of a game with many: merging a row costs about as much
as an update."""


def round_length(iteration: int, visited: int, rows: int, threads: int) -> int:
    """How many deals all threads together make before they merge.

    Parameters
    ----------
    iteration, visited
        Deals and updates so far.
    rows
        Of a table.
    threads
        How many; the length is a multiple of it.

    Examples
    --------
    >>> round_length(0, 0, 936, 2)
    128
    >>> round_length(1_000_000, 20_000_000, 936, 2)
    10000
    """
    deals = float(_FIRST_DEALS * threads)
    if iteration:
        updates = max(visited / iteration, 1.0)
        least = max(_MIN_UPDATES, _MIN_VISITS * rows) / updates
        most = max(_MAX_UPDATES, _MAX_VISITS * rows) / updates
        deals = min(max(iteration * _SHARE, least), most)
    return max(1, round(deals / threads)) * threads


class ThreadTables:
    """Regrets and strategy sums (rows, 3) of every thread.

    One thread needs no copy of the regrets, and learns on the common ones.

    Parameters
    ----------
    rows
        Of a table.
    threads
        How many learn.
    executor
        What merges.
    """

    def __init__(self, rows: int, threads: int, executor: Executor) -> None:
        self._executor = executor
        self._regret: Singles = np.zeros((rows, _ACTIONS), np.float32)
        copies = threads if threads > 1 else 0
        self._own: Singles = np.zeros((copies, rows, _ACTIONS), np.float32)
        self._totals: Singles = np.zeros((threads, rows, _ACTIONS), np.float32)

    @staticmethod
    def count(threads: int) -> int:
        """How many tables there are in all."""
        return 2 if threads == 1 else 2 * threads + 1

    def of_thread(self, thread: int) -> tuple[Singles, Singles]:
        """The regrets and sums on which a thread learns."""
        regret = self._own[thread] if len(self._own) else self._regret
        return regret, self._totals[thread]

    def total(self) -> Singles:
        """The strategy sums of all threads together."""
        found: Singles = self._totals[0]
        if len(self._totals) > 1:
            found = self._totals.sum(axis=0, dtype=np.float64).astype(np.float32)
        return found

    def end_round(self) -> None:
        """Let all threads go on from the mean of their regrets."""
        if not len(self._own):
            return
        ends = np.linspace(0, len(self._regret), len(self._own) + 1).astype(int)
        jobs = [
            self._executor.submit(merge_tables, self._regret, self._own, first, last)
            for first, last in pairwise(ends.tolist())
        ]
        for job in jobs:
            job.result()

    def state(self, *, between_rounds: bool) -> dict[str, npt.NDArray[np.generic]]:
        """The tables themselves, not copies; regrets of threads only where they differ."""
        found: dict[str, npt.NDArray[np.generic]] = {"regret": self._regret, "total": self._totals}
        if not between_rounds and len(self._own):
            found["own_regret"] = self._own
        return found

    def restore(self, state: Mapping[str, AnyArray]) -> None:
        """Go back to a state; one of another number of threads ends its round here."""
        self._regret[:] = state["regret"]
        own = state.get("own_regret")
        if own is not None and own.shape != self._own.shape:
            merge_tables(self._regret, np.array(own), 0, len(self._regret))
            own = None
        self._own[:] = self._regret if own is None else own
        totals = state["total"]
        if totals.shape == self._totals.shape:
            self._totals[:] = totals
        else:
            self._totals[:] = 0.0
            self._totals[0] = totals.sum(axis=0, dtype=np.float64)

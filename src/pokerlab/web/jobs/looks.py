"""`Looks`: the state of a solve under way, written for who wants to see it.

A file is written only if somebody asks: the solver waits for the strategies and four walks, three
or four iterations, and goes on while a thread writes. So that many requests do not slow a solve
down, the next state follows only after ten times as long as the last one took.
"""

from __future__ import annotations

import errno
import time
import traceback
from collections.abc import Callable
from threading import Thread
from typing import TYPE_CHECKING

from pokerlab.runtime.errors import one_line
from pokerlab.runtime.machine import size_text

if TYPE_CHECKING:
    from pokerlab.holdem.spots import PostflopSolution
    from pokerlab.solvers.loop import Progress
    from pokerlab.web.jobs.job_folder import JobFolder

_PAUSE = 10
"""The time between two states, as a multiple of the time that the solver waits for one."""


class Looks:
    """Writes states of a solve into its folder; `look` is for `solve_spot`."""

    def __init__(self, job: JobFolder) -> None:
        self.job = job
        self.wanted = False
        self._next = 0.0
        self._writer: Thread | None = None

    def look(self, progress: Progress, make: Callable[[], PostflopSolution]) -> None:
        """Write the state if it is wanted, and time for it."""
        if not self.wanted or progress.phase != "iterating" or progress.iteration < 1:
            return
        began = time.monotonic()
        if began < self._next or (self._writer is not None and self._writer.is_alive()):
            return
        if not self.job.look().get("wanted"):  # the thread has written it meanwhile
            return
        try:
            solution = make()
        except MemoryError:
            self.job.end_look("there is too little memory to show it now")
            return
        except Exception as error:  # a fault of ours must not cost the solve
            traceback.print_exc()
            self.job.end_look(f"{type(error).__name__}: {one_line(str(error))}")
            return
        self._writer = Thread(target=write_state, args=(self.job, solution), daemon=True)
        self._writer.start()
        now = time.monotonic()
        self._next = now + _PAUSE * (now - began)

    def close(self) -> None:
        """Wait for a state that is being written; another one is not made any more."""
        if self._writer is not None:
            self._writer.join()
        if self.job.look().get("wanted"):
            self.job.end_look()


def write_state(job: JobFolder, solution: PostflopSolution) -> None:
    """Write a state into the folder of its solve, in the place of the one before.

    What fails is a message: nothing of it may cost the solve.
    """
    problem = ""
    try:
        solution.save(job.state_path(solution.iterations))
        job.remove_states(but=solution.iterations)
    except OSError as error:
        size = sum(array.nbytes for pair in solution.strategies for array in pair)
        problem = one_line(error.strerror or str(error))
        if error.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)):
            problem = f"the disk is full: this state takes {size_text(size)}"
    job.end_look(problem)

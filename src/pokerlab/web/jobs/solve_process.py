"""The process that solves: ``python -m pokerlab.web.jobs.solve_process FOLDER``.

It outlives the server and the browser. What it has to say, and what is wanted of it, are files (see
`job_folder`). When it ends, its memory is the system's again.
"""

from __future__ import annotations

import errno
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pokerlab.runtime.machine import size_text
from pokerlab.web.jobs.job_process import run_job
from pokerlab.web.jobs.looks import Looks

if TYPE_CHECKING:
    from pokerlab.holdem.spots import PostflopSolution, Spot
    from pokerlab.solvers.history import Point
    from pokerlab.solvers.loop import Progress
    from pokerlab.web.jobs.job_folder import JobFolder

_SECONDS_BETWEEN_LOOKS = 0.2
_SECONDS_BETWEEN_LINES = 0.25
_LONGEST_SILENCE = 2.0
_SECONDS_BETWEEN_SAVES = 2.0


class _PausedError(Exception):
    """The checkpoint is written; there is nothing to certify now."""


class _LowerTargetError(Exception):
    """The target was reached, and is a lower one now."""


def solve_job(folder: Path) -> None:
    """Solve the spot of a folder, and write the solution to its place."""
    run_job(folder, lambda job: _Solve(job).run())


class _Solve:
    """A solve under way: the report of its loop, and the signal that stops it."""

    def __init__(self, job: JobFolder) -> None:
        from pokerlab.holdem.spots import Spot

        self.job = job
        self.looks = Looks(job)
        self.question = job.question()
        self.spot: Spot = Spot.from_toml(self.question["spot"])
        self.wishes: dict[str, Any] = {}
        self.looked = 0.0
        self.told = 0.0
        self.began = time.monotonic()
        self.loop_began: float | None = None
        self.points = 0
        self.seconds_before = 0.0
        self.phase = ""
        self.reached: float | None = None
        self.warned = self.warned_before = 0

    # The signal of `pokerlab.solvers.run`.
    def is_set(self) -> bool:
        """Whether the user wants the loop to end."""
        self._look()
        if self.wishes.get("action") in ("stop", "pause"):
            return True
        wanted = self.target
        raised = wanted is not None and self.begun_with is not None and wanted > self.begun_with
        return raised and self.reached is not None and self.reached <= (wanted or 0.0)

    def _look(self) -> None:
        now = time.monotonic()
        if now - self.looked >= _SECONDS_BETWEEN_LOOKS:
            self.looked = now
            self.wishes = self.job.control()
            self.looks.wanted = bool(self.job.look().get("wanted"))

    @property
    def target(self) -> float | None:
        """The current target, in chips."""
        wanted = self.wishes.get("target", self.question["target"])
        return None if wanted is None else float(wanted)

    def run(self) -> dict[str, Any]:
        """Solve, and save; how it ended."""
        from pokerlab.holdem.spots.compiling import watching_compiling

        self.wishes = self.job.control()
        output = Path(self.question["output"])
        with watching_compiling(lambda: self._say("compiling")):
            while True:
                self.begun_with = self.target
                try:
                    solution = self._solve()
                except _PausedError:
                    self.looks.close()
                    return {"status": "paused"}
                except _LowerTargetError:
                    self.points, self.loop_began = 0, None
                    self.job.tell(phase="beginning", time=time.time())
                    continue
                break
        streets = self.question.get("streets")
        self._save(solution if streets is None else solution.first_streets(streets), output)
        self.looks.close()
        self.job.checkpoint.unlink(missing_ok=True)
        self.job.remove_states()
        target = self.begun_with
        met = target is not None and solution.exploitability.chips <= target
        stopped = "target" if met else solution.stopped
        return {"status": "done", "stopped": stopped, "rule": solution.rule}

    def _solve(self) -> PostflopSolution:
        from pokerlab.holdem.spots import load_postflop, solve_spot

        question = self.question
        self._say("preparing")
        start = None if question.get("start") is None else load_postflop(question["start"])
        if start is not None:
            self._tell_before(start)
        return solve_spot(
            self.spot,
            **({} if question.get("rule") is None else {"rule": question["rule"]}),
            target=self.begun_with,
            iterations=question.get("iterations"),
            seconds=question.get("seconds"),
            threads=question.get("threads"),
            precision=question.get("precision") or 32,
            groups=question.get("groups"),
            device=question.get("device") or "auto",
            start=start,
            report=self.report,
            checkpoint=self.job.checkpoint,
            stop=self,
            look=self.looks.look,
        )

    def _tell_before(self, start: PostflopSolution) -> None:
        """Say what was measured before: the curve and the clock go on from there."""
        last = start.history[-1] if start.history else None
        self.seconds_before = start.seconds if last is None else last.seconds
        self.job.tell(
            phase=self.phase,
            iteration=start.iterations,
            time=time.time(),
            points=[_plain_point(point) for point in start.history],
        )

    def report(self, progress: Progress) -> None:
        """Pass on the progress of the loop."""
        if self.loop_began is None:
            self.loop_began = time.monotonic()
        if progress.exploitability is not None:
            self.reached = progress.exploitability
        if progress.phase.startswith("certifying"):
            self._certify_or_not(progress)
        else:
            if progress.phase == "saving checkpoint":
                self.warned_before = len(progress.warnings)
            self.warned = len(progress.warnings)
        now = time.monotonic()
        silence = min(_LONGEST_SILENCE, max(_SECONDS_BETWEEN_LINES, (now - self.began) / 400))
        new = len(progress.history) > self.points
        if new or progress.phase != self.phase or now - self.told >= silence:
            self._tell(progress, now)

    def _certify_or_not(self, progress: Progress) -> None:
        """End without an answer, or go on to a lower target, from the checkpoint that was written.

        Where it could not be written, the answer is made and saved after all.
        """
        self.looked = 0.0
        self._look()
        if self.warned > self.warned_before:
            return
        if self.wishes.get("action") == "pause":
            raise _PausedError
        wanted, reached = self.target, self.reached
        met = wanted is None or reached is None or reached <= wanted
        if not met and self.wishes.get("action") != "stop" and self._target_ended(progress):
            raise _LowerTargetError

    def _target_ended(self, progress: Progress) -> bool:
        """Whether it was the target that ended the loop, and not another limit."""
        within = self.question.get("iterations") is None or (
            progress.iteration < self.question["iterations"]
        )
        return (
            within
            and self.begun_with is not None
            and self.reached is not None
            and self.reached <= self.begun_with
        )

    def _tell(self, progress: Progress, now: float) -> None:
        from pokerlab.solvers.pace import seconds_left

        assert self.loop_began is not None
        wanted = replace(progress, target=self.target)
        left = None
        if not progress.phase.startswith(("certifying", "stopping")):
            left = seconds_left(wanted, now - self.loop_began)
        new = progress.history[self.points :]
        self.points, self.phase, self.told = len(progress.history), progress.phase, now
        self.job.tell(
            phase=progress.phase,
            iteration=progress.iteration,
            seconds=progress.seconds,
            left=left,
            time=time.time(),
            points=[_plain_point(point, self.seconds_before) for point in new],
            warnings=list(progress.warnings),
        )

    def _say(self, phase: str, **more: Any) -> None:
        if phase != self.phase or more:
            self.phase = phase
            self.job.tell(phase=phase, time=time.time(), **more)

    def _save(self, solution: PostflopSolution, output: Path) -> None:
        """Save the answer; on a full disk, wait for room: hours may be in it."""
        size = sum(array.nbytes for pair in solution.strategies for array in pair)
        while True:
            self._say(f"saving {size_text(size)}")
            try:
                solution.save(output)
                return
            except OSError as error:
                if error.errno not in (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)):
                    raise
                self._say(
                    "waiting for the disk",
                    warnings=[f"the disk is full: make room for {size_text(size)}, and it goes on"],
                )
                time.sleep(_SECONDS_BETWEEN_SAVES)


def _plain_point(point: Point, seconds_before: float = 0.0) -> list[float]:
    return [point.iteration, point.seconds + seconds_before, point.exploitability]


if __name__ == "__main__":
    solve_job(Path(sys.argv[1]))

"""The process that solves a batch: ``python -m pokerlab.web.jobs.batch_process FOLDER``.

As `solve_process`, for many boards: each is in the folder of the batch as soon as it is solved, so
that there is nothing to lose. A stop lets the boards that have begun come to their end. Boards that
are added to the folder meanwhile are solved after the others.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

from pokerlab.runtime.errors import one_line
from pokerlab.web.jobs.job_process import run_job

if TYPE_CHECKING:
    from pokerlab.runtime.files.jobs import JobProgress
    from pokerlab.web.jobs.job_folder import JobFolder

_SECONDS_BETWEEN_LOOKS = 0.2
_MOST_NAMED = 3


def solve_batch_job(folder: Path) -> None:
    """Solve the boards that are missing in the batch that a folder names."""
    seen: set[str] = set()

    def solve(job: JobFolder) -> dict[str, Any]:
        return _solve(job, seen)

    def has_grown(job: JobFolder) -> bool:
        from pokerlab.holdem.batches import load_batch

        try:
            return not load_batch(job.question()["output"]).question.boards.keys() <= seen
        except (OSError, ValueError):  # the folder is gone since
            return False

    run_job(folder, solve, has_grown)


def _solve(job: JobFolder, seen: set[str]) -> dict[str, Any]:
    """Solve the batch of a job; `seen` gets the boards that it had at last."""
    from pokerlab.holdem.batches import load_batch, plan_batch, run_batch
    from pokerlab.holdem.spots.compiling import watching_compiling

    question = job.question()
    batch = load_batch(question["output"])
    job.tell(phase="preparing", time=time.time())
    plan = plan_batch(batch.question, device=question.get("device") or "auto")
    stop, over = Event(), Event()

    def look() -> None:
        while not over.wait(_SECONDS_BETWEEN_LOOKS):
            if job.control().get("action") in ("stop", "pause"):
                stop.set()
                return

    def tell(progress: JobProgress) -> None:
        job.tell(
            phase="iterating",
            time=time.time(),
            done=progress.done,
            total=progress.total,
            rate=progress.rate,
            left=progress.seconds_left,
        )

    job.tell(
        phase="iterating", time=time.time(), done=len(batch.final_boards()), rate=0.0, left=None
    )
    watcher = Thread(target=look, daemon=True)
    watcher.start()
    try:
        with watching_compiling(lambda: job.tell(phase="compiling", time=time.time())):
            run = run_batch(batch.question, batch.folder, plan, report=tell, stop=stop, follow=True)
    finally:
        over.set()
    seen.update(run.batch.question.boards)
    if run.failed:
        named = "; ".join(
            f"{board}: {why}" for board, why in list(run.failed.items())[:_MOST_NAMED]
        )
        more = len(run.failed) - _MOST_NAMED
        also = f"; and {more:,} more" if more > 0 else ""
        return {"status": "failed", "error": one_line(f"not solved: {named}{also}", 500)}
    return {"status": "done" if run.solved >= run.boards else "paused"}


if __name__ == "__main__":
    solve_batch_job(Path(sys.argv[1]))

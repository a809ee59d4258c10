"""The process that does a task: ``python -m pokerlab.web.jobs.task_process FOLDER``.

A task has no solution of a spot for an answer, but what a page shows: charts, a price, a table. It
is in ``result.json`` of its folder; the simple solution that belongs to a price is beside it.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pokerlab.web.jobs import tasks
from pokerlab.web.jobs.job_folder import JobFolder
from pokerlab.web.jobs.job_process import run_job

_SECONDS_BETWEEN_LINES = 0.25

Work = Callable[[JobFolder, dict[str, Any], tasks.Report], dict[str, Any]]
_WORK: dict[str, Work] = {
    "pushfold": tasks.push_or_fold,
    "simplify": tasks.make_simple,
    "rules": tasks.write_rules,
    "losses": tasks.split_losses,
    "sizes": tasks.choose_sizes,
    "against": tasks.price_answers,
    "hands": tasks.judge_night,
    "model": tasks.write_model,
}


def do_task(folder: Path) -> None:
    """Do the task that a folder names."""
    run_job(folder, _do)


def _do(job: JobFolder) -> dict[str, Any]:
    from pokerlab.holdem.spots.compiling import watching_compiling

    question = job.question()
    with watching_compiling(lambda: job.tell(phase="compiling", time=time.time())):
        result = _WORK[question["kind"]](job, question["asked"], _teller(job))
    job.write_result(result)
    return {"status": "done"}


def _teller(job: JobFolder) -> tasks.Report:
    """Writes progress lines; a stage is said at once, its steps now and then."""
    told = 0.0
    stage = ""

    def tell(what: str, done: int, total: int) -> None:
        nonlocal told, stage
        now = time.monotonic()
        if what != stage or now - told >= _SECONDS_BETWEEN_LINES:
            stage, told = what, now
            job.tell(phase="working", what=what, done=done, total=total, time=time.time())

    return tell


if __name__ == "__main__":
    do_task(Path(sys.argv[1]))

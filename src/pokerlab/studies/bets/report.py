"""The study: its tasks, and the report of tables, verdicts and figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from operator import methodcaller
from pathlib import Path

from pokerlab.runtime.files.job_stores import FolderStore
from pokerlab.studies.bets.figures import draw_findings, draw_menus
from pokerlab.studies.bets.finding_tables import (
    appendix_lines,
    appendix_table,
    finding_table,
    flop_table,
)
from pokerlab.studies.bets.findings import FindingTask
from pokerlab.studies.bets.menus import MenuTask
from pokerlab.studies.bets.plan import BetsPlan, BetsTask, task_key
from pokerlab.studies.bets.results import BetsResults
from pokerlab.studies.bets.tables import board_table, menu_table, price_table, start_table
from pokerlab.studies.bets.verdicts import CLEAR, bets_verdicts
from pokerlab.studies.reporting.report_table import ReportTable
from pokerlab.studies.reporting.study import Kept, Study
from pokerlab.studies.reporting.study_report import StudyReport, trial_note

_NOTES = (
    "Losses are exact: a best response with all sizes of the finer menu against the coarse"
    " strategy, less what it takes at equilibrium of the finer game",
    "Without rake; a big blind is a chip",
)


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
    """Make the tables and verdicts of the tasks that were done."""
    results = BetsResults(plan, done)

    def made(*makers: Callable[[BetsResults], ReportTable | None]) -> tuple[ReportTable, ...]:
        return tuple(table for maker in makers if (table := maker(results)) is not None)

    pictures = {
        name: partial(draw, results)
        for name, draw, kind in (
            ("menus.svg", draw_menus, MenuTask),
            ("findings.svg", draw_findings, FindingTask),
        )
        if results.of(kind)
    }
    return StudyReport(
        "Bets, boards, starts, and how equilibria play",
        () if plan.quick else tuple(bets_verdicts(results)),
        CLEAR,
        made(menu_table, board_table, price_table, start_table, finding_table, appendix_table),
        (*_NOTES, *([trial_note(plan.sizes)] if plan.quick else [])),
        made(flop_table, appendix_lines),
        pictures,
        {"quick": plan.quick, "tasks": len(done)},
    )

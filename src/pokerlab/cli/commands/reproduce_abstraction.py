"""`pokerlab reproduce abstraction`: hands merged by identity, beside chapter 7 of the thesis."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pokerlab.cli.shared import options
from pokerlab.cli.shared.output import emit
from pokerlab.cli.shared.plain_text import tell
from pokerlab.cli.shared.studies import check_output_folder, kept_progress, print_verdicts
from pokerlab.errors import shorten
from pokerlab.machine import core_count

if TYPE_CHECKING:
    from pokerlab.files.jobs import JobProgress
    from pokerlab.studies.abstraction.plan import AbstractionPlan, StudyTask
    from pokerlab.studies.abstraction.results import AbstractionResults, TaskFolder
    from pokerlab.studies.reporting.study_report import StudyReport

_THREADS = 4
"""Threads of a task, if there are enough: more tasks at a time use more memory and gain little."""


def reproduce_abstraction(
    parts: Annotated[
        list[str] | None,
        typer.Argument(
            help="Parts to do now: figure-18, figure-19, figure-20 (with table 8), tables-06-07,"
            " table-04, appendix, cost. The report needs all of them, and is written if none"
            " are named."
        ),
    ] = None,
    quick: Annotated[options.Quick, "Minutes instead of hours."] = False,
    output: options.OutputFolder = Path("figures/abstraction"),
    jobs: Annotated[
        options.Jobs,
        "Solves, which share the processors; by default one for every four.",
    ] = 0,
    as_json: options.Json = False,
) -> None:
    """Solve with merged hands, and put it beside the tables and figures of the thesis.

    Finished solves are kept in the folder: after Ctrl-C or a kill the same command goes on.
    """
    from pokerlab.studies.abstraction.plan import PARTS, AbstractionPlan
    from pokerlab.studies.abstraction.report import (
        make_abstraction_report,
        write_abstraction_report,
    )
    from pokerlab.studies.abstraction.results import AbstractionResults, TaskFolder

    for part in parts or ():
        if part not in PARTS:
            raise ValueError(f"{shorten(part)!r} is not a part (one of {', '.join(sorted(PARTS))})")
    check_output_folder(output)
    plan = AbstractionPlan(quick=quick)
    folder = TaskFolder(output / "tasks")
    done = _do(plan, folder, parts or PARTS, jobs, quiet=as_json)
    if parts:
        data = {"quick": quick, "tasks": len(done), "files": [], "verdicts": []}
        line = f"{len(done)} tasks are kept in {folder.path}; without parts a report is written"
        emit(data, lambda console: console.out(line), as_json=as_json)
        return
    results = AbstractionResults(plan, done)
    report = make_abstraction_report(results)
    written = write_abstraction_report(report, results, output)
    data = _to_json(report, results, written)
    emit(data, lambda console: print_verdicts(console, report, output, (0, 1, 2)), as_json=as_json)


def _do(
    plan: AbstractionPlan, folder: TaskFolder, parts: Sequence[str], jobs: int, *, quiet: bool
) -> dict[str, Any]:
    """Do the missing tasks; Ctrl-C says where the finished ones are."""
    from pokerlab.studies.abstraction.results import do_tasks

    cores = core_count()
    workers = jobs or max(cores // _THREADS, 1)
    threads = max(cores // workers, 1)
    stages: list[Sequence[StudyTask]] = [plan.first_tasks(parts), plan.last_tasks(parts)]
    folder.strategies_needed = any(folder.read(task) is None for task in stages[1])
    total = sum(map(len, stages))
    before = sum(folder.read(task) is not None for stage in stages for task in stage)
    if not quiet and before < total:
        known = f" ({before} are there already)" if before else ""
        tell(f"{total - before} solves, counts and matches{known}, {workers} at a time")
    found: dict[str, Any] = {}
    with kept_progress(total, "tasks", folder.path, quiet=quiet, done=before) as show:
        for stage in stages:

            def report(progress: JobProgress, earlier: int = len(found)) -> None:
                show(earlier + progress.done)

            found |= do_tasks(stage, folder, workers=workers, threads=threads, report=report)
    return found


def _to_json(report: StudyReport, results: AbstractionResults, files: list[Path]) -> dict[str, Any]:
    return {
        "quick": results.plan.quick,
        "tasks": len(results.done),
        "files": [str(file) for file in files],
        "verdicts": [verdict.to_json() for verdict in report.verdicts],
    }

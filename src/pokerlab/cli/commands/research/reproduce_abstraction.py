"""`pokerlab reproduce abstraction`: hands merged by identity, beside chapter 7 of the thesis."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pokerlab.cli.options import declared as options
from pokerlab.cli.shared.studies import check_output_folder, do_study, reproduce
from pokerlab.cli.terminal.output import emit
from pokerlab.runtime.errors import shorten
from pokerlab.runtime.machine import core_count

if TYPE_CHECKING:
    from pokerlab.studies.abstraction.plan import StudyTask

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
    from pokerlab.studies.abstraction.report import abstraction_study

    for part in parts or ():
        if part not in PARTS:
            raise ValueError(f"{shorten(part)!r} is not a part (one of {', '.join(sorted(PARTS))})")
    check_output_folder(output)
    cores = core_count()
    workers = jobs or max(cores // _THREADS, 1)
    threads = max(cores // workers, 1)
    plan = AbstractionPlan(quick=quick)
    study = abstraction_study(plan, output / "tasks", parts or PARTS, threads)

    def work_text(waiting: Sequence[StudyTask], known: str) -> str:
        return f"{len(waiting)} solves, counts and matches{known}, {workers} at a time"

    if parts:
        done = do_study(study, workers, quiet=as_json, work_text=work_text)
        data = {"quick": quick, "tasks": len(done), "files": [], "verdicts": []}
        line = (
            f"{len(done)} tasks are kept in {study.store.path}; without parts a report is written"
        )
        emit(data, lambda console: console.out(line), as_json=as_json)
        return
    reproduce(study, output, (0, 1, 2), workers, as_json=as_json, work_text=work_text)

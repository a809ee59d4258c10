"""Shared parts of `pokerlab reproduce`: folder, saved tasks, report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from threading import Event, Timer
from typing import TYPE_CHECKING, Any, TypeVar

from pokerlab.cli.progress.building import building_progress
from pokerlab.cli.progress.counting import counting_progress
from pokerlab.cli.terminal.interruption import CutShortError
from pokerlab.cli.terminal.output import emit
from pokerlab.cli.terminal.plain_text import tell
from pokerlab.runtime.machine import core_count
from pokerlab.views import Table

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.studies.reporting.study import Study
    from pokerlab.studies.reporting.study_report import StudyReport

Task = TypeVar("Task")


def check_output_folder(output: Path) -> None:
    """Refuse a file where a folder is to be written."""
    if output.exists() and not output.is_dir():
        raise ValueError(f"--output {output}: this is a file, not a folder")


def reproduce(
    study: Study[Task],
    output: Path,
    columns: Sequence[int],
    workers: int,
    *,
    as_json: bool,
    **options: Any,
) -> None:
    """Do a study, write its report into a folder, and print columns of its verdicts.

    `options` are `what`, `work_text` and `seconds` of `do_study`.
    """
    with building_progress(quiet=as_json):
        done = do_study(study, workers, quiet=as_json, **options)
    print_columns = partial(print_verdicts, columns=columns)
    show_report(study.make_report(done), output, print_columns, as_json=as_json)


def shared_cores(jobs: int) -> tuple[int, int]:
    """How many tasks at a time, and threads of each; with 0 jobs a task has up to four."""
    cores = core_count()
    workers = jobs or max(cores // 4, 1)
    return workers, max(cores // workers, 1)


def do_study(
    study: Study[Task],
    workers: int,
    *,
    quiet: bool,
    what: str = "tasks",
    work_text: Callable[[Sequence[Task], str], str] | None = None,
    seconds: float | None = None,
) -> dict[Task, dict[str, Any]]:
    """Do what is not done yet; Ctrl-C says how much is kept, and where.

    Parameters
    ----------
    study
        What to do.
    workers
        How many tasks at a time.
    quiet
        Whether to say nothing.
    what
        What the tasks are, in the plural.
    work_text
        The line to say before, by what is left to do and a note on what is done already; by
        default nothing is said.
    seconds
        After which no task is begun any more; the report is then of those that are done.
    """
    waiting, total = study.waiting(), len(study.tasks)
    before = finished = total - len(waiting)
    if work_text is not None and waiting and not quiet:
        tell(work_text(waiting, f" ({before} are there already)" if before else ""))
    try:
        with counting_progress(total, what, quiet=quiet, done=before) as show:

            def report(count: int) -> None:
                nonlocal finished
                finished = count
                show(count)

            stop = Event()
            clock = Timer(seconds or 0.0, stop.set)
            clock.daemon = True
            if seconds is not None:
                clock.start()
            try:
                return study.do(workers, report, stop)
            finally:
                clock.cancel()
    except KeyboardInterrupt:
        raise CutShortError(
            f"{finished} of {total} {what} are kept in {study.store.path}; the same command goes on"
        ) from None


def show_report(
    report: StudyReport,
    output: Path,
    print_report: Callable[[Console, StudyReport], None],
    *,
    as_json: bool,
) -> None:
    """Write a report into a folder, and print it."""

    def render(console: Console) -> None:
        from rich.text import Text

        for note in report.notes:
            console.print(Text(note))
        print_report(console, report)
        console.print(Text(f"\nall tables, figures and summary.md are in {output}"))

    emit(report.to_json(report.write(output)), render, as_json=as_json)


def print_trial(console: Console, ran: int, whole: int, what: str) -> None:
    """Say that a run was too small to judge a document by, where it was."""
    from rich.text import Text

    from pokerlab.studies.reporting.study_report import trial_note

    if ran < whole:
        console.print(Text(trial_note(f"{ran:,} (of {whole:,}) {what}")))


def print_verdicts(console: Console, report: StudyReport, columns: Sequence[int]) -> None:
    """Print some columns of the table of verdicts, if there are any."""
    from rich.text import Text

    verdicts = report.verdict_table
    if verdicts is not None:
        console.print()
        console.print(Text(verdicts.title, style="bold"))
        heads = {verdicts.shown_heads[column]: "fold" for column in columns}
        console.print(Table(heads, ([row[column] for column in columns] for row in verdicts.shown)))

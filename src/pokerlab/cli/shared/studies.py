"""Shared parts of `pokerlab reproduce`: folder, saved tasks, verdicts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from pokerlab.cli.shared.counting import counting_progress
from pokerlab.cli.shared.interruption import CutShortError
from pokerlab.views import Table

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.studies.reporting.study_report import StudyReport


def check_output_folder(output: Path) -> None:
    """Refuse a file where a folder is to be written."""
    if output.exists() and not output.is_dir():
        raise ValueError(f"--output {output}: this is a file, not a folder")


@contextmanager
def kept_progress(
    total: int, what: str, folder: Path, *, quiet: bool, done: int = 0
) -> Iterator[Callable[[int], None]]:
    """`counting_progress` of what is kept in a folder; Ctrl-C says how many are, and where."""
    finished = done
    try:
        with counting_progress(total, what, quiet=quiet, done=done) as show:

            def report(count: int) -> None:
                nonlocal finished
                finished = count
                show(count)

            yield report
    except KeyboardInterrupt:
        raise CutShortError(
            f"{finished} of {total} {what} are kept in {folder}; the same command goes on"
        ) from None


def print_trial(console: Console, ran: int, whole: int, what: str) -> None:
    """Say that a run was too small to judge a document by, where it was."""
    from rich.text import Text

    from pokerlab.studies.reporting.study_report import trial_note

    if ran < whole:
        console.print(Text(trial_note(f"{ran:,} (of {whole:,}) {what}")))


def print_verdicts(
    console: Console, report: StudyReport, output: Path, columns: Sequence[int]
) -> None:
    """The notes, some columns of the table of verdicts if any, and where everything is."""
    from rich.text import Text

    for note in report.notes:
        console.print(Text(note))
    verdicts = report.verdict_table
    if verdicts is not None:
        console.print()
        console.print(Text(verdicts.title, style="bold"))
        heads = {verdicts.shown_heads[column]: "fold" for column in columns}
        console.print(Table(heads, ([row[column] for column in columns] for row in verdicts.shown)))
    console.print(Text(f"\nall tables, figures and summary.md are in {output}"))

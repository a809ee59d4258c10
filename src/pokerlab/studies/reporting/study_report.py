"""The report of a study: tables and verdicts, and the files that they are written to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pokerlab.runtime.files.atomic import write_bytes
from pokerlab.studies.reporting.report_table import ReportTable
from pokerlab.studies.reporting.verdict import Verdict, verdict_table


def trial_note(sizes: str) -> str:
    """The note of a run that is too small to judge a document by.

    Examples
    --------
    >>> trial_note("10 iterations (of 200)")
    'A trial: 10 iterations (of 200). Nothing is judged by it.'
    """
    return f"A trial: {sizes}. Nothing is judged by it."


@dataclass(frozen=True)
class StudyReport:
    """All that a study found.

    Attributes
    ----------
    title
        What it is about.
    verdicts
        Which conclusions hold; none where a run is too small to judge by.
    clear
        What counts as a clear difference.
    results
        All tables but that of the verdicts.
    notes
        How it was made, a line each.
    data
        Tables for other programs alone.
    pictures
        What draws each picture, by the name of its file.
    facts
        What was run, for other programs.
    """

    title: str
    verdicts: tuple[Verdict, ...]
    clear: str
    results: tuple[ReportTable, ...]
    notes: tuple[str, ...]
    data: tuple[ReportTable, ...] = ()
    pictures: Mapping[str, Callable[[], bytes]] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def verdict_table(self) -> ReportTable | None:
        """The verdicts as a table; None where nothing is judged."""
        return verdict_table(self.verdicts, self.clear) if self.verdicts else None

    @property
    def tables(self) -> tuple[ReportTable, ...]:
        """All tables for people, the verdicts first."""
        verdicts = self.verdict_table
        return self.results if verdicts is None else (verdicts, *self.results)

    def summary(self) -> str:
        """The notes and all tables in Markdown."""
        lines = [f"# {self.title}", ""]
        lines += [f"- {note}" for note in self.notes]
        lines += ["", *(table.markdown() for table in self.tables)]
        return "\n".join(lines)

    def write(self, folder: Path) -> list[Path]:
        """Write everything into a folder: a CSV for each table, pictures, and the summary."""
        tables = {f"{each.name}.csv": each.csv().encode() for each in (*self.tables, *self.data)}
        pictures = {name: draw() for name, draw in self.pictures.items()}
        return write_files(folder, {**tables, **pictures, "summary.md": self.summary().encode()})

    def to_json(self, files: Sequence[Path]) -> dict[str, Any]:
        """What was run, what was written and the verdicts, as JSON."""
        verdicts = [verdict.to_json() for verdict in self.verdicts]
        return {**self.facts, "files": [str(file) for file in files], "verdicts": verdicts}


def write_files(folder: str | Path, files: Mapping[str, bytes]) -> list[Path]:
    """Write files by name into a folder, which is made; nothing is written before all were made."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        write_bytes(Path(folder) / name, content)
    return [Path(folder) / name for name in files]

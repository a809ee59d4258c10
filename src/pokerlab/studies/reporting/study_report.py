"""The report of a study: tables and verdicts, and the files that they are written to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pokerlab.files.atomic import write_bytes
from pokerlab.studies.reporting.report_table import ReportTable
from pokerlab.studies.reporting.verdict import Verdict

__all__ = ["StudyReport"]


@dataclass(frozen=True)
class StudyReport:
    """All that a study found.

    Attributes
    ----------
    title
        What it is about.
    verdicts
        Which conclusions hold.
    tables
        The tables; the first is that of the verdicts.
    notes
        How it was made, a line each.
    data
        Tables for other programs alone.
    """

    title: str
    verdicts: tuple[Verdict, ...]
    tables: tuple[ReportTable, ...]
    notes: tuple[str, ...]
    data: tuple[ReportTable, ...] = ()

    def summary(self) -> str:
        """The notes and all tables in Markdown."""
        lines = [f"# {self.title}", ""]
        lines += [f"- {note}" for note in self.notes]
        lines += ["", *(table.markdown() for table in self.tables)]
        return "\n".join(lines)

    def write(self, folder: Path, pictures: Mapping[str, bytes]) -> list[Path]:
        """Write everything into a folder: a CSV for each table, pictures, and the summary."""
        tables = {f"{each.name}.csv": each.csv().encode() for each in (*self.tables, *self.data)}
        files = {**tables, **pictures, "summary.md": self.summary().encode()}
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            write_bytes(folder / name, content)
        return [folder / name for name in files]

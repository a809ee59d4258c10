"""The reproduction as files: a CSV for each table, figures, and a summary in Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pokerlab.files.atomic import write_bytes
from pokerlab.studies.mapping.analyses import analysis_tables, state_table
from pokerlab.studies.mapping.entrants import STAND_INS
from pokerlab.studies.mapping.figures import (
    draw_classes,
    draw_distance,
    draw_nearest,
    draw_variance,
)
from pokerlab.studies.mapping.frequencies import class_table, frequency_table
from pokerlab.studies.mapping.results import MappingResults
from pokerlab.studies.mapping.states import state_answers
from pokerlab.studies.mapping.table import ReportTable
from pokerlab.studies.mapping.tables import score_tables
from pokerlab.studies.mapping.verdicts import Verdict, verdict_table, verdicts

__all__ = ["MappingReport", "make_report", "write_report"]


@dataclass(frozen=True)
class MappingReport:
    """All that the matches showed.

    Attributes
    ----------
    verdicts
        Which conclusions hold.
    tables
        The tables; the first is that of the verdicts.
    notes
        How it was made, a line each.
    """

    verdicts: tuple[Verdict, ...]
    tables: tuple[ReportTable, ...]
    notes: tuple[str, ...]

    def summary(self) -> str:
        """The notes and all tables in Markdown."""
        lines = ["# A two-player strategy among three players", ""]
        lines += [f"- {note}" for note in self.notes]
        lines += ["", *(table.markdown() for table in self.tables)]
        return "\n".join(lines)


def make_report(results: MappingResults, strategies: Mapping[str, str]) -> MappingReport:
    """Make the tables and verdicts.

    Parameters
    ----------
    results
        What was played.
    strategies
        A line about each strategy, by what it is.
    """
    answers = state_answers(results.plan.entrants)
    found = verdicts(results, answers)
    tables = [
        verdict_table(found),
        *score_tables(results),
        frequency_table(results),
        class_table(results),
        state_table(answers),
        *analysis_tables(results),
    ]
    plan = results.plan
    places = ", ".join(f"{own} for {name}" for name, own in STAND_INS.items())
    notes = (
        f"{len(results.played):,} duplicate matches of {plan.hands:,} hands, seed {plan.seed};"
        f" {results.seconds:,.0f} s of playing",
        *(f"{name}: {line}" for name, line in strategies.items()),
        f"In the places of the thesis's bots play {places}; CFR3 is a strategy trained for three"
        " players",
        "Scores are mbb per hand ± standard error, in brackets the thesis's, which has no errors;"
        " totals in chips (10 = 1 big blind) are in the CSV files",
        "Frequencies: errors as if all decisions were independent",
    )
    return MappingReport(tuple(found), tuple(tables), notes)


def write_report(report: MappingReport, results: MappingResults, folder: Path) -> list[Path]:
    """Write everything into a folder; nothing is written before all could be made."""
    files: dict[str, bytes] = {f"{table.name}.csv": table.csv().encode() for table in report.tables}
    files["nearest.svg"] = draw_nearest(results)
    files["variance.svg"] = draw_variance(results)
    files["distance.svg"] = draw_distance(results)
    files["classes.png"] = draw_classes(results)
    files["summary.md"] = report.summary().encode()
    folder.mkdir(parents=True, exist_ok=True)
    return [_write(folder / name, content) for name, content in files.items()]


def _write(path: Path, content: bytes) -> Path:
    write_bytes(path, content)
    return path

"""The reproduction as files: a CSV for each table, figures, and a summary in Markdown."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from pokerlab.files.atomic import write_bytes
from pokerlab.studies.abstraction.costs import cost_table
from pokerlab.studies.abstraction.figures import (
    draw_constants,
    draw_cost,
    draw_duel,
    draw_overfitting,
    draw_rules,
    draw_thousand,
)
from pokerlab.studies.abstraction.results import AbstractionResults
from pokerlab.studies.abstraction.settled import settled_table
from pokerlab.studies.abstraction.size_tables import (
    group_size_table,
    group_table,
    small_tree_table,
    tree_size_table,
)
from pokerlab.studies.abstraction.solve_tables import (
    appendix_table,
    constants_table,
    curve_table,
    duel_table,
    games_table,
    quality_table,
    rules_table,
)
from pokerlab.studies.abstraction.verdicts import CLEAR, abstraction_verdicts
from pokerlab.studies.mapping.table import ReportTable
from pokerlab.studies.mapping.verdicts import Verdict, verdict_table

__all__ = ["AbstractionReport", "make_abstraction_report", "write_abstraction_report"]


@dataclass(frozen=True)
class AbstractionReport:
    """All that was found.

    Attributes
    ----------
    verdicts
        Which conclusions hold.
    tables
        The tables; the first is that of the verdicts.
    curves
        All curves, for other programs.
    notes
        How it was made, a line each.
    """

    verdicts: tuple[Verdict, ...]
    tables: tuple[ReportTable, ...]
    curves: ReportTable
    notes: tuple[str, ...]

    def summary(self) -> str:
        """The notes and all tables in Markdown."""
        lines = ["# Hands merged by identity: chapter 7 again", ""]
        lines += [f"- {note}" for note in self.notes]
        lines += ["", *(table.markdown() for table in self.tables)]
        return "\n".join(lines)


def make_abstraction_report(results: AbstractionResults) -> AbstractionReport:
    """Make the tables and verdicts."""
    found = abstraction_verdicts(results)
    tables = (
        replace(verdict_table(found), title=f"Conclusions (clear: {CLEAR:.0%})"),
        tree_size_table(),
        group_table(results),
        group_size_table(),
        small_tree_table(results),
        quality_table(results),
        rules_table(results),
        constants_table(results),
        settled_table(results),
        duel_table(results),
        games_table(results),
        appendix_table(results),
        cost_table(results),
    )
    notes = (
        "ε is the sum of what both players could gain by best responses, in mbb a game, as in the"
        " thesis; ours is twice the `exploitability` of a solve",
        "All without rake, 32 bits, suits merged exactly"
        + (
            "; quick: small games, few iterations, nothing to compare" if results.plan.quick else ""
        ),
    )
    return AbstractionReport(tuple(found), tables, curve_table(results), notes)


def write_abstraction_report(
    report: AbstractionReport, results: AbstractionResults, folder: Path
) -> list[Path]:
    """Write everything into a folder; nothing is written before all could be made."""
    files = {f"{table.name}.csv": table.csv().encode() for table in report.tables}
    files["curves.csv"] = report.curves.csv().encode()
    files["figure-17.svg"] = draw_overfitting(results)
    files["figure-18.svg"] = draw_rules(results)
    files["figure-19.svg"] = draw_constants(results)
    files["figure-20.svg"] = draw_thousand(results)
    files["figure-21.svg"] = draw_duel(results)
    files["cost.svg"] = draw_cost(results)
    files["summary.md"] = report.summary().encode()
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        write_bytes(folder / name, content)
    return [folder / name for name in files]

"""The reproduction as files: a CSV for each table, figures, and a summary in Markdown."""

from __future__ import annotations

from pathlib import Path

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
from pokerlab.studies.reporting.study_report import StudyReport, trial_note

_EXACT_NOTE = (
    "Tables 2, 3 and 5 and the rates of figure 18 need no solve: they are computed in full, and"
    " conclusions about them alone are judged"
)


def make_abstraction_report(results: AbstractionResults) -> StudyReport:
    """Make the tables and verdicts."""
    plan = results.plan
    found = abstraction_verdicts(results)
    tables = (
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
        "All without rake, 32 bits, suits merged exactly",
        *([trial_note(plan.sizes), _EXACT_NOTE] if plan.quick else []),
    )
    title = "Hands merged by identity: chapter 7 again"
    clear = f"{CLEAR:.0%}"
    return StudyReport(title, tuple(found), clear, tables, notes, (curve_table(results),))


def write_abstraction_report(
    report: StudyReport, results: AbstractionResults, folder: Path
) -> list[Path]:
    """Write everything into a folder; nothing is written before all could be made."""
    pictures = {
        "figure-17.svg": draw_overfitting(results),
        "figure-18.svg": draw_rules(results),
        "figure-19.svg": draw_constants(results),
        "figure-20.svg": draw_thousand(results),
        "figure-21.svg": draw_duel(results),
        "cost.svg": draw_cost(results),
    }
    return report.write(folder, pictures)

"""The reproduction as files: a CSV for each table, figures, and a summary in Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pokerlab.studies.mapping.analyses import analysis_tables, state_table
from pokerlab.studies.mapping.entrants import STAND_INS
from pokerlab.studies.mapping.figures import (
    draw_classes,
    draw_distance,
    draw_nearest,
    draw_variance,
)
from pokerlab.studies.mapping.frequencies import class_table, frequency_table
from pokerlab.studies.mapping.plan import MappingPlan
from pokerlab.studies.mapping.results import MappingResults
from pokerlab.studies.mapping.states import state_answers
from pokerlab.studies.mapping.tables import score_tables
from pokerlab.studies.mapping.thesis import HANDS
from pokerlab.studies.mapping.verdicts import SIGMAS, verdicts
from pokerlab.studies.reporting.study_report import StudyReport, trial_note


def make_report(results: MappingResults, strategies: Mapping[str, str]) -> StudyReport:
    """Make the tables and verdicts.

    Parameters
    ----------
    results
        What was played.
    strategies
        A line about each strategy, by what it is.
    """
    answers = state_answers(results.plan.entrants)
    tables = [
        *score_tables(results),
        frequency_table(results),
        class_table(results),
        state_table(answers),
        *analysis_tables(results),
    ]
    plan = results.plan
    found = verdicts(results, answers) if plan.judged else []
    places = ", ".join(f"{own} for {name}" for name, own in STAND_INS.items())
    notes = (
        f"{len(results.played):,} duplicate matches of {plan.hands:,} hands and more,"
        f" seed {plan.seed}; {results.seconds:,.0f} s of playing",
        *(f"{name}: {line}" for name, line in strategies.items()),
        f"In the places of the thesis's bots play {places}; CFR3 is a strategy trained for three"
        " players",
        "Scores are mbb per hand ± standard error, in brackets the thesis's, which has no errors;"
        " totals in chips (10 = 1 big blind) are in the CSV files",
        "Frequencies: errors as if all decisions were independent",
        *([] if plan.judged else [trial_note(_sizes(plan))]),
    )
    title = "A two-player strategy among three players"
    clear = f"{SIGMAS:g} standard errors"
    return StudyReport(title, tuple(found), clear, tuple(tables), notes)


def _sizes(plan: MappingPlan) -> str:
    known = "strategies that know starting hands only, " if plan.quick else ""
    return f"{known}{plan.hands:,} hands a match (of {max(HANDS.values()):,})"


def write_report(report: StudyReport, results: MappingResults, folder: Path) -> list[Path]:
    """Write everything into a folder; nothing is written before all could be made."""
    pictures = {
        "nearest.svg": draw_nearest(results),
        "variance.svg": draw_variance(results),
        "distance.svg": draw_distance(results),
        "classes.png": draw_classes(results),
    }
    return report.write(folder, pictures)

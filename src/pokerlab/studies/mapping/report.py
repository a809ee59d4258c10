"""The reproduction as a study: its matches, and the report of tables, verdicts and figures."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from pokerlab.players.strategies.limit_file import LimitStrategy
from pokerlab.runtime.files.job_stores import FolderStore
from pokerlab.studies.mapping.analyses import analysis_tables, state_table
from pokerlab.studies.mapping.entrants import STAND_INS, Entrants
from pokerlab.studies.mapping.figures import (
    draw_classes,
    draw_distance,
    draw_nearest,
    draw_variance,
)
from pokerlab.studies.mapping.frequencies import class_table, frequency_table
from pokerlab.studies.mapping.matches import MappingMatch, checked_match, match_key
from pokerlab.studies.mapping.plan import MappingPlan, MappingResults
from pokerlab.studies.mapping.states import state_answers
from pokerlab.studies.mapping.tables import score_tables
from pokerlab.studies.mapping.thesis import HANDS
from pokerlab.studies.mapping.verdicts import verdicts
from pokerlab.studies.reporting.study import Kept, Study
from pokerlab.studies.reporting.study_report import StudyReport, trial_note
from pokerlab.studies.reporting.verdict import SIGMAS


def mapping_study(plan: MappingPlan, folder: Path) -> Study[MappingMatch]:
    """All matches, kept in a folder; those that other strategies played are not found again."""
    store = FolderStore(folder, from_json=checked_match)
    key = partial(match_key, plan.entrants.digest)
    return Study([plan.matches()], store, partial(make_mapping_report, plan), key)


def make_mapping_report(plan: MappingPlan, done: Mapping[MappingMatch, Kept]) -> StudyReport:
    """Make the tables and verdicts."""
    results = MappingResults(plan, done)
    answers = state_answers(results.plan.entrants)
    tables = [
        *score_tables(results),
        frequency_table(results),
        class_table(results),
        state_table(answers),
        *analysis_tables(results),
    ]
    found = verdicts(results, answers) if plan.judged else []
    places = ", ".join(f"{own} for {name}" for name, own in STAND_INS.items())
    notes = (
        f"{len(done):,} duplicate matches of {plan.hands:,} hands and more,"
        f" seed {plan.seed}; {results.seconds:,.0f} s of playing",
        *(f"{name}: {line}" for name, line in _strategy_lines(plan.entrants).items()),
        f"In the places of the thesis's bots play {places}; CFR3 is a strategy trained for three"
        " players",
        "Scores are mbb per hand ± standard error, in brackets the thesis's, which has no errors;"
        " totals in chips (10 = 1 big blind) are in the CSV files",
        "Frequencies: errors as if all decisions were independent",
        *([] if plan.judged else [trial_note(_sizes(plan))]),
    )
    title = "A two-player strategy among three players"
    pictures = {
        "nearest.svg": draw_nearest,
        "variance.svg": draw_variance,
        "distance.svg": draw_distance,
        "classes.png": draw_classes,
    }
    return StudyReport(
        title,
        tuple(found),
        f"{SIGMAS:g} standard errors",
        tuple(tables),
        notes,
        pictures={name: partial(draw, results) for name, draw in pictures.items()},
        facts={
            "quick": plan.quick,
            "judged": plan.judged,
            "hands": plan.hands,
            "seed": plan.seed,
            "matches": len(done),
            "seconds": results.seconds,
        },
    )


def _sizes(plan: MappingPlan) -> str:
    known = "strategies that know starting hands only, " if plan.quick else ""
    return f"{known}{plan.hands:,} hands a match (of {max(HANDS.values()):,})"


def _strategy_lines(entrants: Entrants) -> dict[str, str]:
    """A line about each strategy: how it was trained."""
    lines = {}
    for name, file in (
        ("Two-player strategy", entrants.two_player),
        ("Three-player strategy", entrants.three_player),
    ):
        strategy = LimitStrategy.load(file)
        lines[name] = (
            f"{strategy.game.name}, {strategy.iterations:,} iterations ({strategy.method},"
            f" {strategy.rule}) in {strategy.seconds:,.0f} s"
        )
    return lines

"""The reproduction as a study: its tasks, and the report of tables, verdicts and figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from operator import methodcaller
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
from pokerlab.studies.abstraction.plan import PARTS, AbstractionPlan, StudyTask, task_key
from pokerlab.studies.abstraction.results import AbstractionResults, TaskFolder
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
from pokerlab.studies.reporting.study import Kept, Study
from pokerlab.studies.reporting.study_report import StudyReport, trial_note

_EXACT_NOTE = (
    "Tables 2, 3 and 5 and the rates of figure 18 need no solve: they are computed in full, and"
    " conclusions about them alone are judged"
)


def abstraction_study(
    plan: AbstractionPlan, folder: Path, parts: Sequence[str] = PARTS, threads: int = 1
) -> Study[StudyTask]:
    """The tasks of some parts, `threads` each, kept in a folder; the report needs all parts."""
    store = TaskFolder(folder)
    first, last = plan.first_tasks(parts), plan.last_tasks(parts)
    store.strategies_needed = any(store.get(task_key(task)) is None for task in last)
    work = methodcaller("run", store.solutions, threads)
    return Study([first, last], store, partial(make_abstraction_report, plan), task_key, work)


def make_abstraction_report(plan: AbstractionPlan, done: Mapping[StudyTask, Kept]) -> StudyReport:
    """Make the tables and verdicts."""
    results = AbstractionResults(plan, done)
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
    pictures = {
        "figure-17.svg": draw_overfitting,
        "figure-18.svg": draw_rules,
        "figure-19.svg": draw_constants,
        "figure-20.svg": draw_thousand,
        "figure-21.svg": draw_duel,
        "cost.svg": draw_cost,
    }
    return StudyReport(
        title,
        tuple(found),
        f"{CLEAR:.0%}",
        tables,
        notes,
        (curve_table(results),),
        {name: partial(draw, results) for name, draw in pictures.items()},
        {"quick": plan.quick, "tasks": len(done)},
    )

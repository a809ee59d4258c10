"""The report of readings, on made-up measurements; and solves that go on after a kill."""

from __future__ import annotations

from pathlib import Path

import pytest

from pokerlab.studies.abstraction.solves import FlopGame
from pokerlab.studies.abstraction.thesis import QUALITY
from pokerlab.studies.grouped import reading_tasks
from pokerlab.studies.grouped.group_solver import Reading
from pokerlab.studies.grouped.reading_report import grouped_study, make_grouped_report
from pokerlab.studies.grouped.reading_tasks import (
    ALGORITHM_3,
    EIGHT,
    PARTS,
    SEVEN,
    THESIS,
    TURN,
    GroupedPlan,
    ReadingTask,
)
from pokerlab.studies.reporting.study import Kept


def made_up(plan: GroupedPlan, times: float = 1.0) -> dict[ReadingTask, Kept]:
    """As if the thesis's reading gave its printed numbers times a factor, and others the double."""
    done = {}
    for task in plan.tasks():
        printed = {200: 5.0, 400: 2.0}
        if task.groups in QUALITY[200] and task.rule == "cgh-return(0.175)":
            printed = {whole: QUALITY[whole][task.groups].abstract for whole in (200, 400)}
        factor = times * (1 if task.reading == THESIS else 2)
        points = [[plan.iterations(50), 99.0, 100.0]]
        points += [
            [plan.iterations(whole), factor * value, factor * value + 1]
            for whole, value in printed.items()
        ]
        done[task] = {
            "points": points,
            "seconds": 7.0 if "cgh" in task.rule else 10.0,
            "bytes": 10 if "cgh" in task.rule else 30,
        }
    return done


def answers(times: float) -> dict[str, str]:
    plan = GroupedPlan()
    report = make_grouped_report(plan, made_up(plan, times))
    assert len(report.results) == len(PARTS)
    assert all(table.csv().count("\n") > 1 for table in (*report.results, *report.data))
    return {verdict.conclusion: verdict.answer for verdict in report.verdicts}


def test_verdicts_can_hold_and_fail() -> None:
    same, other = answers(1.0), answers(3.0)
    one = "One reading gives all ε inside the abstraction after 200 iterations on QhJh2c"
    mean = (
        "The means over the sample are the ε inside after 400 (ip first, from call, mean passed up)"
    )
    for conclusion in (one, mean):
        assert (same[conclusion], other[conclusion]) == ("holds", "does not hold")
    assert same["An iteration of CGH takes 30% less time than one of CFR"] == "holds"
    assert same["CGH takes a third of the memory of CFR"] == "holds"
    assert same["The ε of cfr falls in every iteration (by the thesis's reading)"] == "holds"


def test_means_passed_up_are_judged_in_both_orders() -> None:
    plan = GroupedPlan()
    done = made_up(plan)
    # Hand by hand the thesis's order is as fast for rank and slower for the view.
    for groups, times in (("rank/river", 0.8), ("view/river", 1.2)):
        mean, by_hand = (plan.table(TURN, groups, reading) for reading in (THESIS, ALGORITHM_3))
        done[by_hand] = {
            **done[mean],
            "points": [[at, times * inside, real] for at, inside, real in done[mean]["points"]],
        }
    found = {
        verdict.conclusion: verdict.answer
        for verdict in make_grouped_report(plan, done).verdicts
        if verdict.conclusion.startswith(f"{TURN}: the mean passed up")
    }
    text = f"{TURN}: the mean passed up makes rank slower, and the view less"
    assert found == {
        f"{text} (oop first, from uniform)": "cannot be told",
        f"{text} (ip first, from call)": "holds",
    }


def test_quick_judges_nothing_and_parts_may_be_left_out() -> None:
    plan = GroupedPlan(quick=True)
    done = made_up(plan)
    assert not make_grouped_report(plan, done).verdicts
    some = {task: done[task] for task in plan.tasks(["figure-19"])}
    assert [table.name for table in make_grouped_report(plan, some).results] == ["constants"]


def test_the_sample_is_what_table_3_proves() -> None:
    suits = [len({flop[1], flop[3], flop[5]}) for flop in SEVEN]
    assert sorted(suits) == [2, 2, 2, 2, 3, 3, 3]
    assert len(EIGHT) == 8 and {"QhJh2c", "Th6s3c", "QsTh7h"} <= set(SEVEN)


def test_a_killed_solve_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = FlopGame("QhJh2c4d7h", "88+, ATs+", 5, "a")
    task = ReadingTask(game, "cfr", "rank", Reading("ip", "call"), 20, 5)
    whole = task.run(tmp_path)["points"]
    monkeypatch.setattr(reading_tasks, "_STATE_SECONDS", 0.0)
    real = reading_tasks._keep

    def keep_and_die(solver, *rest):
        real(solver, *rest)
        if solver.iteration == 7:
            raise KeyboardInterrupt

    monkeypatch.setattr(reading_tasks, "_keep", keep_and_die)
    with pytest.raises(KeyboardInterrupt):
        task.run(tmp_path)
    assert len(list(tmp_path.iterdir())) == 1
    assert task.run(tmp_path)["points"] == whole
    assert not list(tmp_path.iterdir())


def test_a_damaged_state_begins_again(tmp_path: Path) -> None:
    game = FlopGame("QhJh2c4d7h", "88+, ATs+", 5, "a")
    task = ReadingTask(game, "cgh(0.2)", "rank", THESIS, 3, 3)
    whole = task.run(tmp_path)["points"]
    from pokerlab.runtime.files.hashes import digest

    (tmp_path / f"{digest(task.key, length=16)}.npz").write_bytes(b"nothing")
    assert task.run(tmp_path)["points"] == whole


def test_study_keeps_its_tasks(tmp_path: Path) -> None:
    study = grouped_study(GroupedPlan(quick=True), tmp_path, ["figure-19"])
    assert len(study.waiting()) == 6

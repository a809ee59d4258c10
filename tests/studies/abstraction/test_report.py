"""The whole report from made-up results: every table, figure and verdict of the plan."""

import csv
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pokerlab.cli.main import main
from pokerlab.studies.abstraction.counting import GroupCountTask
from pokerlab.studies.abstraction.duels import DuelTask
from pokerlab.studies.abstraction.extracts import ExtractRecord, ExtractTask, river_lines
from pokerlab.studies.abstraction.plan import PARTS, AbstractionPlan, StudyTask, task_key
from pokerlab.studies.abstraction.report import abstraction_study, make_abstraction_report
from pokerlab.studies.abstraction.results import TaskFolder
from pokerlab.studies.abstraction.sizes import merged_boards
from pokerlab.studies.abstraction.solves import FlopGame, SolveTask, marks
from pokerlab.studies.abstraction.verdicts import CLEAR
from pokerlab.studies.reporting.measure import Measure
from pokerlab.studies.reporting.study import Study
from pokerlab.studies.reporting.study_report import StudyReport
from pokerlab.studies.reporting.verdict import all_above_zero


def made_up(task: StudyTask) -> dict[str, Any]:
    """What a task might give; CGH is three times as good as CFR."""
    if isinstance(task, SolveTask):
        rule = 1.0 if "cgh" in task.rule else 3.0
        names = ["last"] if "cgh" in task.rule else ["own reach", "plain mean", "last"]
        curve = [
            [mark, 0.1 * mark, 900 * rule / mark + 1, 900 * rule / mark]
            for mark in marks(task.iterations, task.every)
        ]
        points = dict.fromkeys(names if task.plain else names[:1], curve)
        return {"nbytes": 10**6, "value": -20.0, "points": points, "files": []}
    if isinstance(task, DuelTask):
        seats = {
            name: {seat: [sign * 30.0, 1.0, sign * 29.0, -40.0] for seat in ("oop", "ip", "sum")}
            for name, sign in (("first", 1), ("second", -1))
        }
        return {"games": 1000, "seats": seats, "curve": [[0, 0, 0, 0], [1000, 10, 20, 30]]}
    if isinstance(task, ExtractTask):
        row = ["x/x/8s/x/x/5s", 12, 0.5, [0.5, 0.5], {"x": 0.4, "b12": 0.5, "a": 0.1}]
        return {"epsilon": 30.0, "rows": [[*row, {"b12": [0.0, 0.3], "a": [0.1, 0.8]}]]}
    assert isinstance(task, GroupCountTask)
    return {
        flop: {
            name: [
                [classes, 80.0, 90.0, 8200.0, 10, 200] for classes in map(int, merged_boards(flop))
            ]
            for name in task.names
        }
        for flop in task.flops
    }


def report_of(plan: AbstractionPlan) -> StudyReport:
    tasks = [*plan.first_tasks(), *plan.last_tasks()]
    return make_abstraction_report(plan, {task: made_up(task) for task in tasks})


@pytest.mark.slow
def test_everything_is_written(tmp_path: Path) -> None:
    report = report_of(AbstractionPlan())
    names = {file.name for file in report.write(tmp_path)}
    assert {f"figure-{number}.svg" for number in range(17, 22)} < names
    for table in report.tables:
        with (tmp_path / f"{table.name}.csv").open(newline="") as file:
            rows = list(csv.reader(file))
        assert len(rows) == len(table.rows) + 1
        assert {len(row) for row in rows} == {len(table.heads)}
        assert all(len(row) == len(table.shown_heads) for row in table.shown)
    answers = {each.conclusion: each.answer for each in report.verdicts}
    assert answers["Table 2 is the tree of 50% and all-in"] == "holds"
    assert answers["Table 3 is a mean over eight flops"] == "does not hold"
    assert answers["Table 5 counts information sets"] == "does not hold"
    ahead = "CGH that hands up the new value is ahead of CFR after 400 iterations"
    assert answers[f"{ahead} (stacks 5, all-in)"] == "holds"
    assert answers["CGH wins against CFR (plain mean)"] == "holds"
    # The made-up curves fall all the way.
    assert answers["CGH's ε rises at times"] == "does not hold"
    assert answers["CFR's ε falls in every iteration"] == "holds"
    assert answers["cfr: 2.64% an iteration is a geometric mean"] == "does not hold"


def test_a_quick_run_judges_nothing_that_it_did_not_compute_in_full() -> None:
    report = report_of(AbstractionPlan(quick=True))
    judged = {each.source for each in report.verdicts}
    assert judged == {"table 2", "section 7.2", "table 5", "figure 18"}
    for each in report.verdicts:
        if each.source == "figure 18":
            assert each.conclusion.endswith("an iteration is a geometric mean")
    note = next(note for note in report.notes if note.startswith("A trial: "))
    for size in ("88+", "20 (of 400)", "50 (of 1,000)", "20,000 games (of 10,000,000)"):
        assert size in note
    assert note.endswith("Nothing is judged by it.")
    tables = {table.name: table for table in report.tables}
    assert "after 10 (of 200): real game" in tables["tables-06-07"].shown_heads
    assert {row[2] for row in tables["tables-06-07"].rows} == {10, 20}
    assert "after 20 (of 400)" in tables["figure-19"].shown_heads
    for name in ("figure-18", "settled"):
        assert "after 20 (of 400) iterations" in tables[name].title
    # None of the thesis's results stands beside what was solved.
    solved = ("tables-06-07", "figure-18", "settled", "table-08", "table-08-game", "appendix")
    for table in map(tables.__getitem__, solved):
        text = " ".join([table.title, *(cell for row in table.shown for cell in row)])
        for printed in ("5.47", "1.22", "21.8", "12.8", "21.25", "37.33", "30.1", "86.1%"):
            assert printed not in text


def test_finished_tasks_are_found_again(tmp_path: Path) -> None:
    task = GroupCountTask(("Th6s3c",), ("rank/river",))
    study = replace(abstraction_study(AbstractionPlan(), tmp_path), stages=[[task]])
    first = study.do()
    assert study.read(task) == first[task]
    study.store.file(task_key(task)).write_text("{")  # what a kill may leave
    assert study.read(task) is None
    assert study.do() == first


def test_strategies_that_are_gone_are_made_again(tmp_path: Path) -> None:
    folder = TaskFolder(tmp_path)
    plan = AbstractionPlan()
    folder.add(task_key(plan.appendix), {"files": ["gone.safetensors"]})

    def study() -> Study[StudyTask]:
        return abstraction_study(plan, tmp_path, ["appendix"])

    assert study().waiting() == [plan.appendix, plan.extract]
    folder.add(task_key(plan.extract), {})
    assert study().waiting() == []  # nobody needs them any more
    folder.file(task_key(plan.extract)).unlink()
    folder.solutions.mkdir()
    (folder.solutions / "gone.safetensors").touch()
    assert study().waiting() == [plan.extract]


def test_parts_are_all_there_is() -> None:
    plan = AbstractionPlan()
    for stage in (plan.first_tasks, plan.last_tasks):
        each = [task for part in PARTS for task in stage([part])]
        assert dict.fromkeys(each) == dict.fromkeys(stage())
    assert plan.last_tasks(["cost"]) == []


def test_a_part_is_done_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for kind in (SolveTask, ExtractTask):
        monkeypatch.setattr(kind, "run", lambda task, folder, threads: made_up(task))
    command = ["reproduce", "abstraction", "appendix", "-o", str(tmp_path), "--jobs", "1"]
    with pytest.raises(SystemExit) as ended:
        main(command)
    assert ended.value.code == 0
    assert f"2 tasks are kept in {tmp_path / 'tasks'}" in capsys.readouterr().out
    assert [path.name for path in tmp_path.iterdir()] == ["tasks"]
    with pytest.raises(SystemExit) as ended:
        main(["reproduce", "abstraction", "table-9", "-o", str(tmp_path)])
    assert ended.value.code == 2
    assert "'table-9' is not a part (one of appendix, cost," in capsys.readouterr().err


def test_lines_to_the_river_fit_the_tree() -> None:
    game = FlopGame("QsTh7h", "KhJh, AA", 49, "50%, 100%, a", "a")
    lines = list(river_lines(game.spot))
    assert len(lines) == len(set(lines)) == 25
    assert all(game.spot.find(line).level == 2 for line in lines)


def test_means_over_lines_are_weighted() -> None:
    rows: list[list[Any]] = [
        ["one", 12.0, 1.0, [1.0, 0.0], {"x": 0.0, "b12": 1.0}, {"b12": [0.25, 0.5]}],
        ["two", 4.0, 0.0, [1.0, 1.0], {"x": 1.0, "a": 0.0}, {"a": [1.0, 1.0]}],
    ]
    record = ExtractRecord.from_json({"epsilon": 1.0, "rows": rows})
    assert record.mean_bluffs() == 1.0
    assert record.mean_folds(0, all_in=False) == 0.25
    assert [row.line for row in record.with_thesis_bet()] == ["one"]


def test_answers_need_a_clear_difference() -> None:
    cases: Mapping[str, list[float]] = {
        "holds": [0.03],
        "cannot be told": [0.03, 0.0],
        "does not hold": [1.0, -0.03],
    }
    for answer, values in cases.items():
        assert all_above_zero([Measure(value, 0.0) for value in values], CLEAR) == answer


def test_output_must_be_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(SystemExit) as ended:
        main(["reproduce", "abstraction", "--quick", "-o", str(file)])
    assert ended.value.code == 2
    assert "this is a file, not a folder" in capsys.readouterr().err

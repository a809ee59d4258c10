"""The study of the no-limit player: its order, what counts, and what it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from pokerlab.studies.nolimit.report import make_nolimit_report
from pokerlab.studies.nolimit.study import nolimit_study
from pokerlab.studies.nolimit.tasks import MeasureTask

SOME = {"seconds": 1.0, "won": [-50.0, -70.0], "plain": [900.0, -1000.0]}
RIVER = {"gains": [3.0, 1.0], "hands": 2, "board": "", "betting": "", "seconds": 1.0}


@pytest.fixture(scope="module")
def measures(tmp_path_factory: pytest.TempPathFactory) -> list[MeasureTask]:
    tasks = nolimit_study(tmp_path_factory.mktemp("study")).tasks
    return [task for task in tasks if isinstance(task, MeasureTask)]


def of(measures: list[MeasureTask], part: str, *numbers: int) -> list[MeasureTask]:
    return [task for task in measures if task.part == part and task.number in numbers]


def test_parts_come_in_turn(measures: list[MeasureTask]) -> None:
    first = [task.part for task in measures[:20]]
    assert {"fc", "fcpa", "river", "caller"} <= set(first)
    for part in set(first):
        numbers = [task.number for task in measures if task.part == part]
        assert numbers == sorted(numbers)


def test_tasks_count_up_to_the_first_that_is_missing(measures: list[MeasureTask]) -> None:
    done = dict.fromkeys(of(measures, "fc", 0, 1, 3), SOME)
    report = make_nolimit_report(done)
    (wins,) = [table for table in report.results if table.name == "wins"]
    row = dict(zip(wins.heads, wins.rows[0], strict=True))
    assert row["hands"] == 4
    assert row["won"] == pytest.approx(600.0)
    assert row["error"] == 0.0
    assert report.verdicts[0].answer == "holds"
    assert not make_nolimit_report(dict.fromkeys(of(measures, "fc", 1), SOME)).verdicts


def test_changes_are_paired(measures: list[MeasureTask]) -> None:
    done = dict.fromkeys(of(measures, "river small", 0, 1, 2), RIVER)
    worse = {**RIVER, "gains": [5.0, 3.0]}
    done |= dict.fromkeys(of(measures, "gadget none", 0, 1), worse)
    # Of another responder, which is compared with its own.
    better = {**RIVER, "gains": [1.0, 1.0]}
    done |= dict.fromkeys(of(measures, "river", 0, 1), better)
    done |= dict.fromkeys(of(measures, "translation", 0, 1), worse)
    report = make_nolimit_report(done)
    (changes,) = [table for table in report.results if table.name == "changes"]
    assert [dict(zip(changes.heads, row, strict=True)) for row in changes.rows] == [
        {"change": "gadget=none", "boards": 2, "difference": 10.0, "error": 0.0},
        {"change": "added=0", "boards": 2, "difference": 15.0, "error": 0.0},
    ]
    verdicts = [each.answer for each in report.verdicts if each.source == "ours"]
    assert verdicts == ["holds", "holds"]


@pytest.mark.slow
def test_a_trial_goes_through(tmp_path: Path) -> None:
    study = nolimit_study(tmp_path, quick=True)
    report = study.make_report(study.do())
    assert {"wins", "responses", "others"} <= {table.name for table in report.results}
    assert not report.verdicts
    assert study.waiting() == []

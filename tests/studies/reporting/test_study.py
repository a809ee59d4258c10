"""Studies: stages follow each other, and the results of published runs are found again."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

import pytest

from pokerlab.runtime.files.job_stores import FolderStore
from pokerlab.studies.abstraction.plan import PARTS, AbstractionPlan
from pokerlab.studies.abstraction.report import abstraction_study
from pokerlab.studies.abstraction.solves import SolveTask
from pokerlab.studies.exploitation.learning import LearningTask
from pokerlab.studies.exploitation.limit_learning import LimitLearningTask, PossibleTask
from pokerlab.studies.exploitation.limit_tasks import limit_plan
from pokerlab.studies.exploitation.report import exploitation_study
from pokerlab.studies.exploitation.tasks import leduc_plan
from pokerlab.studies.mapping.entrants import Entrants
from pokerlab.studies.mapping.matches import match_key
from pokerlab.studies.mapping.plan import MappingPlan
from pokerlab.studies.reporting.study import Kept, Study
from pokerlab.studies.reporting.study_report import StudyReport


def study(folder: Path, ran: list[str]) -> Study[str]:
    def work(task: str) -> Kept:
        if task == "broken":
            raise KeyboardInterrupt
        ran.append(task)
        return {"task": task}

    report = StudyReport("Letters", (), "", (), ("note",), facts={"quick": True})
    stages = [["a", "b"], ["c", "broken" if "go on" not in ran else "d"]]
    return Study(
        stages, FolderStore(folder), lambda done: report, str, work, lambda: ran.append("prepared")
    )


def test_stages_follow_each_other_and_a_run_goes_on(tmp_path: Path) -> None:
    ran: list[str] = []
    seen: list[int] = []
    with pytest.raises(KeyboardInterrupt):
        study(tmp_path, ran).do(report=seen.append)
    assert (ran, seen) == (["prepared", "a", "b", "c"], [1, 2, 3])
    ran[:] = ["go on"]
    again = study(tmp_path, ran)
    assert again.waiting() == ["d"]
    done = again.do(report=seen.append)
    assert (ran, seen) == (["go on", "prepared", "d"], [1, 2, 3, 4])
    assert done == {task: {"task": task} for task in again.tasks}
    report = again.make_report(done)
    files = report.write(tmp_path / "report")
    assert [file.name for file in files] == ["summary.md"]
    found = {"quick": True, "files": [str(files[0])], "verdicts": []}
    assert report.to_json(files) == found


def digest(keys: Iterable[str]) -> str:
    return sha256("\n".join(sorted(keys)).encode()).hexdigest()[:16]


def test_results_of_published_runs_are_found_again(tmp_path: Path) -> None:
    # Days of computing: whoever changes what a task is kept under begins anew.
    abstraction = abstraction_study(AbstractionPlan(), tmp_path, PARTS)
    assert digest(map(abstraction.key, abstraction.tasks)) == "c8744a74193674df"
    solves = [task for task in abstraction.tasks if isinstance(task, SolveTask)]
    assert digest(task.file("own reach") for task in solves) == "bf32962c274a534f"
    leduc = exploitation_study(leduc_plan(), tmp_path)
    tasks = [task for task in leduc.tasks if not isinstance(task, LearningTask)]
    assert digest(map(leduc.key, tasks)) == "d85ddc949e99bbe5"
    limit = exploitation_study(limit_plan(tmp_path), tmp_path)
    tasks = [
        task
        for task in limit.tasks
        if not isinstance(task, (LearningTask, LimitLearningTask, PossibleTask))
    ]
    assert digest(map(limit.key, tasks)) == "442d00e6aceabc39"
    mapping = MappingPlan(Entrants(Path("two"), Path("three")), 6000)
    assert digest(match_key("digest", each) for each in mapping.matches()) == "b0ee12b9c47eaeab"

"""The work of the reproduction as jobs that are kept, and their results found by task."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from pokerlab.runtime.files.job_stores import FolderStore
from pokerlab.runtime.files.jobs import JobProgress, run_jobs
from pokerlab.studies.abstraction.counting import FlopCounts, GroupCountTask
from pokerlab.studies.abstraction.duels import DuelRecord, DuelTask
from pokerlab.studies.abstraction.extracts import ExtractRecord
from pokerlab.studies.abstraction.plan import AbstractionPlan, StudyTask, task_key
from pokerlab.studies.abstraction.solves import SolveRecord, SolveTask


class TaskFolder(FolderStore[dict[str, Any]]):
    """Finished tasks on disk; one whose strategies are gone is done again while they are needed.

    Attributes
    ----------
    strategies_needed
        Whether tasks that read the strategies of others are still to be done.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path, from_json=self._checked)
        self.strategies_needed = True

    @property
    def solutions(self) -> Path:
        """Where strategies are kept."""
        return self.path / "solutions"

    def read(self, task: StudyTask) -> dict[str, Any] | None:
        """The result of a task; None if it is not done."""
        return self.get(task_key(task))

    def _checked(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, dict):
            raise ValueError("this is not what is kept of a task")
        for name in data.get("files", ()) if self.strategies_needed else ():
            if not (self.solutions / str(name)).is_file():
                raise ValueError(f"the strategies {name} are gone")
        return data


def do_tasks(
    tasks: Sequence[StudyTask],
    folder: TaskFolder,
    *,
    workers: int,
    threads: int,
    report: Callable[[JobProgress], None] | None = None,
) -> dict[str, dict[str, Any]]:
    """Do all tasks that are not in the folder yet: results by key.

    `workers` tasks run at a time, with `threads` each.
    """
    jobs = {task_key(task): task for task in tasks}
    work = partial(_do, folder.solutions, threads)
    return dict(run_jobs(jobs, work, folder, workers=workers, report=report))


def _do(folder: Path, threads: int, task: StudyTask) -> dict[str, Any]:
    return task.run(folder, threads)


@dataclass(frozen=True, eq=False)
class AbstractionResults:
    """What all tasks of a plan gave.

    Attributes
    ----------
    plan
        What was to be done.
    done
        The results by key.
    """

    plan: AbstractionPlan
    done: Mapping[str, dict[str, Any]]

    def solve(self, task: SolveTask) -> SolveRecord:
        """What was noted of a solve."""
        return SolveRecord.from_json(self.done[task_key(task)])

    def duel(self, task: DuelTask) -> DuelRecord:
        """What was noted of a match."""
        return DuelRecord.from_json(self.done[task_key(task)])

    @cached_property
    def extract(self) -> ExtractRecord:
        """The appendix."""
        return ExtractRecord.from_json(self.done[task_key(self.plan.extract)])

    @cached_property
    def counts(self) -> dict[str, FlopCounts]:
        """The groups of each flop that was counted."""
        return {
            flop: counts
            for task in self.plan.counts
            for flop, counts in GroupCountTask.read(self.done[task_key(task)]).items()
        }

"""Where the results of the reproduction are kept, and how they are found by task."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from pokerlab.runtime.files.job_stores import FolderStore
from pokerlab.studies.abstraction.counting import FlopCounts, GroupCountTask
from pokerlab.studies.abstraction.duels import DuelRecord, DuelTask
from pokerlab.studies.abstraction.extracts import ExtractRecord
from pokerlab.studies.abstraction.plan import AbstractionPlan, StudyTask
from pokerlab.studies.abstraction.solves import SolveRecord, SolveTask
from pokerlab.studies.reporting.study import Kept


class TaskFolder(FolderStore[Kept]):
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

    def _checked(self, data: Any) -> Kept:
        if not isinstance(data, dict):
            raise ValueError("this is not what is kept of a task")
        for name in data.get("files", ()) if self.strategies_needed else ():
            if not (self.solutions / str(name)).is_file():
                raise ValueError(f"the strategies {name} are gone")
        return data


@dataclass(frozen=True, eq=False)
class AbstractionResults:
    """What all tasks of a plan gave.

    Attributes
    ----------
    plan
        What was to be done.
    done
        The results by task.
    """

    plan: AbstractionPlan
    done: Mapping[StudyTask, Kept]

    def solve(self, task: SolveTask) -> SolveRecord:
        """What was noted of a solve."""
        return SolveRecord.from_json(self.done[task])

    def duel(self, task: DuelTask) -> DuelRecord:
        """What was noted of a match."""
        return DuelRecord.from_json(self.done[task])

    @cached_property
    def extract(self) -> ExtractRecord:
        """The appendix."""
        return ExtractRecord.from_json(self.done[self.plan.extract])

    @cached_property
    def counts(self) -> dict[str, FlopCounts]:
        """The groups of each flop that was counted."""
        return {
            flop: counts
            for task in self.plan.counts
            for flop, counts in GroupCountTask.read(self.done[task]).items()
        }

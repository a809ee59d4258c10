"""What the solves by reading gave, found by task."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from pokerlab.studies.grouped.reading_tasks import GroupedPlan, ReadingTask
from pokerlab.studies.reporting.study import Kept


class ReadingPoint(NamedTuple):
    """ε after some iterations, in mbb a game: inside the abstraction and in the real game."""

    iteration: int
    inside: float
    real: float


@dataclass(frozen=True, eq=False)
class ReadingResults:
    """The results of a plan, as far as it was run."""

    plan: GroupedPlan
    done: Mapping[ReadingTask, Kept]

    def has(self, part: str) -> bool:
        """Whether all solves of a part are done."""
        return all(task in self.done for task in self.plan.tasks([part]))

    def points(self, task: ReadingTask) -> list[ReadingPoint]:
        """All measurements of a solve."""
        return [ReadingPoint(*point) for point in self.done[task]["points"]]

    def at(self, task: ReadingTask, whole: int) -> ReadingPoint:
        """The last measurement up to the iteration that stands for `whole`."""
        most = self.plan.iterations(whole)
        points = self.points(task)
        return max((each for each in points if each.iteration <= most), default=points[0])

    def rises(self, task: ReadingTask) -> float:
        """The part of the measurements inside that are above the one before."""
        pairs = list(pairwise(point.inside for point in self.points(task)))
        return sum(after > before for before, after in pairs) / max(len(pairs), 1)

    def largest_rise(self, task: ReadingTask) -> float:
        """How many times the measurement before the largest rise made it, at least 1."""
        pairs = pairwise(point.inside for point in self.points(task))
        return max((after / before for before, after in pairs), default=1.0)

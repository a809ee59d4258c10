"""`Study`: tasks that are kept once they are done, and the report that is made of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter, methodcaller
from threading import Event
from typing import Any, Generic, TypeAlias, TypeVar

from pokerlab.runtime.files.job_stores import FolderStore
from pokerlab.runtime.files.jobs import JobProgress, run_jobs
from pokerlab.studies.reporting.study_report import StudyReport

Kept: TypeAlias = dict[str, Any]
"""What is kept of a task, as JSON."""
Task = TypeVar("Task")


def kept_with(*kinds: set[str]) -> Callable[[object], Kept]:
    """A check of what is kept of a task: it must have all keys of one of the kinds.

    Examples
    --------
    >>> check = kept_with({"won", "count"}, {"nodes"})
    >>> check({"nodes": 5})
    {'nodes': 5}
    >>> check({"won": 5})
    Traceback (most recent call last):
    ValueError: this is not what is kept of a task
    """

    def check(data: object) -> Kept:
        if not isinstance(data, dict) or not any(kind <= set(data) for kind in kinds):
            raise ValueError("this is not what is kept of a task")
        return data

    return check


@dataclass(frozen=True, eq=False)
class Study(Generic[Task]):
    """Tasks, where their results are kept, and what is made of them.

    However a run ends, the same study goes on from there, and several runs on one folder share the
    work (see `pokerlab.runtime.files.jobs`).

    Attributes
    ----------
    stages
        The tasks, each a value that can be hashed; those of a stage may need all stages before it.
    store
        Where results are kept; what its check refuses is done again.
    make_report
        Makes the report of all results by task.
    key
        What the result of a task is kept under; the attribute `key` of a task by default.
    work
        Does a task; by default its method `run`.
    prepare
        Makes what all tasks need, before the first of them.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from pokerlab.studies.reporting.report_table import ReportTable
    >>> def make_report(done):
    ...     records = [{"n": n, "square": kept["square"]} for n, kept in done.items()]
    ...     tables = (ReportTable.of("squares", "Squares", records, {"n²": "{square}"}),)
    ...     return StudyReport("Squares", (), "", tables, ())
    >>> with TemporaryDirectory() as folder:
    ...     work = lambda n: {"square": n * n}
    ...     study = Study([[2, 3]], FolderStore(folder), make_report, key=str, work=work)
    ...     done = study.do()
    ...     print(study.waiting(), study.make_report(done).results[0].shown)
    [] (('4',), ('9',))
    """

    stages: Sequence[Sequence[Task]]
    store: FolderStore[Kept]
    make_report: Callable[[Mapping[Task, Kept]], StudyReport]
    key: Callable[[Task], str] = attrgetter("key")
    work: Callable[[Task], Kept] = methodcaller("run")
    prepare: Callable[[], object] = lambda: None

    @property
    def tasks(self) -> list[Task]:
        """All of them."""
        return [task for stage in self.stages for task in stage]

    def read(self, task: Task) -> Kept | None:
        """The result of a task; None if it is not done, or its file is damaged."""
        return self.store.get(self.key(task))

    def waiting(self) -> list[Task]:
        """The tasks that are not done yet."""
        return [task for task in self.tasks if self.read(task) is None]

    def do(
        self,
        workers: int = 1,
        report: Callable[[int], None] = lambda done: None,
        stop: Event | None = None,
    ) -> dict[Task, Kept]:
        """Do all tasks that are not done yet: the results of all by task.

        Parameters
        ----------
        workers
            How many at a time; 0: as many as there are processors.
        report
            Is called after every task with the number of those that are done.
        stop
            Once it is set no task is begun any more; then the results of those that are done.
        """
        self.prepare()
        found: dict[Task, Kept] = {}
        for stage in self.stages:
            jobs = {self.key(task): task for task in stage}

            def tell(progress: JobProgress, earlier: int = len(found)) -> None:
                report(earlier + progress.done)

            done = run_jobs(jobs, self.work, self.store, workers=workers, report=tell, stop=stop)
            found |= {jobs[key]: kept for key, kept in done}
        return found

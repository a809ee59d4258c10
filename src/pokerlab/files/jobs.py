"""Resumable jobs, run in parallel: matches, flops, whatever takes hours.

Every finished job is in a store (`pokerlab.files.job_stores`) at once. However a run ends, the same
run goes on from there, and several runs on one store share the work: a job is done by the one that
claims it, and the others wait for its result. Jobs run in this process, in others (joblib's
``loky``), or on a Ray cluster (joblib's Ray backend).
"""

from __future__ import annotations

import os
import socket
import warnings
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import islice
from threading import Event, Thread
from time import monotonic, sleep
from typing import Any, Generic, TypeVar

from pokerlab.errors import shorten
from pokerlab.files.job_stores import Claim, JobStore

Task = TypeVar("Task")
Result = TypeVar("Result")

_SECONDS_TO_ANSWER = 10.0
"""How long a cluster may take to answer at all."""
_SECONDS_BETWEEN_LOOKS = 0.2
_MOST_KILLS = 3
"""So often in a row a worker of a cluster may be killed before nothing more is tried."""


@dataclass(frozen=True, slots=True)
class JobProgress:
    """How far a run is.

    Attributes
    ----------
    done, total
        Jobs that are finished, and all jobs.
    known
        How many of those finished were there before this run began.
    seconds
        How long this run has taken.

    Examples
    --------
    >>> progress = JobProgress(done=30, total=100, known=10, seconds=40.0)
    >>> progress.rate, progress.seconds_left
    (0.5, 140.0)
    """

    done: int
    total: int
    known: int
    seconds: float

    @property
    def rate(self) -> float:
        """Jobs a second in this run; 0 before the first."""
        return (self.done - self.known) / self.seconds if self.seconds > 0.0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """How long the rest takes at this rate; None before the first job is finished."""
        return (self.total - self.done) / self.rate if self.rate > 0.0 else None


def run_jobs(
    jobs: Mapping[str, Task],
    work: Callable[[Task], Result],
    store: JobStore[Result] | None = None,
    *,
    workers: int = 1,
    ray: str | None = None,
    report: Callable[[JobProgress], None] | None = None,
    stop: Event | None = None,
    many: Callable[[list[Task]], list[Result]] | None = None,
    at_once: int = 1,
) -> Iterator[tuple[str, Result]]:
    """Do all jobs that are not done, and give every result as soon as it is there.

    An error of a job ends the run, as Ctrl-C does; what was finished is kept. What the killed
    worker of a cluster was about is done again.

    Parameters
    ----------
    jobs
        What is to be done, by keys that name it for good: in the next run the same job has the
        same key, and a job with anything else to do has another one.
    work
        Does a job. In other processes it must be a function of a module.
    store
        What it holds is not done again, and every result is added; by default nothing is kept.
    workers
        How many jobs at a time; 0: as many as there are processors.
    ray
        Address of a Ray cluster to run on (``auto``, ``host:port``, ``local``).
    report
        Is called with the progress after every job, and once after several that `many` did.
    stop
        Once it is set no job is begun any more; those that have begun are finished, and kept.
    many, at_once
        Where several jobs are done faster together: does at most `at_once` of them in place of
        `work`, and gives their results in the same order. Not on a cluster.

    Examples
    --------
    >>> dict(run_jobs({"3": 3, "4": 4}, lambda n: n * n))
    {'3': 9, '4': 16}
    """
    if workers < 0:
        raise ValueError(
            f"workers: {workers} is not a number of jobs at a time (0: all processors)"
        )
    stop = stop or Event()
    return _Run(jobs, work, store, workers, ray, report, stop, many, at_once).results()


class _Run(Generic[Task, Result]):
    """One process's part in doing some jobs."""

    def __init__(
        self,
        jobs: Mapping[str, Task],
        work: Callable[[Task], Result],
        store: JobStore[Result] | None,
        workers: int,
        ray: str | None,
        report: Callable[[JobProgress], None] | None,
        stop: Event,
        many: Callable[[list[Task]], list[Result]] | None,
        at_once: int,
    ) -> None:
        self.work = work
        self.many = many if ray is None else None
        self.at_once = at_once if self.many is not None else 1
        self.store = store
        self.workers = workers
        self.ray = ray
        self.report = report
        self.stop = stop
        self.waiting = dict(jobs)
        self.total = len(jobs)
        self.known = 0
        self.claims: dict[str, Claim] = {}
        self.failure: Exception | None = None
        self.kills = 0
        self.began = monotonic()

    def results(self) -> Iterator[tuple[str, Result]]:
        for key, result in self._found():
            self.known += 1
            yield key, result
        try:
            while self.waiting and not self.stop.is_set():
                before = len(self.waiting)
                with closing(self._spread(self._claimed())) as finished:
                    for portion in finished:
                        for key, result in portion:
                            self._keep(key, result)
                        self._tell()
                        yield from portion
                if self.failure is not None:
                    raise self.failure
                for key, result in self._found():  # by others
                    self._tell()
                    yield key, result
                if self.waiting and len(self.waiting) == before:
                    self.stop.wait(_SECONDS_BETWEEN_LOOKS)
        finally:
            for claim in self.claims.values():
                claim.release()

    def _found(self) -> Iterator[tuple[str, Result]]:
        """The awaited jobs whose results are in the store."""
        for key in list(self.waiting) if self.store is not None else ():
            assert self.store is not None
            result = self.store.get(key)
            if result is not None:
                del self.waiting[key]
                yield key, result

    def _claimed(self) -> Iterator[tuple[str, Task]]:
        """The jobs that are for this process to do, each claimed when it is about to begin."""
        for key, task in list(self.waiting.items()):
            if self.stop.is_set():
                return
            try:
                mine = self._claim(key)
            except Exception as error:  # joblib may ask for jobs in a thread of its own
                self.failure = error
                return
            if mine:
                yield key, task

    def _claim(self, key: str) -> bool:
        if self.store is None:
            return True
        claim = self.store.claim(key)
        if claim is None:
            return False
        self.claims[key] = claim
        if self.store.get(key) is not None:  # finished since we looked
            self.claims.pop(key).release(done=True)
            return False
        return True

    def _keep(self, key: str, result: Result) -> None:
        if self.store is not None:
            self.store.add(key, result)
            self.claims.pop(key).release(done=True)
        del self.waiting[key]

    def _tell(self) -> None:
        if self.report is not None:
            done = self.total - len(self.waiting)
            seconds = monotonic() - self.began
            self.report(JobProgress(done, self.total, self.known, seconds))

    def _spread(
        self, jobs: Iterator[tuple[str, Task]]
    ) -> Generator[list[tuple[str, Result]], None, None]:
        """Do jobs here, or in other processes; what was done at once comes together."""
        if self.ray is None and (self.workers == 1 or len(self.waiting) == 1):
            for portion in self._portions(jobs):
                yield _work(self.work, self.many, portion)
            return
        if self.ray is not None:
            _connect_ray(self.ray)
        import joblib  # a fifth of a second, and jobs in this process need none
        from joblib.externals.loky.process_executor import BrokenProcessPool

        workers = self.workers or -1
        if self.ray is None:
            # loky replaces a worker whose memory grew by 300 MB, which a large job is enough for,
            # and says so; no job is lost.
            warnings.filterwarnings("ignore", "A worker stopped while some jobs", UserWarning)
            parallel = joblib.Parallel(
                n_jobs=workers,
                backend=_backend(),
                return_as="generator_unordered",
                batch_size=1,
                pre_dispatch="n_jobs",  # so that a job is claimed no sooner than it begins
            )
            one = joblib.delayed(_work)
            calls = (one(self.work, self.many, each) for each in self._portions(jobs))
            try:
                with closing(parallel(calls)) as results:
                    yield from results
            except BrokenProcessPool:
                raise ValueError(
                    "a worker process was killed, perhaps for want of memory; what is finished is"
                    " kept, and fewer workers take less"
                ) from None
            return
        with joblib.parallel_config("ray", n_jobs=workers):
            # The Ray backend gives results when all are there; in parts, a kill costs one part.
            part = 4 * joblib.effective_n_jobs(workers)
            one = joblib.delayed(_work)
            while chosen := list(islice(jobs, part)):
                calls = (one(self.work, None, [job]) for job in chosen)
                try:
                    results = joblib.Parallel(batch_size=1)(calls)
                except _worker_killed():
                    self._give_up([key for key, _ in chosen])
                    continue
                self.kills = 0
                yield from results

    def _portions(self, jobs: Iterator[tuple[str, Task]]) -> Iterator[list[tuple[str, Task]]]:
        """The jobs that run at once."""
        while portion := list(islice(jobs, self.at_once)):
            yield portion

    def _give_up(self, keys: list[str]) -> None:
        """Let jobs that a kill on a cluster has cut short wait for the next try."""
        self.kills += 1
        if self.kills > _MOST_KILLS:
            raise ValueError(
                "workers of the cluster are killed again and again, perhaps for want of memory; "
                "what is finished is kept, and fewer workers take less"
            )
        for key in keys:
            if key in self.claims:
                self.claims.pop(key).release()


def _work(
    work: Callable[[Task], Result],
    many: Callable[[list[Task]], list[Result]] | None,
    jobs: list[tuple[str, Task]],
) -> list[tuple[str, Result]]:
    if many is None or len(jobs) == 1:
        return [(key, work(task)) for key, task in jobs]
    results = many([task for _, task in jobs])
    return [(key, result) for (key, _), result in zip(jobs, results, strict=True)]


def _backend() -> Any:
    """Worker processes that end when this one does, also those that have no job yet."""
    from joblib.parallel import LokyBackend

    backend = LokyBackend()
    # Not an argument of joblib.Parallel in all releases that we take.
    watch = {"initializer": _end_with, "initargs": (os.getpid(),)}
    backend.configure = partial(backend.configure, **watch)
    return backend


def _end_with(parent: int) -> None:
    """End this process when its parent does; loky's workers would go on without it."""
    Thread(target=_watch, args=(parent,), daemon=True).start()


def _watch(parent: int) -> None:
    import psutil

    # A dead parent's children get another one, but not on Windows, where its number is gone.
    while os.getppid() == parent and psutil.pid_exists(parent):
        sleep(_SECONDS_BETWEEN_LOOKS)
    os._exit(1)


def _worker_killed() -> type[Exception]:
    """What Ray raises when a worker has died."""
    from ray.exceptions import RayActorError

    killed: type[Exception] = RayActorError
    return killed


def _connect_ray(address: str) -> None:
    try:
        import ray
        from ray.util.joblib import register_ray
    except ImportError:
        raise ValueError(
            f"ray: {address} needs the extra cluster (pip install 'pokerlab[cluster]')"
        ) from None
    register_ray()
    if not ray.is_initialized():
        _check_answers(address)
        try:
            ray.init(address=address, log_to_driver=False)
        except Exception as error:
            raise ValueError(f"ray: no cluster at {address} ({shorten(str(error), 200)})") from None


def _check_answers(address: str) -> None:
    """Refuse an address where nobody answers: Ray itself tries for many minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not (host and port.isdigit()):
        return  # auto, local, or something that Ray refuses at once
    try:
        socket.create_connection((host.strip("[]"), int(port)), _SECONDS_TO_ANSWER).close()
    except (OSError, OverflowError) as error:
        raise ValueError(f"ray: no cluster at {address} ({shorten(str(error), 200)})") from None

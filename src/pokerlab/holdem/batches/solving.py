"""`run_batch`: solve the boards of a batch that are not solved, several at a time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event
from time import monotonic, perf_counter
from typing import Any

import numpy as np

from pokerlab.cards.codes import parse_cards
from pokerlab.cards.ranges.range import Range
from pokerlab.holdem.batches.decisions import first_street
from pokerlab.holdem.batches.folder import Batch, load_batch, row_store
from pokerlab.holdem.batches.line_files import write_first_street
from pokerlab.holdem.batches.plan import BatchPlan, check_disk, plan_batch
from pokerlab.holdem.batches.question import BatchQuestion
from pokerlab.holdem.batches.rows import BoardRow, make_row
from pokerlab.holdem.spots.answer.solution import PostflopSolution, load_postflop
from pokerlab.holdem.spots.question.spot import Spot
from pokerlab.holdem.spots.solving import parse_target, solve_spot
from pokerlab.holdem.spots.together import solve_each
from pokerlab.runtime.arrays import Floats
from pokerlab.runtime.errors import one_line
from pokerlab.runtime.files.job_stores import Claim, FolderStore, JobStore
from pokerlab.runtime.files.jobs import JobProgress, run_jobs

_SECONDS_BETWEEN_TABLES = 10.0
_REHEARSED = 3
"""Hands of each range in a rehearsal; enough that some can be dealt together."""


@dataclass(frozen=True)
class BatchRun:
    """How a run went.

    Attributes
    ----------
    batch
        The folder.
    solved
        Boards of the batch that are finished now, those of earlier runs included.
    failed
        Boards that could not be solved, and why.
    boards
        All boards that the run was about, those that were added while it ran included.
    """

    batch: Batch
    solved: int
    failed: Mapping[str, str]
    boards: int


def run_batch(
    question: BatchQuestion,
    folder: str | Path,
    plan: BatchPlan | None = None,
    *,
    ray: str | None = None,
    report: Callable[[JobProgress], None] | None = None,
    stop: Event | None = None,
    stall: bool = True,
    follow: bool = False,
) -> BatchRun:
    """Solve the boards of a batch that are not solved yet.

    A board that cannot be solved, for want of memory say, does not end the run; it is tried again
    by the next one. An interruption keeps what is finished.

    Parameters
    ----------
    question
        What to solve.
    folder
        Where it is kept. One that was begun with other boards gets these too; in one that was begun
        with a higher target, boards above the new one go on from their solutions, or are solved
        again where these are not whole. A folder that was begun with other settings is refused.
    plan
        How many boards at a time; made by `plan_batch` if None.
    ray
        Address of a Ray cluster, all of whose machines must reach the folder by the same path.
    report, stop
        As `pokerlab.runtime.files.jobs.run_jobs` takes them.
    stall
        Whether a board that stands still above the target is finished (see
        `pokerlab.solvers.run`); if not, those of earlier runs go on, too.
    follow
        Whether boards that somebody adds to the folder meanwhile (`Batch.begin`) are solved, too,
        after the others; if not, that is for the one who adds them.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> spot = Spot("QhJh2c4d7h", "AA, KQs", "QQ, AJs", pot=100, stack=80)
    >>> question = BatchQuestion.of(spot, {"QhJh2c4d7h": 1.0, "QhJh2c4d3s": 1.0}, target="1%")
    >>> with TemporaryDirectory() as folder:
    ...     done = run_batch(question, folder, plan_batch(question, workers=1))
    ...     rows = done.batch.rows()
    >>> done.solved, [row.board for row in rows], max(row.percent for row in rows) <= 1
    (2, ['QhJh2c4d7h', 'QhJh2c4d3s'], True)
    """
    plan = plan or plan_batch(question)
    batch = Batch.begin(folder, question)
    failed: dict[str, str] = {}
    while True:
        solved = _run_once(batch, plan, failed, ray=ray, report=report, stop=stop, stall=stall)
        grown = load_batch(folder)
        added = grown.question.boards.keys() - batch.question.boards.keys()
        if not follow or not added or (stop is not None and stop.is_set()):
            return BatchRun(batch, solved, failed, len(plan.boards))
        plan = _larger_plan(plan, grown.question, added, cluster=ray is not None)
        batch = grown


def _larger_plan(
    plan: BatchPlan, question: BatchQuestion, added: Collection[str], *, cluster: bool
) -> BatchPlan:
    """The plan of a run that gets more boards; fewer at a time if these are larger."""
    wanted = {*plan.boards, *plan.impossible, *added}
    boards = {board: each for board, each in question.boards.items() if board in wanted}
    question = replace(question, boards=boards)
    try:
        return plan_batch(
            question,
            workers=plan.workers,
            threads=plan.threads,
            device=plan.device,
            cluster=cluster,
        )
    except ValueError:
        return plan_batch(question, device=plan.device, cluster=cluster)


def _run_once(
    batch: Batch,
    plan: BatchPlan,
    failed: dict[str, str],
    *,
    ray: str | None,
    report: Callable[[JobProgress], None] | None,
    stop: Event | None,
    stall: bool,
) -> int:
    """Solve what is missing of the boards of a plan; how many are solved then.

    Boards that have `failed` are not tried again, and those that fail are put there.
    """
    question = batch.question
    store = _SolvedBoards(batch.store_of(stall=stall))
    check_disk(plan, batch.folder, there=sum(row.bytes for row in batch.rows(strict=False)))
    here = Batch(batch.folder.resolve(), batch.question)  # workers may stand in another folder
    boards = [board for board in plan.boards if board not in failed]
    jobs = {board: _job(here, board, plan, stall=stall) for board in boards}
    missing = [jobs[board] for board in jobs.keys() - batch.final_boards(stall=stall)]
    if plan.workers > 1 and len(missing) > 1 and plan.device == "cpu" and ray is None:
        for job in {job.streets: job for job in missing}.values():
            rehearse(question, job.board, job.streets)
    solved = 0
    written = monotonic()
    try:
        results = run_jobs(
            jobs,
            _solve_board,
            store,
            workers=plan.workers,
            ray=ray,
            report=report,
            stop=stop,
            many=_solve_boards,
            at_once=plan.at_once,
        )
        for board, result in results:
            if isinstance(result, _Failure):
                failed[board] = result.reason
            else:
                solved += 1
            if monotonic() - written > _SECONDS_BETWEEN_TABLES:
                batch.write_table()
                written = monotonic()
    except BaseException:
        with suppress(OSError, ValueError):  # what ends the run is said: a full disk, say
            batch.write_table()
        raise
    batch.write_table()
    return solved


@dataclass(frozen=True)
class _Job:
    """One board for a worker, wherever it is."""

    folder: str
    digest: str
    path: str
    board: str
    weight: float
    fields: Mapping[str, Any]
    streets: int | None
    settings: Mapping[str, Any]


@dataclass(frozen=True)
class _Failure:
    """A board that could not be solved."""

    reason: str


class _SolvedBoards(JobStore["BoardRow | _Failure"]):
    """The rows of a folder, which workers write themselves; failures are not kept."""

    def __init__(self, rows: FolderStore[BoardRow]) -> None:
        self._rows = rows

    def get(self, key: str) -> BoardRow | _Failure | None:
        row = self._rows.get(key)
        return row if row is not None and row.board == key else None

    def add(self, key: str, result: BoardRow | _Failure) -> None:
        if isinstance(result, BoardRow) and self.get(key) is None:
            raise ValueError(
                f"{self._rows.path}: {key} was solved but is not there; all machines of a cluster "
                "must reach the folder by the same path"
            )

    def claim(self, key: str) -> Claim | None:
        return self._rows.claim(key)


def _job(batch: Batch, board: str, plan: BatchPlan, *, stall: bool) -> _Job:
    question = batch.question
    to_come = 5 - len(parse_cards(board))
    streets = {"full": None, "partial": max(to_come, 1), "root": 1}
    return _Job(
        str(batch.folder),
        question.solve_digest,
        str(batch.solution_path(board)),
        board,
        question.boards[board],
        question.spot_fields(board),
        streets[question.keep],
        {
            "rule": question.rule,
            "target": question.target,
            "iterations": question.iterations,
            "seconds": question.seconds,
            "precision": question.precision,
            "isomorphism": question.isomorphism,
            "groups": question.groups,
            "threads": plan.threads,
            "device": plan.device,
            "stall": stall,
        },
    )


def _solve_board(job: _Job) -> BoardRow | _Failure:
    """Solve a board and save it, or continue a saved solution; in the process of a worker."""
    began = perf_counter()
    try:
        spot = Spot.from_fields(job.fields)
        saved = _saved(job, spot)
        if saved is not None and _is_final(saved, job):
            return _save(saved, job, saved.seconds, written=True)
        start = None if saved is None or saved.partial else saved
        solution = solve_spot(spot, start=start, streets=job.streets, **job.settings)
    except MemoryError:
        return _Failure("there is not enough memory; fewer workers take less")
    except ValueError as error:
        return _Failure(one_line(str(error)))
    return _save(solution, job, max(perf_counter() - began, solution.seconds))


def _saved(job: _Job, spot: Spot) -> PostflopSolution | None:
    """The solution of a board that the folder holds, if it is as it was written."""
    try:
        found = load_postflop(job.path)
    except (OSError, ValueError):
        return None
    groups = None if found.groups is None else found.groups.text
    settings = {"rule": found.rule, "groups": groups, "isomorphism": found.isomorphism}
    streets = len(spot.tree.streets)
    same = settings.items() <= job.settings.items() and found.spot == spot
    return found if same and len(found.strategies) == min(job.streets or streets, streets) else None


def _is_final(solution: PostflopSolution, job: _Job) -> bool:
    """Whether solving on would end at once, so that only the row is missing."""
    target = parse_target(job.settings["target"], solution.spot.pot)
    if target is not None and solution.exploitability.chips <= target:
        return True
    if solution.stopped == "stalled":
        return bool(job.settings["stall"])
    return solution.stopped in ("iterations", "seconds")


def _solve_boards(jobs: list[_Job]) -> list[BoardRow | _Failure]:
    """The same for several boards, which a GPU solves together if nothing of them is saved."""
    began = perf_counter()
    rows: dict[int, BoardRow] = {}
    for streets in {job.streets for job in jobs}:  # boards may begin on different streets
        numbers = [
            number
            for number, job in enumerate(jobs)
            if job.streets == streets and not Path(job.path).exists()
        ]
        spots = [Spot.from_fields(jobs[number].fields) for number in numbers]
        try:
            for at, solution in solve_each(spots, streets=streets, **jobs[0].settings):
                part = (perf_counter() - began) / len(jobs)
                job = jobs[numbers[at]]
                rows[numbers[at]] = _save(solution, job, max(part, solution.seconds))
        except (MemoryError, ValueError):
            pass  # those that are missing are tried one by one: each has its own reason to fail
    return [rows.get(number) or _solve_board(job) for number, job in enumerate(jobs)]


def _save(
    solution: PostflopSolution, job: _Job, seconds: float, *, written: bool = False
) -> BoardRow:
    """Save a solution, unless it is `written`, and its row; `seconds` are those of the board."""
    if solution.stopped == "interrupted":
        raise KeyboardInterrupt
    began = perf_counter()
    if not written:
        solution.save(job.path)
    size = Path(job.path).stat().st_size
    decisions = first_street(solution)
    seconds += perf_counter() - began
    row = make_row(solution, job.board, job.weight, seconds, size)
    folder = Path(job.folder)
    write_first_street(folder, row, decisions)
    # At once: whatever happens to the process that asked for it, the work is not lost.
    row_store(folder, job.digest, job.settings["target"]).add(job.board, row)
    return row


def rehearse(question: BatchQuestion, board: str, streets: int | None) -> None:
    """Solve a board for a few hands, in one iteration, on the processor.

    All kernels that the boards need are in the cache then, and no process compiles them for
    itself: half a minute for each, all at the same time. With a warm cache it takes a second.
    """
    fields = {**question.spot_fields(board), "locks": {}}
    spot = question.spot(board)
    for name, hands in zip(("oop", "ip"), spot.ranges, strict=True):
        fields[name] = str(Range(_few(hands.weights)))
    with suppress(ValueError):  # hands that share their cards: the processes compile themselves
        solution = solve_spot(
            Spot.from_fields(fields),
            question.rule,
            iterations=1,
            threads=1,
            precision=question.precision,
            isomorphism=question.isomorphism,
            groups=question.groups,
            device="cpu",
            streets=streets,
        )
        first_street(solution)


def _few(weights: Floats) -> Floats:
    """The weights of a few hands that lie far apart, so that two ranges seldom share all cards."""
    known = np.flatnonzero(weights)
    chosen = known[np.linspace(0, len(known) - 1, min(_REHEARSED, len(known))).astype(int)]
    few = np.zeros_like(weights)
    few[chosen] = weights[chosen]
    return few

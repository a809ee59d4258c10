"""The one loop that runs every solver of the package.

`run` iterates any engine, asks it for its exploitability at growing intervals, stops on a target,
a time, a number of iterations, Ctrl-C or the word of another thread, or where it stands still,
reports progress, and saves checkpoints from which it goes on as if it had never stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import ceil, exp, log
from pathlib import Path
from time import perf_counter
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from pokerlab.runtime.arrays import AnyArray
from pokerlab.runtime.errors import damage_named, one_line
from pokerlab.runtime.files.reader import Expected, check_tensors
from pokerlab.solvers.checkpoints import load_checkpoint, save_checkpoint
from pokerlab.solvers.history import HISTORY, History, Point, history_tensors, read_history, stalls
from pokerlab.solvers.interrupts import interrupts


class Iterated(Protocol):
    """The protocol of an engine without saved states."""

    iteration: int
    """How many iterations are done."""

    def iterate(self, iterations: int) -> None:
        """Run some more iterations; ``iterate(2)`` is ``iterate(1)`` twice."""

    def exploitability(self) -> float:
        """How far the answer so far is from equilibrium."""


@runtime_checkable
class Solver(Iterated, Protocol):
    """The protocol of an engine that the loop iterates."""

    @property
    def identity(self) -> Mapping[str, str]:
        """The identity of a saved state: game, rule and everything else that must be the same."""

    def strategy(self) -> object:
        """The answer so far."""

    def state(self) -> dict[str, npt.NDArray[np.generic]]:
        """All that the next iteration depends on."""

    def restore(self, state: Mapping[str, npt.NDArray[np.generic]]) -> None:
        """Go back to a state."""


@runtime_checkable
class AbstractSolver(Protocol):
    """A solver that may treat several situations of its game as one."""

    def exploitability_abstract(self) -> float | None:
        """The exploitability inside the abstraction.

        None without an abstraction.
        """


class StopSignal(Protocol):
    """A signal to stop a solve: an event of `threading` or `multiprocessing`, or your own."""

    def is_set(self) -> bool:
        """Whether to stop."""


@dataclass(frozen=True)
class Progress:
    """The argument of a progress report.

    Attributes
    ----------
    iteration, seconds
        Where the solve stands; seconds spent in iterations.
    history
        All measurements so far, the newest last.
    iterations, target, limit
        What the loop will stop on, None where it will not; `limit` is in seconds.
    phase
        What the loop does next: ``"iterating"``, ``"measuring"``, ``"saving checkpoint"``, or
        ``"stopping"`` when it has been asked to stop and will measure and save once more.
    warnings
        What went wrong without ending the solve: checkpoints that could not be written.
    stalled
        Whether the solve stands still (see `stalls`).
    """

    iteration: int
    seconds: float
    history: tuple[Point, ...]
    iterations: int | None
    target: float | None
    limit: float | None
    phase: str = "iterating"
    warnings: tuple[str, ...] = ()
    stalled: bool = False

    @property
    def exploitability(self) -> float | None:
        """The newest measurement."""
        return self.history[-1].exploitability if self.history else None

    @property
    def exploitability_abstract(self) -> float | None:
        """The newest measurement inside an abstraction."""
        return self.history[-1].exploitability_abstract if self.history else None


@dataclass(frozen=True)
class Run:
    """How a solve went.

    Attributes
    ----------
    iterations, exploitability
        What was reached.
    seconds
        Time spent in iterations, over all resumed parts.
    stopped
        Why it ended: ``"target"``, ``"groups"`` (inside the abstraction ε is an eighth of the
        target: the rest comes from grouping), ``"stalled"`` (the exploitability has not
        fallen by a tenth while the iterations grew fivefold), ``"iterations"``, ``"seconds"``,
        ``"interrupted"`` (Ctrl-C) or ``"cancelled"`` (by the signal `stop`).
    history
        All measurements.
    measuring
        Time spent in measurements.
    warnings
        What went wrong without ending it: checkpoints that could not be written.
    """

    iterations: int
    seconds: float
    exploitability: float
    stopped: str
    history: History
    measuring: float
    warnings: tuple[str, ...] = ()

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C ended it."""
        return self.stopped == "interrupted"


def run(
    solver: Iterated,
    *,
    iterations: int | None = None,
    target: float | None = None,
    seconds: float | None = None,
    report: Callable[[Progress], None] | None = None,
    checkpoint: str | Path | None = None,
    checkpoint_seconds: float = 60.0,
    growth: float = 1.2,
    spacing: int = 1,
    stop: StopSignal | None = None,
    stall: bool = True,
    certified: bool = False,
) -> Run:
    """Iterate until something says stop.

    Parameters
    ----------
    solver
        Any engine; one with a state, where a checkpoint is wanted.
    iterations
        Stop after this number in total, those of a resumed checkpoint included.
    target
        Stop when the exploitability is at most this.
    seconds
        Stop after this number of seconds of this call.
    report
        Called with the progress before and after each measurement, before a checkpoint is saved,
        and several times a second.
    checkpoint
        A file to save the state to: after `checkpoint_seconds`, then again and again, and at the
        end. When it is there at the start, the solve goes on from it. A checkpoint that cannot be
        written, because the disk is full for example, does not end the solve: the one before
        stays, and the progress and the result carry a warning.
    checkpoint_seconds
        The shortest time between two checkpoints. Where writing one takes long, the next one
        follows only after 20 times as long, so that at most 5% of the time go into writing.
    growth
        Exploitability is measured after 1, 2, … iterations, at intervals that grow by this
        factor, and sooner where the target is about to be reached. The iterations at which that
        happens do not depend on time.
    spacing
        The least number of iterations between two measurements, after the first few: for engines
        to which a measurement costs as much as an iteration.
    stop
        Looked at between iterations: set it from another thread or process to cancel the solve,
        which then measures, saves its checkpoint and returns what it has reached.
    stall
        Whether to look if the solve stands still: if its best exploitability has not fallen by a
        tenth while the iterations grew fivefold. The progress says so, and a solve with a `target`
        stops there; without one, it does the iterations or seconds that were asked for.
        Measurements before the 20th iteration do not count. A checkpoint of a solve that stood
        still goes on until its iterations have grown fivefold again. For engines whose
        exploitability is noisy, this must be off.
    certified
        Whether the caller measures the answer itself. A solve that is interrupted after its first
        measurement is then not measured once more, and the result has the last one.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> from pokerlab.solvers import CfrSolver
    >>> from pokerlab.trees import GameTree
    >>> result = run(CfrSolver(GameTree.build(load_game("kuhn")), "cfr+"), target=1e-3)
    >>> result.stopped, result.exploitability <= 1e-3
    ('target', True)
    """
    _check_limits(iterations, target, seconds, growth, spacing)
    file = Path(checkpoint) if checkpoint is not None else None
    if file is not None and not file.parent.is_dir():
        raise ValueError(f"checkpoint {str(file)!r}: there is no folder {str(file.parent)!r}")
    with interrupts() as interrupted:
        signals: dict[str, StopSignal] = {"interrupted": interrupted}
        if stop is not None:
            if not callable(getattr(stop, "is_set", None)):
                raise ValueError(f"stop: {stop!r} is no event (an object with is_set())")
            signals["cancelled"] = stop
        work = _Work(solver, iterations, target, seconds, report, growth, spacing, signals, stall)
        if file is not None and file.exists():
            work.read(file)
            work.began = perf_counter()  # loading is not solving
        saved, pause = perf_counter(), checkpoint_seconds
        try:
            while (stopped := work.reason_to_stop()) is None:
                work.advance()
                if file is not None and perf_counter() - saved > pause:
                    pause = max(checkpoint_seconds, _PAUSE * work.save(file))
                    saved = perf_counter()
        except KeyboardInterrupt:  # raised by a report, or outside the main thread
            stopped = "interrupted"
        asked = stopped in ("interrupted", "cancelled")
        if asked:
            work.begin_to_stop()
            if file is not None:  # before what takes long, and may be interrupted again
                work.save(file)
        if not (asked and certified and work.history):
            work.measure()
        if file is not None and not asked:
            work.save(file)
    last = work.history[-1]
    return Run(
        work.solver.iteration,
        work.spent,
        last.exploitability,
        stopped,
        History(work.history),
        work.measuring,
        tuple(work.warnings),
    )


def restore(solver: Solver, checkpoint: str | Path) -> tuple[float, History]:
    """Bring a solver to the state of a checkpoint, without going on from there.

    Gives the seconds spent to reach it and the measurements.
    """
    work = _Work(solver, None, None, None, None, 1.2, 1, {}, stall=False)
    work.read(Path(checkpoint))
    return work.spent + work.measuring, History(work.history)


@dataclass
class _Work:
    """A solve under way."""

    solver: Iterated
    iterations: int | None
    target: float | None
    limit: float | None
    report: Callable[[Progress], None] | None
    growth: float
    spacing: int
    signals: Mapping[str, StopSignal]
    """What may ask to stop, by what it is called in the result."""
    stall: bool
    since: int = 0
    """Where a solve that stood still before goes on."""
    spent: float = 0.0
    measuring: float = 0.0
    chunk: int = 1
    history: list[Point] = field(default_factory=list)
    planned: list[Point] = field(default_factory=list)
    """The measurements that were not made because the solve came to its end."""
    warnings: list[str] = field(default_factory=list)
    stopping: bool = False
    began: float = field(default_factory=lambda: perf_counter())

    @property
    def saved(self) -> Solver:
        """The solver, which has a state."""
        if not isinstance(self.solver, Solver):
            raise ValueError("checkpoint: this solver has no state that could be saved")
        return self.solver

    def reason_to_stop(self) -> str | None:
        """Why to stop here, or None."""
        if asked := self._asked_to_stop():
            return asked
        if self.target is not None and self.history:
            measured = self.history[-1]
            here = measured.iteration == self.solver.iteration
            if here and measured.exploitability <= self.target:
                return "target"
            inside = measured.exploitability_abstract
            if here and inside is not None and inside <= self.target / TIMES_OVER:
                return "groups"
            if here and self.stall and stalls(self.history, self.since):
                return "stalled"
        if self.iterations is not None and self.solver.iteration >= self.iterations:
            return "iterations"
        if self._out_of_time():
            return "seconds"
        return None

    def advance(self) -> None:
        """Iterate to the next measurement, in pieces of at most a quarter of a second."""
        planned = self._next_measurement()
        goal = planned if self.iterations is None else min(planned, self.iterations)
        while self.solver.iteration < goal:
            if self._asked_to_stop() or self._out_of_time():
                return
            count = min(self.chunk, goal - self.solver.iteration)
            start = perf_counter()
            self.solver.iterate(count)
            took = perf_counter() - start
            self.spent += took
            if took < _CHUNK_SECONDS / 2 and count == self.chunk:
                self.chunk *= 2
            elif took > _CHUNK_SECONDS:
                self.chunk = max(1, self.chunk // 2)
            if self.solver.iteration < goal:
                self.tell()
        if self._asked_to_stop():
            self.begin_to_stop()
        self.measure()
        if goal == planned:
            self.planned = self.history.copy()

    def _next_measurement(self) -> int:
        """The next number of the series, or where the target will be reached if that is sooner.

        The exploitability is taken to fall as a power of the iteration, as it did between the
        last two measurements. What is planned depends on what was planned before, and on nothing
        else: a resumed solve makes the measurements that an uninterrupted one makes.
        """
        following = _next_in_series(self.solver.iteration, self.growth, self.spacing)
        if self.target is None or self.target <= 0.0 or len(self.planned) < 2:
            return following
        before, last = self.planned[-2:]
        if not before.exploitability > last.exploitability > self.target:
            return following
        power = log(before.exploitability / last.exploitability) / log(
            last.iteration / before.iteration
        )
        reached = log(last.iteration) + log(last.exploitability / self.target) / power
        if reached >= log(following):
            return following
        return max(self.solver.iteration + 1, ceil(exp(reached)))

    def measure(self) -> None:
        """Measure the exploitability here, unless that has been done."""
        if not self.history or self.history[-1].iteration != self.solver.iteration:
            self.tell("measuring")
            start = perf_counter()
            found, inside = self.solver.exploitability(), None
            if isinstance(self.solver, AbstractSolver):
                inside = self.solver.exploitability_abstract()
            self.measuring += perf_counter() - start
            self.history.append(Point(self.solver.iteration, self.spent, found, inside))
            self.tell()

    def begin_to_stop(self) -> None:
        """Say at once that the solve stops: the last measurement may take a while."""
        if not self.stopping:
            self.stopping = True
            self.tell("stopping")

    def save(self, file: Path) -> float:
        """Write a checkpoint; the seconds it took.

        What cannot be written must not cost the solve: it is a warning.
        """
        self.tell("saving checkpoint")
        start = perf_counter()
        try:
            game = str(getattr(self.solver, "game_text", ""))
            save_checkpoint(file, self.saved.identity, self.snapshot(), game)
        except (OSError, MemoryError) as error:
            reason = one_line(getattr(error, "strerror", None) or str(error) or "too little memory")
            self.warnings.append(f"checkpoint {str(file)!r} could not be written: {reason}")
            self.tell()
        return perf_counter() - start

    def snapshot(self) -> dict[str, npt.NDArray[np.generic]]:
        """All that resuming needs."""
        tensors = {f"state.{name}": tensor for name, tensor in self.saved.state().items()}
        return tensors | {
            "seconds": np.array([self.spent, self.measuring]),
            **history_tensors(self.planned),
        }

    def read(self, file: Path) -> None:
        """Go on from a checkpoint."""
        snapshot = load_checkpoint(file, self.saved.identity)
        with damage_named(file):
            self.resume(snapshot)

    def resume(self, tensors: Mapping[str, AnyArray]) -> None:
        """Go on from a snapshot, without the measurement that was made because it ended.

        `ValueError` says what is wrong with one that no solve would have written.
        """
        state = {
            name.removeprefix("state."): tensor
            for name, tensor in tensors.items()
            if name.startswith("state.")
        }
        own = {name: tensors[name] for name in tensors if not name.startswith("state.")}
        check_tensors(own, _SNAPSHOT)
        measured = own["history"][:, 0]
        if (measured != measured.round()).any() or (np.diff(measured, prepend=0) <= 0).any():
            raise ValueError("the iterations in tensor 'history' are not growing whole numbers")
        self.saved.restore(state)
        self.spent, self.measuring = own["seconds"].tolist()
        self.planned = list(read_history(own))
        self.history = self.planned.copy()
        if stalls(self.history):  # whoever goes on all the same gives it time
            self.since = self.solver.iteration

    def _out_of_time(self) -> bool:
        return self.limit is not None and perf_counter() - self.began >= self.limit

    def tell(self, phase: str = "") -> None:
        """Report the progress."""
        if self.report is None:
            return
        phase = phase or ("stopping" if self.stopping else "iterating")
        progress = Progress(
            self.solver.iteration,
            self.spent,
            tuple(self.history),
            self.iterations,
            self.target,
            self.limit,
            phase,
            tuple(self.warnings),
            self.stall and stalls(self.history),
        )
        try:
            self.report(progress)
        except KeyboardInterrupt:
            if not self.stopping:
                raise
            self.report = None  # it has said that it wants no more

    def _asked_to_stop(self) -> str | None:
        return next((name for name, signal in self.signals.items() if signal.is_set()), None)


_CHUNK_SECONDS = 0.25
TIMES_OVER = 8
"""A solve inside an abstraction ends once ε there is this many times below the target."""
_PAUSE = 20
"""The time between two checkpoints, as a multiple of the time that one takes."""
_SNAPSHOT = {
    "seconds": Expected(np.float64, (2,), low=0.0),
    **HISTORY,
}
"""What a checkpoint holds beside the state of the solver."""


def _next_in_series(iteration: int, growth: float, spacing: int) -> int:
    """The first number of the series 1, …, ⌊growth · last⌋ that is larger than `iteration`."""
    number = 1
    while number <= iteration:
        number = max(number + min(number, spacing), int(number * growth))
    return number


def _check_limits(
    iterations: int | None,
    target: float | None,
    seconds: float | None,
    growth: float,
    spacing: int,
) -> None:
    if iterations is None and target is None and seconds is None:
        raise ValueError("nothing says when to stop: give iterations, target or seconds")
    for name, limit in (("iterations", iterations), ("target", target), ("seconds", seconds)):
        if limit is not None and not limit >= 0:
            raise ValueError(f"{name} is {limit}; it must be at least 0")
    if not growth >= 1:
        raise ValueError(f"growth is {growth}; it must be at least 1")
    if not spacing >= 1:
        raise ValueError(f"spacing is {spacing}; it must be at least 1")

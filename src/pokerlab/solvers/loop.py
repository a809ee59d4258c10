"""The one loop that runs every solver of the package.

`run` iterates any engine, asks it for its exploitability at growing intervals, stops on a target,
a time, a number of iterations or Ctrl-C, reports progress, and saves checkpoints from which it
goes on as if it had never stopped.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import ceil, exp, log
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from pokerlab.errors import damage_named
from pokerlab.files.reader import Expected, check_tensors
from pokerlab.solvers.checkpoints import load_checkpoint, save_checkpoint

__all__ = ["Point", "Progress", "Run", "Solver", "run"]


class Solver(Protocol):
    """What the loop asks of an engine."""

    iteration: int
    """How many iterations are done."""

    @property
    def identity(self) -> Mapping[str, str]:
        """What a saved state belongs to: game, rule and all else that must be the same."""

    def iterate(self, iterations: int) -> None:
        """Run some more iterations; ``iterate(2)`` is ``iterate(1)`` twice."""

    def strategy(self) -> object:
        """The answer so far."""

    def exploitability(self) -> float:
        """How far the answer so far is from equilibrium."""

    def state(self) -> dict[str, npt.NDArray[np.generic]]:
        """All that the next iteration depends on."""

    def restore(self, state: Mapping[str, npt.NDArray[np.generic]]) -> None:
        """Go back to a state."""


class Point(NamedTuple):
    """A measurement on the way: seconds are those spent in iterations, not in measuring."""

    iteration: int
    seconds: float
    exploitability: float


@dataclass(frozen=True)
class Progress:
    """What a report is told.

    Attributes
    ----------
    iteration, seconds
        Where the solve stands; seconds spent in iterations.
    history
        All measurements so far, the newest last.
    iterations, target, limit
        What the loop will stop on, None where it will not; `limit` is in seconds.
    """

    iteration: int
    seconds: float
    history: tuple[Point, ...]
    iterations: int | None
    target: float | None
    limit: float | None

    @property
    def exploitability(self) -> float | None:
        """The newest measurement."""
        return self.history[-1].exploitability if self.history else None


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
        Why it ended: ``"target"``, ``"iterations"``, ``"seconds"`` or ``"interrupted"``.
    history
        All measurements.
    measuring
        Time spent in measurements.
    """

    iterations: int
    seconds: float
    exploitability: float
    stopped: str
    history: tuple[Point, ...]
    measuring: float

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C ended it."""
        return self.stopped == "interrupted"


def run(
    solver: Solver,
    *,
    iterations: int | None = None,
    target: float | None = None,
    seconds: float | None = None,
    report: Callable[[Progress], None] | None = None,
    checkpoint: str | Path | None = None,
    checkpoint_seconds: float = 60.0,
    growth: float = 1.2,
    spacing: int = 1,
) -> Run:
    """Iterate until something says stop.

    Parameters
    ----------
    solver
        Any engine.
    iterations
        Stop after so many in total, those of a resumed checkpoint included.
    target
        Stop when the exploitability is at most this.
    seconds
        Stop after so many seconds of this call.
    report
        Called with the progress after each measurement, and several times a second.
    checkpoint
        A file to save the state to, every `checkpoint_seconds` and at the end. When it is
        there at the start, the solve goes on from it.
    growth
        Exploitability is measured after 1, 2, … iterations, at intervals that grow by this
        factor, and sooner where the target is about to be reached. The iterations at which that
        happens do not depend on time.
    spacing
        After the first few measurements at least so many iterations lie between two: for engines
        to which a measurement costs as much as an iteration.

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
    work = _Work(solver, iterations, target, seconds, report, growth, spacing)
    file = Path(checkpoint) if checkpoint is not None else None
    if file is not None and file.exists():
        snapshot = load_checkpoint(file, solver.identity)
        with damage_named(file):
            work.resume(snapshot)
        work.began = time.perf_counter()  # loading is not solving
    saved = time.perf_counter()
    with _interrupts() as interrupted:
        try:
            while (stopped := work.reason_to_stop(interrupted)) is None:
                work.advance(interrupted)
                if file is not None and time.perf_counter() - saved > checkpoint_seconds:
                    save_checkpoint(file, solver.identity, work.snapshot())
                    saved = time.perf_counter()
        except KeyboardInterrupt:  # raised by a report, or outside the main thread
            stopped, work.report = "interrupted", None
        work.measure()
        if file is not None:
            save_checkpoint(file, solver.identity, work.snapshot())
    last = work.history[-1]
    return Run(
        last.iteration,
        work.spent,
        last.exploitability,
        stopped,
        tuple(work.history),
        work.measuring,
    )


@dataclass
class _Work:
    """A solve under way."""

    solver: Solver
    iterations: int | None
    target: float | None
    limit: float | None
    report: Callable[[Progress], None] | None
    growth: float
    spacing: int
    spent: float = 0.0
    measuring: float = 0.0
    chunk: int = 1
    history: list[Point] = field(default_factory=list)
    planned: list[Point] = field(default_factory=list)
    """The measurements that were not made because the solve came to its end."""
    began: float = field(default_factory=time.perf_counter)

    def reason_to_stop(self, interrupted: threading.Event) -> str | None:
        """Why to stop here, or None."""
        if interrupted.is_set():
            return "interrupted"
        if self.target is not None and self.history:
            measured = self.history[-1]
            here = measured.iteration == self.solver.iteration
            if here and measured.exploitability <= self.target:
                return "target"
        if self.iterations is not None and self.solver.iteration >= self.iterations:
            return "iterations"
        if self._out_of_time():
            return "seconds"
        return None

    def advance(self, interrupted: threading.Event) -> None:
        """Iterate to the next measurement, in pieces of at most a quarter of a second."""
        planned = self._next_measurement()
        goal = planned if self.iterations is None else min(planned, self.iterations)
        while self.solver.iteration < goal:
            if interrupted.is_set() or self._out_of_time():
                return
            count = min(self.chunk, goal - self.solver.iteration)
            start = time.perf_counter()
            self.solver.iterate(count)
            took = time.perf_counter() - start
            self.spent += took
            if took < _CHUNK_SECONDS / 2 and count == self.chunk:
                self.chunk *= 2
            elif took > _CHUNK_SECONDS:
                self.chunk = max(1, self.chunk // 2)
            if self.solver.iteration < goal:
                self._tell()
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
            start = time.perf_counter()
            found = self.solver.exploitability()
            self.measuring += time.perf_counter() - start
            self.history.append(Point(self.solver.iteration, self.spent, found))
            self._tell()

    def snapshot(self) -> dict[str, npt.NDArray[np.generic]]:
        """All that resuming needs."""
        tensors = {f"state.{name}": tensor for name, tensor in self.solver.state().items()}
        return tensors | {
            "seconds": np.array([self.spent, self.measuring]),
            "history": np.array(self.planned, np.float64).reshape(-1, 3),
        }

    def resume(self, tensors: Mapping[str, npt.NDArray[Any]]) -> None:
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
        self.solver.restore(state)
        self.spent, self.measuring = own["seconds"].tolist()
        self.planned = [Point(int(row[0]), row[1], row[2]) for row in own["history"].tolist()]
        self.history = self.planned.copy()

    def _out_of_time(self) -> bool:
        return self.limit is not None and time.perf_counter() - self.began >= self.limit

    def _tell(self) -> None:
        if self.report is not None:
            self.report(
                Progress(
                    self.solver.iteration,
                    self.spent,
                    tuple(self.history),
                    self.iterations,
                    self.target,
                    self.limit,
                )
            )


_CHUNK_SECONDS = 0.25
_SNAPSHOT = {
    "seconds": Expected(np.float64, (2,), low=0.0),
    "history": Expected(np.float64, (None, 3), -(2**53), 2**53),
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


@contextmanager
def _interrupts() -> Iterator[threading.Event]:
    """An event that Ctrl-C sets, so that it never lands in the middle of an update.

    A second Ctrl-C is not held back. Outside the main thread, where Python delivers no signals,
    the event is never set.
    """
    pressed = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield pressed
        return

    def note(number: int, frame: FrameType | None) -> None:
        if pressed.is_set():
            raise KeyboardInterrupt
        pressed.set()

    previous = signal.signal(signal.SIGINT, note)
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, previous)

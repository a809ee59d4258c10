"""Solves by reading: which there are, and how each goes on after a kill."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from io import BytesIO
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from pokerlab.runtime.files.atomic import write_bytes
from pokerlab.runtime.files.hashes import digest
from pokerlab.studies.abstraction.plan import NARROW
from pokerlab.studies.abstraction.solves import FlopGame
from pokerlab.studies.abstraction.thesis import TOP_20_PERCENT
from pokerlab.studies.grouped.group_game import GroupGame
from pokerlab.studies.grouped.group_solver import GroupSolver, Reading
from pokerlab.studies.reporting.data import read_data

ENGINE = Reading("oop", "uniform", "hand")
"""As our engine solves."""
THESIS = Reading("ip", "call", "mean")
"""As the thesis says: algorithm 3, with the example of its text, and 5.4.1.2."""
ALGORITHM_3 = replace(THESIS, passing="hand")
"""The thesis's order and start, with the values of hands."""
PASSED_UP = ((ENGINE, replace(ENGINE, passing="mean")), (ALGORITHM_3, THESIS))
"""Pairs of readings that differ in what is passed up: in the engine's order, and the thesis's."""
READINGS = (
    ENGINE,
    PASSED_UP[0][1],
    replace(ENGINE, start="call"),
    replace(ENGINE, first="ip"),
    ALGORITHM_3,
    THESIS,
    replace(THESIS, collisions="mean"),
)
"""From the engine's reading to the thesis's, one thing at a time."""
RULE_READINGS = (ENGINE, ALGORITHM_3, THESIS)
"""Those of figure 18."""
MEASURED = ("rank/river", "strength/river", "view/river")
RULES = ("cfr", "cfr-return", "cgh(0.2)", "cgh-return(0.2)")
CONSTANTS = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3)
FLOP = "QhJh2c"
"""That of most figures."""
TURN = f"{FLOP}4d"
"""A small game of the same kind."""
LONG = ("strength/hierarchical", "view/river")
"""The curves of figure 17."""
PARTS = ("turn", "readings", "sample", "figure-18", "figure-19", "figure-17", "figure-20")

_SAMPLE = read_data("grouped", "sample.toml")
SEVEN: tuple[str, ...] = (*_SAMPLE["two_suits"], *_SAMPLE["three_suits"])
"""Flops of the suits that table 3 proves."""
EIGHT: tuple[str, ...] = (*SEVEN, *_SAMPLE["eighth"])

_SMALL_CGH = "cgh-return(0.175)"
_STATE_SECONDS = 20.0
"""How often the state of a solve is kept."""


@dataclass(frozen=True)
class ReadingTask:
    """A solve by a reading, and when ε is measured.

    Attributes
    ----------
    game, rule, groups, reading
        What is solved, and how.
    iterations, every
        How many, and how many from one measurement to the next.
    """

    game: FlopGame
    rule: str
    groups: str
    reading: Reading
    iterations: int = 400
    every: int = 50

    @property
    def key(self) -> str:
        """What the result is kept under."""
        return json.dumps([type(self).__name__, asdict(self)])

    def run(self, folder: Path) -> dict[str, Any]:
        """Solve, from the state in the folder if there is one.

        Measurements are ``[iteration, inside, real]``, ε in mbb a game; seconds are of iterations.
        """
        state = folder / f"{digest(self.key, length=16)}.npz"
        solver = GroupSolver(GroupGame.of(self.game.spot, self.groups), self.rule, self.reading)
        points, took = _resume(solver, state)
        kept = perf_counter()
        while solver.iteration < self.iterations:
            began = perf_counter()
            solver.iterate(1)
            took += perf_counter() - began
            if solver.iteration % self.every == 0 or solver.iteration == self.iterations:
                points.append([solver.iteration, *solver.epsilon()])
            if perf_counter() - kept > _STATE_SECONDS:
                _keep(solver, state, points, took)
                kept = perf_counter()
        state.unlink(missing_ok=True)
        size = sum(array.nbytes for array in solver.arrays())
        return {"points": points, "seconds": round(took, 3), "bytes": size}


def _keep(solver: GroupSolver, file: Path, points: list[list[float]], took: float) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    content = BytesIO()
    arrays: dict[str, Any] = {f"a{number}": each for number, each in enumerate(solver.arrays())}
    arrays["iteration"] = np.array(solver.iteration)
    arrays["points"] = np.array(points).reshape(-1, 3)
    arrays["took"] = np.array(took)
    np.savez(content, **arrays)
    write_bytes(file, content.getvalue())


def _resume(solver: GroupSolver, file: Path) -> tuple[list[list[float]], float]:
    """Put a kept state into a solver: what was measured, and the seconds so far."""
    if not file.is_file():
        return [], 0.0
    try:
        with np.load(file, allow_pickle=False) as kept:
            found = [kept[f"a{number}"] for number in range(len(solver.arrays()))]
            for array, numbers in zip(solver.arrays(), found, strict=True):
                array[:] = numbers
            solver.iteration = int(kept["iteration"])
            points = [[int(row[0]), *row[1:].tolist()] for row in kept["points"]]
            return points, float(kept["took"])
    except (OSError, ValueError, KeyError):  # damaged: begin again
        return [], 0.0


@dataclass(frozen=True)
class GroupedPlan:
    """All solves.

    Attributes
    ----------
    quick
        Small ranges, few iterations: a minute instead of hours.

    Examples
    --------
    >>> plan = GroupedPlan(quick=True)
    >>> len(plan.tasks(["readings"])), plan.iterations(400)
    (21, 20)
    """

    quick: bool = False

    def iterations(self, whole: int) -> int:
        """The number that stands for `whole` iterations of the thesis."""
        return max(whole // 20, 1) if self.quick else whole

    @property
    def trial(self) -> str:
        """What a quick run has in place of the whole; nothing for the whole."""
        if not self.quick:
            return ""
        return f"both players have {NARROW}, {self.iterations(400)} iterations (of 400)"

    @property
    def flops(self) -> tuple[str, ...]:
        """Those of the sample."""
        return EIGHT[:2] if self.quick else EIGHT

    def table(self, flop: str, groups: str, reading: Reading) -> ReadingTask:
        """A cell of tables 6 and 7: CGH(0.175), all hands, stacks of 5, all-in only."""
        return self._task(flop, "random", 5, _SMALL_CGH, groups, reading, 400, 50)

    def rule(self, rule: str, reading: Reading) -> ReadingTask:
        """A curve of figure 18: the best 20% of hands, stacks of 5, all-in only."""
        every = 1 if reading == THESIS else 10
        return self._task(FLOP, TOP_20_PERCENT, 5, rule, "view/river", reading, 400, every)

    def constant(self, constant: float) -> ReadingTask:
        """A curve of figure 19, by the thesis's reading."""
        rule = f"cgh-return({constant:g})"
        return self._task(FLOP, TOP_20_PERCENT, 5, rule, "view/river", THESIS, 400, 10)

    def long(self, groups: str) -> ReadingTask:
        """A curve of figure 17, by the thesis's reading."""
        return self._task(FLOP, "random", 5, _SMALL_CGH, groups, THESIS, 2000, 50)

    def thousand(self, rule: str) -> ReadingTask:
        """A curve of figure 20: Th6s3c, all hands, all-in only, stacks of 49."""
        return self._task("Th6s3c", "random", 49, rule, "view/river", THESIS, 1000, 100)

    def tasks(self, parts: Sequence[str] = PARTS) -> list[ReadingTask]:
        """The solves of some parts, the most telling first."""
        made: dict[str, Callable[[], Iterable[ReadingTask]]] = {
            "turn": lambda: (
                self.table(TURN, groups, reading) for reading in READINGS for groups in MEASURED
            ),
            "readings": self._readings,
            "sample": self._sample,
            "figure-18": lambda: (
                self.rule(rule, reading) for reading in RULE_READINGS for rule in RULES
            ),
            "figure-19": lambda: (self.constant(each) for each in CONSTANTS),
            "figure-17": lambda: (self.long(groups) for groups in LONG),
            "figure-20": lambda: (self.thousand(rule) for rule in ("cfr", "cgh-return(0.2)")),
        }
        return list(dict.fromkeys(task for part in PARTS if part in parts for task in made[part]()))

    def _readings(self) -> Iterator[ReadingTask]:
        for reading in READINGS:
            yield from (self.table(FLOP, groups, reading) for groups in MEASURED)

    def _sample(self) -> Iterator[ReadingTask]:
        for reading in (THESIS, ENGINE):
            for flop in self.flops:
                yield from (self.table(flop, groups, reading) for groups in MEASURED)

    def _task(
        self,
        flop: str,
        hands: str,
        stack: float,
        rule: str,
        groups: str,
        reading: Reading,
        iterations: int,
        every: int,
    ) -> ReadingTask:
        game = FlopGame(flop, NARROW if self.quick else hands, stack, "a")
        return ReadingTask(
            game,
            rule,
            groups,
            reading,
            self.iterations(iterations),
            max(math.ceil(every / 20), 1) if self.quick else every,
        )

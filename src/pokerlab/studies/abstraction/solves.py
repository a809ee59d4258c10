"""Games of chapter 7 and their solves: ε along the way, in the abstraction and in the real game.

A game is a flop, one range for both players, chips and a menu.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from pokerlab.holdem.spots import PostflopSolver, Spot
from pokerlab.runtime.files.hashes import digest
from pokerlab.studies.abstraction.thesis import TOP_20_PERCENT
from pokerlab.studies.cgh.spot_answers import Answer, SpotAnswers

_GROWTH = 1.25


@dataclass(frozen=True)
class FlopGame:
    """A game in which both players have the same hands and the same menu.

    Attributes
    ----------
    board
        The flop.
    hands
        The range of both.
    stack
        Behind, in big blinds; the pot is 2.
    menu
        Bets and raises.
    raises
        Raises, where they are others.
    max_bets
        From the next bet or raise of a street on only all-in is left.

    Examples
    --------
    >>> FlopGame("QhJh2c", menu="100%, a").spot.tree.streets[0].labels(0)
    ['x', 'b2', 'a']
    """

    board: str
    hands: str = TOP_20_PERCENT
    stack: float = 49
    menu: str = "100%, a"
    raises: str = ""
    max_bets: int | None = 4
    pot: float = 2

    @property
    def spot(self) -> Spot:
        """The game for the solver."""
        return Spot(
            self.board,
            self.hands,
            self.hands,
            pot=self.pot,
            stack=self.stack,
            bet=self.menu,
            raise_=self.raises or self.menu,
            max_bets=self.max_bets,
        )


def to_mbb(chips: float) -> float:
    """ε of the thesis from exploitability in chips: the sum of both gains, in thousandths.

    Examples
    --------
    >>> to_mbb(0.0109)
    21.8
    """
    return 2000 * chips


def marks(iterations: int, every: int = 0) -> list[int]:
    """Where ε is measured: every `every` iterations, or further and further apart.

    Examples
    --------
    >>> marks(200, 50), marks(20)
    ([50, 100, 150, 200], [1, 2, 3, 4, 5, 7, 9, 12, 15, 19, 20])
    """
    if every:
        return [*range(every, iterations, every), iterations]
    found, here = [], 1
    while here < iterations:
        found.append(here)
        here = max(here + 1, math.ceil(here * _GROWTH))
    return [*found, iterations]


class EpsilonPoint(NamedTuple):
    """ε of an answer, in mbb a game as the thesis counts it: the sum of both gains.

    Attributes
    ----------
    iteration, seconds
        When; seconds count iterations alone.
    real, abstract
        In the real game, and in the abstraction; without groups they are the same.
    """

    iteration: int
    seconds: float
    real: float
    abstract: float


@dataclass(frozen=True)
class SolveTask:
    """A solve to run, and what to note of it.

    Attributes
    ----------
    game, rule, groups
        What is solved, how, and with which groups of hands; no text: every hand by itself.
    iterations
        How many.
    every
        Iterations between two measurements; 0: further and further apart.
    plain
        Whether to measure the plain mean and the last strategy beside the rule's own answer.
    keep
        Whether the strategies are saved, for `DuelTask`.
    precision
        Bits of the tables.
    seconds
        Of iterations, after which ε is measured once; the first is not timed, as it may compile.
    """

    game: FlopGame
    rule: str
    groups: str = ""
    iterations: int = 400
    every: int = 0
    plain: bool = False
    keep: bool = False
    precision: int = 32
    seconds: float = math.inf

    def run(self, folder: Path, threads: int) -> dict[str, Any]:
        """Solve; the record as JSON."""
        options: dict[str, Any] = {"groups": self.groups} if self.groups else {}
        solver = PostflopSolver(
            self.game.spot, self.rule, threads=threads, precision=self.precision, **options
        )
        answers = SpotAnswers(solver, plain=self.plain)
        points: dict[Answer, list[EpsilonPoint]] = {name: [] for name in self._measured(answers)}
        took = 0.0
        for took in self._iterate(answers):
            for name, curve in points.items():
                with answers.answered(name) as answered:
                    curve.append(self._measure(answered, took))
        files = self._save(answers, folder, took) if self.keep else []
        value = solver.values()[0] - self.game.pot / 2
        return {
            "nbytes": solver.nbytes,
            "value": 1000 * value,
            "files": files,
            "points": {name: [list(point) for point in curve] for name, curve in points.items()},
        }

    def _iterate(self, answers: SpotAnswers) -> Iterator[float]:
        """Iterate; the seconds so far whenever ε is to be measured."""
        took = 0.0
        if self.seconds < math.inf:
            answers.iterate(1)
            while took < self.seconds and answers.solver.iteration < self.iterations:
                took += _timed(answers, 1)
            yield took
            return
        for mark in marks(self.iterations, self.every):
            took += _timed(answers, mark - answers.solver.iteration)
            yield took

    def _measured(self, answers: SpotAnswers) -> Sequence[Answer]:
        return answers.names if self.plain else answers.names[:1]

    def _measure(self, solver: PostflopSolver, took: float) -> EpsilonPoint:
        real = to_mbb(solver.exploitability())
        grouped = solver.exploitability_abstract()
        abstract = real if grouped is None else to_mbb(grouped)
        return EpsilonPoint(solver.iteration, round(took, 3), real, abstract)

    def _save(self, answers: SpotAnswers, folder: Path, took: float) -> list[str]:
        from pokerlab.holdem.spots.answer.solution import make_solution

        folder.mkdir(parents=True, exist_ok=True)
        files = []
        for name in self._measured(answers):
            with answers.answered(name) as solver:
                solution = make_solution(solver, took, "iterations", ())
            files.append(self.file(name))
            solution.save(folder / files[-1])
        return files

    def file(self, answer: str) -> str:
        """The name of the file that an answer is kept in."""
        name = f"{self.game.board}-{digest(repr(self), length=12)}-{answer.replace(' ', '-')}"
        return f"{name}.safetensors"


@dataclass(frozen=True, eq=False)
class SolveRecord:
    """What was noted of a solve.

    Attributes
    ----------
    nbytes
        The memory of what the rule keeps.
    value
        What the first player wins against an even split of the pot, in mbb a game.
    curves
        Measurements of each answer; the first is the rule's own.
    """

    nbytes: int
    value: float
    curves: Mapping[str, tuple[EpsilonPoint, ...]]

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> SolveRecord:
        """The record that a task made."""
        curves = {
            name: tuple(EpsilonPoint(*point) for point in points)
            for name, points in data["points"].items()
        }
        if not curves or not all(curves.values()):
            raise ValueError("a solve without measurements")
        return cls(int(data["nbytes"]), float(data["value"]), curves)

    @property
    def own(self) -> tuple[EpsilonPoint, ...]:
        """The curve of the rule's own answer."""
        return next(iter(self.curves.values()))

    def curve(self, answer: str = "") -> tuple[EpsilonPoint, ...]:
        """The curve of an answer; that of the rule by default."""
        return self.curves[answer] if answer else self.own

    def at(self, iteration: int, answer: str = "") -> EpsilonPoint:
        """The last measurement up to an iteration.

        Examples
        --------
        >>> points = {"last": [[1, 0.1, 9.0, 8.0], [4, 0.4, 5.0, 4.0]]}
        >>> record = SolveRecord.from_json(
        ...     {"nbytes": 8, "value": 0, "points": points})
        >>> record.at(3).real, record.at(4).abstract
        (9.0, 4.0)
        """
        return _last(point for point in self.curve(answer) if point.iteration <= iteration)


def _timed(answers: SpotAnswers, iterations: int) -> float:
    began = perf_counter()
    answers.iterate(iterations)
    return perf_counter() - began


def _last(points: Iterator[EpsilonPoint]) -> EpsilonPoint:
    *_, last = points
    return last

"""The race: how fast update rules reach equilibrium, on which games, in how much memory.

The thesis that proposes CGH (counterfactual greedy hedging) leaves open whether it converges,
whether it beats CFR elsewhere, and whether its rises can be avoided. `race` runs it beside the
CFR family and fictitious play; `write_race` writes the curves, a table and a figure.
``docs/race.md`` says what came out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from pokerlab.games import Game
from pokerlab.runtime.files.columns import csv_rows
from pokerlab.solvers import CfrSolver, Progress, Rule, Solver, Strategy, as_tree, parse_rule, run
from pokerlab.studies.cgh.curve import RaceCurve, RaceResult
from pokerlab.studies.cgh.figure import draw_race
from pokerlab.studies.cgh.trap import TRAP
from pokerlab.studies.reporting.study_report import write_files
from pokerlab.trees import GameTree

RACE_GAMES = ("kuhn", "onecard", "leduc", TRAP)
"""Where the race is run: three poker games, and one in which CGH does not converge."""
RACE_RULES = (
    "cfr",
    "cfr-return",
    "cfr+",
    "linear",
    "dcfr",
    "dcfr(1.5,0,2,0.1)",
    "dcfr(1.3,0.5,3)",
    "dcfr(1.3,0.5,3,0.1)",
    "pcfr+",
    "fp",
    "cgh(0)",
    "cgh(0.1)",
    "cgh(0.175)",
    "cgh(0.2)",
    "cgh(0.3)",
    "cgh-return(0.2)",
    "cgh(0.2,0)",
    "cgh(0.2,1)",
    "cgh(0.2,2)",
    "fp-naive",
)
"""The rules that race: those compared in the thesis, DCFR with and without trials, with the paper's
numbers and with those of the post-flop solver; then CGH with something against its rises."""
RACE_ITERATIONS = 200_000
"""How far; five to nine minutes for everything."""

_GROWTH = 1.02
"""Measured after each of the first 100 iterations, then every 2 %."""


class RaceSolver(Solver, Protocol):
    """A solver that knows its size."""

    @property
    def nbytes(self) -> int:
        """The memory of what the rule keeps between iterations."""


@dataclass(frozen=True)
class Track:
    """A game to race on.

    Attributes
    ----------
    name
        What figure and tables call it.
    make
        Makes a solver that runs a rule: any engine that `pokerlab.solvers.run` can iterate.

    Examples
    --------
    >>> leduc = as_tree("leduc")
    >>> at_once = Track("at once", lambda rule: CfrSolver(leduc, rule, alternating=False))
    >>> result = race([at_once], ["cfr"], iterations=400)
    >>> f"{result.curve('at once', 'cfr').last.exploitability:.3f}"
    '0.069'
    """

    name: str
    make: Callable[[Rule], RaceSolver]


@dataclass(frozen=True)
class RaceProgress:
    """What a report is called with.

    Attributes
    ----------
    game, rule
        Who is running, and where.
    number, total
        Which run of how many this is; the first is 1.
    run
        How far it is.
    """

    game: str
    rule: str
    number: int
    total: int
    run: Progress


def race(
    games: Sequence[str | Game | Track] = RACE_GAMES,
    rules: Sequence[str | Rule] = RACE_RULES,
    *,
    iterations: int | None = None,
    seconds: float | None = None,
    report: Callable[[RaceProgress], None] | None = None,
) -> RaceResult:
    """Run every rule on every game.

    Parameters
    ----------
    games
        Names from the catalogue, game files, games, or `Track` values for other engines.
    rules
        Update rules; see `pokerlab.solvers.parse_rule`.
    iterations, seconds
        When each run ends; seconds include those spent in measuring. With neither,
        `RACE_ITERATIONS`.
    report
        Called with the progress, several times a second.

    Examples
    --------
    >>> result = race(["kuhn"], ["cfr", "cfr+", "cgh"], iterations=1000)
    >>> min(result.curves, key=lambda curve: curve.last.exploitability).rule
    'cfr+(1)'
    >>> result.curve("kuhn", "cgh(0.2)").nbytes / result.curve("kuhn", "cfr").nbytes
    0.3333333333333333
    """
    if iterations is None and seconds is None:
        iterations = RACE_ITERATIONS
    for name, limit in (("iterations", iterations), ("seconds", seconds)):
        if limit is not None and not limit > 0:
            raise ValueError(f"{name} is {limit}; a race needs more than 0")
    tracks = [game if isinstance(game, Track) else game_track(game) for game in games]
    entrants = list(dict.fromkeys(parse_rule(rule) for rule in rules))
    if not tracks or not entrants:
        raise ValueError("a race needs at least one game and one rule")
    curves: list[RaceCurve] = []
    total = len(tracks) * len(entrants)
    for track in tracks:
        for rule in entrants:
            solver = track.make(rule)
            result = run(
                solver,
                iterations=iterations,
                seconds=seconds,
                growth=_GROWTH,
                report=_teller(report, track.name, str(rule), len(curves) + 1, total),
            )
            if result.iterations > 0:
                curves.append(RaceCurve(track.name, str(rule), solver.nbytes, result.history))
            if result.interrupted:
                return RaceResult(tuple(curves), interrupted=True)
    return RaceResult(tuple(curves))


def game_track(
    game: str | Game, *, simultaneous: bool = False, plain_average: bool = False
) -> Track:
    """A track for a game, a game of the catalogue, or a game file.

    Parameters
    ----------
    game
        The game or its name.
    simultaneous
        Whether players are updated at once rather than one after the other.
    plain_average
        Whether the answer is the average as the thesis writes it; see `PlainAverageSolver`.
    """
    tree = as_tree(game)
    name = tree.game.name
    if simultaneous and plain_average:
        raise ValueError(f"{name}: a plain average of simultaneous updates is not offered")
    if plain_average:
        return Track(f"{name}, plain average", lambda rule: PlainAverageSolver(tree, rule))
    if simultaneous:
        return Track(f"{name}, simultaneous", lambda rule: CfrSolver(tree, rule, alternating=False))
    return Track(name, lambda rule: CfrSolver(tree, rule))


def write_race(result: RaceResult, folder: str | Path) -> list[Path]:
    """Write what a race showed into a folder.

    Returns
    -------
    list of Path
        ``cgh.csv`` (the curves), ``cgh-summary.csv`` (a row for each curve), ``cgh.png`` and
        ``cgh.svg`` (the figure; it needs the ``plots`` extra).
    """
    summary = result.summary()
    if not summary:
        raise ValueError("nobody raced: there is nothing to write")
    heads = ("game", "rule", "iteration", "seconds", "exploitability", "lowest", "highest")
    rows = (row for curve in result.curves for row in curve.rows())
    summaries = csv_rows(summary[0], (row.values() for row in summary), 4, "nan")
    files = {
        "cgh.csv": csv_rows(heads, rows, 4, "nan").encode(),
        "cgh-summary.csv": summaries.encode(),
        "cgh.png": draw_race(result, "png"),
        "cgh.svg": draw_race(result, "svg"),
    }
    return write_files(folder, files)


def _teller(
    report: Callable[[RaceProgress], None] | None, game: str, rule: str, number: int, total: int
) -> Callable[[Progress], None] | None:
    if report is None:
        return None
    return lambda progress: report(RaceProgress(game, rule, number, total, progress))


class PlainAverageSolver(CfrSolver):
    """CFR with the average that the thesis writes down: every strategy counts the same everywhere.

    The average for which CFR is proved to converge weighs a strategy at an information set by its
    owner's own reach of it. Algorithm 3 of the thesis adds up the probabilities themselves and
    divides by the number of iterations. The race asks what difference that makes.

    Examples
    --------
    >>> from pokerlab.solvers import as_tree
    >>> plain = PlainAverageSolver(as_tree("leduc"), "cfr")
    >>> weighted = CfrSolver(plain.tree, "cfr")
    >>> for solver in (plain, weighted):
    ...     solver.iterate(400)
    ...     print(f"{solver.exploitability():.3f}")
    0.055
    0.026
    """

    _weights: ClassVar[tuple[str, ...]] = ("total", "reach", "sum")

    def __init__(self, tree: GameTree, rule: str | Rule) -> None:
        self._sum = np.zeros(tree.infosets.slots)
        super().__init__(tree, rule)

    @property
    def identity(self) -> dict[str, str]:
        """What a saved state belongs to."""
        return {**super().identity, "average": "plain"}

    def iterate(self, iterations: int) -> None:
        """Run some more iterations."""
        for _ in range(iterations):
            super().iterate(1)
            self._sum += self.current().array

    def strategy(self) -> Strategy:
        """The mean of the strategies after each iteration."""
        return Strategy.from_weights(self.tree.infosets, self._sum)

    def state(self) -> dict[str, npt.NDArray[np.generic]]:
        """All that the next iteration depends on."""
        return {**super().state(), "sum": self._sum.copy()}

    def restore(self, state: Mapping[str, npt.NDArray[np.generic]]) -> None:
        """Go back to a `state` of a solver with the same `identity`."""
        super().restore(state)
        self._sum[:] = state["sum"]

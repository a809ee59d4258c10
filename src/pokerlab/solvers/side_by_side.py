"""Several update rules on one game, each as far as the others: a race that can be watched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil
from time import perf_counter
from typing import NamedTuple

from pokerlab.games.protocol import Game
from pokerlab.solvers.cfr.solver import CfrSolver
from pokerlab.solvers.loop import StopSignal
from pokerlab.solvers.rules import Rule, parse_rule
from pokerlab.solvers.solution import as_tree
from pokerlab.trees.game_tree import GameTree


class RacePoint(NamedTuple):
    """Where a rule stands."""

    rule: str
    """The text of the rule."""
    iteration: int
    """After how many iterations it was measured."""
    seconds: float
    """Spent in iterations of this rule."""
    exploitability: float
    """What was measured, in chips."""


def run_side_by_side(
    game: str | Game | GameTree,
    rules: Sequence[str | Rule],
    *,
    iterations: int,
    seconds: float | None = None,
    growth: float = 1.15,
    stop: StopSignal | None = None,
) -> Iterator[RacePoint]:
    """Run rules in turns, and measure all of them after the same iterations.

    Parameters
    ----------
    game
        A game, its name, or its tree.
    rules
        Update rules; see `pokerlab.solvers.parse_rule`.
    iterations
        How far each goes.
    seconds
        When no further turn begins, measurements included.
    growth
        The factor between the iterations of two measurements.
    stop
        Ends the race before its next turn.

    Examples
    --------
    >>> points = list(run_side_by_side("kuhn", ["cfr", "cfr+"], iterations=100))
    >>> [point.rule for point in points[-2:]], points[-1].iteration
    (['cfr', 'cfr+(1)'], 100)
    >>> points[-1].exploitability < points[0].exploitability
    True
    """
    if iterations < 1:
        raise ValueError(f"iterations: {iterations} is not a number above 0")
    entrants = list(dict.fromkeys(parse_rule(rule, local=True) for rule in rules))
    if not entrants:
        raise ValueError("rules: a race needs at least one")
    return _race(as_tree(game), entrants, iterations, seconds, growth, stop)


def _race(
    tree: GameTree,
    rules: list[Rule],
    iterations: int,
    seconds: float | None,
    growth: float,
    stop: StopSignal | None,
) -> Iterator[RacePoint]:
    solvers = [CfrSolver(tree, rule) for rule in rules]
    spent = [0.0] * len(solvers)
    begun = perf_counter()
    goal = 1
    while True:
        for place, solver in enumerate(solvers):
            if stop is not None and stop.is_set():
                return
            start = perf_counter()
            solver.iterate(goal - solver.iteration)
            spent[place] += perf_counter() - start
            yield RacePoint(str(solver.rule), goal, spent[place], solver.exploitability())
        late = seconds is not None and perf_counter() - begun > seconds
        if goal >= iterations or late:
            return
        goal = min(iterations, max(goal + 1, ceil(goal * growth)))

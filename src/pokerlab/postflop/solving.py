"""`solve_spot`: from a spot to a certified solution in one call."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pokerlab.postflop.answer.node_view import equities_of, met_weights
from pokerlab.postflop.answer.solution import PostflopSolution, as_storage
from pokerlab.postflop.cpu.row_kernels import write_probabilities
from pokerlab.postflop.engine import DEFAULT_RULE, PostflopSolver
from pokerlab.postflop.question.locks import LocksLike
from pokerlab.postflop.question.spot import Spot
from pokerlab.solvers.loop import Point, Progress, run
from pokerlab.solvers.rules import Rule

__all__ = ["make_solution", "parse_target", "solve_spot"]

_SMALLEST = 2.0**-14
"""Smaller halves are denormal: kernels take them for zero, so nobody may see anything else."""


_SPACING = 8
"""Iterations between two measurements: one costs as much as an iteration."""


def solve_spot(
    spot: Spot,
    rule: str | Rule = DEFAULT_RULE,
    *,
    target: float | str | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    threads: int | None = None,
    precision: int = 32,
    isomorphism: bool = True,
    locks: LocksLike | None = None,
    report: Callable[[Progress], None] | None = None,
    checkpoint: str | Path | None = None,
) -> PostflopSolution:
    """Solve a spot.

    Parameters
    ----------
    spot
        What to solve.
    rule
        An update rule (see `pokerlab.solvers.parse_rule`).
    target
        Stop when the exploitability is at most this: chips, or text such as ``"0.3%"`` of the
        pot. Without any limit, 0.3% of the pot.
    iterations, seconds, report, checkpoint
        See `pokerlab.solvers.run`.
    threads, precision, isomorphism, locks
        See `PostflopSolver`.

    Examples
    --------
    >>> spot = Spot("QhJh2c4d7h", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80)
    >>> solution = solve_spot(spot, target="0.1%")
    >>> solution.exploitability.percent <= 0.1
    True
    >>> solution.at("x").actions
    ('x', 'b50', 'a')
    """
    chips = parse_target(target, spot.pot)
    if chips is None and iterations is None and seconds is None:
        chips = 0.003 * spot.pot
    solver = PostflopSolver(
        spot,
        rule,
        precision=precision,
        threads=threads,
        isomorphism=isomorphism,
        locks=locks,
    )
    result = run(
        solver,
        iterations=iterations,
        target=chips,
        seconds=seconds,
        report=report,
        checkpoint=checkpoint,
        spacing=_SPACING,
    )
    seconds_spent = result.seconds + result.measuring
    return make_solution(solver, seconds_spent, result.stopped, result.history)


def make_solution(
    solver: PostflopSolver, seconds: float, stopped: str, history: tuple[Point, ...] = ()
) -> PostflopSolution:
    """What a solver has reached, certified in float64 on the strategies that are saved."""
    strategies = tuple(
        (_probabilities(solver, level, 0), _probabilities(solver, level, 1))
        for level in range(len(solver.storage))
    )
    values, best = solver.certify(as_storage(solver.spot, solver.boards, strategies))
    return PostflopSolution(
        spot=solver.spot,
        isomorphism=solver.isomorphism,
        values=values,
        best_values=best,
        equities=_range_equities(solver.spot),
        rule=str(solver.rule),
        iterations=solver.iteration,
        seconds=seconds,
        stopped=stopped,
        strategies=strategies,
        locks=solver.lock_texts,
        history=history,
    )


def _probabilities(solver: PostflopSolver, level: int, player: int) -> npt.NDArray[np.float16]:
    """Strategies of a street as probabilities; the current ones where the average has nothing."""
    storage = solver.storage[level]
    source = storage.sums if solver.rule.averages else storage.kept
    street = solver.spot.tree.streets[level]
    actions = np.diff(street.first_edge)[street.player == player].astype(np.int64)
    first = storage.first[player]
    out = np.zeros(int(first[-1]), np.uint16)
    smallest = np.float32(_SMALLEST)
    write_probabilities(source[player], storage.kept[player], first, actions, smallest, out)
    return out.view(np.float16)


def parse_target(target: float | str | None, pot: float) -> float | None:
    """A target in chips: a number, or text in percent of the pot.

    Examples
    --------
    >>> parse_target("0.3%", 200), parse_target(1.5, 200)
    (0.6, 1.5)
    """
    if target is None or not isinstance(target, str):
        return target
    text = target.strip()
    try:
        number = float(text.removesuffix("%"))
    except ValueError:
        number = -1.0
    if not 0 <= number < float("inf"):
        raise ValueError(f"target: {target!r} is not 0.3% (of the pot) or a number of chips")
    return number * pot / 100 if text.endswith("%") else number


def _range_equities(spot: Spot) -> tuple[float, float]:
    first, second = (chosen.weights for chosen in spot.ranges)
    equity, _ = equities_of(spot.board, (first, second))
    arriving = first * met_weights(second)
    known = arriving > 0
    mean = float(equity[known] @ arriving[known] / arriving[known].sum())
    return mean, 1 - mean

"""Push or fold, call or fold: the small game that is close to all of heads-up play up to 10 bb.

Solved exactly, with the card removal of all 1,624,350 pairs of hands. `push_fold_chart` gives the
depths up to which each hand is pushed or called, as published charts do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pokerlab.cards.hand_classes import CLASS_NAMES
from pokerlab.holdem.preflop.betting import BIG_BLIND, SMALL_BLIND, PreflopRules
from pokerlab.holdem.preflop.class_matchups import N_CLASSES
from pokerlab.holdem.preflop.game import PreflopGame
from pokerlab.holdem.preflop.linear_program import solve_exactly
from pokerlab.holdem.preflop.solution import PreflopSolution
from pokerlab.holdem.preflop.solver import PreflopSolver
from pokerlab.runtime.arrays import Floats
from pokerlab.runtime.errors import shorten
from pokerlab.runtime.files.columns import make_frame
from pokerlab.runtime.shown import Shown
from pokerlab.solvers.loop import run


def solve_push_fold(
    stack: float,
    rule: str = "lp",
    *,
    target: float = 1e-4,
    small_blind: float = 0.5,
    ante: float = 0.0,
) -> PreflopSolution:
    """The equilibrium of the game in which the small blind pushes or folds.

    Parameters
    ----------
    stack
        What each player has before the blinds, in big blinds.
    rule
        ``lp`` for the linear program, or an update rule (see `pokerlab.solvers.parse_rule`).
    target
        With an update rule: the exploitability to stop at, in big blinds.
    small_blind, ante
        In big blinds; each player posts the ante.

    Examples
    --------
    >>> exact, learnt = solve_push_fold(8), solve_push_fold(8, "dcfr")
    >>> abs(exact.value - learnt.value) < 1e-4
    True
    """
    rules = PreflopRules.push_fold(stack, small_blind=small_blind, ante=ante)
    return solve_without_flop(rules, rule, target=target)


def solve_without_flop(
    rules: PreflopRules, rule: str = "lp", *, target: float = 1e-4
) -> PreflopSolution:
    """The equilibrium of a game before the flop; nobody bets after it."""
    game = PreflopGame(rules)
    if rule == "lp":
        strategy = solve_exactly(game)
    else:
        solver = PreflopSolver(game, rule)
        rule = str(solver.rule)
        run(solver, target=target)
        strategy = solver.strategy()
    return PreflopSolution(game, strategy, game.exploitability(strategy), rule)


@dataclass(frozen=True, eq=False)
class PushFoldChart(Shown):
    """How often each class pushes and calls at some depths."""

    _picture = "pokerlab.views.pictures.preflop_picture:chart_html"

    stacks: Floats
    """The depths in big blinds, ascending."""
    push: Floats
    """(depths, 169)."""
    call: Floats
    """(depths, 169)."""

    def to_frame(self) -> Any:
        """A row for each depth and class, as a ``pandas.DataFrame``."""
        return make_frame(
            {
                "stack": np.repeat(self.stacks, N_CLASSES).tolist(),
                "hand": list(CLASS_NAMES) * len(self.stacks),
                "push": self.push.ravel().tolist(),
                "call": self.call.ravel().tolist(),
            }
        )

    def thresholds(self, player: int) -> Floats:
        """The largest depth at which each class is played more often than not; NaN for none."""
        played = (self.push if player == SMALL_BLIND else self.call) > 0.5
        deepest = np.where(played, self.stacks[:, None], -np.inf).max(axis=0)
        return np.where(np.isinf(deepest), np.nan, deepest)


def push_fold_chart(
    stacks: Sequence[float],
    *,
    small_blind: float = 0.5,
    ante: float = 0.0,
    report: Callable[[int], None] | None = None,
) -> PushFoldChart:
    """Solve push or fold at many depths; `report` is called with the number that are done.

    Examples
    --------
    >>> from pokerlab.cards.hand_classes import CLASS_NAMES
    >>> chart = push_fold_chart([6.9, 7.0, 7.1])
    >>> float(chart.thresholds(SMALL_BLIND)[CLASS_NAMES.index("Q2o")])
    7.0
    """
    depths = sorted(set(stacks))
    if not depths:
        raise ValueError(f"stacks: {shorten(repr(stacks))} names no depth")
    push, call = (np.zeros((len(depths), N_CLASSES)) for _ in (SMALL_BLIND, BIG_BLIND))
    for place, stack in enumerate(depths):
        solution = solve_push_fold(stack, small_blind=small_blind, ante=ante)
        for rows, line in ((push, ""), (call, "a")):
            rows[place] = solution.at(line).strategy[-1]  # all-in, or the call
        if report is not None:
            report(place + 1)
    return PushFoldChart(np.array(depths), push, call)

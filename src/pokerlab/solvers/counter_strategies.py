"""`respond`: how to play against a model of an opponent, between safe and greedy.

A best response to a model wins the most if the model is right, and may lose a lot if it is not. A
response to an opponent who is bound to the model only in part (see `RestrictedPlayer`) is robust:
of all strategies that can lose as little, it wins the most from the model. As p goes from 0 to 1 it
goes from an equilibrium to a best response; `frontier` computes the way between.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pokerlab.solvers.cfr.solver import CfrSolver
from pokerlab.solvers.evaluation.restricted_player import RestrictedPlayer, check_zero_sum
from pokerlab.solvers.evaluation.tree_values import best_response, values
from pokerlab.solvers.loop import Progress, run
from pokerlab.solvers.rules import Rule
from pokerlab.solvers.strategy import Strategy, StrategyLike, probabilities
from pokerlab.trees.game_tree import GameTree

_TARGET = 1e-6
"""How exactly iterations solve the game against a model where no limit is given, in chips."""
_ITERATIONS = 100_000


@dataclass(frozen=True, eq=False)
class Response:
    """A strategy for both seats against a model that covers both seats.

    Attributes
    ----------
    strategy
        What the responder plays in either seat.
    won
        What it wins from the model in each seat, on average in chips.
    guaranteed
        What it wins at least in each seat, whatever the other plays.
    gap
        How far the solve is from the best mixture of both, in chips; 0 for a linear program.
    iterations
        Of both seats: simplex steps, or iterations of the rule.
    """

    strategy: Strategy
    won: tuple[float, float]
    guaranteed: tuple[float, float]
    gap: float = 0.0
    iterations: int = 0

    @property
    def gain(self) -> float:
        """The gain against the model, as the mean of both seats."""
        return sum(self.won) / 2

    @property
    def exploitability(self) -> float:
        """The most that it can lose, as the mean of both seats: 0 for an equilibrium."""
        return -sum(self.guaranteed) / 2


def respond(
    tree: GameTree,
    model: StrategyLike,
    p: float | npt.ArrayLike = 1.0,
    *,
    rule: str | Rule = "lp",
    iterations: int | None = None,
    target: float | None = None,
    seconds: float | None = None,
    report: Callable[[Progress], None] | None = None,
) -> Response:
    """The response to an opponent who plays a model with probability p, else a best response.

    Parameters
    ----------
    tree
        A two-player zero-sum game.
    model
        What the opponent plays, in both seats.
    p
        One number: the restricted Nash response, 0 an equilibrium, 1 a best response. Or a number
        for each information set: the data-biased response (see `confidence`).
    rule
        ``"lp"`` for the exact answer by linear programming, or an update rule (see `parse_rule`).
    iterations, target, seconds, report
        Limits of each seat's solve by an update rule (see `run`); by default 100,000 iterations
        or a gap of 1e-6 chips.

    Examples
    --------
    Against somebody who always calls, much is won with little risk:

    >>> from pokerlab.games import load_game
    >>> tree = GameTree.build(load_game("kuhn"))
    >>> caller = {name: {"c": 1} for name in tree.infosets.names}
    >>> response = respond(tree, caller, 0.5)
    >>> round(response.gain, 4), round(response.exploitability, 4)
    (0.3333, 0.0833)
    """
    check_zero_sum(tree)
    chosen = probabilities(tree, model)
    weights = np.zeros(tree.infosets.slots)
    gap, steps = 0.0, 0
    for hero in (0, 1):
        restricted = RestrictedPlayer.of(tree, chosen, 1 - hero, p)
        mine = tree.infosets.slot_player == hero
        if rule == "lp":
            from pokerlab.solvers.exact.restricted_form import respond_exactly

            _, found, count = respond_exactly(restricted)
        else:
            solver = CfrSolver(tree, rule, restricted=restricted)
            if iterations is None and target is None and seconds is None:
                iterations, target = _ITERATIONS, _TARGET
            done = run(solver, iterations=iterations, target=target, seconds=seconds, report=report)
            found, count = solver.strategy().array, solver.iteration
            gap = max(gap, done.exploitability)
        weights[mine] = found[mine]
        steps += count
    strategy = Strategy.from_weights(tree.infosets, weights)
    return judge(tree, strategy, chosen, gap=gap, iterations=steps)


def judge(
    tree: GameTree,
    strategy: StrategyLike,
    model: StrategyLike,
    *,
    gap: float = 0.0,
    iterations: int = 0,
) -> Response:
    """The gain of any strategy against a model, and its risk, seat by seat."""
    own, other = probabilities(tree, strategy), probabilities(tree, model)
    seats = tree.infosets.slot_player
    won = [float(values(tree, np.where(seats == hero, own, other))[hero]) for hero in range(2)]
    least = [-best_response(tree, own, 1 - hero).value for hero in range(2)]
    return Response(
        Strategy(tree.infosets, own),
        (won[0], won[1]),
        (least[0], least[1]),
        gap,
        iterations,
    )


def frontier(
    tree: GameTree, model: StrategyLike, shares: Sequence[float] = (0.0, 0.25, 0.5, 0.75, 0.9, 1.0)
) -> list[Response]:
    """The exact restricted Nash responses for several p.

    What is won from the model and what can be lost both grow with p, and no strategy that can lose
    as little as one of these wins more. Between them, mixtures of two neighbours lie on or
    below the frontier, which is concave.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> tree = GameTree.build(load_game("kuhn"))
    >>> uniform = Strategy.uniform(tree.infosets)
    >>> for each in frontier(tree, uniform, (0.2, 0.5)):
    ...     print(round(each.gain, 4), round(each.exploitability, 4))
    0.1667 0.0
    0.3611 0.0833
    """
    return [respond(tree, model, share) for share in shares]

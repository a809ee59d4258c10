"""Strategies of similar spots as a start: other ranges, another flop, or fewer bet sizes.

`PostflopSolver.start_from` goes on from a solution of the same spot. Here a solution of another
spot is written down as if it were one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pokerlab.cards.codes import N_CARDS
from pokerlab.engine.tables.hand_groups import BoardGroups
from pokerlab.engine.walker import Probabilities
from pokerlab.holdem.spots.answer.carried import carry_strategies
from pokerlab.holdem.spots.answer.solution import PostflopSolution
from pokerlab.holdem.spots.coarse.lifting import Lift
from pokerlab.holdem.spots.prepared import PreparedSpot
from pokerlab.holdem.spots.question.gadget import Gadget
from pokerlab.holdem.spots.question.spot import Spot


@dataclass(frozen=True, eq=False)
class CarriedStart:
    """Strategies for a solver to start from (`pokerlab.holdem.spots.solver.Start`).

    Attributes
    ----------
    spot, isomorphism, strategies
        What is to be solved, and the strategies for it.
    iterations
        How many iterations the strategies count as: the more, the longer they stay in the average.
    """

    spot: Spot
    isomorphism: bool
    strategies: Probabilities
    iterations: int
    groups: BoardGroups | None = None
    gadget: Gadget | None = None


def start_from_menu(
    coarse: PostflopSolution, prepared: PreparedSpot, iterations: int
) -> CarriedStart:
    """The strategies of fewer sizes; sizes between two of them by pseudo-harmonic mapping.

    Examples
    --------
    >>> from pokerlab.holdem.spots import PostflopSolver, solve_spot
    >>> def spot(menu):
    ...     return Spot("QhJh2c4d7h", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80, bet=menu)
    >>> coarse = solve_spot(spot("50%"), target="0.1%")
    >>> solver = PostflopSolver(spot("25%, 50%"))
    >>> solver.start_from(start_from_menu(coarse, solver.prepared, iterations=10))
    >>> solver.exploitability() < 10
    True
    """
    lift = Lift(coarse, prepared)
    first, second = lift.strategy(0), lift.strategy(1)
    pairs = tuple(zip(first, second, strict=True))
    return CarriedStart(prepared.spot, prepared.isomorphism, pairs, iterations)


def start_from_cards(
    solution: PostflopSolution,
    prepared: PreparedSpot,
    iterations: int,
    cards: Sequence[int] = range(N_CARDS),
) -> CarriedStart:
    """The strategies of other ranges, or of another flop, for the same betting.

    Parameters
    ----------
    solution
        With the same pot, stacks and menus, and the strategies of all streets.
    prepared
        What is to be solved.
    iterations
        See `CarriedStart`.
    cards
        For each of the 52 cards the one that it stands for in the solution's spot. Hands that its
        ranges do not have are looked up by their own cards, and else take all actions equally.

    Examples
    --------
    >>> from pokerlab.holdem.spots import PostflopSolver, solve_spot
    >>> def spot(oop):
    ...     return Spot("QhJh2c4d7h", oop, "QQ, AJs, T9s", pot=100, stack=80)
    >>> solved = solve_spot(spot("AA, KQs, JTs"), target="0.1%")
    >>> solver = PostflopSolver(spot("AA, KQs, JTs, T8s"))
    >>> solver.start_from(start_from_cards(solved, solver.prepared, iterations=10))
    >>> solver.exploitability() < 10
    True
    """
    spot = prepared.spot
    if solution.spot.tree_rules != spot.tree_rules:
        raise ValueError("start: it has another pot, other stacks or other bet sizes")
    if solution.groups is not None or prepared.groups is not None or solution.partial:
        raise ValueError("start: it must have strategies of all streets, without groups")
    card = np.array(cards)
    if sorted(card[list(spot.board)].tolist()) != sorted(solution.spot.board):
        raise ValueError("start: the cards do not carry the board to that of the solution")
    strategies = carry_strategies(
        solution.boards, solution.layout, solution.strategies, prepared, cards
    )
    return CarriedStart(spot, prepared.isomorphism, strategies, iterations)

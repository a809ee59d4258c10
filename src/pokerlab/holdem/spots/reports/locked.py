"""The hands of a decision that were locked before the solve."""

from __future__ import annotations

import numpy as np

from pokerlab.cards.codes import N_COMBOS
from pokerlab.engine.locks import NodeLock
from pokerlab.holdem.spots.answer.node_view import Decision
from pokerlab.holdem.spots.answer.solution import PostflopSolution
from pokerlab.runtime.arrays import Bools


def locked_combos(solution: PostflopSolution, view: Decision) -> Bools:
    """The combos (1326) that arrive at a decision and were locked before the solve.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot, solve_spot
    >>> spot = Spot("KsTs7d4c2h", "77, 65s", "AA, QQ", pot=100, stack=100, bet="a", raise_="")
    >>> solution = solve_spot(spot, target="0.1%", locks={"a": {"f": "QQ"}})
    >>> int(locked_combos(solution, solution.at("a")).sum())
    6
    """
    lock = lock_at(solution, view)
    if lock is None:
        return np.zeros(N_COMBOS, np.bool_)
    return np.asarray((lock.shares[0] >= 0) & (view.weights[view.player] > 0))


def lock_summary(solution: PostflopSolution, view: Decision) -> dict[str, float] | None:
    """How many of the hands that arrive are locked, of how many, with what weight; None if free.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot, solve_spot
    >>> spot = Spot("KsTs7d4c2h", "77, 65s", "AA, QQ", pot=100, stack=100, bet="a", raise_="")
    >>> solution = solve_spot(spot, target="0.1%", locks={"a": {"f": "QQ"}})
    >>> lock_summary(solution, solution.at("a"))
    {'hands': 6, 'of': 12, 'weight': 1.0}
    """
    lock = lock_at(solution, view)
    if lock is None:
        return None
    arrives = view.weights[view.player] > 0
    hands = int((arrives & (lock.shares[0] >= 0)).sum())
    return {"hands": hands, "of": int(arrives.sum()), "weight": lock.weight}


def lock_at(solution: PostflopSolution, view: Decision) -> NodeLock | None:
    """The lock of a decision; one that names the cards goes before one that does not."""
    here = solution.spot.find(view.line)
    found = None
    for lock in solution.node_locks:
        same = (lock.level, lock.node) == (here.level, here.node)
        if same and (not lock.cards or lock.cards == here.cards):
            found = lock
    return found

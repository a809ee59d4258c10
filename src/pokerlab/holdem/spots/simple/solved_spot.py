"""The spot of a solution as walks take it."""

from __future__ import annotations

from pokerlab.engine.locks import parse_locks
from pokerlab.holdem.spots.answer.solution import PostflopSolution
from pokerlab.holdem.spots.prepared import PreparedSpot


def prepared_of(solution: PostflopSolution) -> PreparedSpot:
    """The spot of a solution, with its boards and layout."""
    if solution.partial:
        raise ValueError(
            "the solution leaves out the last streets, and a best response needs all of them; "
            "solve it with all streets"
        )
    if solution.groups is not None:
        raise ValueError("the solution plays by groups of hands; solve it without groups")
    if solution.gadget is not None:
        raise ValueError("the solution has a gadget, and no exploitability of its own")
    return PreparedSpot(
        solution.spot,
        parse_locks(solution.spot, solution.spot.locks),
        solution.isomorphism,
        solution.boards,
        None,
        solution.layout,
    )

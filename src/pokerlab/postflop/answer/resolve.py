"""The river of a line as a spot of its own, for files that hold the flop and the turn alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pokerlab.cards.ranges.range import Range
from pokerlab.postflop.engine import SPACING, PostflopSolver
from pokerlab.postflop.question.lines import ActionKind, Line
from pokerlab.postflop.question.locks import Lock
from pokerlab.postflop.question.menus import PLAYERS
from pokerlab.postflop.question.spot import Spot
from pokerlab.postflop.tree.betting_tree import EdgeKind
from pokerlab.solvers.loop import Run, run

__all__ = ["river_spot", "solve_again"]


def river_spot(
    spot: Spot,
    board: tuple[int, ...],
    root: int,
    weights: tuple[np.ndarray, np.ndarray],
) -> Spot:
    """The spot that begins at a root of the river, with the same betting below it.

    `weights` are those with which the players arrive (1326 each).
    """
    oop, ip = (Range(np.minimum(each / max(each.max(), 1e-300), 1.0)) for each in weights)
    tree = spot.tree
    matched = int(tree.streets[-1].root_matched[root])
    return replace(
        spot,
        board=board,
        oop=oop,
        ip=ip,
        pot=tree.chips(tree.pot + 2 * matched),
        stack=tree.chips(tree.stack - matched),
        smallest_chip=tree.chips(1),
        aggressor=_aggressor(spot, root),
        added=_lines_below(spot, root, board, spot.added),
        removed=_lines_below(spot, root, board, spot.removed),
        locks=_locks_below(spot, root, board),
    )


def solve_again(river: Spot, target: float) -> tuple[PostflopSolver, Run]:
    """Solve a river to some chips."""
    solver = PostflopSolver(river)
    return solver, run(solver, target=target, spacing=SPACING)


def _aggressor(spot: Spot, root: int) -> str | None:
    """Who made the last bet of the turn before a root of the river."""
    turn, river = spot.tree.streets[-2:]
    edge = int(river.root_parent_edge[root])
    caller = int(turn.player[turn.node[edge]])
    return PLAYERS[1 - caller] if turn.action[edge] == ActionKind.CALL else None


def _lines_below(
    spot: Spot, root: int, board: tuple[int, ...], lines: tuple[Line, ...]
) -> tuple[Line, ...]:
    """What is left of the lines that lead through a root of the river."""
    longer = (line for line in lines if len(line) > _length(spot, root))
    below = (_below(spot, root, board, line) for line in longer)
    return tuple(line for line in below if line is not None)


def _locks_below(spot: Spot, root: int, board: tuple[int, ...]) -> tuple[Lock, ...]:
    """The locks of decisions below a root of the river."""
    found: dict[Line, Lock] = {}
    for lock in sorted(spot.locks, key=lambda lock: bool(lock.line.cards)):
        line = _below(spot, root, board, lock.line)
        if line is not None:
            found[line] = lock._replace(line=line)
    return tuple(found.values())


def _length(spot: Spot, root: int) -> int:
    """How many actions lead to a root of the river."""
    tree = spot.tree
    node = int(tree.streets[-1].root_first_node[root])
    return len(Line.parse(tree.line(len(tree.streets) - 1, node)))


def _below(spot: Spot, root: int, board: tuple[int, ...], line: Line) -> Line | None:
    """What is left of a line after a root of the river; None if it does not lead through it."""
    tree, length, actions = spot.tree, _length(spot, root), line.actions
    come = board[len(spot.board) :]
    if len(actions) < length or line.cards != come[: len(line.cards)]:
        return None
    place = tree.find(Line(actions[:length]))
    edge = int(tree.streets[-1].root_parent_edge[root])
    leads_here = (place.level, place.edge) == (len(tree.streets) - 2, edge)
    if place.kind != EdgeKind.NEXT_STREET or not leads_here:
        return None
    return Line(actions[length:])

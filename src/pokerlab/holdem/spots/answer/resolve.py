"""A later street of a line as a spot of its own, for files that hold the first streets alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pokerlab.cards.ranges.range import Range
from pokerlab.engine.locks import Lock
from pokerlab.games.betting_trees.betting_tree import EdgeKind
from pokerlab.games.betting_trees.chips import exact, plain_number
from pokerlab.games.betting_trees.lines import Action, ActionKind, Line
from pokerlab.games.betting_trees.menus import PLAYERS
from pokerlab.holdem.spots.question.spot import Spot
from pokerlab.holdem.spots.solver import SPACING, PostflopSolver
from pokerlab.solvers.loop import Run, run


def spot_below(
    spot: Spot,
    board: tuple[int, ...],
    root: int,
    weights: tuple[np.ndarray, np.ndarray],
) -> Spot:
    """The spot that begins at a root of the street of `board`, with the same betting below it.

    `weights` are those with which the players arrive (1326 each).
    """
    oop, ip = (Range(np.minimum(each / max(each.max(), 1e-300), 1.0)) for each in weights)
    tree = spot.tree
    matched = int(tree.streets[_level(spot, board)].root_matched[root])
    return replace(
        spot,
        board=board,
        oop=oop,
        ip=ip,
        pot=tree.chips(tree.pot + 2 * matched),
        stack=_stacks_below(spot, tree.chips(matched)),
        smallest_chip=tree.chips(1),
        aggressor=_aggressor(spot, root, board),
        added=_lines_below(spot, root, board, spot.added),
        removed=_lines_below(spot, root, board, spot.removed),
        locks=_locks_below(spot, root, board),
        runouts=None,
    )


def _stacks_below(spot: Spot, matched: float) -> float | tuple[float, float]:
    """What both players have left: the smaller of two stacks, but with prizes both."""
    if spot.payouts and isinstance(spot.stack, tuple):
        first, second = (plain_number(exact(each) - exact(matched)) for each in spot.stack)
        return first, second
    return plain_number(exact(spot.effective_stack) - exact(matched))


def solve_again(spot: Spot, target: float) -> tuple[PostflopSolver, Run]:
    """Solve a spot to some chips."""
    solver = PostflopSolver(spot)
    return solver, run(solver, target=target, spacing=SPACING)


def _level(spot: Spot, board: tuple[int, ...]) -> int:
    """How many streets after the first of the spot a board lies."""
    return len(board) - len(spot.board)


def _aggressor(spot: Spot, root: int, board: tuple[int, ...]) -> str | None:
    """Who made the last bet of the street before a root."""
    level = _level(spot, board)
    above, street = spot.tree.streets[level - 1 : level + 1]
    edge = int(street.root_parent_edge[root])
    caller = int(above.player[above.node[edge]])
    return PLAYERS[1 - caller] if above.action[edge] == ActionKind.CALL else None


def _lines_below(
    spot: Spot, root: int, board: tuple[int, ...], lines: tuple[Line, ...]
) -> tuple[Line, ...]:
    """What is left of the lines that lead through a root."""
    longer = (line for line in lines if len(line) > _length(spot, root, board))
    below = (_below(spot, root, board, line) for line in longer)
    return tuple(line for line in below if line is not None)


def _locks_below(spot: Spot, root: int, board: tuple[int, ...]) -> tuple[Lock, ...]:
    """The locks of decisions below a root."""
    found: dict[Line, Lock] = {}
    for lock in sorted(spot.locks, key=lambda lock: bool(lock.line.cards)):
        line = _below(spot, root, board, lock.line)
        if line is not None:
            found[line] = lock._replace(line=line)
    return tuple(found.values())


def _length(spot: Spot, root: int, board: tuple[int, ...]) -> int:
    """How many actions lead to a root."""
    tree, level = spot.tree, _level(spot, board)
    node = int(tree.streets[level].root_first_node[root])
    return len(Line.parse(tree.line(level, node)))


def _below(spot: Spot, root: int, board: tuple[int, ...], line: Line) -> Line | None:
    """What is left of a line after a root; None if it does not lead through it."""
    tree, level, length = spot.tree, _level(spot, board), _length(spot, root, board)
    if len(line.actions) < length:
        return None
    begin = [place for place, token in enumerate(line.tokens, 1) if isinstance(token, Action)]
    end = begin[length - 1]
    if end < len(line) and not isinstance(line.tokens[end], Action):
        end += 1  # the card of the street that begins here
    known, come = Line(line.tokens[:end]).cards, board[len(spot.board) :]
    if known != come[: len(known)]:
        return None
    place = tree.find(Line(line.actions[:length]))
    edge = int(tree.streets[level].root_parent_edge[root])
    leads_here = (place.level, place.edge) == (level - 1, edge)
    if place.kind != EdgeKind.NEXT_STREET or not leads_here:
        return None
    return Line(line.tokens[end:])

"""The river of a line as a spot of its own, for files that hold the flop and the turn alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pokerlab.cards.ranges.range import Range
from pokerlab.postflop.question.lines import ActionKind, Line
from pokerlab.postflop.question.menus import PLAYERS
from pokerlab.postflop.question.spot import Spot
from pokerlab.postflop.tree.betting_tree import EdgeKind

__all__ = ["river_spot"]


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
        added=_lines_below(spot, root, spot.added),
        removed=_lines_below(spot, root, spot.removed),
    )


def _aggressor(spot: Spot, root: int) -> str | None:
    """Who made the last bet of the turn before a root of the river."""
    turn, river = spot.tree.streets[-2:]
    edge = int(river.root_parent_edge[root])
    caller = int(turn.player[turn.node[edge]])
    return PLAYERS[1 - caller] if turn.action[edge] == ActionKind.CALL else None


def _lines_below(spot: Spot, root: int, lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """What is left of the lines that lead through a root of the river."""
    tree = spot.tree
    node = int(tree.streets[-1].root_first_node[root])
    length = len(Line.parse(tree.line(len(tree.streets) - 1, node)))
    edge = int(tree.streets[-1].root_parent_edge[root])
    below = []
    for line in lines:
        if len(line) > length:
            place = tree.find(Line(line.tokens[:length]))
            leads_here = (place.level, place.edge) == (len(tree.streets) - 2, edge)
            if place.kind == EdgeKind.NEXT_STREET and leads_here:
                below.append(Line(line.tokens[length:]))
    return tuple(below)

"""How likely each hand of a player is to come to each decision by its own actions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from pokerlab.engine.tables.layout import PlayerLayout, first_slots
from pokerlab.games.betting_trees.betting_tree import StreetTree
from pokerlab.holdem.spots.prepared import PreparedSpot
from pokerlab.holdem.spots.simple.rounding_kernels import follow_street
from pokerlab.runtime.arrays import Floats, Halves, Int64s, Reals, Singles


class BoardReach(NamedTuple):
    """A player's strategy on a board, and how likely the hands come to its decisions."""

    level: int
    number: int
    """The board among those of its street."""
    above: int
    """The board before it."""
    rows: Singles
    """(slots, hands): the probabilities."""
    reach: Floats
    """(nodes, hands): range weight times own probabilities; 0 for padding."""


def own_reach(
    prepared: PreparedSpot, player: int, strategy: Sequence[Halves]
) -> Iterator[BoardReach]:
    """Walk over all boards, street by street, with the strategy of one player.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot, solve_spot
    >>> spot = Spot("KsTs7d4c2h", "77, 65s", "AA", pot=100, stack=100, bet="a", raise_="")
    >>> solution = solve_spot(spot, target="0.01%")
    >>> prepared = PreparedSpot.of(spot)
    >>> (board,) = own_reach(prepared, 1, [np.asarray(solution.strategies[0][1])])
    >>> [int(row.sum()) for row in board.reach]
    [6, 6, 0, 6]
    """
    boards, tree = prepared.boards, prepared.spot.tree
    hands = len(boards.combos[player])
    # (boards before, roots, hands + 1): the last hand is none.
    above = np.append(boards.weights[player], 0.0)[None, None]
    for level, street in enumerate(tree.streets):
        layout, kept = prepared.layout.at(level, player), boards.tables[level].hands[player]
        before, slot = _ways(street, player)
        parents = np.zeros(1, np.int64)
        if level:
            children = np.diff(boards.tables[level - 1].child_first)
            parents = np.repeat(np.arange(len(children)), children)
        last = level + 1 == len(tree.streets)
        ends = () if last else _ends(street, tree.streets[level + 1], player)
        below = np.zeros((0 if last else len(parents), len(ends), hands + 1))
        for number, parent in enumerate(parents.tolist()):
            order = kept.order[kept.first[number] : kept.first[number + 1]]
            numbers = np.minimum(order, hands)
            rows = normalised(layout, layout.board(strategy[level], number))
            reach = np.zeros((street.nodes, len(order)))
            roots = np.ascontiguousarray(above[parent][:, numbers])
            follow_street(rows, before, slot, street.root.astype(np.int64), roots, reach)
            yield BoardReach(level, number, parent, rows, reach)
            for root, (node, own) in enumerate(ends):
                there = reach[node] if own < 0 else reach[node] * rows[own]
                below[number, root, numbers] = there
                below[number, root, hands] = 0.0
        above = below


def normalised(layout: PlayerLayout, rows: Reals) -> Singles:
    """The probabilities of a board (slots, hands): what is stored in 16 bits hardly sums to 1."""
    if not len(rows):
        return rows.astype(np.float32)
    starts = np.cumsum(layout.own_actions) - layout.own_actions
    totals = np.repeat(np.add.reduceat(rows.astype(np.float64), starts), layout.own_actions, axis=0)
    uniform = np.repeat(1 / layout.own_actions, layout.own_actions)[:, None]
    found = np.where(totals > 0, rows / np.where(totals > 0, totals, 1.0), uniform)
    return np.asarray(found, np.float32)


def _ways(street: StreetTree, player: int) -> tuple[Int64s, Int64s]:
    """For each node the node before it, and the player's slot between them; −1 for none."""
    edges = np.maximum(street.parent_edge, 0)
    before = np.where(street.parent_edge < 0, -1, street.node[edges]).astype(np.int64)
    own = (before >= 0) & (street.player[np.maximum(before, 0)] == player)
    slots = first_slots(street)[np.maximum(before, 0)] + edges - street.first_edge[before]
    return before, np.where(own, slots, -1).astype(np.int64)


def _ends(street: StreetTree, after: StreetTree, player: int) -> list[tuple[int, int]]:
    """For each root of the next street the node before it, and the player's slot (−1: none)."""
    found = []
    slots = first_slots(street)
    for edge in after.root_parent_edge.tolist():
        node = int(street.node[edge])
        own = int(street.player[node]) == player
        found.append((node, int(slots[node] + edge - street.first_edge[node]) if own else -1))
    return found

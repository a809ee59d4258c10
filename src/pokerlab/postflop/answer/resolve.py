"""The river of a line as a spot of its own, for files that hold the flop and the turn alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pokerlab.cards.ranges.range import Range
from pokerlab.postflop.question.spot import Spot
from pokerlab.postflop.tree.betting_tree import BettingTree, EdgeKind, StreetTree

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
    street = spot.tree.streets[-1]
    matched = int(street.root_matched[root])
    ranges = [Range(np.minimum(each / max(each.max(), 1e-300), 1.0)) for each in weights]
    river = Spot(
        board,
        ranges[0],
        ranges[1],
        pot=spot.pot + 2 * matched,
        stack=spot.effective_stack - matched,
        rake=spot.rake,
        rake_cap=spot.rake_cap,
    )
    tree = BettingTree(
        spot.pot + 2 * matched, spot.effective_stack - matched, (_below(street, root),)
    )
    # The menus know nothing of the streets before (a donk bet, say), so the tree is given.
    river.__dict__["tree"] = tree
    return river


def _below(street: StreetTree, root: int) -> StreetTree:
    """The betting below one root, as a street with that root alone."""
    first, last = (int(street.root_first_node[root + step]) for step in range(2))
    start, stop = int(street.first_edge[first]), int(street.first_edge[last])
    matched = int(street.root_matched[root])
    nodes, edges = slice(first, last), slice(start, stop)
    parent = street.parent_edge[nodes]
    target = street.target[edges]
    return replace(
        street,
        root_first_node=np.array([0, last - first]),
        root_parent_edge=np.array([-1]),
        root_matched=np.array([0]),
        player=street.player[nodes],
        root=np.zeros(last - first, np.int64),
        parent_edge=np.where(parent < 0, -1, parent - start),
        first_edge=street.first_edge[first : last + 1] - start,
        pot=street.pot[nodes],
        committed=street.committed[nodes] - matched,
        facing=street.facing[nodes],
        bets=street.bets[nodes],
        node=street.node[edges] - first,
        action=street.action[edges],
        amount=street.amount[edges],
        kind=street.kind[edges],
        target=np.where(street.kind[edges] == EdgeKind.NODE, target - first, -1),
        matched=street.matched[edges] - matched,
        end_pot=street.end_pot[edges],
    )

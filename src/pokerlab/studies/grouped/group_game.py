"""`GroupGame`: a spot with its groups of hands, as the walks of `group_walk_kernels` take it.

Both players have the same range, as in all games of the thesis.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pokerlab.cards.codes import COMBO_CARDS, N_COMBOS
from pokerlab.cards.equities.showdowns import COMBO_MASKS
from pokerlab.cards.isomorphism.run_outs import StreetBoards, deal_run_outs
from pokerlab.cards.isomorphism.suits import permute_combos, symmetries
from pokerlab.engine.counts import padded_rows
from pokerlab.engine.groups import HandGrouping, find_groups
from pokerlab.engine.groups.measures import river_values
from pokerlab.engine.tables.layout import first_slots
from pokerlab.engine.tables.win_margins import WinMargins
from pokerlab.games.betting_trees.betting_tree import EdgeKind, StreetTree
from pokerlab.holdem.spots import Spot
from pokerlab.runtime.arrays import Bytes, Floats, Indices, Int32s
from pokerlab.studies.grouped.group_walk_kernels import BettingShape, StreetHands

_NO_MARGINS = np.zeros((0, 0, 0), np.int16)


@dataclass(frozen=True, eq=False)
class GroupGame:
    """A spot and its groups.

    Attributes
    ----------
    spot
        The game; both players have the same range.
    shapes
        The betting of each street, for either hero.
    streets
        The hands and groups of each street.
    child_first
        By street and board, where the boards of the next street begin.
    pairs
        The weight of all pairs of hands without a common card.

    Examples
    --------
    >>> spot = Spot("QhJh2c4d7h", "random", "random", pot=2, stack=5, bet="a", raise_="a")
    >>> game = GroupGame.of(spot, "view")
    >>> game.streets[0].groups, game.actions(0, 1)
    (array([266]), 4)
    """

    spot: Spot
    shapes: tuple[tuple[BettingShape, BettingShape], ...]
    streets: tuple[StreetHands, ...]
    child_first: tuple[tuple[int, ...], ...]
    pairs: float

    @classmethod
    def of(cls, spot: Spot, groups: str = "", *, isomorphism: bool = True) -> GroupGame:
        """Deal the boards of a spot, and group its hands; without a text each is a group."""
        weights = spot.ranges[0].weights
        if not np.array_equal(weights, spot.ranges[1].weights):
            raise ValueError("groups by the thesis: both players must have the same range")
        group = symmetries(spot.board, np.stack([weights] * 2)) if isomorphism else None
        identity = np.array([(0, 1, 2, 3)], np.uint8)
        dealt = deal_run_outs(spot.board, identity if group is None else group)
        known = np.uint64(sum(1 << card for card in spot.board))
        combos = np.flatnonzero((weights > 0) & (COMBO_MASKS & known == 0))
        labels = _labels(groups, dealt, weights, combos)
        streets = tuple(
            _hands(spot, level, street, combos, weights[combos], labels[level])
            for level, street in enumerate(dealt)
        )
        masks = COMBO_MASKS[combos]
        apart = (masks[:, None] & masks) == 0
        return cls(
            spot,
            tuple((_shape(spot, level, 0), _shape(spot, level, 1)) for level in range(len(dealt))),
            streets,
            tuple(street.child_first for street in dealt),
            float(weights[combos] @ (apart @ weights[combos])),
        )

    def actions(self, level: int, player: int) -> int:
        """The number of actions that a player has on a street."""
        return self.spot.tree.streets[level].actions_of(player)


def _labels(
    groups: str, dealt: Sequence[StreetBoards], weights: Floats, combos: Indices
) -> list[Int32s]:
    """The group of each hand of the range on each board of each street; −1 for none."""
    cards = [street.cards.copy() for street in dealt]
    if groups:
        found = find_groups(HandGrouping.parse(groups), cards, (weights, weights))
        return [first[:, combos].astype(np.int32) for first, _ in found]
    alone = np.arange(len(combos), dtype=np.int32)
    return [np.where(_possible(boards, combos), alone, -1).astype(np.int32) for boards in cards]


def _possible(boards: Bytes, combos: Indices) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    known = np.bitwise_or.reduce(np.uint64(1) << boards.astype(np.uint64), axis=1)
    return np.asarray((COMBO_MASKS[combos] & known[:, None]) == 0)


def _hands(
    spot: Spot,
    level: int,
    street: StreetBoards,
    combos: Indices,
    weights: Floats,
    labels: Int32s,
) -> StreetHands:
    boards, count = street.cards.copy(), len(combos)
    groups = labels.max(axis=1).astype(np.int64) + 1
    share = np.zeros(labels.shape)
    for board, label in enumerate(labels):
        alive = label >= 0
        totals = np.bincount(label[alive], weights[alive], groups[board])
        share[board, alive] = weights[alive] / totals[label[alive]]
    order, strength = np.zeros((0, 0), np.uint16), np.zeros((0, 0), np.int32)
    cards = COMBO_CARDS[combos].astype(np.uint8)
    margin, left = _NO_MARGINS, 1.0
    if boards.shape[1] == 5:
        classes = river_values("rank", boards, np.ones(N_COMBOS), 1)[0][:, combos]
        worst_first = np.argsort(np.where(labels >= 0, -classes, 1), axis=1, kind="stable")
        order = worst_first.astype(np.uint16)
        strength = np.take_along_axis(-classes, worst_first, axis=1).astype(np.int32)
    else:
        padded = int(padded_rows(np.array(count)))
        found = WinMargins(boards, (combos, combos), (padded, padded))
        found.count(range(len(boards)))
        opposing = found.first.view(np.float16)[:, :count, :count]
        margin = np.ascontiguousarray(opposing.transpose(0, 2, 1).astype(np.int16))
        left = float(np.prod([48 - known for known in range(boards.shape[1], 5)]))
    suits = [
        tuple(each)
        for found_class in street.classes
        for each in (found_class.permutations.tolist() if found_class else [(0, 1, 2, 3)])
    ]
    own_actions = [spot.tree.streets[level].actions_of(player) for player in range(2)]
    ends = np.concatenate([[0], np.cumsum(groups)])
    return StreetHands(
        cards,
        weights.astype(np.float64),
        labels,
        share,
        groups,
        order,
        strength,
        cards[order, 0],
        cards[order, 1],
        (labels >= 0).sum(axis=1),
        margin,
        1 / left,
        (ends * own_actions[0], ends * own_actions[1]),
        1 / (49 - boards.shape[1]) if level else 1.0,
        np.cumsum([0, *(each.multiplicity if each else 1 for each in street.classes)]),
        np.stack([_sources(each, combos) for each in suits]).astype(np.int32),
    )


def _sources(suits: tuple[int, ...], combos: Indices) -> Indices:
    """For each hand the one that a suit permutation carries to it."""
    image = permute_combos(suits)
    carried = np.empty(N_COMBOS, np.int64)
    carried[image] = np.arange(N_COMBOS)
    number = np.full(N_COMBOS, -1, np.int64)
    number[combos] = np.arange(len(combos))
    return number[carried[combos]]


def _shape(spot: Spot, level: int, hero: int) -> BettingShape:
    tree: StreetTree = spot.tree.streets[level]
    mine = (tree.player == hero).astype(np.int64)
    node_row, edge_row = np.zeros(tree.nodes, np.int64), np.zeros(tree.edges, np.int64)
    parent = tree.parent_edge.copy()
    rows = tree.roots
    for node in range(tree.nodes):
        if parent[node] < 0:
            node_row[node] = tree.root[node]
            parent[node] = tree.edges + tree.root[node]
        else:
            node_row[node] = edge_row[parent[node]]
        for edge in tree.edges_of(node):
            edge_row[edge] = node_row[node]
            if not mine[node]:
                edge_row[edge] = rows
                rows += 1
    chips = (spot.tree.pot / 2 + tree.matched) / spot.tree.units
    loses = (tree.kind == EdgeKind.FOLD) & (tree.player[tree.node] == hero)
    return BettingShape(
        mine,
        tree.first_edge.astype(np.int64),
        first_slots(tree),
        parent,
        node_row,
        edge_row,
        tree.kind.astype(np.int64),
        np.where(loses, -chips, chips),
    )

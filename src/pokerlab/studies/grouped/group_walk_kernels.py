"""Walks of the thesis's algorithms 2 and 3 over a board, with groups of hands that learn together.

A street's betting is a `BettingShape`, the boards of a street are a `StreetHands`, and what a walk
needs to know beside them is a `GroupWalk`. The hero is the player who learns or answers. Rows of
`reach` are the opponent's; rows of `values` are the hero's, one for each edge of the betting and
then one for each root.

Bytes moved for each river board: the rows of reach and values (9 rows of 8 bytes a hand where only
all-in may be bet) stay in the second-level cache, and strategies are read and written once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.runtime.arrays import Bytes, Floats, Int16s, Int32s, Int64s, Uint16s
from pokerlab.runtime.jit import kernel

TO_NODE, FOLDED, SHOWN_DOWN, DEALT, ALL_IN = range(5)
"""Where an edge leads: the numbers of `pokerlab.games.betting_trees.EdgeKind`."""
REGRETS, GREEDY, BEST_OF_GROUP, BEST_OF_HAND, PLAY = range(5)
"""What the hero does: CFR, CGH, the best response by group or by hand, or play as it is."""


class BettingShape(NamedTuple):
    """The betting of a street for one hero."""

    mine: Int64s
    """(nodes): 1 where the hero decides."""
    first_edge: Int64s
    """(nodes + 1)."""
    slot: Int64s
    """(nodes): the number of the first action among all actions of the node's player."""
    parent: Int64s
    """(nodes): the row of values that the node's value goes to."""
    node_row: Int64s
    """(nodes): the row of the opponent's reach."""
    edge_row: Int64s
    """(edges): the same behind an action."""
    kind: Int64s
    """(edges): one of `TO_NODE` to `ALL_IN`."""
    pay: Floats
    """(edges): what the hero wins when somebody folds, or by the better hand."""


class StreetHands(NamedTuple):
    """The hands of all boards of a street."""

    cards: Bytes
    """(hands, 2)."""
    weight: Floats
    """(hands): of the range that both players have."""
    label: Int32s
    """(boards, hands): the group of a hand; −1 where it is impossible."""
    share: Floats
    """(boards, hands): its part of the weight of the group."""
    groups: Int64s
    """(boards): how many."""
    order: Uint16s
    """(boards, hands): on a river the possible hands, the worst first."""
    strength: Int32s
    """(boards, hands): on a river, in that order; larger is better."""
    low: Bytes
    """(boards, hands): the first card of each hand in that order."""
    high: Bytes
    """The second."""
    possible: Int64s
    """(boards): how many hands are possible."""
    margin: Int16s
    """(boards, hands, opposing hands): before the river, run-outs won less run-outs lost."""
    margin_chance: float
    """What a run-out counts."""
    first: tuple[Int64s, Int64s]
    """By player, (boards): where the strategies of a board begin."""
    chance: float
    """That of a card of this street, given both hands."""
    member_first: Int64s
    """(boards + 1): the cards that a board stands for."""
    source: Int32s
    """(members, hands): the hand on the board that a hand on the member is."""


class GroupWalk(NamedTuple):
    """What the hero does, and how groups are treated."""

    hero: int
    task: int
    old: float
    """CGH: (n − 1) / n."""
    away: float
    """CGH: c / n."""
    returns_new: bool
    """Whether a node passes up the value under the strategy just updated."""
    mean_up: bool
    """Whether a street passes up the mean of a group instead of the value of each hand."""
    mean_collisions: bool
    """Whether leaves see the mean reach of a group instead of the reach of each hand."""
    tie: float
    """Values that differ by less are equal."""


@kernel
def walk_boards(
    shape: BettingShape,
    hands: StreetHands,
    walk: GroupWalk,
    boards: tuple[int, int],
    strategy: tuple[Floats, Floats],
    regret: Floats,
    arriving: Floats,
    leaving: Floats,
) -> None:
    """Walk over complete boards; add the hero's values at the roots to rows of the street before.

    `arriving` and `leaving` are (roots, hands): the opponent's reach, and the values.
    """
    edges, roots, count = len(shape.kind), len(arriving), len(hands.weight)
    reach = np.zeros((_rows(shape, roots), count))
    values = np.zeros((edges + roots, count))
    for board in range(boards[0], boards[1]):
        go_down(shape, hands, walk, board, strategy[1 - walk.hero], arriving, reach)
        evaluate_leaves(shape, hands, walk, board, reach, values)
        go_up(shape, hands, walk, board, strategy[walk.hero], regret, values)
        carry_up(hands, walk, board, values[edges:], leaving)


@kernel
def _rows(shape: BettingShape, roots: int) -> int:
    most = roots - 1
    for row in shape.edge_row:
        most = max(most, row)
    return most + 1


@kernel
def go_down(
    shape: BettingShape,
    hands: StreetHands,
    walk: GroupWalk,
    board: int,
    strategy: Floats,
    arriving: Floats,
    reach: Floats,
) -> None:
    """Write the opponent's reach at all nodes and behind all actions of a board."""
    label, groups = hands.label[board], hands.groups[board]
    start = hands.first[1 - walk.hero][board]
    for root in range(len(arriving)):
        for hand in range(len(label)):
            reach[root, hand] = arriving[root, hand] if label[hand] >= 0 else 0.0
    for node in range(len(shape.mine)):
        if shape.mine[node]:
            continue
        source = reach[shape.node_row[node]]
        for edge in range(shape.first_edge[node], shape.first_edge[node + 1]):
            out = reach[shape.edge_row[edge]]
            action = shape.slot[node] + edge - shape.first_edge[node]
            place = start + action * groups
            for hand in range(len(label)):
                group = max(label[hand], 0)
                out[hand] = source[hand] * strategy[place + group]


@kernel
def evaluate_leaves(
    shape: BettingShape,
    hands: StreetHands,
    walk: GroupWalk,
    board: int,
    reach: Floats,
    values: Floats,
) -> None:
    """Write the hero's values behind all actions that end the hand; zeros where a card comes."""
    count = len(hands.weight)
    seen, mean = np.zeros(count), np.zeros(count)
    for edge in range(len(shape.kind)):
        out, kind = values[edge], shape.kind[edge]
        if kind == TO_NODE:
            continue
        out[:] = 0.0
        if kind == DEALT:
            continue
        seen[:] = reach[shape.edge_row[edge]]
        if walk.mean_collisions:
            average_groups(hands, board, seen, mean)
        if kind == FOLDED:
            _meet(hands, board, seen, shape.pay[edge], out)
        elif kind == SHOWN_DOWN:
            _show_down(hands, board, seen, shape.pay[edge], out)
        else:
            _run_out(hands, board, seen, shape.pay[edge] * hands.margin_chance, out)


@kernel
def average_groups(hands: StreetHands, board: int, row: Floats, mean: Floats) -> None:
    """Replace the numbers of a row by the means of their groups; `mean` is a workspace."""
    label, share = hands.label[board], hands.share[board]
    mean[: hands.groups[board]] = 0.0
    for hand in range(len(label)):
        if label[hand] >= 0:
            mean[label[hand]] += share[hand] * row[hand]
    for hand in range(len(label)):
        if label[hand] >= 0:
            row[hand] = mean[label[hand]]


@kernel
def _meet(hands: StreetHands, board: int, reach: Floats, pay: float, out: Floats) -> None:
    """The reach that shares no card with a hand, times `pay`."""
    by_card, total = np.zeros(52), 0.0
    cards, label = hands.cards, hands.label[board]
    for hand in range(len(label)):
        total += reach[hand]
        by_card[cards[hand, 0]] += reach[hand]
        by_card[cards[hand, 1]] += reach[hand]
    for hand in range(len(label)):
        if label[hand] >= 0:
            blocked = by_card[cards[hand, 0]] + by_card[cards[hand, 1]] - reach[hand]
            out[hand] = pay * (total - blocked)


@kernel
def _show_down(hands: StreetHands, board: int, reach: Floats, pay: float, out: Floats) -> None:
    """The reach that a hand beats less the reach that beats it, times `pay`: a sweep each way."""
    order, strength = hands.order[board], hands.strength[board]
    low, high, count = hands.low[board], hands.high[board], hands.possible[board]
    sorted_reach, found, by_card = np.empty(count), np.empty(count), np.zeros(52)
    for place in range(count):
        sorted_reach[place] = reach[order[place]]
    total, begin = 0.0, 0
    while begin < count:
        end, level = begin, strength[begin]
        while end < count and strength[end] == level:
            found[end] = total - by_card[low[end]] - by_card[high[end]]
            end += 1
        for place in range(begin, end):
            total += sorted_reach[place]
            by_card[low[place]] += sorted_reach[place]
            by_card[high[place]] += sorted_reach[place]
        begin = end
    by_card[:] = 0.0
    total, last = 0.0, count - 1
    while last >= 0:
        end, level = last, strength[last]
        while end >= 0 and strength[end] == level:
            beaten_by = total - by_card[low[end]] - by_card[high[end]]
            out[order[end]] = pay * (found[end] - beaten_by)
            end -= 1
        for place in range(end + 1, last + 1):
            total += sorted_reach[place]
            by_card[low[place]] += sorted_reach[place]
            by_card[high[place]] += sorted_reach[place]
        last = end


@kernel(fastmath=True)
def _run_out(hands: StreetHands, board: int, reach: Floats, pay: float, out: Floats) -> None:
    """The same for an all-in before the river, over all run-outs."""
    margin = hands.margin[board]
    for hand in range(len(reach)):
        total, row = 0.0, margin[hand]
        for other in range(len(reach)):
            total += row[other] * reach[other]
        out[hand] = pay * total


@kernel
def go_up(
    shape: BettingShape,
    hands: StreetHands,
    walk: GroupWalk,
    board: int,
    strategy: Floats,
    regret: Floats,
    values: Floats,
) -> None:
    """Write the values of all nodes of a board, from the last to the first; the hero learns."""
    label, groups = hands.label[board], hands.groups[board]
    start = hands.first[walk.hero][board]
    work = np.zeros((2, groups))
    by_group = np.zeros((np.diff(shape.first_edge).max(), groups))
    for back in range(len(shape.mine)):
        node = len(shape.mine) - 1 - back
        first, last = shape.first_edge[node], shape.first_edge[node + 1]
        target = values[shape.parent[node]]
        if not shape.mine[node]:
            target[:] = values[first]
            for edge in range(first + 1, last):
                target += values[edge]
            continue
        if walk.task == BEST_OF_HAND:
            target[:] = values[first]
            for edge in range(first + 1, last):
                target[:] = np.maximum(target, values[edge])
            continue
        place = start + shape.slot[node] * groups
        _sum_groups(hands, board, values, first, last, by_group)
        played = strategy[place : place + (last - first) * groups].reshape(last - first, groups)
        if walk.task == BEST_OF_GROUP:
            played = np.zeros_like(played)
            _choose_best(by_group, last - first, walk.tie, work[0])
            for group in range(groups):
                played[int(work[0, group]), group] = 1.0
        if not walk.returns_new or walk.task >= BEST_OF_GROUP:
            _play(played, label, values, first, last, target)
        if walk.task == GREEDY:
            _choose_best(by_group, last - first, walk.tie, work[0])
            _hedge(played, walk, work[0])
        elif walk.task == REGRETS:
            own = regret[place : place + (last - first) * groups].reshape(last - first, groups)
            _match(by_group, own, played, walk.tie)
        if walk.returns_new and walk.task < BEST_OF_GROUP:
            _play(played, label, values, first, last, target)


@kernel
def _sum_groups(
    hands: StreetHands, board: int, values: Floats, first: int, last: int, by_group: Floats
) -> None:
    """Write the mean values of groups behind each action."""
    label, share = hands.label[board], hands.share[board]
    for edge in range(first, last):
        out, row = by_group[edge - first], values[edge]
        out[:] = 0.0
        for hand in range(len(label)):
            if label[hand] >= 0:
                out[label[hand]] += share[hand] * row[hand]


@kernel
def _play(
    played: Floats, label: Int32s, values: Floats, first: int, last: int, target: Floats
) -> None:
    """Write the value of each hand when its group plays a strategy."""
    for hand in range(len(label)):
        total, group = 0.0, label[hand]
        if group >= 0:
            for edge in range(first, last):
                total += played[edge - first, group] * values[edge, hand]
        target[hand] = total


@kernel
def _choose_best(by_group: Floats, actions: int, tie: float, best: Floats) -> None:
    """Write the best action of each group, the last of equals."""
    for group in range(len(best)):
        most = by_group[0, group]
        for action in range(1, actions):
            most = max(most, by_group[action, group])
        for action in range(actions):
            if by_group[action, group] >= most - tie:
                best[group] = action


@kernel
def _hedge(played: Floats, walk: GroupWalk, best: Floats) -> None:
    """Step towards the best action (5.6)."""
    actions, groups = played.shape
    for group in range(groups):
        rest, chosen = 1.0, int(best[group])
        for action in range(actions):
            if action != chosen:
                left = max(walk.old * played[action, group] - walk.away / actions, 0.0)
                played[action, group] = left
                rest -= left
        played[chosen, group] = rest


@kernel
def _match(by_group: Floats, regret: Floats, played: Floats, tie: float) -> None:
    """Add the regrets of this iteration, and play in proportion to the positive ones (4.3).

    A regret of less than `tie` is rounding: where no opponent arrives, play stays uniform.
    """
    actions, groups = played.shape
    for group in range(groups):
        mean, total = 0.0, 0.0
        for action in range(actions):
            mean += played[action, group] * by_group[action, group]
        for action in range(actions):
            regret[action, group] += by_group[action, group] - mean
            if regret[action, group] > tie:
                total += regret[action, group]
        for action in range(actions):
            if total > 0:
                more = regret[action, group] if regret[action, group] > tie else 0.0
                played[action, group] = more / total
            else:
                played[action, group] = 1.0 / actions


@kernel
def carry_up(
    hands: StreetHands, walk: GroupWalk, board: int, roots: Floats, leaving: Floats
) -> None:
    """Add the values at the roots of a board, for all cards that it stands for."""
    mean = np.zeros(len(hands.weight))
    for root in range(len(roots)):
        if walk.mean_up and walk.task != BEST_OF_HAND:
            average_groups(hands, board, roots[root], mean)
        for member in range(hands.member_first[board], hands.member_first[board + 1]):
            source = hands.source[member]
            for hand in range(len(source)):
                leaving[root, hand] += hands.chance * roots[root, source[hand]]

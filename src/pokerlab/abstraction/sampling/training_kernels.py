"""Regrets of a bucketed limit game by sampled deals: chance, external and outcome sampling.

A deal is 2 players' (or more) private cards and a whole board; the groups of all streets and the
showdown are found once, and what is left is the betting. Each walk is depth first with a stack of
frames, so that it also runs on a betting whose nodes are reached in several ways.

Rows of ``regret`` and ``total`` (rows, 3: fold, call, raise) are ordered by street, group and
then node: all that one player can need on a street in one deal lies together, which is what the
processor fetches ahead. A node costs about 15 ns where its rows are in a cache.

References: M. Zinkevich and others, "Regret minimization in games with incomplete information"
(2007), chance sampling; M. Lanctot and others, "Monte Carlo sampling for regret minimization in
extensive games" (2009), external and outcome sampling.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pokerlab.cards.random_kernels import next_uniform
from pokerlab.groups.group_kernels import GroupLookUp, groups_of_cards
from pokerlab.jit import kernel
from pokerlab.trees.limit.betting_kernels import POSITION, STREET
from pokerlab.trees.limit.cards_kernels import CardRules, cards_strength, deal_cards

__all__ = [
    "DealWorkspace",
    "TrainingTree",
    "Weights",
    "chance_sampling",
    "deal_and_look_up",
    "external_sampling",
    "external_walk",
    "leaf_worth",
    "match_row",
    "next_action",
    "outcome_sampling",
    "write_average",
]

Int64s = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Table = npt.NDArray[np.float32]
RandomState = npt.NDArray[np.uint64]

_ACTIONS = 3


class TrainingTree(NamedTuple):
    """The betting, and where its rows are."""

    nodes: npt.NDArray[np.int32]
    """(nodes, 5), as in `FlatTree`."""
    base: Int64s
    """(nodes,): the row of a node for group 0 of its street."""
    width: Int64s
    """(streets,): how far the rows of a node for two consecutive groups are apart."""
    spent: Int64s
    """(leaves, positions), as in `FlatTree`."""
    live: npt.NDArray[np.bool_]
    """(leaves, positions), as in `FlatTree`."""


class Weights(NamedTuple):
    """How an update rule counts iteration t."""

    regret_power: float
    """Regrets count t to this power."""
    average_power: float
    """Strategies count t to this power in the average."""
    floor: bool
    """Whether regrets are kept from falling below 0."""


class DealWorkspace(NamedTuple):
    """What one thread needs for a deal and a walk."""

    deck: npt.NDArray[np.uint8]
    """(cards,): its own, shuffled as it goes."""
    cards: npt.NDArray[np.uint8]
    """(positions, private cards + board)."""
    groups: Int64s
    """(positions, streets)."""
    strength: Int64s
    """(positions,): at a showdown."""
    node: Int64s
    """(depth,): the frames, from the first decision on."""
    row: Int64s
    """(depth,)."""
    action: Int64s
    """(depth,): what is being tried."""
    reach: Floats
    """(depth + 1, positions): the share of each player in coming here."""
    chance: Floats
    """(depth + 1, 3): the strategy."""
    worth: Floats
    """(depth + 1, 3): the value of each action."""


@kernel(makes_arrays=False)
def deal_and_look_up(
    rules: CardRules, look_up: GroupLookUp, work: DealWorkspace, state: RandomState
) -> None:
    """Deal at random; find the groups and the strength of each position."""
    deal_cards(work.cards, work.deck, rules.hole, state)
    for position in range(len(work.cards)):
        groups_of_cards(work.cards[position], look_up, work.groups[position])
        work.strength[position] = cards_strength(work.cards[position], rules)


@kernel(makes_arrays=False)
def match_row(regret: Table, row: int, node: npt.NDArray[np.int32], chance: Floats) -> None:
    """Write the strategy that matches the regrets of a row; alike where none is positive.

    What is not legal has no regret, so that nothing branches on it.
    """
    fold = max(float(regret[row, 0]), 0.0)
    call = max(float(regret[row, 1]), 0.0)
    raise_ = max(float(regret[row, 2]), 0.0)
    total = fold + call + raise_
    if total <= 0.0:
        fold = 1.0 if node[0] >= 0 else 0.0
        call = 1.0 if node[1] >= 0 else 0.0
        raise_ = 1.0 if node[2] >= 0 else 0.0
        total = fold + call + raise_
    share = 1.0 / total
    chance[0], chance[1], chance[2] = fold * share, call * share, raise_ * share


@kernel(makes_arrays=False)
def leaf_worth(
    leaf: int, hero: int, tree: TrainingTree, strength: Int64s, whole_chips: bool, unit: float
) -> float:
    """What a position wins or loses where the betting is over."""
    spent = tree.spent[leaf]
    if not tree.live[leaf, hero]:
        return float(-spent[hero] / unit)
    pot = 0
    winners = 1
    first = True
    for position in range(len(spent)):
        pot += spent[position]
        if position != hero and tree.live[leaf, position]:
            if strength[position] > strength[hero]:
                return float(-spent[hero] / unit)
            if strength[position] == strength[hero]:
                winners += 1
                first = first and position > hero
    odd = pot % winners if whole_chips else 0
    won = (pot - odd) / winners - spent[hero]
    if first:
        won += odd
    return float(won / unit)


@kernel(makes_arrays=False)
def _draw(chance: Floats, node: npt.NDArray[np.int32], state: RandomState) -> int:
    """An action, each with its chance, never one that is not legal."""
    point = next_uniform(state)
    found = 1  # to call is always legal
    for action in range(_ACTIONS):
        if node[action] >= 0 and chance[action] > 0.0:
            found = action
            point -= chance[action]
            if point < 0.0:
                break
    return found


@kernel(makes_arrays=False)
def _learn(
    regret: Table,
    row: int,
    node: npt.NDArray[np.int32],
    worth: Floats,
    expected: float,
    weight: float,
    floor: bool,
) -> None:
    """Add what each action would have won more than what was expected."""
    for action in range(_ACTIONS):
        gain = weight * (worth[action] - expected)
        new = regret[row, action] + (gain if node[action] >= 0 else 0.0)
        regret[row, action] = max(new, 0.0) if floor else new


@kernel(makes_arrays=False)
def _add(total: Table, row: int, chance: Floats, weight: float) -> None:
    for action in range(_ACTIONS):
        total[row, action] += weight * chance[action]


@kernel(makes_arrays=False)
def next_action(node: npt.NDArray[np.int32], after: int) -> int:
    """The next legal action, 3 if there is none."""
    action = after + 1
    while action < _ACTIONS and node[action] < 0:
        action += 1
    return action


@kernel(makes_arrays=False)
def external_sampling(
    first: int,
    step: int,
    count: int,
    weights: Weights,
    tree: TrainingTree,
    rules: CardRules,
    look_up: GroupLookUp,
    regret: Table,
    total: Table,
    state: RandomState,
    work: DealWorkspace,
) -> int:
    """All actions of each player in turn against sampled moves of the others.

    Iterations `first`, `first + step`, … (`count` of them), each with one deal. The strategies
    of the others are added to their averages on the way. Returns how many nodes were visited.
    """
    visited = 0
    for place in range(count):
        time = float(first + place * step)
        regret_weight = time**weights.regret_power
        average_weight = time**weights.average_power
        deal_and_look_up(rules, look_up, work, state)
        for hero in range(len(work.cards)):
            visited += external_walk(
                hero,
                regret_weight,
                average_weight,
                weights.floor,
                tree,
                rules,
                regret,
                total,
                total[:0],
                state,
                work,
            )
    return visited


@kernel(makes_arrays=False)
def external_walk(
    hero: int,
    regret_weight: float,
    average_weight: float,
    floor: bool,
    tree: TrainingTree,
    rules: CardRules,
    regret: Table,
    total: Table,
    fixed: Table,
    state: RandomState,
    work: DealWorkspace,
) -> int:
    """Try all actions of one player on the deal in `work`; returns how many nodes were visited.

    Where there are rows in `fixed`, the others play those and learn nothing: what the player
    learns is then a best response to them.
    """
    nodes = tree.nodes
    visited = 0
    depth = 0
    node = 0
    while True:
        while node < len(nodes):
            visited += 1
            player, street = nodes[node, POSITION], nodes[node, STREET]
            row = tree.base[node] + work.groups[player, street] * tree.width[street]
            chance = work.chance[depth]
            if player == hero:
                match_row(regret, row, nodes[node], chance)
                action = next_action(nodes[node], -1)
                work.node[depth] = node
                work.row[depth] = row
                work.action[depth] = action
                depth += 1
            elif len(fixed):
                for each in range(_ACTIONS):
                    chance[each] = fixed[row, each]
                action = _draw(chance, nodes[node], state)
            else:
                match_row(regret, row, nodes[node], chance)
                _add(total, row, chance, average_weight)
                action = _draw(chance, nodes[node], state)
            node = nodes[node, action]
        worth = leaf_worth(
            node - len(nodes), hero, tree, work.strength, rules.whole_chips, rules.unit
        )
        while depth > 0:
            top = depth - 1
            action = work.action[top]
            work.worth[top, action] = worth
            at = work.node[top]
            action = next_action(nodes[at], action)
            if action < _ACTIONS:
                work.action[top] = action
                node = nodes[at, action]
                break
            worth = 0.0
            for each in range(_ACTIONS):
                if nodes[at, each] >= 0:
                    worth += work.chance[top, each] * work.worth[top, each]
            _learn(
                regret, work.row[top], nodes[at], work.worth[top], worth, regret_weight, floor
            )
            depth = top
        if depth == 0:
            return visited


@kernel(makes_arrays=False)
def chance_sampling(
    first: int,
    step: int,
    count: int,
    weights: Weights,
    tree: TrainingTree,
    rules: CardRules,
    look_up: GroupLookUp,
    regret: Table,
    total: Table,
    state: RandomState,
    work: DealWorkspace,
) -> int:
    """All actions of both players, for games of two; otherwise as `external_sampling`."""
    visited = 0
    for place in range(count):
        time = float(first + place * step)
        deal_and_look_up(rules, look_up, work, state)
        visited += _chance_walk(
            time**weights.regret_power,
            time**weights.average_power,
            weights.floor,
            tree,
            rules,
            regret,
            total,
            work,
        )
    return visited


@kernel(makes_arrays=False)
def _chance_walk(
    regret_weight: float,
    average_weight: float,
    floor: bool,
    tree: TrainingTree,
    rules: CardRules,
    regret: Table,
    total: Table,
    work: DealWorkspace,
) -> int:
    """Both players learn from one walk: what one wins the other loses."""
    nodes = tree.nodes
    reach = work.reach
    reach[0, 0] = reach[0, 1] = 1.0
    visited = 0
    depth = 0
    node = 0
    while True:
        worth = 0.0
        while node < len(nodes):
            if reach[depth, 0] == 0.0 and reach[depth, 1] == 0.0:
                break  # nobody learns anything here
            visited += 1
            player, street = nodes[node, POSITION], nodes[node, STREET]
            row = tree.base[node] + work.groups[player, street] * tree.width[street]
            match_row(regret, row, nodes[node], work.chance[depth])
            _add(total, row, work.chance[depth], average_weight * reach[depth, player])
            action = next_action(nodes[node], -1)
            work.node[depth] = node
            work.row[depth] = row
            work.action[depth] = action
            reach[depth + 1, player] = reach[depth, player] * work.chance[depth, action]
            reach[depth + 1, 1 - player] = reach[depth, 1 - player]
            depth += 1
            node = nodes[node, action]
        if node >= len(nodes):
            worth = leaf_worth(
                node - len(nodes), 0, tree, work.strength, rules.whole_chips, rules.unit
            )
        while depth > 0:
            top = depth - 1
            at = work.node[top]
            player = nodes[at, POSITION]
            work.worth[top, work.action[top]] = worth
            action = next_action(nodes[at], work.action[top])
            if action < _ACTIONS:
                work.action[top] = action
                reach[depth, player] = reach[top, player] * work.chance[top, action]
                node = nodes[at, action]
                break
            worth = 0.0
            for each in range(_ACTIONS):
                if nodes[at, each] >= 0:
                    worth += work.chance[top, each] * work.worth[top, each]
            weight = regret_weight * reach[top, 1 - player]
            if player == 1:
                weight = -weight
            _learn(regret, work.row[top], nodes[at], work.worth[top], worth, weight, floor)
            depth = top
        if depth == 0:
            return visited


@kernel(makes_arrays=False)
def outcome_sampling(
    first: int,
    step: int,
    count: int,
    weights: Weights,
    exploration: float,
    tree: TrainingTree,
    rules: CardRules,
    look_up: GroupLookUp,
    regret: Table,
    total: Table,
    state: RandomState,
    work: DealWorkspace,
) -> int:
    """One path for each player, who tries actions at random with a share of `exploration`.

    Otherwise as `external_sampling`; averages are divided by the chance of the sampled moves.
    """
    visited = 0
    for place in range(count):
        time = float(first + place * step)
        deal_and_look_up(rules, look_up, work, state)
        for hero in range(len(work.cards)):
            visited += _outcome_walk(
                hero,
                time**weights.regret_power,
                time**weights.average_power,
                weights.floor,
                exploration,
                tree,
                rules,
                regret,
                total,
                state,
                work,
            )
    return visited


@kernel(makes_arrays=False)
def _outcome_walk(
    hero: int,
    regret_weight: float,
    average_weight: float,
    floor: bool,
    exploration: float,
    tree: TrainingTree,
    rules: CardRules,
    regret: Table,
    total: Table,
    state: RandomState,
    work: DealWorkspace,
) -> int:
    nodes = tree.nodes
    visited = 0
    depth = 0
    node = 0
    sampled = 1.0
    while node < len(nodes):
        visited += 1
        player, street = nodes[node, POSITION], nodes[node, STREET]
        row = tree.base[node] + work.groups[player, street] * tree.width[street]
        chance = work.chance[depth]
        match_row(regret, row, nodes[node], chance)
        if player == hero:
            legal = 0
            for action in range(_ACTIONS):
                legal += nodes[node, action] >= 0
            tried = work.worth[depth]  # not needed for values until the way back
            for action in range(_ACTIONS):
                tried[action] = 0.0
                if nodes[node, action] >= 0:
                    tried[action] = exploration / legal + (1.0 - exploration) * chance[action]
            action = _draw(tried, nodes[node], state)
            sampled *= tried[action]
            work.node[depth] = node
            work.row[depth] = row
            work.action[depth] = action
            depth += 1
        else:
            _add(total, row, chance, average_weight / sampled)
            action = _draw(chance, nodes[node], state)
        node = nodes[node, action]
    worth = leaf_worth(
        node - len(nodes), hero, tree, work.strength, rules.whole_chips, rules.unit
    )
    # The reach of the others cancels with their share of the sampling.
    worth /= sampled
    for top in range(depth - 1, -1, -1):
        chosen = work.action[top]
        for action in range(_ACTIONS):
            work.worth[top, action] = 0.0
        work.worth[top, chosen] = worth
        worth *= work.chance[top, chosen]
        at = work.node[top]
        _learn(regret, work.row[top], nodes[at], work.worth[top], worth, regret_weight, floor)
    return visited


@kernel(makes_arrays=False)
def write_average(
    here: Int64s, groups: int, tree: TrainingTree, total: Table, uniform_where_unseen: bool, out: Table
) -> None:
    """Write the average strategy of the nodes of a street, `here`, in the order of their rows.

    Where nobody has come, all legal actions alike or NaN.
    """
    first = tree.base[here[0]]
    for group in range(groups):
        for place in range(len(here)):
            row = first + group * len(here) + place
            weights = total[row, 0] + total[row, 1] + total[row, 2]
            if weights > 0.0:
                for action in range(_ACTIONS):
                    out[row, action] = total[row, action] / weights
                continue
            legal = 0
            for action in range(_ACTIONS):
                legal += tree.nodes[here[place], action] >= 0
            for action in range(_ACTIONS):
                out[row, action] = np.nan
                if uniform_where_unseen:
                    is_legal = tree.nodes[here[place], action] >= 0
                    out[row, action] = 1.0 / legal if is_legal else 0.0

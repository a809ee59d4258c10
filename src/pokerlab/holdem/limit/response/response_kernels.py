"""How much a best response wins against a table: exactly by all deals, or by playing.

Exactly: a deal costs a visit to each node of the betting, about 20 ns. By playing: as much as
external sampling to learn, and one random number and one row for each decision to play.

All rows are in the order of a trainer (see `pokerlab.holdem.limit.sampling.bucketed_game`).
"""

from __future__ import annotations

import numpy as np

from pokerlab.holdem.limit.buckets.look_up_kernels import BucketLookUp, buckets_of_cards
from pokerlab.holdem.limit.sampling.range_kernels import deal_in_ranges
from pokerlab.holdem.limit.sampling.training_kernels import external_walk
from pokerlab.holdem.limit.sampling.walk_kernels import (
    DealWorkspace,
    TrainingTree,
    deal_and_look_up,
    draw_action,
    leaf_worth,
    match_row,
)
from pokerlab.runtime.arrays import Bytes, Floats, Int64s, Singles, Uint64s
from pokerlab.runtime.jit import kernel
from pokerlab.trees.limit.betting_kernels import POSITION, STREET
from pokerlab.trees.limit.cards_kernels import CardRules, cards_strength

_ACTIONS = 3


@kernel(makes_arrays=False)
def add_deals(
    deals: Bytes,
    hero: int,
    tree: TrainingTree,
    rules: CardRules,
    look_up: BucketLookUp,
    probabilities: Singles,
    worth: Floats,
    before: Int64s,
    work: DealWorkspace,
) -> bool:
    """Add to each action what it leads to without another decision of the hero.

    Parameters
    ----------
    deals
        (deals, positions, private cards + board).
    hero
        Who responds; the others play `probabilities`.
    worth
        (rows + 1, 3): payoffs times the reach of the others, by the last action of the hero; the
        last row is for leaves before which the hero does not act.
    before
        (rows,): 3 times the row of the hero's decision before, plus the action there; −1 where
        no deal has led yet. The first decision has the row after all rows before it.
    work
        Room; ``work.row`` must have a place for each action of a hand.

    Returns
    -------
    bool
        Whether the hero has perfect recall: False if two decisions lead to one row.
    """
    nodes = tree.nodes
    start = _ACTIONS * (len(worth) - 1)
    for deal in range(len(deals)):
        for position in range(deals.shape[1]):
            buckets_of_cards(deals[deal, position], look_up, work.groups[position])
            work.strength[position] = cards_strength(deals[deal, position], rules)
        # A frame is a node, the action that is tried next, the hero's last action and the reach.
        depth = 0
        work.node[0], work.action[0], work.row[0] = 0, 0, start
        work.reach[0, 0] = 1.0
        while depth >= 0:
            node, action = work.node[depth], work.action[depth]
            last, reach = work.row[depth], work.reach[depth, 0]
            if node >= len(nodes):
                found = leaf_worth(
                    node - len(nodes), hero, tree, work.strength, rules.whole_chips, rules.unit
                )
                worth[last // _ACTIONS, last % _ACTIONS] += reach * found
                depth -= 1
                continue
            if action == _ACTIONS:
                depth -= 1
                continue
            work.action[depth] = action + 1
            player, street = nodes[node, POSITION], nodes[node, STREET]
            row = tree.base[node] + work.groups[player, street] * tree.width[street]
            if player == hero:
                if before[row] >= 0 and before[row] != last:
                    return False
                before[row] = last
                last = _ACTIONS * row + action
            else:
                reach *= probabilities[row, action]
            if nodes[node, action] >= 0 and reach > 0.0:
                depth += 1
                work.node[depth], work.action[depth] = nodes[node, action], 0
                work.row[depth] = last
                work.reach[depth, 0] = reach
    return True


@kernel(makes_arrays=False)
def best_choices(
    hero: int, tree: TrainingTree, counts: Int64s, worth: Floats, before: Int64s
) -> float:
    """Choose the best action everywhere, later decisions first; returns the value.

    `counts` (streets,) are the groups of each street; the betting must be a tree in preorder.
    """
    for back in range(len(tree.nodes)):
        node = len(tree.nodes) - 1 - back
        if tree.nodes[node, POSITION] != hero:
            continue
        street = tree.nodes[node, STREET]
        for group in range(counts[street]):
            row = tree.base[node] + group * tree.width[street]
            if before[row] < 0:
                continue
            best = -np.inf
            for action in range(_ACTIONS):
                if tree.nodes[node, action] >= 0:
                    best = max(best, worth[row, action])
            worth[before[row] // _ACTIONS, before[row] % _ACTIONS] += best
    return float(worth[len(worth) - 1, 0])


@kernel(makes_arrays=False)
def learn_response(
    deals: int,
    hero: int,
    tree: TrainingTree,
    rules: CardRules,
    look_up: BucketLookUp,
    probabilities: Singles,
    regret: Singles,
    ranges: Floats | None,
    state: Uint64s,
    work: DealWorkspace,
) -> None:
    """Learn by external sampling how the hero answers others who play `probabilities`.

    Only regrets of the hero change, and they never fall below 0. Deals are of the `ranges` (see
    `deal_in_ranges`) if there are any.
    """
    for _ in range(deals):
        if ranges is None:
            deal_and_look_up(rules, look_up, work, state)
        else:
            deal_in_ranges(ranges, rules, look_up, work, state)
        external_walk(
            hero,
            1.0,
            0.0,
            True,
            tree,
            rules,
            regret,
            regret,
            probabilities,
            None,
            False,
            state,
            work,
        )


@kernel(makes_arrays=False)
def play_response(
    deals: int,
    hero: int,
    tree: TrainingTree,
    rules: CardRules,
    look_up: BucketLookUp,
    probabilities: Singles,
    regret: Singles,
    state: Uint64s,
    work: DealWorkspace,
    sums: Floats,
) -> None:
    """Play hands: the hero by regrets, the others by `probabilities`; add to `sums` (2,).

    They are the sum of what the hero wins and of its square.
    """
    nodes = tree.nodes
    chance = work.chance[0]
    for _ in range(deals):
        deal_and_look_up(rules, look_up, work, state)
        node = 0
        while node < len(nodes):
            player, street = nodes[node, POSITION], nodes[node, STREET]
            row = tree.base[node] + work.groups[player, street] * tree.width[street]
            if player == hero:
                match_row(regret, row, nodes[node], chance)
            else:
                for action in range(_ACTIONS):
                    chance[action] = probabilities[row, action]
            node = nodes[node, draw_action(chance, nodes[node], state)]
        won = leaf_worth(
            node - len(nodes), hero, tree, work.strength, rules.whole_chips, rules.unit
        )
        sums[0] += won
        sums[1] += won * won

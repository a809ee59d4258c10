"""Fictitious play on random situations: one deal at a time, as the seminar trains Adam.

A deal is a situation. Both players know each other's answers: in every group of cards the action
that has won most so far. In turn each tries all actions against the other's answers, adds what
they won to what is known of them, and the own answer to the own average.

The tables are those of the other walks (`walk_kernels`): ``regret`` has for each action what it won
beyond the answer of the time, ``total`` the answers.
"""

from __future__ import annotations

from pokerlab.holdem.limit.buckets.look_up_kernels import BucketLookUp
from pokerlab.holdem.limit.sampling.walk_kernels import (
    DealWorkspace,
    IterationWeights,
    TrainingTree,
    add_regret,
    deal_and_look_up,
    leaf_worth,
    next_action,
)
from pokerlab.runtime.arrays import Int32s, Singles, Uint64s
from pokerlab.runtime.jit import kernel
from pokerlab.trees.limit.betting_kernels import POSITION, STREET
from pokerlab.trees.limit.cards_kernels import CardRules

_ACTIONS = 3


@kernel(makes_arrays=False)
def situation_sampling(
    first: int,
    step: int,
    count: int,
    weights: IterationWeights,
    tree: TrainingTree,
    rules: CardRules,
    look_up: BucketLookUp,
    regret: Singles,
    total: Singles,
    state: Uint64s,
    work: DealWorkspace,
) -> int:
    """Iterations `first`, `first + step`, … (`count` of them), each a deal; returns nodes visited.

    Iteration t counts by `weights`, as in the other walks.
    """
    visited = 0
    for place in range(count):
        time = float(first + place * step)
        deal_and_look_up(rules, look_up, work, state)
        for hero in range(len(work.cards)):
            visited += _situation_walk(
                hero,
                time**weights.regret_power,
                time**weights.average_power,
                tree,
                rules,
                regret,
                total,
                state,
                work,
            )
    return visited


@kernel(makes_arrays=False)
def _situation_walk(
    hero: int,
    value_weight: float,
    average_weight: float,
    tree: TrainingTree,
    rules: CardRules,
    regret: Singles,
    total: Singles,
    state: Uint64s,
    work: DealWorkspace,
) -> int:
    nodes = tree.nodes
    visited = 0
    depth = 0
    node = 0
    work.reach[0, hero] = 1.0
    while True:
        while node < len(nodes):
            visited += 1
            player, street = nodes[node, POSITION], nodes[node, STREET]
            row = tree.base[node] + work.groups[player, street] * tree.width[street]
            chance = work.chance[depth]
            if player == hero:
                best = best_action(regret, row, nodes[node])
                for each in range(_ACTIONS):
                    chance[each] = 1.0 if each == best else 0.0
                total[row, best] += average_weight * work.reach[depth, hero]
                action = next_action(nodes[node], -1)
                work.node[depth] = node
                work.row[depth] = row
                work.action[depth] = action
                work.reach[depth + 1, hero] = work.reach[depth, hero] * chance[action]
                depth += 1
            else:
                action = best_action(regret, row, nodes[node])
            node = nodes[node, action]
        worth = leaf_worth(
            node - len(nodes), hero, tree, work.strength, rules.whole_chips, rules.unit
        )
        while depth > 0:
            top = depth - 1
            at, action = work.node[top], work.action[top]
            work.worth[top, action] = worth
            action = next_action(nodes[at], action)
            if action < _ACTIONS:
                work.action[top] = action
                work.reach[depth, hero] = work.reach[top, hero] * work.chance[top, action]
                node = nodes[at, action]
                break
            worth = 0.0
            for each in range(_ACTIONS):
                if work.chance[top, each] > 0.0:
                    worth = work.worth[top, each]
            add_regret(
                regret, work.row[top], nodes[at], work.worth[top], worth, value_weight, False
            )
            depth = top
        if depth == 0:
            return visited


@kernel(makes_arrays=False)
def best_action(regret: Singles, row: int, node: Int32s) -> int:
    """The legal action that has won most so far; the last of equals."""
    best = 1  # to call is always legal
    for action in range(_ACTIONS):
        if node[action] >= 0 and regret[row, action] >= regret[row, best]:
            best = action
    return best

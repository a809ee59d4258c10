"""Regrets of a bucketed limit game by sampled deals: chance, external and outcome sampling.

Each walk is depth first with a stack of frames, so that it also runs on a betting whose nodes are
reached in several ways. A node costs about 15 ns where its rows are in a cache; see `walk_kernels`
for tables and workspaces.

References: M. Zinkevich and others, "Regret minimization in games with incomplete information"
(2007), chance sampling; M. Lanctot and others, "Monte Carlo sampling for regret minimization in
extensive games" (2009), external and outcome sampling.
"""

from __future__ import annotations

from pokerlab.cards.random_kernels import next_uniform
from pokerlab.holdem.limit.buckets.look_up_kernels import BucketLookUp
from pokerlab.holdem.limit.sampling.range_kernels import deal_in_ranges
from pokerlab.holdem.limit.sampling.walk_kernels import (
    DealWorkspace,
    IterationWeights,
    TrainingTree,
    add_regret,
    add_strategy,
    bound_worth,
    deal_and_look_up,
    draw_action,
    leaf_worth,
    match_row,
    mix_in_model,
    next_action,
)
from pokerlab.runtime.arrays import Floats, Int64s, Singles, Uint64s
from pokerlab.runtime.jit import kernel
from pokerlab.solvers.evaluation.restriction import Restriction
from pokerlab.trees.limit.betting_kernels import POSITION, STREET
from pokerlab.trees.limit.cards_kernels import CardRules

_ACTIONS = 3


@kernel(makes_arrays=False)
def external_sampling(
    first: int,
    step: int,
    count: int,
    weights: IterationWeights,
    tree: TrainingTree,
    rules: CardRules,
    look_up: BucketLookUp,
    regret: Singles,
    total: Singles,
    restriction: Restriction | None,
    ranges: Floats | None,
    heroes: Int64s,
    state: Uint64s,
    work: DealWorkspace,
) -> int:
    """All actions of each of the `heroes` in turn against sampled moves of the others.

    Iterations `first`, `first + step`, … (`count` of them), each with one deal, of the `ranges`
    (see `deal_in_ranges`) if there are any. The strategies of the others are added to their
    averages on the way. Returns how many nodes were visited. If a player is bound to a model, the
    other learns against the mixture, and the bound player learns only the free part.
    """
    visited = 0
    for place in range(count):
        time = float(first + place * step)
        regret_weight = time**weights.regret_power
        average_weight = time**weights.average_power
        if ranges is None:
            deal_and_look_up(rules, look_up, work, state)
        else:
            deal_in_ranges(ranges, rules, look_up, work, state)
        whole = False
        if restriction is not None:
            whole = next_uniform(state) < restriction.whole
        for hero in heroes:
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
                restriction,
                whole,
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
    regret: Singles,
    total: Singles,
    fixed: Singles,
    restriction: Restriction | None,
    whole: bool,
    state: Uint64s,
    work: DealWorkspace,
) -> int:
    """Try all actions of one player on the deal in `work`; returns how many nodes were visited.

    Where there are rows in `fixed`, the others play those and learn nothing: what the player
    learns is then a best response to them. `whole` is whether a player who is bound to a model is
    so for the whole deal.
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
                action = draw_action(chance, nodes[node], state)
            else:
                match_row(regret, row, nodes[node], chance)
                add_strategy(total, row, chance, average_weight)
                if restriction is not None and player == restriction.player:
                    mix_in_model(restriction, whole, row, chance)
                action = draw_action(chance, nodes[node], state)
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
            add_regret(
                regret, work.row[top], nodes[at], work.worth[top], worth, regret_weight, floor
            )
            if restriction is not None and hero == restriction.player:
                worth = bound_worth(restriction, work.row[top], work.worth[top], worth)
            depth = top
        if depth == 0:
            return visited


@kernel(makes_arrays=False)
def chance_sampling(
    first: int,
    step: int,
    count: int,
    weights: IterationWeights,
    tree: TrainingTree,
    rules: CardRules,
    look_up: BucketLookUp,
    regret: Singles,
    total: Singles,
    restriction: Restriction | None,
    state: Uint64s,
    work: DealWorkspace,
) -> int:
    """All actions of both players, for games of two; otherwise as `external_sampling`."""
    visited = 0
    for place in range(count):
        time = float(first + place * step)
        deal_and_look_up(rules, look_up, work, state)
        whole = False
        if restriction is not None:
            whole = next_uniform(state) < restriction.whole
        visited += _chance_walk(
            time**weights.regret_power,
            time**weights.average_power,
            weights.floor,
            tree,
            rules,
            regret,
            total,
            restriction,
            whole,
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
    regret: Singles,
    total: Singles,
    restriction: Restriction | None,
    whole: bool,
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
            add_strategy(total, row, work.chance[depth], average_weight * reach[depth, player])
            if restriction is not None and player == restriction.player:
                mix_in_model(restriction, whole, row, work.chance[depth])
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
            expected = worth
            if restriction is not None and player == restriction.player:
                # The regret is that of the free choice, not of the model; a whole deal by the
                # model leaves none.
                chosen = work.chance[top]
                match_row(regret, work.row[top], nodes[at], chosen)
                expected = 0.0
                for each in range(_ACTIONS):
                    if nodes[at, each] >= 0:
                        expected += chosen[each] * work.worth[top, each]
                if whole:
                    weight = 0.0
            add_regret(regret, work.row[top], nodes[at], work.worth[top], expected, weight, floor)
            depth = top
        if depth == 0:
            return visited


@kernel(makes_arrays=False)
def outcome_sampling(
    first: int,
    step: int,
    count: int,
    weights: IterationWeights,
    exploration: float,
    tree: TrainingTree,
    rules: CardRules,
    look_up: BucketLookUp,
    regret: Singles,
    total: Singles,
    state: Uint64s,
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
    regret: Singles,
    total: Singles,
    state: Uint64s,
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
            action = draw_action(tried, nodes[node], state)
            sampled *= tried[action]
            work.node[depth] = node
            work.row[depth] = row
            work.action[depth] = action
            depth += 1
        else:
            add_strategy(total, row, chance, average_weight / sampled)
            action = draw_action(chance, nodes[node], state)
        node = nodes[node, action]
    worth = leaf_worth(node - len(nodes), hero, tree, work.strength, rules.whole_chips, rules.unit)
    # The reach of the others cancels with their share of the sampling.
    worth /= sampled
    for top in range(depth - 1, -1, -1):
        chosen = work.action[top]
        for action in range(_ACTIONS):
            work.worth[top, action] = 0.0
        work.worth[top, chosen] = worth
        worth *= work.chance[top, chosen]
        at = work.node[top]
        add_regret(regret, work.row[top], nodes[at], work.worth[top], worth, regret_weight, floor)
    return visited

"""All private hands of two players at once, on boards dealt at random (public-chance sampling).

A walk goes through the whole betting with a vector over all hands that the board leaves: how
likely each player gets here with each hand, and what it is worth. At the leaves hands are
compared in the order of their strength, with card removal, in one sweep: about 4 ns a hand.

Reference: M. Johanson and others, "Efficient Nash equilibrium approximation through Monte Carlo
counterfactual regret minimization" (2012).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.cards.random_kernels import next_uniform
from pokerlab.holdem.limit.buckets.look_up_kernels import BucketLookUp, buckets_of_cards
from pokerlab.holdem.limit.sampling.walk_kernels import (
    IterationWeights,
    TrainingTree,
    match_row,
    mix_in_model,
    next_action,
)
from pokerlab.runtime.arrays import Bytes, Floats, Int64s, Singles, Uint64s
from pokerlab.runtime.jit import kernel
from pokerlab.solvers.evaluation.restriction import Restriction
from pokerlab.trees.limit.betting_kernels import POSITION, STREET
from pokerlab.trees.limit.cards_kernels import CardRules, cards_strength, draw_card

_ACTIONS = 3


class BoardWorkspace(NamedTuple):
    """What one thread needs for a board and a walk; n is the number of hands on a board."""

    deck: Bytes
    """(cards,): its own, shuffled as it goes."""
    cards: Bytes
    """(n, private cards + board): the hands, the weakest first."""
    strength: Int64s
    """(n,)."""
    end: Int64s
    """(n,): where the hands end that are as strong as this one."""
    groups: Int64s
    """(n, streets)."""
    local: Int64s
    """(streets, n): the number of a hand's group among those that the board leaves."""
    group: Int64s
    """(streets, n): the groups that the board leaves."""
    present: Int64s
    """(streets,): how many they are."""
    number: Int64s
    """(most groups of a street,): −1 everywhere between two boards."""
    node: Int64s
    """(depth,)."""
    action: Int64s
    """(depth,): what is being tried."""
    reach: Singles
    """(depth, 2, n)."""
    worth: Singles
    """(depth, 2, n)."""
    chance: Singles
    """(depth, 3, n): by local group."""
    gain: Singles
    """(depth, 3, n): by local group."""
    row_chance: Floats
    """(3,)."""
    of_card: Floats
    """(52,)."""


@kernel
def public_walks(
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
    work: BoardWorkspace,
) -> int:
    """Both players learn on `count` boards, in the iterations `first`, `first + step`, … .

    Returns how many pairs of a node and a hand were visited. A player who is bound to a model
    for whole deals is so on a whole board.
    """
    visited = 0
    for place in range(count):
        deal_board(rules, look_up, work, state)
        whole = False
        if restriction is not None:
            whole = next_uniform(state) < restriction.whole
        time = float(first + place * step)
        visited += _walk(
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


@kernel
def deal_board(
    rules: CardRules, look_up: BucketLookUp, work: BoardWorkspace, state: Uint64s
) -> None:
    """Deal a board; list the hands that it leaves, by strength, with their groups."""
    public = rules.board_cards[-1]
    for place in range(public):
        draw_card(work.deck, place, state)
    left = len(work.deck) - public
    hands = len(work.strength)
    cards = np.empty((hands, rules.hole + public), np.uint8)
    strength = np.empty(hands, np.int64)
    hand = 0
    for high in range(left):
        for low in range(high if rules.hole == 2 else 1):
            cards[hand, 0] = work.deck[public + high]
            if rules.hole == 2:
                cards[hand, 1] = work.deck[public + low]
            for place in range(public):
                cards[hand, rules.hole + place] = work.deck[place]
            strength[hand] = cards_strength(cards[hand], rules)
            hand += 1
    order = np.argsort(strength)
    for hand in range(hands):
        work.cards[hand] = cards[order[hand]]
        work.strength[hand] = strength[order[hand]]
        buckets_of_cards(work.cards[hand], look_up, work.groups[hand])
    end = hands
    for back in range(hands):
        hand = hands - 1 - back
        if hand < hands - 1 and work.strength[hand] != work.strength[hand + 1]:
            end = hand + 1
        work.end[hand] = end
    for street in range(len(work.present)):
        found = 0
        for hand in range(hands):
            group = work.groups[hand, street]
            if work.number[group] < 0:
                work.number[group] = found
                work.group[street, found] = group
                found += 1
            work.local[street, hand] = work.number[group]
        for place in range(found):
            work.number[work.group[street, place]] = -1
        work.present[street] = found


@kernel(makes_arrays=False)
def pair_share(rules: CardRules, hands: int) -> float:
    """The weight of a pair of hands that share no card: all are equal, and sum to 1."""
    left = len(rules.deck) - rules.board_cards[-1]
    apart = 1.0 if rules.hole == 1 else (left - 2) * (left - 3) / (left * (left - 1) - 2)
    return float(1.0 / (hands * (hands - 1) * apart))


@kernel(makes_arrays=False)
def _walk(
    regret_weight: float,
    average_weight: float,
    floor: bool,
    tree: TrainingTree,
    rules: CardRules,
    regret: Singles,
    total: Singles,
    restriction: Restriction | None,
    whole: bool,
    work: BoardWorkspace,
) -> int:
    nodes = tree.nodes
    hands = len(work.strength)
    share = pair_share(rules, hands)
    for hand in range(hands):
        work.reach[0, 0, hand] = work.reach[0, 1, hand] = 1.0
    visited = 0
    depth = 0
    node = 0
    while True:
        # Down: enter nodes until a leaf.
        while node < len(nodes):
            visited += hands
            player, street = nodes[node, POSITION], nodes[node, STREET]
            _enter(node, depth, average_weight, tree, regret, total, restriction, whole, work)
            action = next_action(nodes[node], -1)
            work.node[depth] = node
            work.action[depth] = action
            _send(player, street, depth, action, work)
            depth += 1
            node = nodes[node, action]
        for player in range(2):
            leaf_of_hands(
                player,
                node - len(nodes),
                share,
                tree,
                rules,
                work.reach[depth, 1 - player],
                work.worth[depth, player],
                work,
            )
        # Up: finish nodes until one has another action to try.
        while depth > 0:
            top = depth - 1
            at = work.node[top]
            player, street = nodes[at, POSITION], nodes[at, STREET]
            _take_back(player, street, top, work.action[top], work)
            action = next_action(nodes[at], work.action[top])
            if action < _ACTIONS:
                work.action[top] = action
                _send(player, street, top, action, work)
                node = nodes[at, action]
                break
            _finish(at, top, regret_weight, floor, tree, regret, restriction, whole, work)
            depth = top
        if depth == 0:
            return visited


@kernel(makes_arrays=False)
def _enter(
    node: int,
    depth: int,
    average_weight: float,
    tree: TrainingTree,
    regret: Singles,
    total: Singles,
    restriction: Restriction | None,
    whole: bool,
    work: BoardWorkspace,
) -> None:
    """Find the strategy of each group, and begin to add up."""
    player, street = tree.nodes[node, POSITION], tree.nodes[node, STREET]
    base, width = tree.base[node], tree.width[street]
    groups = work.present[street]
    chance, gain = work.chance[depth], work.gain[depth]
    for place in range(groups):
        gain[0, place] = gain[1, place] = gain[2, place] = 0.0
    # How likely the player gets here with each group; kept in the place of the first action.
    for hand in range(len(work.strength)):
        gain[0, work.local[street, hand]] += work.reach[depth, player, hand]
    for place in range(groups):
        row = base + work.group[street, place] * width
        match_row(regret, row, tree.nodes[node], work.row_chance)
        weight = average_weight * gain[0, place]
        gain[0, place] = 0.0
        for action in range(_ACTIONS):
            total[row, action] += weight * work.row_chance[action]
        if restriction is not None and player == restriction.player:
            mix_in_model(restriction, whole, row, work.row_chance)
        for action in range(_ACTIONS):
            chance[action, place] = work.row_chance[action]
    for hand in range(len(work.strength)):
        work.worth[depth, 0, hand] = work.worth[depth, 1, hand] = 0.0


@kernel(makes_arrays=False)
def _send(player: int, street: int, depth: int, action: int, work: BoardWorkspace) -> None:
    """Write how likely both players get to where an action leads."""
    here, there = work.reach[depth], work.reach[depth + 1]
    chance, local = work.chance[depth, action], work.local[street]
    other = 1 - player
    for hand in range(len(work.strength)):
        there[player, hand] = here[player, hand] * chance[local[hand]]
        there[other, hand] = here[other, hand]


@kernel(makes_arrays=False)
def _take_back(player: int, street: int, depth: int, action: int, work: BoardWorkspace) -> None:
    """Add what an action is worth to what its node is worth."""
    here, there = work.worth[depth], work.worth[depth + 1]
    chance, gain, local = work.chance[depth, action], work.gain[depth, action], work.local[street]
    other = 1 - player
    for hand in range(len(work.strength)):
        group = local[hand]
        here[player, hand] += chance[group] * there[player, hand]
        here[other, hand] += there[other, hand]
        gain[group] += there[player, hand]


@kernel(makes_arrays=False)
def _finish(
    node: int,
    depth: int,
    regret_weight: float,
    floor: bool,
    tree: TrainingTree,
    regret: Singles,
    restriction: Restriction | None,
    whole: bool,
    work: BoardWorkspace,
) -> None:
    """Learn from what all actions of a node are worth to each group."""
    street = tree.nodes[node, STREET]
    is_bound = False
    if restriction is not None:
        is_bound = tree.nodes[node, POSITION] == restriction.player
        if is_bound and whole:
            return
    base, width = tree.base[node], tree.width[street]
    chance, gain = work.chance[depth], work.gain[depth]
    for place in range(work.present[street]):
        row = base + work.group[street, place] * width
        if is_bound:
            # The regret is that of the free choice, not of the model.
            match_row(regret, row, tree.nodes[node], work.row_chance)
            for action in range(_ACTIONS):
                chance[action, place] = work.row_chance[action]
        expected = 0.0
        for action in range(_ACTIONS):
            expected += chance[action, place] * gain[action, place]
        for action in range(_ACTIONS):
            if tree.nodes[node, action] >= 0:
                new = regret[row, action] + regret_weight * (gain[action, place] - expected)
                regret[row, action] = max(new, 0.0) if floor else new


@kernel(makes_arrays=False)
def leaf_of_hands(
    player: int,
    leaf: int,
    share: float,
    tree: TrainingTree,
    rules: CardRules,
    reach: Singles,
    worth: Singles,
    work: BoardWorkspace,
) -> None:
    """Write what each hand of a player is worth where the betting is over.

    `reach` (n,) is how likely the other gets here with each hand.
    """
    reached = False
    for hand in range(len(reach)):
        reached = reached or reach[hand] > 0.0
    if not reached:
        worth[:] = 0.0
        return
    lost = -tree.spent[leaf, player] * share / rules.unit
    won = tree.spent[leaf, 1 - player] * share / rules.unit
    if tree.live[leaf, 0] and tree.live[leaf, 1]:
        _showdown(won, lost, reach, worth, rules.hole, work)
    else:
        _folded(won if tree.live[leaf, player] else lost, reach, worth, rules.hole, work)


@kernel(makes_arrays=False)
def _folded(chips: float, reach: Singles, worth: Singles, hole: int, work: BoardWorkspace) -> None:
    """Every hand wins or loses the same, against all that share no card with it."""
    of_card, cards = work.of_card, work.cards
    of_card[:] = 0.0
    total = 0.0
    for hand in range(len(reach)):
        weight = float(reach[hand])
        total += weight
        of_card[cards[hand, 0]] += weight
        if hole == 2:
            of_card[cards[hand, 1]] += weight
    for hand in range(len(reach)):
        unblocked = total - of_card[cards[hand, 0]]
        if hole == 2:
            unblocked += reach[hand] - of_card[cards[hand, 1]]
        worth[hand] = chips * unblocked


@kernel(makes_arrays=False)
def _showdown(
    won: float, lost: float, reach: Singles, worth: Singles, hole: int, work: BoardWorkspace
) -> None:
    """Hands are sorted: those before a group of equals are beaten, those behind it win."""
    of_card, cards, end = work.of_card, work.cards, work.end
    of_card[:] = 0.0
    total = 0.0
    begin = 0
    while begin < len(reach):
        stop = end[begin]
        for hand in range(begin, stop):
            beaten = total - of_card[cards[hand, 0]]
            if hole == 2:
                beaten -= of_card[cards[hand, 1]]
            worth[hand] = won * beaten
        for hand in range(begin, stop):
            weight = float(reach[hand])
            total += weight
            of_card[cards[hand, 0]] += weight
            if hole == 2:
                of_card[cards[hand, 1]] += weight
        for hand in range(begin, stop):
            not_lost = total - of_card[cards[hand, 0]]
            if hole == 2:
                not_lost += reach[hand] - of_card[cards[hand, 1]]
            worth[hand] -= lost * not_lost
        begin = stop
    for hand in range(len(reach)):
        unblocked = total - of_card[cards[hand, 0]]
        if hole == 2:
            unblocked += reach[hand] - of_card[cards[hand, 1]]
        worth[hand] += lost * unblocked

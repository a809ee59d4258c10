"""What one player could win more on the last streets, on boards dealt at random, hand by hand.

On a whole board the responder knows their hand, and every hand that the other may hold is there
with its weight: the values of the actions are exact, and so is the best of them. Nothing
is learned from one board for another, so that nothing is fitted to the boards that are sampled.

A board costs a vector operation on all hands (1,081 in hold'em, about 1 ns each) for each action of
the betting, and a sweep with card removal (4 ns a hand) for each leaf: a tenth of a second.
"""

from __future__ import annotations

import numpy as np

from pokerlab.holdem.limit.buckets.look_up_kernels import BucketLookUp
from pokerlab.holdem.limit.sampling.public_kernels import (
    BoardWorkspace,
    deal_board,
    leaf_of_hands,
    pair_share,
)
from pokerlab.holdem.limit.sampling.walk_kernels import TrainingTree, next_action
from pokerlab.runtime.arrays import Floats, Singles, Uint64s
from pokerlab.runtime.jit import kernel
from pokerlab.trees.limit.betting_kernels import POSITION, STREET
from pokerlab.trees.limit.cards_kernels import CardRules

_ACTIONS = 3
_BEST, _PLAIN = 0, 1
"""What is kept of each hand in ``BoardWorkspace.worth``: with best actions, and without."""


@kernel
def improve_on_boards(
    hero: int,
    tree: TrainingTree,
    rules: CardRules,
    look_up: BucketLookUp,
    probabilities: Singles,
    state: Uint64s,
    work: BoardWorkspace,
    gained: Floats,
) -> None:
    """Add to `gained` (boards,) what the hero's best actions on the last street win more there.

    Before that the hero plays `probabilities`, as the other always does.
    """
    share = pair_share(rules, len(work.strength))
    for place in range(len(gained)):
        deal_board(rules, look_up, work, state)
        _walk(hero, share, tree, rules, probabilities, work)
        for hand in range(len(work.strength)):
            gained[place] += work.worth[0, _BEST, hand] - work.worth[0, _PLAIN, hand]


@kernel(makes_arrays=False)
def _walk(
    hero: int,
    share: float,
    tree: TrainingTree,
    rules: CardRules,
    probabilities: Singles,
    work: BoardWorkspace,
) -> None:
    nodes = tree.nodes
    last_street = len(work.present) - 1
    work.reach[0, 1 - hero] = 1.0
    _begin(hero, 0, 0, last_street, tree, work)
    depth = 0
    node = 0
    action = -1
    while True:
        # Try the next action here; without one, go back with what the node is worth.
        action = next_action(nodes[node], action)
        if action == _ACTIONS:
            if depth == 0:
                return
            depth -= 1
            node, action = work.node[depth], work.action[depth]
        else:
            if not _send(hero, node, depth, action, tree, probabilities, work):
                continue
            child = nodes[node, action]
            if child < len(nodes):
                _begin(hero, child, depth + 1, last_street, tree, work)
                work.node[depth], work.action[depth] = node, action
                depth += 1
                node, action = child, -1
                continue
            worth = work.worth[depth + 1, _PLAIN]
            reach = work.reach[depth + 1, 1 - hero]
            leaf_of_hands(hero, child - len(nodes), share, tree, rules, reach, worth, work)
            for hand in range(len(worth)):
                work.worth[depth + 1, _BEST, hand] = worth[hand]
        _take_back(hero, node, depth, action, last_street, tree, work)


@kernel(makes_arrays=False)
def _begin(
    hero: int, node: int, depth: int, last_street: int, tree: TrainingTree, work: BoardWorkspace
) -> None:
    """Nothing is known yet of what a node is worth."""
    chooses = tree.nodes[node, POSITION] == hero and tree.nodes[node, STREET] == last_street
    work.worth[depth, _PLAIN] = 0.0
    work.worth[depth, _BEST] = -np.inf if chooses else 0.0


@kernel(makes_arrays=False)
def _send(
    hero: int,
    node: int,
    depth: int,
    action: int,
    tree: TrainingTree,
    probabilities: Singles,
    work: BoardWorkspace,
) -> bool:
    """Write an action's probabilities, and the other's reach behind it; False if it is never taken.

    The probabilities are by group, and stay until the action is taken back.
    """
    street = tree.nodes[node, STREET]
    chance, local = work.chance[depth, action], work.local[street]
    for place in range(work.present[street]):
        row = tree.base[node] + work.group[street, place] * tree.width[street]
        chance[place] = probabilities[row, action]
    here, there = work.reach[depth, 1 - hero], work.reach[depth + 1, 1 - hero]
    own = tree.nodes[node, POSITION] == hero
    taken = False
    for hand in range(len(here)):
        there[hand] = here[hand] if own else here[hand] * chance[local[hand]]
        taken = taken or there[hand] > 0.0
    return taken


@kernel(makes_arrays=False)
def _take_back(
    hero: int,
    node: int,
    depth: int,
    action: int,
    last_street: int,
    tree: TrainingTree,
    work: BoardWorkspace,
) -> None:
    """Add what an action is worth to what its node is worth."""
    here, there = work.worth[depth], work.worth[depth + 1]
    hands = len(work.strength)
    if tree.nodes[node, POSITION] != hero:
        for hand in range(hands):
            here[_BEST, hand] += there[_BEST, hand]
            here[_PLAIN, hand] += there[_PLAIN, hand]
        return
    street = tree.nodes[node, STREET]
    chance, local = work.chance[depth, action], work.local[street]
    for hand in range(hands):
        here[_PLAIN, hand] += chance[local[hand]] * there[_PLAIN, hand]
    if street == last_street:
        for hand in range(hands):
            here[_BEST, hand] = max(here[_BEST, hand], there[_BEST, hand])
    else:
        for hand in range(hands):
            here[_BEST, hand] += chance[local[hand]] * there[_BEST, hand]

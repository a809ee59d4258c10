"""One street of the game of buckets: reach goes down the betting tree, values come up.

Arrays of a street, with N nodes, C places (nodes, then leaves, then ways to the next street) and
B buckets: ``child`` [N, 3] has the place after each action or −1, ``actor`` [N] who acts,
``reach`` and ``value`` are [C, B], ``strategy``, ``regret`` and ``total`` [N, 3, B], all float64.
A restriction of the player who is updated has ``model`` [N, 3, B] and ``trust`` [N, B].
Nodes stand in preorder. An update of an entry [node, action, bucket] reads and writes regret and
strategy once and reads a value: 40 bytes.
"""

from __future__ import annotations

import numpy as np

from pokerlab.runtime.arrays import Floats, Int64s
from pokerlab.runtime.jit import kernel
from pokerlab.solvers.evaluation.restriction import Restriction
from pokerlab.solvers.regret_kernels import discounted_regret, matched_share, matching_weight


@kernel(makes_arrays=False)
def go_down(player: int, child: Int64s, actor: Int64s, strategy: Floats, reach: Floats) -> None:
    """Carry a player's reach from the first nodes of a street to all places."""
    for node in range(len(child)):
        for action in range(3):
            place = child[node, action]
            if place < 0:
                continue
            for bucket in range(reach.shape[1]):
                chance = strategy[node, action, bucket] if actor[node] == player else 1.0
                reach[place, bucket] = reach[node, bucket] * chance


@kernel(makes_arrays=False)
def add_average(
    player: int,
    keep: float,
    child: Int64s,
    actor: Int64s,
    reach: Floats,
    total: Floats,
) -> None:
    """Discount the strategy sum, and add what the player reaches by each action."""
    for node in range(len(child)):
        if actor[node] == player:
            for action in range(3):
                place = child[node, action]
                if place >= 0:
                    for bucket in range(reach.shape[1]):
                        now = total[node, action, bucket]
                        total[node, action, bucket] = now * keep + reach[place, bucket]


@kernel(makes_arrays=False)
def match_regrets(
    player: int,
    positive: float,
    negative: float,
    prediction: float,
    trial: float,
    passed_up: int,
    child: Int64s,
    actor: Int64s,
    restriction: Restriction | None,
    regret: Floats,
    strategy: Floats,
    value: Floats,
) -> None:
    """Update the player's nodes by their regrets, children before parents, and write values."""
    for node in range(len(child) - 1, -1, -1):
        if actor[node] != player:
            _pass_on(node, child, value)
            continue
        actions = 0
        for action in range(3):
            actions += child[node, action] >= 0
        for bucket in range(value.shape[1]):
            expected = 0.0
            for action in range(3):
                if child[node, action] >= 0:
                    expected += strategy[node, action, bucket] * value[child[node, action], bucket]
            weights = 0.0
            for action in range(3):
                if child[node, action] >= 0:
                    gain = value[child[node, action], bucket] - expected
                    now = discounted_regret(regret[node, action, bucket], gain, positive, negative)
                    regret[node, action, bucket] = now
                    weight = matching_weight(now, gain, prediction, trial)
                    strategy[node, action, bucket] = weight
                    weights += weight
            mean = 0.0
            top = -np.inf
            for action in range(3):
                if child[node, action] >= 0:
                    chance = matched_share(strategy[node, action, bucket], weights, actions)
                    strategy[node, action, bucket] = chance
                    mean += chance * value[child[node, action], bucket]
                    top = max(top, value[child[node, action], bucket])
            value[node, bucket] = _passed_up_value(passed_up, expected, mean, top)
            if restriction is not None:
                _bind(node, bucket, child, restriction, value)


@kernel(makes_arrays=False)
def hedge(
    player: int,
    greed: float,
    away: float,
    passed_up: int,
    child: Int64s,
    actor: Int64s,
    restriction: Restriction | None,
    strategy: Floats,
    value: Floats,
) -> None:
    """Move the player's nodes towards their best actions, the last of equals."""
    for node in range(len(child) - 1, -1, -1):
        if actor[node] != player:
            _pass_on(node, child, value)
            continue
        actions = 0
        for action in range(3):
            actions += child[node, action] >= 0
        for bucket in range(value.shape[1]):
            best = -1
            expected = 0.0
            for action in range(3):
                place = child[node, action]
                if place >= 0:
                    expected += strategy[node, action, bucket] * value[place, bucket]
                    if best < 0 or value[place, bucket] >= value[child[node, best], bucket]:
                        best = action
            others = 0.0
            mean = 0.0
            for action in range(3):
                if child[node, action] >= 0 and action != best:
                    chance = (1.0 - greed) * strategy[node, action, bucket] - away / actions
                    chance = max(0.0, chance)
                    strategy[node, action, bucket] = chance
                    others += chance
                    mean += chance * value[child[node, action], bucket]
            strategy[node, best, bucket] = 1.0 - others
            top = value[child[node, best], bucket]
            mean += (1.0 - others) * top
            value[node, bucket] = _passed_up_value(passed_up, expected, mean, top)
            if restriction is not None:
                _bind(node, bucket, child, restriction, value)


@kernel(makes_arrays=False)
def best_values(
    player: int, child: Int64s, actor: Int64s, restriction: Restriction | None, value: Floats
) -> None:
    """Write the values of a best response to the nodes of a street."""
    for node in range(len(child) - 1, -1, -1):
        if actor[node] != player:
            _pass_on(node, child, value)
            continue
        for bucket in range(value.shape[1]):
            top = -np.inf
            for action in range(3):
                if child[node, action] >= 0:
                    top = max(top, value[child[node, action], bucket])
            value[node, bucket] = top
            if restriction is not None:
                _bind(node, bucket, child, restriction, value)


@kernel(makes_arrays=False)
def _bind(node: int, bucket: int, child: Int64s, restriction: Restriction, value: Floats) -> None:
    """Mix what the model is worth at a node into what the player's choice is worth there."""
    by_model = 0.0
    for action in range(3):
        if child[node, action] >= 0:
            by_model += restriction.model[node, action, bucket] * value[child[node, action], bucket]
    share = restriction.trust[node, bucket]
    value[node, bucket] = share * by_model + (1.0 - share) * value[node, bucket]


@kernel(makes_arrays=False)
def _passed_up_value(passed_up: int, old: float, new: float, best: float) -> float:
    """The value that a node passes up, by `pokerlab.solvers.rules.PassedUpValue`."""
    if passed_up == 0:
        return old
    return new if passed_up == 1 else best


@kernel(makes_arrays=False)
def _pass_on(node: int, child: Int64s, value: Floats) -> None:
    """The opponent acts: the probabilities are in the reach already, and values add up."""
    value[node] = 0.0
    for action in range(3):
        if child[node, action] >= 0:
            for bucket in range(value.shape[1]):
                value[node, bucket] += value[child[node, action], bucket]

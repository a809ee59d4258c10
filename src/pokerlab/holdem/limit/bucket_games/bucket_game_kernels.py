"""One street of the game of buckets: reach goes down the betting tree, values come up.

Arrays of a street, with N nodes of at most A actions, C places (nodes, then leaves, then ways to
the next street) and B buckets: ``child`` [N, A] has the place after each action or −1, ``actor``
[N] who acts, ``reach`` and ``value`` are [C, B], ``strategy``, ``regret`` and ``total`` [N, A, B],
all float64. A restriction of the player who is updated has ``model`` [N, A, B] and ``trust``
[N, B]. Nodes stand in preorder. An update of an entry [node, action, bucket] reads and writes
regret and strategy once and reads a value: 40 bytes; what else it needs stays in cache.
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
        for action in range(child.shape[1]):
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
            for action in range(child.shape[1]):
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
    weights: Floats,
) -> None:
    """Update the player's nodes by their regrets, children before parents, and write values.

    `weights` [B] is room for sums of weights. Buckets are the inner loops: they take vectors.
    """
    buckets = value.shape[1]
    for node in range(len(child) - 1, -1, -1):
        if actor[node] != player:
            _pass_on(node, child, value)
            continue
        actions = 0
        for bucket in range(buckets):
            weights[bucket] = 0.0
            value[node, bucket] = 0.0  # the value that is expected
        for action in range(child.shape[1]):
            place = child[node, action]
            if place >= 0:
                actions += 1
                for bucket in range(buckets):
                    value[node, bucket] += strategy[node, action, bucket] * value[place, bucket]
        for action in range(child.shape[1]):
            place = child[node, action]
            if place >= 0:
                for bucket in range(buckets):
                    gain = value[place, bucket] - value[node, bucket]
                    now = discounted_regret(regret[node, action, bucket], gain, positive, negative)
                    regret[node, action, bucket] = now
                    weight = matching_weight(now, gain, prediction, trial)
                    strategy[node, action, bucket] = weight
                    weights[bucket] += weight
        for action in range(child.shape[1]):
            if child[node, action] >= 0:
                for bucket in range(buckets):
                    weight = strategy[node, action, bucket]
                    strategy[node, action, bucket] = matched_share(weight, weights[bucket], actions)
        if passed_up:
            _pass_up_new(passed_up, node, child, strategy, value)
        if restriction is not None:
            for bucket in range(buckets):
                _bind(node, bucket, child, restriction, value)


@kernel(makes_arrays=False)
def _pass_up_new(passed_up: int, node: int, child: Int64s, strategy: Floats, value: Floats) -> None:
    """Write the value of a node's new strategy, or that of its best action.

    See `pokerlab.solvers.rules.PassedUpValue`.
    """
    for bucket in range(value.shape[1]):
        value[node, bucket] = 0.0 if passed_up == 1 else -np.inf
    for action in range(child.shape[1]):
        place = child[node, action]
        if place >= 0:
            for bucket in range(value.shape[1]):
                if passed_up == 1:
                    value[node, bucket] += strategy[node, action, bucket] * value[place, bucket]
                else:
                    value[node, bucket] = max(value[node, bucket], value[place, bucket])


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
        for action in range(child.shape[1]):
            actions += child[node, action] >= 0
        for bucket in range(value.shape[1]):
            best = -1
            expected = 0.0
            for action in range(child.shape[1]):
                place = child[node, action]
                if place >= 0:
                    expected += strategy[node, action, bucket] * value[place, bucket]
                    if best < 0 or value[place, bucket] >= value[child[node, best], bucket]:
                        best = action
            others = 0.0
            mean = 0.0
            for action in range(child.shape[1]):
                if child[node, action] >= 0 and action != best:
                    chance = (1.0 - greed) * strategy[node, action, bucket] - away / actions
                    chance = max(0.0, chance)
                    strategy[node, action, bucket] = chance
                    others += chance
                    mean += chance * value[child[node, action], bucket]
            strategy[node, best, bucket] = 1.0 - others
            top = value[child[node, best], bucket]
            mean += (1.0 - others) * top
            value[node, bucket] = expected
            if passed_up:
                value[node, bucket] = mean if passed_up == 1 else top
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
            for action in range(child.shape[1]):
                if child[node, action] >= 0:
                    top = max(top, value[child[node, action], bucket])
            value[node, bucket] = top
            if restriction is not None:
                _bind(node, bucket, child, restriction, value)


@kernel(makes_arrays=False)
def _bind(node: int, bucket: int, child: Int64s, restriction: Restriction, value: Floats) -> None:
    """Mix what the model is worth at a node into what the player's choice is worth there."""
    by_model = 0.0
    for action in range(child.shape[1]):
        if child[node, action] >= 0:
            by_model += restriction.model[node, action, bucket] * value[child[node, action], bucket]
    share = restriction.trust[node, bucket]
    value[node, bucket] = share * by_model + (1.0 - share) * value[node, bucket]


@kernel(makes_arrays=False)
def _pass_on(node: int, child: Int64s, value: Floats) -> None:
    """The opponent acts: the probabilities are in the reach already, and values add up."""
    value[node] = 0.0
    for action in range(child.shape[1]):
        if child[node, action] >= 0:
            for bucket in range(value.shape[1]):
                value[node, bucket] += value[child[node, action], bucket]

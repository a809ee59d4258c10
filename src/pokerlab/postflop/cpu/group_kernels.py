"""Hands that share storage: from hands to groups and back.

Reach and values stay hand by hand; only what is stored belongs to groups. A walk therefore
*gathers* for each hand what its group plays, and *adds up* what the hands of a group are worth
(`sum_groups`); the kernels that learn then work on rows of groups as they do on rows of hands.

For a group of one hand every number is the same to the bit as without groups: its share is 1, and
the formulas and their order are those of `reach_kernels`, `value_kernels` and `learning_kernels`.

Cost for each hand and action, all in the first-level cache: one gather where reach is split, and
two where a player learns; a gather of sixteen numbers takes about as long as sixteen loads. The
bytes moved from memory fall with the number of groups.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from pokerlab.jit import kernel
from pokerlab.postflop.cpu.learning_kernels import (
    BEST_VALUE,
    Update,
    hedge,
    match_predicted,
    match_regrets,
    seed_regrets,
)
from pokerlab.postflop.cpu.nodes import Node, Stored
from pokerlab.postflop.cpu.reach_kernels import split_reach
from pokerlab.postflop.cpu.tasks import BEST, BEST_BY_GROUP, MEAN, NEW_VALUE, SEED
from pokerlab.postflop.cpu.value_kernels import best_values
from pokerlab.postflop.cpu.vector_kernels import (
    choose,
    gather,
    larger,
    load,
    load_as,
    positive,
    splat,
    store,
)
from pokerlab.postflop.tables.arrays import PlayerGroups

Rows: TypeAlias = npt.NDArray[np.floating[Any]]
Storage: TypeAlias = npt.NDArray[Any]
Starts: TypeAlias = npt.NDArray[np.int64]
Ints: TypeAlias = npt.NDArray[np.int32]


class GroupWork(NamedTuple):
    """Rows of groups to work in.

    They are the weights of each action, their values, the node's value, the reach that arrives,
    and the reach behind each action.
    """

    rows: Rows
    value_start: Starts
    """For each edge of the street, where the values behind it go."""
    width: int
    actions: int
    """The most that a node has."""


def group_rows(actions: int) -> int:
    """How many rows a `GroupWork` has for nodes of at most so many actions."""
    return 3 * actions + 2


@kernel(makes_arrays=False)
def sum_groups(
    groups: PlayerGroups,
    shares: Rows,
    board: int,
    rows: Rows,
    source: int,
    out: Rows,
    target: int,
    length: int,
) -> None:
    """Write for each group of a board the sum over its hands of share times number.

    `length` is that of a row of groups; what large groups have more stands behind it.
    """
    first = groups.block_first[board]
    for block in range(first, groups.block_first[board + 1]):
        total = splat(rows.dtype.type(0))
        for place in range(groups.block_start[block], groups.block_start[block + 1], 16):
            total = total + gather(rows, source, groups.members, place) * load(shares, place)
        store(out, target + 16 * (block - first), total)
    piece = target + length
    for extra in range(groups.extra_first[board], groups.extra_first[board + 1]):
        out[target + groups.extra_column[extra]] += out[piece]
        piece += 1


@kernel(makes_arrays=False)
def copy_weights(
    weights: Storage, place: int, length: int, actions: int, out: Rows, target: int, width: int
) -> None:
    """Write the positive part of a node's weights to rows of the workspace."""
    like = splat(out.dtype.type(0))
    for action in range(actions):
        here, there = place + action * length, target + action * width
        for group in range(0, length, 16):
            store(out, there + group, positive(load_as(weights, here + group, like)))


@kernel(makes_arrays=False)
def split_by_group(
    reach: Rows,
    source: int,
    target: int,
    reach_width: int,
    column: Ints,
    entry: int,
    hands: int,
    weights: Rows,
    width: int,
    actions: int,
) -> None:
    """Multiply a reach row by the strategies of the hands' groups: one row an action.

    `weights` are rows of the workspace, `entry` is where the board's hands begin in `column`.
    """
    zero, one = splat(reach.dtype.type(0)), splat(reach.dtype.type(1))
    uniform = splat(reach.dtype.type(1.0 / actions))
    if actions == 2:
        for hand in range(0, hands, 16):
            before = load(reach, source + hand)
            weight_1 = gather(weights, 0, column, entry + hand)
            weight_2 = gather(weights, width, column, entry + hand)
            total = weight_1 + weight_2
            factor = choose(total, before / choose(total, total, one), zero)
            rest = choose(total, zero, before * uniform)
            store(reach, target + hand, weight_1 * factor + rest)
            store(reach, target + reach_width + hand, weight_2 * factor + rest)
        return
    if actions == 3:
        target_2, target_3 = target + reach_width, target + 2 * reach_width
        for hand in range(0, hands, 16):
            before = load(reach, source + hand)
            weight_1 = gather(weights, 0, column, entry + hand)
            weight_2 = gather(weights, width, column, entry + hand)
            weight_3 = gather(weights, 2 * width, column, entry + hand)
            total = weight_1 + weight_2 + weight_3
            factor = choose(total, before / choose(total, total, one), zero)
            rest = choose(total, zero, before * uniform)
            store(reach, target + hand, weight_1 * factor + rest)
            store(reach, target_2 + hand, weight_2 * factor + rest)
            store(reach, target_3 + hand, weight_3 * factor + rest)
        return
    for hand in range(0, hands, 16):
        before = load(reach, source + hand)
        total = zero
        for action in range(actions):
            total = total + gather(weights, action * width, column, entry + hand)
        factor = choose(total, before / choose(total, total, one), zero)
        rest = choose(total, zero, before * uniform)
        for action in range(actions):
            weight = gather(weights, action * width, column, entry + hand)
            store(reach, target + action * reach_width + hand, weight * factor + rest)


@kernel(makes_arrays=False)
def mean_by_group(values: Rows, node: Node, column: Ints, work: GroupWork, normalise: bool) -> None:
    """Write the value of a node under the strategies of the hands' groups.

    Without `normalise` the weights in `work` are probabilities.
    """
    zero, one = splat(values.dtype.type(0)), splat(values.dtype.type(1))
    uniform = splat(values.dtype.type(1.0 / node.actions))
    for hand in range(0, node.hands, 16):
        total, mean, plain = zero, zero, zero
        for action in range(node.actions):
            edge = node.edge + action
            value = load(values, node.starts[edge] + hand) * splat(node.factors[edge])
            weight = gather(work.rows, action * work.width, column, node.entry + hand)
            total = total + weight
            mean = mean + weight * value
            plain = plain + value
        if normalise:
            mean = choose(total, mean / choose(total, total, one), plain * uniform)
        store(values, node.target + hand, mean)


@kernel(makes_arrays=False)
def match_by_group(values: Rows, node: Node, column: Ints, work: GroupWork) -> None:
    """Write the value of a node as `match_regrets` does: the same sums in the same order."""
    one = splat(values.dtype.type(1))
    rows, width, entry = work.rows, work.width, node.entry
    starts, factors, edge = node.starts, node.factors, node.edge
    if node.actions == 2:
        half = splat(values.dtype.type(0.5))
        first, second = starts[edge], starts[edge + 1]
        first_factor, second_factor = splat(factors[edge]), splat(factors[edge + 1])
        for hand in range(0, node.hands, 16):
            left = load(values, first + hand) * first_factor
            right = load(values, second + hand) * second_factor
            left_weight = gather(rows, 0, column, entry + hand)
            right_weight = gather(rows, width, column, entry + hand)
            total = left_weight + right_weight
            mean = (left_weight * left + right_weight * right) / choose(total, total, one)
            store(values, node.target + hand, choose(total, mean, (left + right) * half))
    elif node.actions == 3:
        third_part = splat(values.dtype.type(1.0 / 3.0))
        first, second, third = starts[edge], starts[edge + 1], starts[edge + 2]
        first_factor, second_factor = splat(factors[edge]), splat(factors[edge + 1])
        third_factor = splat(factors[edge + 2])
        for hand in range(0, node.hands, 16):
            value_1 = load(values, first + hand) * first_factor
            value_2 = load(values, second + hand) * second_factor
            value_3 = load(values, third + hand) * third_factor
            weight_1 = gather(rows, 0, column, entry + hand)
            weight_2 = gather(rows, width, column, entry + hand)
            weight_3 = gather(rows, 2 * width, column, entry + hand)
            total = weight_1 + weight_2 + weight_3
            mean = weight_1 * value_1 + weight_2 * value_2 + weight_3 * value_3
            mean = mean / choose(total, total, one)
            equal = (value_1 + value_2 + value_3) * third_part
            store(values, node.target + hand, choose(total, mean, equal))
    else:
        mean_by_group(values, node, column, work, True)


@kernel(makes_arrays=False)
def mark_best(node: Node, work: GroupWork, length: int) -> None:
    """Write 1 for the best action of each group, the last of equals, and 0 for the others."""
    rows, starts, factors, edge = work.rows, work.value_start, node.factors, node.edge
    zero, one = splat(rows.dtype.type(0)), splat(rows.dtype.type(1))
    for group in range(0, length, 16):
        best = load(rows, starts[edge] + group) * splat(factors[edge])
        for action in range(edge + 1, edge + node.actions):
            best = larger(best, load(rows, starts[action] + group) * splat(factors[action]))
        left = one
        for back in range(node.actions):
            action = node.actions - 1 - back
            value = load(rows, starts[edge + action] + group) * splat(factors[edge + action])
            chosen = choose(best - value, zero, left)
            left = left - chosen
            store(rows, action * work.width + group, chosen)


@kernel(makes_arrays=False)
def impose_locked_values_by_group(
    values: Rows, node: Node, column: Ints, locked: Rows, lock: int, length: int
) -> None:
    """Write the value of the locked strategy for hands whose group is locked."""
    for hand in range(node.hands):
        place = lock + column[node.entry + hand]
        if locked[place] >= 0:
            mean = values.dtype.type(0)
            for action in range(node.actions):
                edge = node.edge + action
                value = values[node.starts[edge] + hand] * node.factors[edge]
                mean += value * values.dtype.type(locked[place + action * length])
            values[node.target + hand] = mean


@kernel(makes_arrays=False)
def split_groups(
    groups: PlayerGroups,
    board: int,
    reach: Rows,
    source: int,
    target: int,
    reach_width: int,
    entry: int,
    hands: int,
    weights: Storage,
    sums: Storage,
    place: int,
    length: int,
    actions: int,
    average: Any,
    learn: bool,
    work: GroupWork,
) -> None:
    """Split reach at a node of the opponent, as `split_reach` does.

    With `learn`, the sums of a group get the mean reach of its hands.
    """
    rows, width = work.rows, work.width
    copy_weights(weights, place, length, actions, rows, 0, width)
    if learn:
        arriving = (2 * work.actions + 1) * width
        sum_groups(groups, groups.means, board, reach, source, rows, arriving, length)
        split_reach(
            rows,
            arriving,
            arriving + width,
            width,
            weights,
            sums,
            place,
            length,
            actions,
            average,
            True,
        )
    split_by_group(
        reach, source, target, reach_width, groups.column, entry, hands, rows, width, actions
    )


@kernel(makes_arrays=False)
def value_groups(
    groups: PlayerGroups,
    values: Rows,
    node: Node,
    stored: Stored,
    task: int,
    update: Update,
    work: GroupWork,
) -> None:
    """Write the value of a node of the hero, and learn if that is the task."""
    column = groups.column
    if task == BEST:
        best_values(
            values,
            node.target,
            node.starts,
            node.factors,
            node.edge,
            node.hands,
            node.actions,
        )
    elif task == MEAN:
        _copy(stored.strategy, stored, node, work)
        mean_by_group(values, node, column, work, True)
    else:
        _sum_actions(groups, values, node, work, stored.length)
        if task == BEST_BY_GROUP:
            mark_best(node, work, stored.length)
            mean_by_group(values, node, column, work, False)
        elif task == SEED:
            _seed_groups(values, node, column, stored, update, work)
        else:
            _learn_groups(values, node, column, stored, update, work)


@kernel(makes_arrays=False)
def _copy(weights: Storage, stored: Stored, node: Node, work: GroupWork) -> None:
    place, length = stored.place, stored.length
    copy_weights(weights, place, length, node.actions, work.rows, 0, work.width)


@kernel(makes_arrays=False)
def _sum_actions(
    groups: PlayerGroups, values: Rows, node: Node, work: GroupWork, length: int
) -> None:
    for edge in range(node.edge, node.edge + node.actions):
        source, target = node.starts[edge], work.value_start[edge]
        sum_groups(groups, groups.shares, node.board, values, source, work.rows, target, length)


@kernel(makes_arrays=False)
def _seed_groups(
    values: Rows, node: Node, column: Ints, stored: Stored, update: Update, work: GroupWork
) -> None:
    _copy(stored.strategy, stored, node, work)
    mean_by_group(values, node, column, work, True)
    seed_regrets(
        work.rows,
        2 * work.actions * work.width,
        work.value_start,
        node.factors,
        node.edge,
        stored.strategy,
        stored.weights,
        stored.place,
        stored.length,
        node.actions,
        update,
    )


@kernel(makes_arrays=False)
def _learn_groups(
    values: Rows, node: Node, column: Ints, stored: Stored, update: Update, work: GroupWork
) -> None:
    """Hands get the value of what their groups play, then the groups learn from their own."""
    rows, starts, target = work.rows, work.value_start, 2 * work.actions * work.width
    factors, edge, actions = node.factors, node.edge, node.actions
    weights, place, length = stored.weights, stored.place, stored.length
    if update.is_greedy:
        if update.returned == BEST_VALUE:
            mark_best(node, work, length)
        else:
            _copy(weights, stored, node, work)
        mean_by_group(values, node, column, work, False)
        hedge(rows, target, starts, factors, edge, weights, place, length, actions, update)
    else:
        _copy(weights, stored, node, work)
        if stored.regret.size > 0:
            mean_by_group(values, node, column, work, True)
            match_predicted(
                rows,
                target,
                starts,
                factors,
                edge,
                weights,
                stored.regret,
                place,
                length,
                actions,
                update,
            )
        else:
            match_by_group(values, node, column, work)
            match_regrets(
                rows, target, starts, factors, edge, weights, place, length, actions, update
            )
    if update.returned == NEW_VALUE:
        _copy(weights, stored, node, work)
        mean_by_group(values, node, column, work, True)

"""Hands that share storage: from hands to groups and back.

Reach and values stay hand by hand; only what is stored belongs to groups. A walk therefore
*gathers* for each hand what its group plays, and *adds up* what the hands of a group are worth
(`sum_groups`); the kernels that learn then work on rows of groups as they do on rows of hands.

For a group of one hand every number is the same to the bit as without groups: its share is 1, and
the formulas and their order are those of `reach_kernels`, `value_kernels` and `learning_kernels`.

Where a player learns and where reach is split, sixteen groups at a time are walked through member
by member: what the groups play is in registers, and each hand is gathered and scattered. Cost for
each hand and action, all in the first-level cache: one gather and a part of a scatter, or the other
way round, each about as long as sixteen loads. The bytes moved from memory fall with the number of
groups.
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
    scatter,
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
    _add_pieces(groups, board, out, target, length)


@kernel(inline="always", makes_arrays=False)
def _add_pieces(groups: PlayerGroups, board: int, out: Rows, target: int, length: int) -> None:
    """Add the sums of further pieces to those of their groups."""
    piece = target + length
    for extra in range(groups.extra_first[board], groups.extra_first[board + 1]):
        out[target + groups.extra_column[extra]] += out[piece]
        piece += 1


@kernel(inline="always", makes_arrays=False)
def _weights_of(groups: PlayerGroups, board: int, block: int, rows: Rows, start: int) -> Any:
    """What the sixteen groups, or pieces of groups, of a block weigh: lanes of a row."""
    place, main = block - groups.block_first[board], groups.main_blocks[board]
    if place < main:
        weights = load(rows, start + 16 * place)
    else:
        further = groups.extra_first[board] + 16 * (place - main)
        weights = gather(rows, start, groups.extra_column, further)
    return weights


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
    groups: PlayerGroups,
    board: int,
    reach: Rows,
    source: int,
    target: int,
    reach_width: int,
    actions: int,
    work: GroupWork,
    arriving: int,
) -> None:
    """Multiply a reach row by the strategies of the hands' groups: one row an action.

    The mean reach of each group goes to the row `arriving` of the workspace.
    """
    rows, width, members = work.rows, work.width, groups.members
    zero, one = splat(reach.dtype.type(0)), splat(reach.dtype.type(1))
    uniform = splat(reach.dtype.type(1.0 / actions))
    first = groups.block_first[board]
    for block in range(first, groups.block_first[board + 1]):
        begin, end = groups.block_start[block], groups.block_start[block + 1]
        total_reach = zero
        weight_1 = _weights_of(groups, board, block, rows, 0)
        weight_2 = _weights_of(groups, board, block, rows, width)
        total = weight_1 + weight_2
        if actions == 2:
            whole = choose(total, total, one)
            for place in range(begin, end, 16):
                before = gather(reach, source, members, place)
                total_reach = total_reach + before * load(groups.means, place)
                factor = choose(total, before / whole, zero)
                rest = choose(total, zero, before * uniform)
                scatter(reach, target, members, place, weight_1 * factor + rest)
                scatter(reach, target + reach_width, members, place, weight_2 * factor + rest)
        elif actions == 3:
            weight_3 = _weights_of(groups, board, block, rows, 2 * width)
            total = total + weight_3
            whole = choose(total, total, one)
            for place in range(begin, end, 16):
                before = gather(reach, source, members, place)
                total_reach = total_reach + before * load(groups.means, place)
                factor = choose(total, before / whole, zero)
                rest = choose(total, zero, before * uniform)
                scatter(reach, target, members, place, weight_1 * factor + rest)
                scatter(reach, target + reach_width, members, place, weight_2 * factor + rest)
                scatter(reach, target + 2 * reach_width, members, place, weight_3 * factor + rest)
        else:
            total = zero
            for action in range(actions):
                total = total + _weights_of(groups, board, block, rows, action * width)
            whole = choose(total, total, one)
            for place in range(begin, end, 16):
                before = gather(reach, source, members, place)
                total_reach = total_reach + before * load(groups.means, place)
                factor = choose(total, before / whole, zero)
                rest = choose(total, zero, before * uniform)
                for action in range(actions):
                    weight = _weights_of(groups, board, block, rows, action * width)
                    there = target + action * reach_width
                    scatter(reach, there, members, place, weight * factor + rest)
        store(rows, arriving + 16 * (block - first), total_reach)


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
def match_by_group(
    groups: PlayerGroups, values: Rows, node: Node, work: GroupWork, length: int
) -> None:
    """Write the value of a node as `match_regrets` does, and what groups are worth.

    For each hand the sums are the same, in the same order. The workspace gets the values of the
    groups behind each action.
    """
    rows, width, members, shares = work.rows, work.width, groups.members, groups.shares
    zero, one = splat(values.dtype.type(0)), splat(values.dtype.type(1))
    starts, factors, edge, target = node.starts, node.factors, node.edge, node.target
    first = groups.block_first[node.board]
    for block in range(first, groups.block_first[node.board + 1]):
        begin, end = groups.block_start[block], groups.block_start[block + 1]
        out = 16 * (block - first)
        if node.actions == 2:
            half = splat(values.dtype.type(0.5))
            factor_1, factor_2 = splat(factors[edge]), splat(factors[edge + 1])
            weight_1 = _weights_of(groups, node.board, block, rows, 0)
            weight_2 = _weights_of(groups, node.board, block, rows, width)
            total = weight_1 + weight_2
            whole = choose(total, total, one)
            sum_1, sum_2 = zero, zero
            for place in range(begin, end, 16):
                raw_1 = gather(values, starts[edge], members, place)
                raw_2 = gather(values, starts[edge + 1], members, place)
                share = load(shares, place)
                sum_1, sum_2 = sum_1 + raw_1 * share, sum_2 + raw_2 * share
                left, right = raw_1 * factor_1, raw_2 * factor_2
                mean = (weight_1 * left + weight_2 * right) / whole
                mean = choose(total, mean, (left + right) * half)
                scatter(values, target, members, place, mean)
            store(rows, work.value_start[edge] + out, sum_1)
            store(rows, work.value_start[edge + 1] + out, sum_2)
        elif node.actions == 3:
            third_part = splat(values.dtype.type(1.0 / 3.0))
            factor_1, factor_2 = splat(factors[edge]), splat(factors[edge + 1])
            factor_3 = splat(factors[edge + 2])
            weight_1 = _weights_of(groups, node.board, block, rows, 0)
            weight_2 = _weights_of(groups, node.board, block, rows, width)
            weight_3 = _weights_of(groups, node.board, block, rows, 2 * width)
            total = weight_1 + weight_2 + weight_3
            whole = choose(total, total, one)
            sum_1, sum_2, sum_3 = zero, zero, zero
            for place in range(begin, end, 16):
                raw_1 = gather(values, starts[edge], members, place)
                raw_2 = gather(values, starts[edge + 1], members, place)
                raw_3 = gather(values, starts[edge + 2], members, place)
                share = load(shares, place)
                sum_1, sum_2 = sum_1 + raw_1 * share, sum_2 + raw_2 * share
                sum_3 = sum_3 + raw_3 * share
                value_1, value_2, value_3 = raw_1 * factor_1, raw_2 * factor_2, raw_3 * factor_3
                mean = weight_1 * value_1 + weight_2 * value_2 + weight_3 * value_3
                mean = mean / whole
                mean = choose(total, mean, (value_1 + value_2 + value_3) * third_part)
                scatter(values, target, members, place, mean)
            store(rows, work.value_start[edge] + out, sum_1)
            store(rows, work.value_start[edge + 1] + out, sum_2)
            store(rows, work.value_start[edge + 2] + out, sum_3)
        else:
            uniform = splat(values.dtype.type(1.0 / node.actions))
            for action in range(edge, edge + node.actions):
                store(rows, work.value_start[action] + out, zero)
            for place in range(begin, end, 16):
                total, mean, plain = zero, zero, zero
                share = load(shares, place)
                for action in range(node.actions):
                    there = work.value_start[edge + action] + out
                    raw = gather(values, starts[edge + action], members, place)
                    store(rows, there, load(rows, there) + raw * share)
                    value = raw * splat(factors[edge + action])
                    weight = _weights_of(groups, node.board, block, rows, action * width)
                    total = total + weight
                    mean = mean + weight * value
                    plain = plain + value
                mean = choose(total, mean / choose(total, total, one), plain * uniform)
                scatter(values, target, members, place, mean)
    for action in range(edge, edge + node.actions):
        _add_pieces(groups, node.board, rows, work.value_start[action], length)


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
    arriving = (2 * work.actions + 1) * width
    copy_weights(weights, place, length, actions, rows, 0, width)
    split_by_group(groups, board, reach, source, target, reach_width, actions, work, arriving)
    if learn:
        _add_pieces(groups, board, rows, arriving, length)
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
    elif task == BEST_BY_GROUP:
        _sum_actions(groups, values, node, work, stored.length)
        mark_best(node, work, stored.length)
        mean_by_group(values, node, column, work, False)
    elif task == SEED:
        _sum_actions(groups, values, node, work, stored.length)
        _seed_groups(values, node, column, stored, update, work)
    else:
        _learn_groups(groups, values, node, stored, update, work)


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
    groups: PlayerGroups,
    values: Rows,
    node: Node,
    stored: Stored,
    update: Update,
    work: GroupWork,
) -> None:
    """Hands get the value of what their groups play, then the groups learn from their own."""
    rows, starts, target = work.rows, work.value_start, 2 * work.actions * work.width
    factors, edge, actions = node.factors, node.edge, node.actions
    weights, place, length = stored.weights, stored.place, stored.length
    column = groups.column
    if update.is_greedy:
        _sum_actions(groups, values, node, work, length)
        if update.returned == BEST_VALUE:
            mark_best(node, work, length)
        else:
            _copy(weights, stored, node, work)
        mean_by_group(values, node, column, work, False)
        hedge(rows, target, starts, factors, edge, weights, place, length, actions, update)
    else:
        _copy(weights, stored, node, work)
        if stored.regret.size > 0:
            _sum_actions(groups, values, node, work, length)
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
            match_by_group(groups, values, node, work, length)
            match_regrets(
                rows, target, starts, factors, edge, weights, place, length, actions, update
            )
    if update.returned == NEW_VALUE:
        _copy(weights, stored, node, work)
        mean_by_group(values, node, column, work, True)

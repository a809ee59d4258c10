"""Hands that share storage: from hands to groups and back.

Reach and values stay hand by hand; only what is stored belongs to groups. A walk therefore looks
up for each hand what its group plays, and adds up what the hands of a group are worth or how often
they arrive; the kernels that learn then work on rows of groups as they do on rows of hands.

For a group of one hand every number is the same to the bit as without groups: its share is 1, and
the formulas and their order are those of `reach_kernels`, `value_kernels` and `learning_kernels`.

Cost for each hand and action, all in the first-level cache: a look-up (a permutation where the
columns of sixteen hands are near each other, which they nearly always are on a river, a gather
elsewhere) and, where a player learns, a gather for the sum. The bytes moved from memory fall with
the number of groups.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from pokerlab.engine.cpu.kernels.learning_kernels import (
    BEST_VALUE,
    Update,
    hedge,
    match_predicted,
    match_regrets,
    seed_regrets,
)
from pokerlab.engine.cpu.kernels.reach_kernels import Averaging, add_to_sum, split_reach
from pokerlab.engine.cpu.kernels.value_kernels import best_values
from pokerlab.engine.cpu.nodes import Node, Stored
from pokerlab.engine.cpu.tasks import BEST, BEST_BY_GROUP, LEARN, MEAN, NEW_VALUE, SEED
from pokerlab.engine.tables.arrays import GROUP_HEAD as HEAD
from pokerlab.engine.tables.arrays import GROUP_VECTOR as VECTOR
from pokerlab.engine.tables.arrays import GroupTables
from pokerlab.runtime.arrays import AnyArray, Int32s, Int64s, Reals
from pokerlab.runtime.jit import kernel
from pokerlab.runtime.vector_kernels import (
    choose,
    choose_above,
    gather,
    larger,
    load,
    load_as,
    multiply_add,
    positive,
    splat,
    store,
    take_near,
)


class GroupWork(NamedTuple):
    """The groups of a player on a board, and rows of groups to work in.

    The rows are the weights of each action, their values, the node's value, the reach that arrives,
    the reach behind each action, and a spare one.
    """

    numbers: Int32s
    shares: Reals
    vectors: int
    """Where the vectors begin in `numbers`; then, in order, the others do."""
    depths: int
    further: int
    places: int
    members: int
    share: int
    """Where the shares begin."""
    mean: int
    length: int
    """Of a row of groups."""
    rows: Reals
    value_start: Int64s
    """For each action, where the values behind it go."""
    width: int
    actions: int
    """The most that a node has."""


def group_rows(actions: int) -> int:
    """The number of rows that a workspace has for nodes of at most `actions` actions."""
    return 3 * actions + 3


@kernel(inline="always", makes_arrays=False)
def _group_work(
    groups: GroupTables, player: int, board: int, length: int, rows: Reals
) -> GroupWork:
    """Read the head of a record (see `GroupTables`)."""
    numbers = groups.numbers
    here = numbers[player * groups.boards + board]
    depths = here + HEAD + VECTOR * numbers[here]
    further = depths + numbers[here + 1]
    places = further + 2 * numbers[here + 2]
    share = numbers[here + 3]
    return GroupWork(
        numbers,
        groups.shares,
        here + HEAD,
        depths,
        further,
        places,
        places + length,
        share,
        share + numbers[here + 4],
        length,
        rows,
        groups.value_start,
        groups.width,
        groups.actions,
    )


@kernel(inline="always", makes_arrays=False)
def _look_up(work: GroupWork, vector: int, start: int) -> Any:
    """What the groups of sixteen hands have in a row of the workspace."""
    base = work.numbers[vector]
    if base >= 0:
        found = take_near(work.rows, start + base, work.numbers, vector + 1)
    else:
        found = gather(work.rows, start, work.numbers, vector + 1)
    return found


@kernel(inline="always", makes_arrays=False)
def _sum_groups(
    work: GroupWork, share: int, rows: Reals, source: int, factor: Any, out: int
) -> None:
    """Write for each group the sum over its hands of share times number times `factor`.

    `share` is where the shares or means begin.
    """
    numbers, member = work.numbers, work.members
    zero, times = splat(rows.dtype.type(0)), splat(factor)
    pieces = (3 * work.actions + 2) * work.width
    here = pieces
    for block in range(work.depths, work.further):
        total = zero
        for _ in range(numbers[block]):
            number = gather(rows, source, numbers, member) * times
            total = total + number * load(work.shares, share)
            member += 16
            share += 16
        store(work.rows, here, total)
        here += 16
    store(work.rows, here, zero)
    for piece in range(work.further, work.places, 2):
        work.rows[pieces + numbers[piece + 1]] += work.rows[pieces + numbers[piece]]
    for group in range(0, work.length, 16):
        store(work.rows, out + group, gather(work.rows, pieces, numbers, work.places + group))


@kernel(inline="always", makes_arrays=False)
def _copy_weights(weights: AnyArray, place: int, actions: int, work: GroupWork) -> None:
    """Write the positive part of a node's weights to the first rows of the workspace."""
    like = splat(work.rows.dtype.type(0))
    for action in range(actions):
        here, there = place + action * work.length, action * work.width
        for group in range(0, work.length, 16):
            store(work.rows, there + group, positive(load_as(weights, here + group, like)))


@kernel(makes_arrays=False, inner=True)
def split_groups(
    groups: GroupTables,
    player: int,
    board: int,
    reach: Reals,
    source: int,
    target: int,
    reach_width: int,
    hands: int,
    weights: AnyArray,
    sums: AnyArray,
    place: int,
    length: int,
    actions: int,
    average: Averaging,
    learn: bool,
    rows: Reals,
) -> None:
    """Split reach at a node of the opponent, as `split_reach` does.

    With `learn`, the sums of a group get the mean reach of its hands.
    """
    work = _group_work(groups, player, board, length, rows)
    _copy_weights(weights, place, actions, work)
    if learn:
        arriving = (2 * work.actions + 1) * work.width
        _sum_groups(work, work.mean, reach, source, reach.dtype.type(1), arriving)
        split_reach(
            rows,
            arriving,
            arriving + work.width,
            work.width,
            weights,
            sums,
            place,
            length,
            actions,
            average,
            True,
        )
    zero, one = splat(reach.dtype.type(0)), splat(reach.dtype.type(1))
    uniform = splat(reach.dtype.type(1.0 / actions))
    width, vector = work.width, work.vectors
    if actions == 2:
        for hand in range(0, hands, 16):
            before = load(reach, source + hand)
            weight_1 = _look_up(work, vector, 0)
            weight_2 = _look_up(work, vector, width)
            total = weight_1 + weight_2
            factor = choose(total, before / choose(total, total, one), zero)
            rest = choose(total, zero, before * uniform)
            store(reach, target + hand, weight_1 * factor + rest)
            store(reach, target + reach_width + hand, weight_2 * factor + rest)
            vector += VECTOR
    elif actions == 3:
        target_2, target_3 = target + reach_width, target + 2 * reach_width
        for hand in range(0, hands, 16):
            before = load(reach, source + hand)
            weight_1 = _look_up(work, vector, 0)
            weight_2 = _look_up(work, vector, width)
            weight_3 = _look_up(work, vector, 2 * width)
            total = weight_1 + weight_2 + weight_3
            factor = choose(total, before / choose(total, total, one), zero)
            rest = choose(total, zero, before * uniform)
            store(reach, target + hand, weight_1 * factor + rest)
            store(reach, target_2 + hand, weight_2 * factor + rest)
            store(reach, target_3 + hand, weight_3 * factor + rest)
            vector += VECTOR
    else:
        for hand in range(0, hands, 16):
            before = load(reach, source + hand)
            total = zero
            for action in range(actions):
                total = total + _look_up(work, vector, action * width)
            factor = choose(total, before / choose(total, total, one), zero)
            rest = choose(total, zero, before * uniform)
            for action in range(actions):
                weight = _look_up(work, vector, action * width)
                store(reach, target + action * reach_width + hand, weight * factor + rest)
            vector += VECTOR


@kernel(makes_arrays=False, inner=True)
def value_groups(
    groups: GroupTables,
    regret: AnyArray | None,
    hero: int,
    values: Reals,
    node: Node,
    stored: Stored,
    task: int,
    update: Update,
    rows: Reals,
    locked: Reals,
    lock: int,
    free: Any,
) -> None:
    """Write the value of a node of the hero, and learn if that is the task.

    Nobody learns where `regret` is None.
    """
    work = _group_work(groups, hero, node.board, stored.length, rows)
    actions, place, length = node.actions, stored.place, stored.length
    if task == BEST:
        best_values(values, node.target, node.starts, node.factors, node.edge, node.hands, actions)
    elif task == MEAN:
        _copy_weights(stored.strategy, place, actions, work)
        _mean_by_group(values, node, work, True)
    else:
        # Who looks for the best action needs exact ties: actions that are worth the same to every
        # hand must be worth the same to the group. So hands get the factor before they are added
        # up, as they do without groups. Regrets are factored later, as those of single hands.
        before = task == BEST_BY_GROUP or (task == LEARN and update.is_greedy)
        later, one = (2 * work.actions + 1) * work.width, values.dtype.type(1)
        for action in range(actions):
            source, out = node.starts[node.edge + action], work.value_start[action]
            factor = node.factors[node.edge + action]
            _sum_groups(work, work.share, values, source, factor if before else one, out)
            work.rows[later + action] = one if before else factor
        factors = work.rows[later : later + actions]
        if task == BEST_BY_GROUP:
            _mark_best(factors, actions, work, length)
            _mean_by_group(values, node, work, False)
        elif regret is not None:
            if task == LEARN and not update.is_greedy and regret.size == 0:
                _match_groups(values, node, stored, update, factors, work)
            else:
                _learn_groups(values, node, stored, regret, task, update, factors, work)
    if lock >= 0:
        # Not even a best response leaves a locked strategy.
        _impose_locked_values(values, node, work, locked, lock, free, length)


@kernel(makes_arrays=False, inner=True)
def _mean_by_group(values: Reals, node: Node, work: GroupWork, normalise: bool) -> None:
    """Write the value of a node under the strategies of groups, which are in the workspace.

    Without `normalise` they are probabilities.
    """
    zero, one = splat(values.dtype.type(0)), splat(values.dtype.type(1))
    uniform = splat(values.dtype.type(1.0 / node.actions))
    vector = work.vectors
    for hand in range(0, node.hands, 16):
        total, mean, plain = zero, zero, zero
        for action in range(node.actions):
            edge = node.edge + action
            value = load(values, node.starts[edge] + hand) * splat(node.factors[edge])
            weight = _look_up(work, vector, action * work.width)
            total = total + weight
            mean = mean + weight * value
            plain = plain + value
        if normalise:
            mean = choose(total, mean / choose(total, total, one), plain * uniform)
        store(values, node.target + hand, mean)
        vector += VECTOR


@kernel(makes_arrays=False, inner=True)
def _match_groups(
    values: Reals, node: Node, stored: Stored, update: Update, by_group: Reals, work: GroupWork
) -> None:
    """Do what `match_regrets` does, hand by hand for the values and by group for the regrets."""
    place, length, actions = stored.place, stored.length, node.actions
    starts, factors, edge, target = node.starts, node.factors, node.edge, node.target
    one = splat(values.dtype.type(1))
    width, vector = work.width, work.vectors
    _copy_weights(stored.weights, place, actions, work)
    if actions == 2:
        half = splat(values.dtype.type(0.5))
        first, second = starts[edge], starts[edge + 1]
        first_factor, second_factor = splat(factors[edge]), splat(factors[edge + 1])
        for hand in range(0, node.hands, 16):
            left = load(values, first + hand) * first_factor
            right = load(values, second + hand) * second_factor
            left_weight = _look_up(work, vector, 0)
            right_weight = _look_up(work, vector, width)
            total = left_weight + right_weight
            mean = multiply_add(left_weight, left, right_weight * right)
            mean = mean / choose(total, total, one)
            store(values, target + hand, choose(total, mean, (left + right) * half))
            vector += VECTOR
    elif actions == 3:
        third_part = splat(values.dtype.type(1.0 / 3.0))
        first, second, third = starts[edge], starts[edge + 1], starts[edge + 2]
        first_factor, second_factor = splat(factors[edge]), splat(factors[edge + 1])
        third_factor = splat(factors[edge + 2])
        for hand in range(0, node.hands, 16):
            value_1 = load(values, first + hand) * first_factor
            value_2 = load(values, second + hand) * second_factor
            value_3 = load(values, third + hand) * third_factor
            weight_1 = _look_up(work, vector, 0)
            weight_2 = _look_up(work, vector, width)
            weight_3 = _look_up(work, vector, 2 * width)
            total = weight_1 + weight_2 + weight_3
            mean = multiply_add(weight_1, value_1, weight_2 * value_2)
            mean = multiply_add(weight_3, value_3, mean)
            mean = mean / choose(total, total, one)
            equal = (value_1 + value_2 + value_3) * third_part
            store(values, target + hand, choose(total, mean, equal))
            vector += VECTOR
    else:
        _mean_by_group(values, node, work, True)
    match_regrets(
        work.rows,
        2 * work.actions * work.width,
        work.value_start,
        by_group,
        0,
        stored.weights,
        place,
        length,
        actions,
        update,
    )
    if update.returned == NEW_VALUE:
        _copy_weights(stored.weights, place, actions, work)
        _mean_by_group(values, node, work, True)


@kernel(makes_arrays=False, inner=True)
def _learn_groups(
    values: Reals,
    node: Node,
    stored: Stored,
    regret: AnyArray,
    task: int,
    update: Update,
    factors: Reals,
    work: GroupWork,
) -> None:
    """Seeds and the other rules: hands get what their groups play, then the groups learn."""
    weights, place, length = stored.weights, stored.place, stored.length
    rows, starts, target = work.rows, work.value_start, 2 * work.actions * work.width
    actions = node.actions
    if task == SEED:
        strategy = stored.strategy
        _copy_weights(strategy, place, actions, work)
        _mean_by_group(values, node, work, True)
        seed_regrets(
            rows, target, starts, factors, 0, strategy, weights, place, length, actions, update
        )
    else:
        if update.is_greedy and update.returned == BEST_VALUE:
            _mark_best(factors, actions, work, length)
        else:
            _copy_weights(weights, place, actions, work)
        _mean_by_group(values, node, work, not update.is_greedy)
        if update.is_greedy:
            hedge(rows, target, starts, factors, 0, weights, place, length, actions, update)
        else:
            match_predicted(
                rows, target, starts, factors, 0, weights, regret, place, length, actions, update
            )
        if update.returned == NEW_VALUE:
            _copy_weights(weights, place, actions, work)
            _mean_by_group(values, node, work, True)


@kernel(makes_arrays=False, inner=True)
def _mark_best(factors: Reals, actions: int, work: GroupWork, length: int) -> None:
    """Write 1 for the best action of each group, the last of equals, and 0 for the others."""
    rows, starts = work.rows, work.value_start
    zero, one = splat(rows.dtype.type(0)), splat(rows.dtype.type(1))
    for group in range(0, length, 16):
        best = load(rows, starts[0] + group) * splat(factors[0])
        for action in range(1, actions):
            best = larger(best, load(rows, starts[action] + group) * splat(factors[action]))
        left = one
        for back in range(actions):
            action = actions - 1 - back
            value = load(rows, starts[action] + group) * splat(factors[action])
            chosen = choose_above(best, value, zero, left)
            left = left - chosen
            store(rows, action * work.width + group, chosen)


@kernel(makes_arrays=False, inner=True)
def _impose_locked_values(
    values: Reals, node: Node, work: GroupWork, locked: Reals, lock: int, free: Any, length: int
) -> None:
    """Write the value of the locked strategy for hands whose group is locked."""
    for hand in range(node.hands):
        place = lock + _column(work, hand)
        if locked[place] >= 0:
            mean = values.dtype.type(0)
            for action in range(node.actions):
                edge = node.edge + action
                value = values[node.starts[edge] + hand] * node.factors[edge]
                mean += value * values.dtype.type(locked[place + action * length])
            values[node.target + hand] = values[node.target + hand] * free + mean


@kernel(inline="always", makes_arrays=False)
def _column(work: GroupWork, hand: int) -> int:
    """The place of a hand's group in a row."""
    vector = work.vectors + VECTOR * (hand // 16)
    return int(work.numbers[vector + 1 + hand % 16] + max(work.numbers[vector], 0))


@kernel(makes_arrays=False, inner=True)
def mix_groups(
    groups: GroupTables,
    player: int,
    board: int,
    reach: Reals,
    source: int,
    target: int,
    reach_width: int,
    hands: int,
    sums: AnyArray,
    place: int,
    length: int,
    actions: int,
    average: Averaging,
    learn: bool,
    rows: Reals,
    locked: Reals,
    lock: int,
    free: Any,
) -> None:
    """Mix reach that was split by the free part of a soft lock, as `mix_reach` does.

    With `learn`, the sums of a group get the mean reach of its hands.
    """
    work = _group_work(groups, player, board, length, rows)
    for hand in range(hands):
        start = lock + _column(work, hand)
        if locked[start] >= 0:
            before = reach[source + hand]
            for action in range(actions):
                here = target + action * reach_width + hand
                share = reach.dtype.type(locked[start + action * length])
                reach[here] = reach[here] * free + before * share
    if learn:
        mixed = (2 * work.actions + 1) * work.width
        for action in range(actions):
            source = target + action * reach_width
            _sum_groups(work, work.mean, reach, source, reach.dtype.type(1), mixed)
            for group in range(0, length, 16):
                new = load(rows, mixed + group)
                add_to_sum(sums, place + action * length, group, new, average)

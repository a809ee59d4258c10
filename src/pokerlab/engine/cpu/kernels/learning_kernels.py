"""Strategies learn: the update rules at a node of the player who walks.

The rules are those of `pokerlab.solvers.rules`, and `Update` holds the coefficients of its `Step`.
The *weights* of a node are what its strategy is proportional to, in their positive part: regrets;
predicted regrets (then the true ones are stored elsewhere); or, for greedy rules, the strategy
itself. Bytes moved for each hand and action: the weight is read and written once. Storage may be
of another precision than the rows.

As in `reach_kernels`, nodes of two and of three actions have loops of their own. Nodes come in
reverse here, so what the next ones need stands before.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from pokerlab.engine.cpu.kernels.value_kernels import mean_values
from pokerlab.runtime.arrays import AnyArray, Int64s, Reals
from pokerlab.runtime.jit import kernel
from pokerlab.runtime.vector_kernels import (
    AHEAD_BYTES,
    choose,
    choose_above,
    larger,
    load,
    load_as,
    load_second,
    multiply_add,
    positive,
    prefetch,
    splat,
    store,
    store_two,
)

BEST_VALUE = 2
"""The code of the rules' choice to pass up the value of the best action."""


class Update(NamedTuple):
    """How an iteration learns; see `pokerlab.solvers.rules`. Numbers have the rows' precision."""

    positive: Any
    negative: Any
    average: Any
    prediction: Any
    greedy: Any
    hedge: Any
    trial: Any
    is_greedy: bool
    returned: int
    iteration: int


@kernel(inline="always", makes_arrays=False)
def match_regrets(
    values: Reals,
    target: int,
    starts: Int64s,
    factors: Reals,
    edge: int,
    weights: AnyArray,
    place: int,
    hands: int,
    actions: int,
    update: Update,
) -> None:
    """Update the regrets of a node and write its value."""
    # The mark is a constant where it is asked for, so the loops without marks have nothing of them.
    if actions == 2 and update.trial > 0:
        _match_two(values, target, starts, factors, edge, weights, place, hands, update, 1)
    elif actions == 2:
        _match_two(values, target, starts, factors, edge, weights, place, hands, update, 0)
    elif actions == 3 and update.trial > 0:
        _match_three(values, target, starts, factors, edge, weights, place, hands, update, 1)
    elif actions == 3:
        _match_three(values, target, starts, factors, edge, weights, place, hands, update, 0)
    else:
        mean_values(values, target, starts, factors, edge, weights, place, hands, actions)
        keep_positive, keep_negative = splat(update.positive), splat(update.negative)
        trial, mark = splat(update.trial), int(update.trial > 0)
        for action in range(actions):
            here, start = place + action * hands, starts[edge + action]
            factor = splat(factors[edge + action])
            for hand in range(0, hands, 16):
                gain = load(values, start + hand) * factor - load(values, target + hand)
                before = load_second(weights, here + hand, gain, mark)
                after = before * choose(before, keep_positive, keep_negative) + gain
                store_two(weights, here + hand, after, trial * gain, mark)


@kernel(inline="always", makes_arrays=False)
def _match_two(
    values: Reals,
    target: int,
    starts: Int64s,
    factors: Reals,
    edge: int,
    weights: AnyArray,
    place: int,
    hands: int,
    update: Update,
    mark: int,
) -> None:
    zero, one = splat(values.dtype.type(0)), splat(values.dtype.type(1))
    half = splat(values.dtype.type(0.5))
    keep_positive, keep_negative = splat(update.positive), splat(update.negative)
    trial = splat(update.trial) if mark else zero
    first, second = starts[edge], starts[edge + 1]
    first_factor, second_factor = splat(factors[edge]), splat(factors[edge + 1])
    other = place + hands
    for hand in range(0, hands, 16):
        prefetch(weights, place + hand, -AHEAD_BYTES)
        prefetch(weights, other + hand, -AHEAD_BYTES)
        left = load(values, first + hand) * first_factor
        right = load(values, second + hand) * second_factor
        left_weight = positive(load_as(weights, place + hand, zero))
        right_weight = positive(load_as(weights, other + hand, zero))
        left_regret = load_second(weights, place + hand, zero, mark)
        right_regret = load_second(weights, other + hand, zero, mark)
        total = left_weight + right_weight
        mean = multiply_add(left_weight, left, right_weight * right)
        mean = mean / choose(total, total, one)
        mean = choose(total, mean, (left + right) * half)
        store(values, target + hand, mean)
        left_keep = choose(left_regret, keep_positive, keep_negative)
        right_keep = choose(right_regret, keep_positive, keep_negative)
        gain = left - mean
        store_two(weights, place + hand, left_regret * left_keep + gain, trial * gain, mark)
        gain = right - mean
        store_two(weights, other + hand, right_regret * right_keep + gain, trial * gain, mark)


@kernel(inline="always", makes_arrays=False)
def _match_three(
    values: Reals,
    target: int,
    starts: Int64s,
    factors: Reals,
    edge: int,
    weights: AnyArray,
    place: int,
    hands: int,
    update: Update,
    mark: int,
) -> None:
    zero, one = splat(values.dtype.type(0)), splat(values.dtype.type(1))
    third_part = splat(values.dtype.type(1.0 / 3.0))
    keep_positive, keep_negative = splat(update.positive), splat(update.negative)
    trial = splat(update.trial) if mark else zero
    first, second, third = starts[edge], starts[edge + 1], starts[edge + 2]
    first_factor, second_factor = splat(factors[edge]), splat(factors[edge + 1])
    third_factor = splat(factors[edge + 2])
    place_2, place_3 = place + hands, place + 2 * hands
    for hand in range(0, hands, 16):
        prefetch(weights, place + hand, -AHEAD_BYTES)
        prefetch(weights, place_2 + hand, -AHEAD_BYTES)
        prefetch(weights, place_3 + hand, -AHEAD_BYTES)
        value_1 = load(values, first + hand) * first_factor
        value_2 = load(values, second + hand) * second_factor
        value_3 = load(values, third + hand) * third_factor
        weight_1 = positive(load_as(weights, place + hand, zero))
        weight_2 = positive(load_as(weights, place_2 + hand, zero))
        weight_3 = positive(load_as(weights, place_3 + hand, zero))
        regret_1 = load_second(weights, place + hand, zero, mark)
        regret_2 = load_second(weights, place_2 + hand, zero, mark)
        regret_3 = load_second(weights, place_3 + hand, zero, mark)
        total = weight_1 + weight_2 + weight_3
        mean = multiply_add(weight_1, value_1, weight_2 * value_2)
        mean = multiply_add(weight_3, value_3, mean)
        mean = mean / choose(total, total, one)
        mean = choose(total, mean, (value_1 + value_2 + value_3) * third_part)
        store(values, target + hand, mean)
        keep, gain = choose(regret_1, keep_positive, keep_negative), value_1 - mean
        store_two(weights, place + hand, regret_1 * keep + gain, trial * gain, mark)
        keep, gain = choose(regret_2, keep_positive, keep_negative), value_2 - mean
        store_two(weights, place_2 + hand, regret_2 * keep + gain, trial * gain, mark)
        keep, gain = choose(regret_3, keep_positive, keep_negative), value_3 - mean
        store_two(weights, place_3 + hand, regret_3 * keep + gain, trial * gain, mark)


@kernel(makes_arrays=False, inner=True)
def match_predicted(
    values: Reals,
    target: int,
    starts: Int64s,
    factors: Reals,
    edge: int,
    weights: AnyArray,
    regret: AnyArray,
    place: int,
    hands: int,
    actions: int,
    update: Update,
) -> None:
    """Update regrets and keep what they are predicted to be; write the node's value."""
    mean_values(values, target, starts, factors, edge, weights, place, hands, actions)
    keep_positive, keep_negative = splat(update.positive), splat(update.negative)
    prediction, trial = splat(update.prediction), splat(update.prediction + update.trial)
    for action in range(actions):
        here, start = place + action * hands, starts[edge + action]
        factor = splat(factors[edge + action])
        for hand in range(0, hands, 16):
            gain = load(values, start + hand) * factor - load(values, target + hand)
            before = load_as(regret, here + hand, gain)
            after = before * choose(before, keep_positive, keep_negative) + gain
            store(regret, here + hand, after)
            predicted = choose(after, multiply_add(prediction, gain, after), trial * gain)
            store(weights, here + hand, predicted)


@kernel(makes_arrays=False, inner=True)
def hedge(
    values: Reals,
    target: int,
    starts: Int64s,
    factors: Reals,
    edge: int,
    strategy: AnyArray,
    place: int,
    hands: int,
    actions: int,
    update: Update,
) -> None:
    """Move the strategy of a node towards the best action, the last of equals; write its value."""
    zero = splat(values.dtype.type(0))
    one = splat(values.dtype.type(1))
    keep = one - splat(update.greedy)
    away = splat(update.hedge) * splat(values.dtype.type(1.0 / actions))
    for hand in range(0, hands, 16):
        best = load(values, starts[edge] + hand) * splat(factors[edge])
        mean = zero
        for action in range(actions):
            value = load(values, starts[edge + action] + hand) * splat(factors[edge + action])
            best = larger(best, value)
            mean = mean + value * load_as(strategy, place + action * hands + hand, zero)
        store(values, target + hand, best if update.returned == BEST_VALUE else mean)
        open_ = one  # one until the best action has been found, zero after
        others = zero
        for back in range(actions):
            action = actions - 1 - back
            here = place + action * hands + hand
            value = load(values, starts[edge + action] + hand) * splat(factors[edge + action])
            chosen = choose_above(best, value, zero, open_)
            open_ = open_ - chosen
            less = positive(load_as(strategy, here, zero) * keep - away) * (one - chosen)
            others = others + less
            # A mark for the best action: its share is known once the others are.
            store(strategy, here, less - chosen)
        for action in range(actions):
            here = place + action * hands + hand
            share = load_as(strategy, here, zero)
            store(strategy, here, choose(zero - share, one - others, share))


@kernel(makes_arrays=False, inner=True)
def seed_regrets(
    values: Reals,
    target: int,
    starts: Int64s,
    factors: Reals,
    edge: int,
    strategy: AnyArray,
    weights: AnyArray,
    place: int,
    hands: int,
    actions: int,
    update: Update,
) -> None:
    """Write regrets that a solve which arrived at `strategy` may have, and the node's value.

    Together the positive regrets of a hand are `update.positive` where one action has it all, and
    up to six times that where a hand mixes (1 + 2x + 9x², with x = 1 − the largest share; regrets
    of real solves look like e^3x); each action gets its share. An action that is worth less than
    the node loses `update.negative` times what is missing.
    """
    mean_values(values, target, starts, factors, edge, strategy, place, hands, actions)
    zero, one = splat(values.dtype.type(0)), splat(values.dtype.type(1))
    two, nine = splat(values.dtype.type(2)), splat(values.dtype.type(9))
    played, missed = splat(update.positive), splat(update.negative)
    for hand in range(0, hands, 16):
        total, largest = zero, zero
        for action in range(actions):
            share = positive(load_as(strategy, place + action * hands + hand, zero))
            total = total + share
            largest = larger(largest, share)
        whole = choose(total, total, one)
        mixed = one - largest / whole
        scale = played * (one + mixed * (two + nine * mixed)) / whole
        mean = load(values, target + hand)
        for action in range(actions):
            here = place + action * hands + hand
            value = load(values, starts[edge + action] + hand) * splat(factors[edge + action])
            share = positive(load_as(strategy, here, zero)) * scale
            # Without the mark of two numbers, whatever the rule.
            store_two(weights, here, share - positive(mean - value) * missed, zero, 1)

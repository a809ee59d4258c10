"""What happens at a node of a board: reach goes down, values come up, strategies learn.

Lanes are hands. A *row* has a number for each hand; the rows of a node's actions are stored one
after the other, so the storage of a node is ``[action][hand]``. Bytes moved for each hand and
action: an update reads and writes the regret; the opponent's reach reads the regret, and reads
and writes the sum of strategies. Everything else is in the first-level cache.

The rules are those of `pokerlab.solvers.rules`, and `Update` holds the coefficients of its `Step`.
What is `kept` of a node is what its strategy is proportional to, in its positive part: regrets;
predicted regrets (then the true ones are kept elsewhere); or, for greedy rules, the strategy
itself. Storage may be of another precision than the rows.

Nearly all nodes have two or three actions, and these have loops of their own: without them half
of the time goes into loading the same numbers again.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from pokerlab.jit import kernel
from pokerlab.postflop.cpu.vector_kernels import (
    choose,
    larger,
    load,
    load_as,
    positive,
    splat,
    store,
)

Rows: TypeAlias = npt.NDArray[np.floating[Any]]
Storage: TypeAlias = npt.NDArray[Any]
Starts: TypeAlias = npt.NDArray[np.int64]

BEST_VALUE = 2
"""The code of `pokerlab.solvers.rules.Returned.BEST`."""


class Update(NamedTuple):
    """How an iteration learns; see `pokerlab.solvers.rules`. Numbers have the rows' precision."""

    positive: Any
    negative: Any
    average: Any
    prediction: Any
    greedy: Any
    hedge: Any
    is_greedy: bool
    returned: int


@kernel(makes_arrays=False)
def split_reach(
    reach: Rows,
    source: int,
    target: int,
    width: int,
    kept: Storage,
    sums: Storage,
    place: int,
    hands: int,
    actions: int,
    average: Any,
    learn: bool,
) -> None:
    """Multiply a reach row by the strategy: one row an action, from `target` on.

    With `learn`, the new reach is added to the sums of strategies: the average is weighted by
    the player's own reach.
    """
    if actions == 2:
        _split_in_two(reach, source, target, width, kept, sums, place, hands, average, learn)
    elif actions == 3:
        _split_in_three(reach, source, target, width, kept, sums, place, hands, average, learn)
    else:
        _split(reach, source, target, width, kept, place, hands, actions)
        if learn:
            for action in range(actions):
                here, row = place + action * hands, target + action * width
                for hand in range(0, hands, 16):
                    _add_to_sum(sums, here + hand, load(reach, row + hand), splat(average))


@kernel(inline="always", makes_arrays=False)
def _add_to_sum(sums: Storage, place: int, new: Any, keep: Any) -> None:
    store(sums, place, load_as(sums, place, new) * keep + new)


@kernel(inline="always", makes_arrays=False)
def _split_in_two(
    reach: Rows,
    source: int,
    target: int,
    width: int,
    kept: Storage,
    sums: Storage,
    place: int,
    hands: int,
    average: Any,
    learn: bool,
) -> None:
    zero, one = splat(reach.dtype.type(0)), splat(reach.dtype.type(1))
    half = splat(reach.dtype.type(0.5))
    keep = splat(average)
    place_2, target_2 = place + hands, target + width
    for hand in range(0, hands, 16):
        before = load(reach, source + hand)
        weight_1 = positive(load_as(kept, place + hand, zero))
        weight_2 = positive(load_as(kept, place_2 + hand, zero))
        total = weight_1 + weight_2
        factor = choose(total, before / choose(total, total, one), zero)
        rest = choose(total, zero, before * half)
        reach_1 = weight_1 * factor + rest
        reach_2 = weight_2 * factor + rest
        store(reach, target + hand, reach_1)
        store(reach, target_2 + hand, reach_2)
        if learn:
            _add_to_sum(sums, place + hand, reach_1, keep)
            _add_to_sum(sums, place_2 + hand, reach_2, keep)


@kernel(inline="always", makes_arrays=False)
def _split_in_three(
    reach: Rows,
    source: int,
    target: int,
    width: int,
    kept: Storage,
    sums: Storage,
    place: int,
    hands: int,
    average: Any,
    learn: bool,
) -> None:
    zero, one = splat(reach.dtype.type(0)), splat(reach.dtype.type(1))
    third = splat(reach.dtype.type(1.0 / 3.0))
    keep = splat(average)
    place_2, target_2 = place + hands, target + width
    place_3, target_3 = place_2 + hands, target_2 + width
    for hand in range(0, hands, 16):
        before = load(reach, source + hand)
        weight_1 = positive(load_as(kept, place + hand, zero))
        weight_2 = positive(load_as(kept, place_2 + hand, zero))
        weight_3 = positive(load_as(kept, place_3 + hand, zero))
        total = weight_1 + weight_2 + weight_3
        factor = choose(total, before / choose(total, total, one), zero)
        rest = choose(total, zero, before * third)
        reach_1 = weight_1 * factor + rest
        reach_2 = weight_2 * factor + rest
        reach_3 = weight_3 * factor + rest
        store(reach, target + hand, reach_1)
        store(reach, target_2 + hand, reach_2)
        store(reach, target_3 + hand, reach_3)
        if learn:
            _add_to_sum(sums, place + hand, reach_1, keep)
            _add_to_sum(sums, place_2 + hand, reach_2, keep)
            _add_to_sum(sums, place_3 + hand, reach_3, keep)


@kernel(inline="always", makes_arrays=False)
def _split(
    reach: Rows,
    source: int,
    target: int,
    width: int,
    kept: Storage,
    place: int,
    hands: int,
    actions: int,
) -> None:
    zero, one = splat(reach.dtype.type(0)), splat(reach.dtype.type(1))
    uniform = splat(reach.dtype.type(1.0 / actions))
    for hand in range(0, hands, 16):
        before = load(reach, source + hand)
        total = zero
        for action in range(actions):
            total = total + positive(load_as(kept, place + action * hands + hand, zero))
        factor = choose(total, before / choose(total, total, one), zero)
        rest = choose(total, zero, before * uniform)
        for action in range(actions):
            weight = positive(load_as(kept, place + action * hands + hand, zero))
            store(reach, target + action * width + hand, weight * factor + rest)


@kernel(makes_arrays=False)
def add_values(
    values: Rows, target: int, starts: Starts, factors: Rows, edge: int, hands: int, actions: int
) -> None:
    """Write the sum of the values behind an opponent's actions."""
    if actions == 1:
        for hand in range(0, hands, 16):
            store(values, target + hand, load(values, starts[edge] + hand) * splat(factors[edge]))
        return
    first, second = starts[edge], starts[edge + 1]
    first_factor, second_factor = splat(factors[edge]), splat(factors[edge + 1])
    if actions == 2:
        for hand in range(0, hands, 16):
            left = load(values, first + hand) * first_factor
            store(values, target + hand, left + load(values, second + hand) * second_factor)
    elif actions == 3:
        third, third_factor = starts[edge + 2], splat(factors[edge + 2])
        for hand in range(0, hands, 16):
            left = load(values, first + hand) * first_factor
            middle = load(values, second + hand) * second_factor
            right = load(values, third + hand) * third_factor
            store(values, target + hand, left + middle + right)
    else:
        for hand in range(0, hands, 16):
            total = load(values, first + hand) * first_factor
            for action in range(edge + 1, edge + actions):
                total = total + load(values, starts[action] + hand) * splat(factors[action])
            store(values, target + hand, total)


@kernel(makes_arrays=False)
def best_values(
    values: Rows, target: int, starts: Starts, factors: Rows, edge: int, hands: int, actions: int
) -> None:
    """Write the value of the best action."""
    for hand in range(0, hands, 16):
        best = load(values, starts[edge] + hand) * splat(factors[edge])
        for action in range(edge + 1, edge + actions):
            best = larger(best, load(values, starts[action] + hand) * splat(factors[action]))
        store(values, target + hand, best)


@kernel(makes_arrays=False)
def mean_values(
    values: Rows,
    target: int,
    starts: Starts,
    factors: Rows,
    edge: int,
    kept: Storage,
    place: int,
    hands: int,
    actions: int,
) -> None:
    """Write the value under the strategy that is proportional to `kept`."""
    zero, one = splat(values.dtype.type(0)), splat(values.dtype.type(1))
    uniform = splat(values.dtype.type(1.0 / actions))
    for hand in range(0, hands, 16):
        total, mean, plain = zero, zero, zero
        for action in range(actions):
            value = load(values, starts[edge + action] + hand) * splat(factors[edge + action])
            weight = positive(load_as(kept, place + action * hands + hand, zero))
            total = total + weight
            mean = mean + weight * value
            plain = plain + value
        mean = choose(total, mean / choose(total, total, one), plain * uniform)
        store(values, target + hand, mean)


@kernel(makes_arrays=False)
def match_regrets(
    values: Rows,
    target: int,
    starts: Starts,
    factors: Rows,
    edge: int,
    kept: Storage,
    place: int,
    hands: int,
    actions: int,
    update: Update,
) -> None:
    """Update the regrets of a node and write its value."""
    if actions == 2:
        _match_two(values, target, starts, factors, edge, kept, place, hands, update)
    elif actions == 3:
        _match_three(values, target, starts, factors, edge, kept, place, hands, update)
    else:
        mean_values(values, target, starts, factors, edge, kept, place, hands, actions)
        keep_positive, keep_negative = splat(update.positive), splat(update.negative)
        for action in range(actions):
            here, start = place + action * hands, starts[edge + action]
            factor = splat(factors[edge + action])
            for hand in range(0, hands, 16):
                gain = load(values, start + hand) * factor - load(values, target + hand)
                before = load_as(kept, here + hand, gain)
                after = before * choose(before, keep_positive, keep_negative) + gain
                store(kept, here + hand, after)


@kernel(inline="always", makes_arrays=False)
def _match_two(
    values: Rows,
    target: int,
    starts: Starts,
    factors: Rows,
    edge: int,
    kept: Storage,
    place: int,
    hands: int,
    update: Update,
) -> None:
    zero, one = splat(values.dtype.type(0)), splat(values.dtype.type(1))
    half = splat(values.dtype.type(0.5))
    keep_positive, keep_negative = splat(update.positive), splat(update.negative)
    first, second = starts[edge], starts[edge + 1]
    first_factor, second_factor = splat(factors[edge]), splat(factors[edge + 1])
    other = place + hands
    for hand in range(0, hands, 16):
        left = load(values, first + hand) * first_factor
        right = load(values, second + hand) * second_factor
        left_regret = load_as(kept, place + hand, zero)
        right_regret = load_as(kept, other + hand, zero)
        left_weight, right_weight = positive(left_regret), positive(right_regret)
        total = left_weight + right_weight
        mean = (left_weight * left + right_weight * right) / choose(total, total, one)
        mean = choose(total, mean, (left + right) * half)
        store(values, target + hand, mean)
        left_keep = choose(left_regret, keep_positive, keep_negative)
        right_keep = choose(right_regret, keep_positive, keep_negative)
        store(kept, place + hand, left_regret * left_keep + (left - mean))
        store(kept, other + hand, right_regret * right_keep + (right - mean))


@kernel(inline="always", makes_arrays=False)
def _match_three(
    values: Rows,
    target: int,
    starts: Starts,
    factors: Rows,
    edge: int,
    kept: Storage,
    place: int,
    hands: int,
    update: Update,
) -> None:
    zero, one = splat(values.dtype.type(0)), splat(values.dtype.type(1))
    third_part = splat(values.dtype.type(1.0 / 3.0))
    keep_positive, keep_negative = splat(update.positive), splat(update.negative)
    first, second, third = starts[edge], starts[edge + 1], starts[edge + 2]
    first_factor, second_factor = splat(factors[edge]), splat(factors[edge + 1])
    third_factor = splat(factors[edge + 2])
    place_2, place_3 = place + hands, place + 2 * hands
    for hand in range(0, hands, 16):
        value_1 = load(values, first + hand) * first_factor
        value_2 = load(values, second + hand) * second_factor
        value_3 = load(values, third + hand) * third_factor
        regret_1 = load_as(kept, place + hand, zero)
        regret_2 = load_as(kept, place_2 + hand, zero)
        regret_3 = load_as(kept, place_3 + hand, zero)
        weight_1, weight_2, weight_3 = positive(regret_1), positive(regret_2), positive(regret_3)
        total = weight_1 + weight_2 + weight_3
        mean = weight_1 * value_1 + weight_2 * value_2 + weight_3 * value_3
        mean = mean / choose(total, total, one)
        mean = choose(total, mean, (value_1 + value_2 + value_3) * third_part)
        store(values, target + hand, mean)
        keep = choose(regret_1, keep_positive, keep_negative)
        store(kept, place + hand, regret_1 * keep + (value_1 - mean))
        keep = choose(regret_2, keep_positive, keep_negative)
        store(kept, place_2 + hand, regret_2 * keep + (value_2 - mean))
        keep = choose(regret_3, keep_positive, keep_negative)
        store(kept, place_3 + hand, regret_3 * keep + (value_3 - mean))


@kernel(makes_arrays=False)
def match_predicted(
    values: Rows,
    target: int,
    starts: Starts,
    factors: Rows,
    edge: int,
    kept: Storage,
    regret: Storage,
    place: int,
    hands: int,
    actions: int,
    update: Update,
) -> None:
    """Update regrets and keep what they are predicted to be; write the node's value."""
    mean_values(values, target, starts, factors, edge, kept, place, hands, actions)
    keep_positive, keep_negative = splat(update.positive), splat(update.negative)
    prediction = splat(update.prediction)
    for action in range(actions):
        here, start = place + action * hands, starts[edge + action]
        factor = splat(factors[edge + action])
        for hand in range(0, hands, 16):
            gain = load(values, start + hand) * factor - load(values, target + hand)
            before = load_as(regret, here + hand, gain)
            after = before * choose(before, keep_positive, keep_negative) + gain
            store(regret, here + hand, after)
            store(kept, here + hand, positive(after) + prediction * gain)


@kernel(makes_arrays=False)
def hedge(
    values: Rows,
    target: int,
    starts: Starts,
    factors: Rows,
    edge: int,
    strategy: Storage,
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
            chosen = choose(best - value, zero, open_)
            open_ = open_ - chosen
            less = positive(load_as(strategy, here, zero) * keep - away) * (one - chosen)
            others = others + less
            # A mark for the best action: its share is known once the others are.
            store(strategy, here, less - chosen)
        for action in range(actions):
            here = place + action * hands + hand
            share = load_as(strategy, here, zero)
            store(strategy, here, choose(zero - share, one - others, share))


@kernel(makes_arrays=False)
def write_probabilities(
    rows: Storage,
    spare: Storage,
    first: Starts,
    actions: Starts,
    smallest: Any,
    out: npt.NDArray[np.uint16],
) -> None:
    """Turn what strategies are proportional to into probabilities, as IEEE halves.

    Where `rows` have nothing for a hand `spare` is taken, and equal shares where that has nothing
    either. `first` tells where the boards begin, `actions` how many each node has; a share of
    less than `smallest` is none.
    """
    zero, one, least = splat(np.float32(0)), splat(np.float32(1)), splat(smallest)
    for board in range(first.size - 1):
        place = first[board]
        slots = 0
        for count in actions:
            slots += count
        hands = (first[board + 1] - place) // max(slots, 1)
        for count in actions:
            equal = splat(np.float32(1.0) / np.float32(count))
            for hand in range(0, hands, 16):
                total, spare_total = zero, zero
                for here in range(place + hand, place + hand + count * hands, hands):
                    total = total + positive(load_as(rows, here, zero))
                    spare_total = spare_total + positive(load_as(spare, here, zero))
                whole = choose(total, total, one)
                spare_whole = choose(spare_total, spare_total, one)
                for here in range(place + hand, place + hand + count * hands, hands):
                    share = positive(load_as(spare, here, zero)) / spare_whole
                    share = choose(spare_total, share, equal)
                    share = choose(total, positive(load_as(rows, here, zero)) / whole, share)
                    store(out, here, choose(share - least, share, zero))
            place += count * hands


@kernel(makes_arrays=False)
def impose_lock(
    kept: Storage, place: int, locked: Rows, start: int, hands: int, actions: int
) -> None:
    """Put locked probabilities in the place of what is kept; −1 leaves a hand free."""
    for number in range(0, actions * hands, 16):
        share = load(locked, start + number)
        now = load_as(kept, place + number, share)
        free = splat(locked.dtype.type(0)) - share
        store(kept, place + number, choose(free, now, share))


@kernel(makes_arrays=False)
def impose_locked_values(
    values: Rows,
    target: int,
    starts: Starts,
    factors: Rows,
    edge: int,
    locked: Rows,
    start: int,
    hands: int,
    actions: int,
) -> None:
    """Write the value of the locked strategy for the hands that are locked."""
    zero = splat(values.dtype.type(0))
    for hand in range(0, hands, 16):
        mean = zero
        for action in range(actions):
            value = load(values, starts[edge + action] + hand) * splat(factors[edge + action])
            mean = mean + value * load_as(locked, start + action * hands + hand, zero)
        free = zero - load_as(locked, start + hand, zero)
        store(values, target + hand, choose(free, load(values, target + hand), mean))

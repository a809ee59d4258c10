"""Values come up: the value of a node from those behind its actions.

Lanes are hands (see `reach_kernels`). Everything is in the first-level cache but the strategy
weights, of which each is read once.
"""

from __future__ import annotations

from pokerlab.runtime.arrays import AnyArray, Int64s, Reals
from pokerlab.runtime.jit import kernel
from pokerlab.runtime.vector_kernels import (
    AHEAD_BYTES,
    choose,
    larger,
    load,
    load_as,
    positive,
    prefetch,
    splat,
    store,
)


@kernel(inline="always", makes_arrays=False)
def add_values(
    values: Reals, target: int, starts: Int64s, factors: Reals, edge: int, hands: int, actions: int
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


@kernel(inline="always", makes_arrays=False)
def best_values(
    values: Reals, target: int, starts: Int64s, factors: Reals, edge: int, hands: int, actions: int
) -> None:
    """Write the value of the best action."""
    for hand in range(0, hands, 16):
        best = load(values, starts[edge] + hand) * splat(factors[edge])
        for action in range(edge + 1, edge + actions):
            best = larger(best, load(values, starts[action] + hand) * splat(factors[action]))
        store(values, target + hand, best)


@kernel(makes_arrays=False)
def mean_values(
    values: Reals,
    target: int,
    starts: Int64s,
    factors: Reals,
    edge: int,
    weights: AnyArray,
    place: int,
    hands: int,
    actions: int,
) -> None:
    """Write the value under the strategy that is proportional to `weights`."""
    zero, one = splat(values.dtype.type(0)), splat(values.dtype.type(1))
    uniform = splat(values.dtype.type(1.0 / actions))
    for hand in range(0, hands, 16):
        total, mean, plain = zero, zero, zero
        for action in range(actions):
            value = load(values, starts[edge + action] + hand) * splat(factors[edge + action])
            here = place + action * hands + hand
            prefetch(weights, here, -AHEAD_BYTES)
            weight = positive(load_as(weights, here, zero))
            total = total + weight
            mean = mean + weight * value
            plain = plain + value
        mean = choose(total, mean / choose(total, total, one), plain * uniform)
        store(values, target + hand, mean)

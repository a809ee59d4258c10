"""Reach goes down: a player's reach is split among the actions of a node.

Lanes are hands. A *row* has a number for each hand; the rows of a node's actions are stored one
after the other, so the storage of a node is ``[action][hand]``. Bytes moved for each hand and
action: the strategy weight is read, and the sum of strategies read and written while it learns.
The rows of reach stay in the first-level cache. Storage may be of another precision than the
rows.

Storage is larger than the caches, and the processor itself fetches little beyond a page. So what
the next nodes need, whose storage comes behind, is asked for early (`AHEAD_BYTES`).

Nearly all nodes have two or three actions, and these have loops of their own: without them half
of the time goes into loading the same numbers again.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from pokerlab.runtime.arrays import AnyArray, Reals
from pokerlab.runtime.jit import kernel
from pokerlab.runtime.vector_kernels import (
    AHEAD_BYTES,
    choose,
    load,
    load_as,
    positive,
    prefetch,
    splat,
    store,
    store_by_turns,
)


class Averaging(NamedTuple):
    """How reach is added to the sums of strategies."""

    keep: Any
    """The part of the sums that is kept."""
    iteration: int
    """Whose turn it is: by it, sums of 16 bits are rounded up or down."""


@kernel(inline="always", makes_arrays=False)
def split_reach(
    reach: Reals,
    source: int,
    target: int,
    width: int,
    weights: AnyArray,
    sums: AnyArray,
    place: int,
    hands: int,
    actions: int,
    average: Averaging,
    learn: bool,
) -> None:
    """Multiply a reach row by the strategy: one row an action, from `target` on.

    With `learn`, the new reach is added to the sums of strategies: the average is weighted by
    the player's own reach.
    """
    if actions == 2:
        _split_in_two(reach, source, target, width, weights, sums, place, hands, average, learn)
    elif actions == 3:
        _split_in_three(reach, source, target, width, weights, sums, place, hands, average, learn)
    else:
        _split(reach, source, target, width, weights, place, hands, actions)
        if learn:
            for action in range(actions):
                here, row = place + action * hands, target + action * width
                for hand in range(0, hands, 16):
                    add_to_sum(sums, here, hand, load(reach, row + hand), average)


@kernel(inline="always", makes_arrays=False)
def add_to_sum(sums: AnyArray, row: int, hand: int, new: Any, average: Averaging) -> None:
    """Add reach to a row of the sums of strategies, of which a part is kept."""
    prefetch(sums, row + hand, AHEAD_BYTES)
    after = load_as(sums, row + hand, new) * splat(average.keep) + new
    store_by_turns(sums, row, hand, after, average.iteration)


@kernel(inline="always", makes_arrays=False)
def _split_in_two(
    reach: Reals,
    source: int,
    target: int,
    width: int,
    weights: AnyArray,
    sums: AnyArray,
    place: int,
    hands: int,
    average: Averaging,
    learn: bool,
) -> None:
    zero, one = splat(reach.dtype.type(0)), splat(reach.dtype.type(1))
    half = splat(reach.dtype.type(0.5))
    place_2, target_2 = place + hands, target + width
    for hand in range(0, hands, 16):
        prefetch(weights, place + hand, AHEAD_BYTES)
        prefetch(weights, place_2 + hand, AHEAD_BYTES)
        before = load(reach, source + hand)
        weight_1 = positive(load_as(weights, place + hand, zero))
        weight_2 = positive(load_as(weights, place_2 + hand, zero))
        total = weight_1 + weight_2
        factor = choose(total, before / choose(total, total, one), zero)
        rest = choose(total, zero, before * half)
        reach_1 = weight_1 * factor + rest
        reach_2 = weight_2 * factor + rest
        store(reach, target + hand, reach_1)
        store(reach, target_2 + hand, reach_2)
        if learn:
            add_to_sum(sums, place, hand, reach_1, average)
            add_to_sum(sums, place_2, hand, reach_2, average)


@kernel(inline="always", makes_arrays=False)
def _split_in_three(
    reach: Reals,
    source: int,
    target: int,
    width: int,
    weights: AnyArray,
    sums: AnyArray,
    place: int,
    hands: int,
    average: Averaging,
    learn: bool,
) -> None:
    zero, one = splat(reach.dtype.type(0)), splat(reach.dtype.type(1))
    third = splat(reach.dtype.type(1.0 / 3.0))
    place_2, target_2 = place + hands, target + width
    place_3, target_3 = place_2 + hands, target_2 + width
    for hand in range(0, hands, 16):
        prefetch(weights, place + hand, AHEAD_BYTES)
        prefetch(weights, place_2 + hand, AHEAD_BYTES)
        prefetch(weights, place_3 + hand, AHEAD_BYTES)
        before = load(reach, source + hand)
        weight_1 = positive(load_as(weights, place + hand, zero))
        weight_2 = positive(load_as(weights, place_2 + hand, zero))
        weight_3 = positive(load_as(weights, place_3 + hand, zero))
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
            add_to_sum(sums, place, hand, reach_1, average)
            add_to_sum(sums, place_2, hand, reach_2, average)
            add_to_sum(sums, place_3, hand, reach_3, average)


@kernel(inline="always", makes_arrays=False)
def _split(
    reach: Reals,
    source: int,
    target: int,
    width: int,
    weights: AnyArray,
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
            here = place + action * hands + hand
            prefetch(weights, here, AHEAD_BYTES)
            total = total + positive(load_as(weights, here, zero))
        factor = choose(total, before / choose(total, total, one), zero)
        rest = choose(total, zero, before * uniform)
        for action in range(actions):
            weight = positive(load_as(weights, place + action * hands + hand, zero))
            store(reach, target + action * width + hand, weight * factor + rest)

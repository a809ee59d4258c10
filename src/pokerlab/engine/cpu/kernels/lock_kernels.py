"""Locked decisions: fixed probabilities in the place of what has been learned, or mixed with it.

Locked probabilities are −1 for hands that are free. A *soft* lock leaves a part of the decision
free: its probabilities sum to the weight of the lock, and `free` is the rest. What is stored is
then what the free part has learned; reach and values are those of the mixture, and so are the sums
of strategies. Bytes moved for each hand and action of a
locked node: the probability is read, the strategy weight read and written; nodes that are free
cost nothing.
"""

from __future__ import annotations

from typing import Any

from pokerlab.engine.cpu.kernels.reach_kernels import Averaging, add_to_sum
from pokerlab.runtime.arrays import AnyArray, Int64s, Reals
from pokerlab.runtime.jit import kernel
from pokerlab.runtime.vector_kernels import choose, load, load_as, positive, splat, store


@kernel(makes_arrays=False, inner=True)
def impose_lock(
    weights: AnyArray, place: int, locked: Reals, start: int, hands: int, actions: int
) -> None:
    """Put locked probabilities in the place of the strategy weights; −1 leaves a hand free."""
    for number in range(0, actions * hands, 16):
        free = splat(locked.dtype.type(0)) - load(locked, start + number)
        now = load(weights, place + number)
        share = load_as(locked, start + number, now)
        store(weights, place + number, choose(free, now, share))


@kernel(makes_arrays=False, inner=True)
def impose_locked_values(
    values: Reals,
    target: int,
    starts: Int64s,
    factors: Reals,
    edge: int,
    locked: Reals,
    start: int,
    free: Any,
    hands: int,
    actions: int,
) -> None:
    """Write the value of the locked strategy for the hands that are locked.

    The value that stands there counts as much as is `free`, in the precision of the rows.
    """
    part = splat(free)
    zero = splat(values.dtype.type(0))
    for hand in range(0, hands, 16):
        mean = zero
        for action in range(actions):
            value = load(values, starts[edge + action] + hand) * splat(factors[edge + action])
            mean = mean + value * load_as(locked, start + action * hands + hand, zero)
        unlocked = zero - load_as(locked, start + hand, zero)
        before = load(values, target + hand)
        store(values, target + hand, choose(unlocked, before, before * part + mean))


@kernel(makes_arrays=False, inner=True)
def mix_reach(
    reach: Reals,
    source: int,
    target: int,
    width: int,
    sums: AnyArray,
    place: int,
    locked: Reals,
    start: int,
    free: Any,
    hands: int,
    actions: int,
    average: Averaging,
    learn: bool,
) -> None:
    """Mix reach that was split by the free part of a soft lock with what is locked.

    With `learn`, the mixture is added to the sums of strategies.
    """
    zero, part = splat(reach.dtype.type(0)), splat(free)
    for action in range(actions):
        row, stored = target + action * width, action * hands
        for hand in range(0, hands, 16):
            share = load_as(locked, start + stored + hand, zero)
            split = load(reach, row + hand)
            mixed = split * part + load(reach, source + hand) * share
            mixed = choose(zero - share, split, mixed)
            store(reach, row + hand, mixed)
            if learn:
                add_to_sum(sums, place + stored, hand, mixed, average)


@kernel(makes_arrays=False, inner=True)
def take_out_lock(
    strategy: AnyArray,
    weights: AnyArray,
    place: int,
    locked: Reals,
    start: int,
    hands: int,
    actions: int,
) -> None:
    """Write to `weights` what the free part of a soft lock plays, given the mixture."""
    zero = splat(locked.dtype.type(0))
    one = splat(locked.dtype.type(1))
    for hand in range(0, hands, 16):
        total = zero
        for action in range(actions):
            total = total + positive(load_as(strategy, place + action * hands + hand, zero))
        whole = choose(total, total, one)
        for action in range(actions):
            here = action * hands + hand
            share = load(locked, start + here)
            played = positive(load_as(strategy, place + here, zero)) / whole
            store(weights, place + here, choose(zero - share, played, positive(played - share)))

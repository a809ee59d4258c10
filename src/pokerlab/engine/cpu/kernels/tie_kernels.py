"""Ties at showdowns, where they are not worth the mean of a win and a loss: with prize money.

Lanes are leaves, as in `leaf_kernels`, whose workspace holds the opposing reach of a block, hand by
hand. The hands of a board are in groups of equals. For a hand with cards a and b, with the reach T
of its equals and the sums C of that by card, T − Ca − Cb + the reach of the same hand ties. Per
opposing hand and 16 leaves 3 loads, 3 additions and 4 stores, per own hand 4 loads and 3 additions.
"""

from __future__ import annotations

from pokerlab.engine.cpu.kernels.leaf_kernels import LEAVES, LeafWorkspace
from pokerlab.engine.cpu.kernels.sweep_kernels import ZERO_ROW
from pokerlab.engine.tables.arrays import Leaves, PlayerBoards
from pokerlab.runtime.arrays import Int64s, Reals
from pokerlab.runtime.jit import kernel
from pokerlab.runtime.vector_kernels import (
    load,
    splat,
    store,
)

_SPARE = (ZERO_ROW + 1) * LEAVES
"""A row of the sums that is free for a hand's ties."""


@kernel(makes_arrays=False)
def evaluate_ties(
    values: Reals,
    first: int,
    leaves: Leaves,
    own: PlayerBoards,
    other: PlayerBoards,
    board: int,
    group_first: Int64s,
    work: LeafWorkspace,
) -> None:
    """Write the tie rows of 16 leaves, the `first` and those after it.

    `evaluate_block` was called for them, with folds.
    """
    sums, reach = work.sums, work.reach
    first_own, first_other = own.first[board], other.first[board]
    zero = splat(reach.dtype.type(0))
    for card in range(ZERO_ROW + 1):
        store(sums, card * LEAVES, zero)
    for lane in range(LEAVES):
        for hand in range(0, own.first[board + 1] - first_own, LEAVES):
            store(values, leaves.tie_starts[first + lane] + hand, zero)
    for group in range(group_first[board], group_first[board + 1]):
        left, left_to = own.groups[4 * group], own.groups[4 * group + 1]
        right, right_to = own.groups[4 * group + 2], own.groups[4 * group + 3]
        if left == left_to or right == right_to:
            continue
        total = zero
        for hand in range(right, right_to):
            here, place = load(reach, hand * LEAVES), 2 * (first_other + hand)
            one, two = other.cards[place], other.cards[place + 1]
            total = total + here
            store(sums, one, load(sums, one) + here)
            store(sums, two, load(sums, two) + here)
        for hand in range(left, left_to):
            place = 2 * (first_own + hand)
            blocked = load(sums, own.cards[place]) + load(sums, own.cards[place + 1])
            # The place of no hand is that of one past the last, whose reach is zero.
            ties = total - blocked + load(reach, own.same_hand[first_own + hand])
            store(sums, _SPARE, ties)
            for lane in range(LEAVES):
                values[leaves.tie_starts[first + lane] + hand] = sums[_SPARE + lane]
        for hand in range(right, right_to):
            place = 2 * (first_other + hand)
            store(sums, other.cards[place], zero)
            store(sums, other.cards[place + 1], zero)

"""Ties at a showdown, where they are not worth the mean of a win and a loss.

The hands of a board are in groups of equals. For a hand with cards a and b, with the reach T of its
equals and the sums C of that by card, T − Ca − Cb + the reach of the same hand ties. Per opposing
hand 3 additions and 2 stores, per own hand 4 loads: scalar, about a third of the speed of a sweep.
"""

from __future__ import annotations

from typing import Any

from pokerlab.engine.cpu.kernels.leaf_kernels import LEAVES
from pokerlab.engine.tables.arrays import PlayerBoards
from pokerlab.runtime.arrays import Int64s, Reals
from pokerlab.runtime.jit import kernel


@kernel(makes_arrays=False)
def add_ties(
    reach: Reals,
    values: Reals,
    reach_start: int,
    value_start: int,
    factor: Any,
    own: PlayerBoards,
    other: PlayerBoards,
    board: int,
    group_first: Int64s,
    sums: Reals,
) -> None:
    """Add to a row of values the reach that ties each hand, times a factor.

    `sums` is scratch for 53 numbers, one for each card and one for padding.
    """
    first, first_other = own.first[board], other.first[board]
    for card in range(53):
        sums[card] = 0
    for group in range(group_first[board], group_first[board + 1]):
        left, left_to = own.groups[4 * group], own.groups[4 * group + 1]
        right, right_to = own.groups[4 * group + 2], own.groups[4 * group + 3]
        if left == left_to or right == right_to:
            continue
        total = reach[reach_start + right]
        total -= total
        for hand in range(right, right_to):
            here = reach[reach_start + hand]
            place = 2 * (first_other + hand)
            total += here
            sums[other.cards[place] // LEAVES] += here
            sums[other.cards[place + 1] // LEAVES] += here
        for hand in range(left, left_to):
            place = 2 * (first + hand)
            blocked = sums[own.cards[place] // LEAVES] + sums[own.cards[place + 1] // LEAVES]
            same = own.same_hand[first + hand] // LEAVES
            twin = reach[reach_start + same] if right <= same < right_to else total - total
            values[value_start + hand] += factor * (total - blocked + twin)
        for hand in range(right, right_to):
            place = 2 * (first_other + hand)
            sums[other.cards[place] // LEAVES] = 0
            sums[other.cards[place + 1] // LEAVES] = 0

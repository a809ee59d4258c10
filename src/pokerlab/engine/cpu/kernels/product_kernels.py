"""Products of a matrix of halves and rows of reach: all-ins, and corrections of check-downs.

A row of the matrix holds a number for each own hand, and there is one for each opposing hand. Most
opposing hands do not reach most lines (of a deep flop with all hands a fifth to a third do), so for
each row of reach the hands that do are listed first, and only their rows of the matrix are looked
at: the result is the same to the bit, since what is left out are products that are zero. Own hands
are taken `TOGETHER` vectors at a time, for all rows of reach in turn: that part of the matrix stays
in a second-level cache (150 kB with all hands).

Cost: per opposing hand that reaches and own vector a conversion from halves and a multiplication
with its addition; a pass over each row of reach.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pokerlab.runtime.arrays import Reals, Uint16s
from pokerlab.runtime.jit import kernel
from pokerlab.runtime.vector_kernels import LANES, load_as, splat

TOGETHER = 4 * LANES
"""Own hands whose sums are kept in registers: four vectors of numbers, which ARM64 has room for."""

LISTS = 32
"""How many lists of hands a thread keeps."""


@kernel(makes_arrays=False, inner=True)
def list_hands(reach: Reals, start: int, hands: int, lists: Uint16s, place: int) -> None:
    """Write how many hands of a row reach, and which, from ``lists[place]`` on."""
    count = 0
    for hand in range(hands):
        lists[np.uintp(place + 1 + count)] = hand
        count += int(reach[np.uintp(start + hand)] != 0)
    lists[np.uintp(place)] = count


@kernel(makes_arrays=False, inner=True, forceinline=True)
def multiply_four(
    matrix: Uint16s, first: int, own: int, reach: Reals, start: int, lists: Uint16s, place: int
) -> Any:
    """The products of four vectors of columns, from ``matrix[first]`` on, and a row of reach.

    A row of the matrix has `own` numbers; the hands that count are listed at `place`.
    """
    zero = splat(reach.dtype.type(0))
    one, two, three, four = zero, zero, zero, zero
    for number in range(place + 1, place + 1 + int(lists[np.uintp(place)])):
        hand = int(lists[np.uintp(number)])
        here, factor = first + hand * own, splat(reach[np.uintp(start + hand)])
        one = one + load_as(matrix, here, zero) * factor
        two = two + load_as(matrix, here + LANES, zero) * factor
        three = three + load_as(matrix, here + 2 * LANES, zero) * factor
        four = four + load_as(matrix, here + 3 * LANES, zero) * factor
    return one, two, three, four


@kernel(makes_arrays=False, inner=True, forceinline=True)
def multiply_one(
    matrix: Uint16s, first: int, own: int, reach: Reals, start: int, lists: Uint16s, place: int
) -> Any:
    """The same for one vector of columns."""
    zero = splat(reach.dtype.type(0))
    total = zero
    for number in range(place + 1, place + 1 + int(lists[np.uintp(place)])):
        hand = int(lists[np.uintp(number)])
        factor = splat(reach[np.uintp(start + hand)])
        total = total + load_as(matrix, first + hand * own, zero) * factor
    return total

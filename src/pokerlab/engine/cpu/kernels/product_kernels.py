"""Products of a matrix of halves and rows of reach: all-ins, and corrections of check-downs.

The *win margin* of two hands is the number of run-outs that the one wins minus the number that the
other wins. It is small enough for IEEE halves to hold it exactly (1,980 at most, from the flop),
and with it the value of an all-in is a product of a matrix and a vector. All the all-ins of a board
share the matrix.

A row of the matrix holds a number for each own hand, and there is one for each opposing hand. Most
opposing hands do not reach most lines (of a deep flop with all hands a fifth to a third do), so for
each row of reach the hands that do are listed first, and only their rows of the matrix are looked
at: the result is the same to the bit, since what is left out are products that are zero. Own hands
are taken `TOGETHER` at a time, a *tile* of the matrix, for all rows of reach in turn. It is
converted first, and its rows, which lie on as many pages, are brought together: a tile stays in a
second-level cache (300 kB with all hands).

Cost: a conversion of the matrix; per opposing hand that reaches and vector of own hands a load, a
multiplication and an addition; a look at each number of each row of reach.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pokerlab.engine.tables.arrays import AllIns
from pokerlab.runtime.arrays import Reals, Uint16s
from pokerlab.runtime.jit import kernel
from pokerlab.runtime.vector_kernels import LANES, load, load_as, prefetch, splat, store

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


@kernel(makes_arrays=False, inner=True)
def load_tile(
    matrix: Uint16s, first: int, own: int, opposing: int, columns: int, tile: Reals
) -> None:
    """Convert some columns of a matrix, from ``matrix[first]`` on: at most `TOGETHER`.

    A row of the matrix has `own` numbers, one of the tile `TOGETHER`.
    """
    zero = splat(tile.dtype.type(0))
    if columns < TOGETHER:
        for other in range(opposing):
            for column in range(0, columns, LANES):
                number = load_as(matrix, first + other * own + column, zero)
                store(tile, other * TOGETHER + column, number)
        return
    for other in range(opposing):
        here, there = first + other * own, other * TOGETHER
        store(tile, there, load_as(matrix, here, zero))
        store(tile, there + LANES, load_as(matrix, here + LANES, zero))
        store(tile, there + 2 * LANES, load_as(matrix, here + 2 * LANES, zero))
        store(tile, there + 3 * LANES, load_as(matrix, here + 3 * LANES, zero))


@kernel(inline="always", makes_arrays=False)
def share(rows: int, number: int, shares: int) -> tuple[int, int]:
    """One of several shares of some rows: from and to."""
    return rows * number // shares, rows * (number + 1) // shares


@kernel(makes_arrays=False, inner=True)
def ask_for_rows(matrix: Uint16s, first: int, own: int, rows: tuple[int, int]) -> None:
    """Ask for some rows of the tile that begins at ``matrix[first]``: the next one.

    Memory is far away, and its rows are too far apart for the processor to see what comes.
    """
    for row in range(rows[0], rows[1]):
        prefetch(matrix, first + row * own, TOGETHER - 1)
        prefetch(matrix, first + row * own, 2 * TOGETHER - 1)


@kernel(makes_arrays=False, inner=True, forceinline=True)
def multiply_tile(tile: Reals, reach: Reals, start: int, lists: Uint16s, place: int) -> Any:
    """The products of the columns of a tile and a row of reach: four vectors.

    The hands that reach are listed at `place`.
    """
    zero = splat(reach.dtype.type(0))
    one, two, three, four = zero, zero, zero, zero
    for number in range(place + 1, place + 1 + int(lists[np.uintp(place)])):
        hand = int(lists[np.uintp(number)])
        here, factor = hand * TOGETHER, splat(reach[np.uintp(start + hand)])
        one = one + load(tile, here) * factor
        two = two + load(tile, here + LANES) * factor
        three = three + load(tile, here + 2 * LANES) * factor
        four = four + load(tile, here + 3 * LANES) * factor
    return one, two, three, four


@kernel(makes_arrays=False)
def evaluate_all_ins(
    reach: Reals,
    values: Reals,
    all_ins: AllIns,
    win_margins: Uint16s,
    first: int,
    own: int,
    opposing: int,
    chance: Any,
    lists: Uint16s,
    tile: Reals,
) -> None:
    """Write the value rows of all all-ins of a board.

    `win_margins` has a row of `own` halves for each opposing hand, from `first` on; `chance` is
    that of a run-out; `lists` and `tile` are those of a `Workspace`.
    """
    factor, room = splat(chance), lists.size // LISTS
    for begin in range(0, all_ins.reach_starts.size, LISTS):
        end = min(begin + LISTS, all_ins.reach_starts.size)
        for lane in range(begin, end):
            list_hands(reach, all_ins.reach_starts[lane], opposing, lists, (lane - begin) * room)
        for hand in range(0, own, TOGETHER):
            columns = min(TOGETHER, own - hand)
            load_tile(win_margins, first + hand, own, opposing, columns, tile)
            for lane in range(begin, end):
                rows = share(opposing, lane - begin, end - begin)
                ask_for_rows(win_margins, first + hand + TOGETHER, own, rows)
                start, value = all_ins.reach_starts[lane], all_ins.value_starts[lane] + hand
                products = multiply_tile(tile, reach, start, lists, (lane - begin) * room)
                store(values, value, products[0] * factor)
                if columns > LANES:
                    store(values, value + LANES, products[1] * factor)
                if columns > 2 * LANES:
                    store(values, value + 2 * LANES, products[2] * factor)
                if columns > 3 * LANES:
                    store(values, value + 3 * LANES, products[3] * factor)

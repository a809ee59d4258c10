"""Products of a matrix of halves and rows of reach: all-ins, and corrections of check-downs.

The *win margin* of two hands is the number of run-outs that the one wins minus the number that the
other wins. It is small enough for IEEE halves to hold it exactly (1,980 at most, from the flop),
and with it the value of an all-in is a product of a matrix and a vector. All the all-ins of a board
share the matrix.

A row of the matrix holds a number for each own hand, and there is one for each opposing hand. Most
opposing hands do not reach most lines (of a deep flop with all hands a fifth to a third do), so for
each row of reach the hands that do are listed first, and only their rows of the matrix are looked
at: the result is the same to the bit, since what is left out are products that are zero.

The matrix is taken in *tiles*: some own hands, whose sums are in registers, and `ROWS` opposing
hands. A tile is converted once, for all rows of reach, and stays in a first-level cache (24 kB).
The tiles of the same rows of the matrix come one after the other, since these lie on few pages.
Sums go on from tile to tile, so each adds up its hands in their order.

Cost: a conversion of the matrix; per opposing hand that reaches and vector of own hands a load, a
multiplication and an addition; a look at each number of each row of reach.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pokerlab.engine.tables.arrays import AllIns
from pokerlab.runtime.arrays import Int64s, Reals, Uint16s
from pokerlab.runtime.jit import kernel
from pokerlab.runtime.vector_kernels import (
    LANES,
    load,
    load_as,
    prefetch,
    splat,
    store,
    sums_at_once,
)

ROWS = 48
"""Opposing hands of a tile."""

LISTS = 32
"""How many rows of reach are taken at once."""

_MOST = 8
"""Vectors of own hands in a tile, at most (`sums_at_once`)."""

_LINE = 64
"""Bytes."""


def list_room(hands: int) -> int:
    """The length of the lists of `LISTS` rows, for a number of opposing hands."""
    return LISTS * (-(-hands // ROWS) + 2 + hands)


def tile_room(hands: int) -> int:
    """The numbers of a tile and of the products of `LISTS` rows, for a number of own hands."""
    return (ROWS + 1) * _MOST * LANES + LISTS * hands


@kernel(makes_arrays=False, inner=True)
def _list_hands(reach: Reals, start: int, hands: int, lists: Uint16s, place: int) -> None:
    """Write which hands of a row reach, from ``lists[place]`` on.

    First come the places where those of each tile begin, and where the last end.
    """
    tiles = (hands + ROWS - 1) // ROWS
    count = tiles + 1
    for tile in range(tiles):
        lists[np.uintp(place + tile)] = count
        for hand in range(tile * ROWS, min((tile + 1) * ROWS, hands)):
            lists[np.uintp(place + count)] = hand
            count += int(reach[np.uintp(start + hand)] != 0)
    lists[np.uintp(place + tiles)] = count


@kernel(makes_arrays=False, inner=True)
def _load_tile(matrix: Uint16s, first: int, own: int, rows: int, columns: int, tile: Reals) -> None:
    """Convert some columns of some rows of a matrix, from ``matrix[first]`` on."""
    zero, width = splat(tile.dtype.type(0)), LANES * sums_at_once()
    for row in range(rows):
        here, there = first + row * own, row * width
        for column in range(0, columns, LANES):
            store(tile, there + column, load_as(matrix, here + column, zero))


@kernel(makes_arrays=False, inner=True)
def _ask_for_rows(matrix: Uint16s, first: int, own: int, begin: int, end: int) -> None:
    """Ask for some rows of the tile that begins at ``matrix[first]``: the next one.

    Memory is far away, and its rows are too far apart for the processor to see what comes.
    """
    for row in range(begin, end):
        for line in range(LANES * sums_at_once() * 2 // _LINE):
            prefetch(matrix, first + row * own, (line + 1) * _LINE - 1)


@kernel(makes_arrays=False, inner=True)
def _multiply_tile(
    tile: Reals,
    low: int,
    reach: Reals,
    start: int,
    lists: Uint16s,
    begin: int,
    end: int,
    out: int,
    columns: int,
) -> None:
    """Add the products of a tile and a row of reach to the sums that begin at ``tile[out]``.

    The tile begins with the opposing hand `low`; ``lists[begin:end]`` are those that reach.
    """
    count = sums_at_once()  # a constant: LLVM leaves out what follows from another
    one, two = load(tile, out), load(tile, out + LANES)
    three, four = load(tile, out + 2 * LANES), load(tile, out + 3 * LANES)
    five, six = load(tile, out + 4 * LANES), load(tile, out + 5 * LANES)
    seven, eight = load(tile, out + 6 * LANES), load(tile, out + 7 * LANES)
    for number in range(begin, end):
        hand = int(lists[np.uintp(number)])
        here, factor = (hand - low) * LANES * count, splat(reach[np.uintp(start + hand)])
        one = one + load(tile, here) * factor
        two = two + load(tile, here + LANES) * factor
        three = three + load(tile, here + 2 * LANES) * factor
        four = four + load(tile, here + 3 * LANES) * factor
        if count > 4:
            five = five + load(tile, here + 4 * LANES) * factor
            six = six + load(tile, here + 5 * LANES) * factor
            seven = seven + load(tile, here + 6 * LANES) * factor
            eight = eight + load(tile, here + 7 * LANES) * factor
    store(tile, out, one)
    if columns > LANES:
        store(tile, out + LANES, two)
    if columns > 2 * LANES:
        store(tile, out + 2 * LANES, three)
    if columns > 3 * LANES:
        store(tile, out + 3 * LANES, four)
    if columns > 4 * LANES:
        store(tile, out + 4 * LANES, five)
    if columns > 5 * LANES:
        store(tile, out + 5 * LANES, six)
    if columns > 6 * LANES:
        store(tile, out + 6 * LANES, seven)
    if columns > 7 * LANES:
        store(tile, out + 7 * LANES, eight)


@kernel(makes_arrays=False, inner=True)
def multiply_rows(
    matrix: Uint16s,
    first: int,
    own: int,
    opposing: int,
    reach: Reals,
    starts: Int64s,
    begin: int,
    end: int,
    lists: Uint16s,
    tile: Reals,
) -> int:
    """Multiply a matrix and some rows of reach, at most `LISTS`; where in `tile` the products are.

    The matrix has a row of `own` halves for each opposing hand, from ``matrix[first]`` on. The rows
    of reach begin at ``starts[begin]``, …, ``starts[end - 1]``; the products of each, `own`
    numbers, stand one behind the other. `lists` and `tile` are those of a `Workspace`.
    """
    width, rows_of_reach = LANES * sums_at_once(), end - begin
    room, sums = (opposing + ROWS - 1) // ROWS + 2 + opposing, ROWS * width
    zero = splat(tile.dtype.type(0))
    for lane in range(rows_of_reach):
        _list_hands(reach, starts[begin + lane], opposing, lists, lane * room)
        for hand in range(0, own, LANES):
            store(tile, sums + lane * own + hand, zero)
    for low in range(0, opposing, ROWS):
        rows = min(ROWS, opposing - low)
        for hand in range(0, own, width):
            here = first + low * own + hand
            _load_tile(matrix, here, own, rows, min(width, own - hand), tile)
            following = here + width if hand + width < own else here - hand + ROWS * own
            for lane in range(rows_of_reach):
                asked = rows * lane // rows_of_reach, rows * (lane + 1) // rows_of_reach
                _ask_for_rows(matrix, following, own, asked[0], asked[1])
                listed = lane * room + low // ROWS
                _multiply_tile(
                    tile,
                    low,
                    reach,
                    starts[begin + lane],
                    lists,
                    lane * room + int(lists[np.uintp(listed)]),
                    lane * room + int(lists[np.uintp(listed + 1)]),
                    sums + lane * own + hand,
                    min(width, own - hand),
                )
    return int(sums)


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
    factor, starts = splat(chance), all_ins.reach_starts
    for begin in range(0, starts.size, LISTS):
        end = min(begin + LISTS, starts.size)
        products = multiply_rows(
            win_margins, first, own, opposing, reach, starts, begin, end, lists, tile
        )
        for lane in range(begin, end):
            value, product = all_ins.value_starts[lane], products + (lane - begin) * own
            for hand in range(0, own, LANES):
                store(values, value + hand, load(tile, product + hand) * factor)

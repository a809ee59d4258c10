"""Pots that only cards decide, before the river: a table of win margins instead of all run-outs.

The *win margin* of two hands is the number of run-outs that the one wins minus the number that the
other wins. It is small enough for IEEE halves to hold it exactly (1,980 at most, from the flop),
and with it the value of an all-in is a product of a matrix and a vector (`product_kernels`). All
the all-ins of a board share the matrix.
"""

from __future__ import annotations

from typing import Any

from pokerlab.engine.cpu.kernels.product_kernels import (
    LISTS,
    TOGETHER,
    ask_for_rows,
    list_hands,
    load_tile,
    multiply_tile,
    share,
)
from pokerlab.engine.tables.arrays import AllIns
from pokerlab.runtime.arrays import Reals, Uint16s
from pokerlab.runtime.jit import kernel
from pokerlab.runtime.vector_kernels import LANES, splat, store


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

"""Pots that only cards decide, before the river: a table of win margins instead of all run-outs.

The *win margin* of two hands is the number of run-outs that the one wins minus the number that the
other wins. It is small enough for IEEE halves to hold it exactly (1,980 at most, from the flop),
and with it the value of an all-in is a product of a matrix and a vector. All the all-ins of a
board share the matrix: per number of it, one conversion and four multiplications.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pokerlab.engine.tables.arrays import AllIns
from pokerlab.runtime.arrays import Reals, Uint16s
from pokerlab.runtime.jit import kernel
from pokerlab.runtime.vector_kernels import load_as, splat, store

ALL_INS_TOGETHER = 4
"""How many all-ins are evaluated in one pass over the margins."""


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
) -> None:
    """Write the value rows of all all-ins of a board.

    `win_margins` has a row of `own` halves for each opposing hand, from `first` on; `chance` is
    that of a run-out.
    """
    zero, factor = splat(values.dtype.type(0)), splat(chance)
    for lane in range(0, all_ins.reach_starts.size, ALL_INS_TOGETHER):
        reach_1, value_1 = all_ins.reach_starts[lane], all_ins.value_starts[lane]
        reach_2, value_2 = all_ins.reach_starts[lane + 1], all_ins.value_starts[lane + 1]
        reach_3, value_3 = all_ins.reach_starts[lane + 2], all_ins.value_starts[lane + 2]
        reach_4, value_4 = all_ins.reach_starts[lane + 3], all_ins.value_starts[lane + 3]
        for hand in range(0, own, 16):
            sum_1, sum_2, sum_3, sum_4 = zero, zero, zero, zero
            place = first + hand
            for other in range(opposing):
                margin = load_as(win_margins, place, zero)
                place += own
                # An unsigned index spares the test whether it counts from the end.
                sum_1 = sum_1 + margin * splat(reach[np.uintp(reach_1 + other)])
                sum_2 = sum_2 + margin * splat(reach[np.uintp(reach_2 + other)])
                sum_3 = sum_3 + margin * splat(reach[np.uintp(reach_3 + other)])
                sum_4 = sum_4 + margin * splat(reach[np.uintp(reach_4 + other)])
            store(values, value_1 + hand, sum_1 * factor)
            store(values, value_2 + hand, sum_2 * factor)
            store(values, value_3 + hand, sum_3 * factor)
            store(values, value_4 + hand, sum_4 * factor)

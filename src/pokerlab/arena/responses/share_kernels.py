"""One hand against each of the 1,326 others, by itself.

A board costs the classes of all combos, about a nanosecond each, and a vector loop over them. So
the 1,081 run-outs of a flop take about 3 ms, whatever ranges are weighed by the result.
"""

from __future__ import annotations

import numpy as np

from pokerlab.cards.evaluator.batch_kernels import classify_combos
from pokerlab.cards.evaluator.tables import EvaluatorTables
from pokerlab.runtime.arrays import Bytes, Floats
from pokerlab.runtime.jit import kernel


@kernel
def add_shares(boards: Bytes, hero: int, sums: Floats, tables: EvaluatorTables) -> None:
    """Add up over boards what the combo `hero` wins of a pot of 1 from each combo, and how often.

    `sums` is (2, 1326): the shares, and the boards on which the other combo is possible. Boards
    that hold a card of `hero` do not count.
    """
    classes = np.empty(1326, np.uint16)
    for board in range(boards.shape[0]):
        classify_combos(boards[board], classes, tables)
        own = classes[hero]
        if own == 0:
            continue
        for combo in range(1326):
            other = classes[combo]
            won = 1.0 if other > own else 0.5 if other == own else 0.0
            sums[0, combo] += won if other > 0 else 0.0
            sums[1, combo] += 1.0 if other > 0 else 0.0

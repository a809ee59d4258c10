"""Win margins: how many more run-outs one hand wins than another.

Cost: for each run-out the class of every hand, and then for each pair of hands two comparisons of
16-bit numbers and two additions, sixteen or more pairs at once.

A hand that is impossible on a run-out has class 0 there, better than any other. So of two hands
that share no card each wins the run-outs that the other cannot have, and these are as many: nothing
need be done to leave them out.
"""

from __future__ import annotations

import numpy as np

from pokerlab.cards.evaluator.tables import EvaluatorTables
from pokerlab.engine.tables.board_kernels import classify_hands
from pokerlab.runtime.arrays import Bytes, Int16s, Uint16s, Uint64s
from pokerlab.runtime.jit import kernel
from pokerlab.runtime.vector_kernels import (
    COLUMNS,
    LANES,
    load,
    splat,
    store,
    store_all,
    transpose_from_rows,
)

_RUN_OUTS_TOGETHER = 12
"""Their classes stay in a first-level cache while they are compared with sixteen hands."""


@kernel
def classify_run_outs(
    run_outs: Bytes,
    cards: Bytes,
    tables: EvaluatorTables,
    classes: Int16s,
) -> None:
    """Class of each hand (n, 2 cards) on boards of five cards: (boards, n or more)."""
    for number in range(run_outs.shape[0]):
        classify_hands(run_outs[number], cards, tables, classes[number])


@kernel(makes_arrays=False)
def count_ties(
    own: Int16s,
    opposing: Int16s,
    own_masks: Uint64s,
    opposing_masks: Uint64s,
    orders: int,
    others: tuple[int, int],
    ties: Int16s,
) -> None:
    """Add to `ties` (opposing × own) the run-outs that hands of some opposing ones tie.

    Arguments are those of `count_win_margins`. Hands that a run-out makes impossible have class 0
    there and do not tie.
    """
    for run_out in range(own.shape[0]):
        mine = own[run_out]
        for other in range(others[0], others[1]):
            theirs = opposing[run_out, other]
            if theirs == 0:
                continue
            row, mask = ties[other], opposing_masks[other]
            for hand in range(mine.size):
                row[hand] += np.int16(
                    orders if mine[hand] == theirs and own_masks[hand] & mask == 0 else 0
                )


@kernel
def count_win_margins(
    own: Int16s,
    opposing: Int16s,
    own_masks: Uint64s,
    opposing_masks: Uint64s,
    orders: int,
    others: tuple[int, int],
    margins: Uint16s,
    reversed_margins: Uint16s,
    same: bool,
) -> None:
    """Write the margins of own hands against some opposing ones, from and to multiples of 16.

    Classes are (run-outs, hands), hands a multiple of 16; `orders` is how often each run-out
    counts. `margins` is (opposing × own) as IEEE halves, `reversed_margins` (own × opposing), those
    of the opponent. Hands that share a card, by their masks of cards, have margin 0. Where both
    players hold the `same` hands and the two arrays are one, own hands behind the opposing ones
    are left out: what they have to say is written where the other way round is counted.
    """
    run_outs, hands = own.shape
    counts = np.empty((LANES, hands), np.int16)
    numbers = np.empty(LANES * hands, np.float32)
    starts = np.arange(0, LANES * hands, hands)
    turned = np.empty(LANES * LANES, np.float32)
    zero = splat(np.float32(0))
    for first in range(others[0], others[1], LANES):
        last = first + LANES if same else hands
        for lane in range(LANES):
            for hand in range(last):
                counts[lane, hand] = 0
        for begin in range(0, run_outs, _RUN_OUTS_TOGETHER):
            end = min(begin + _RUN_OUTS_TOGETHER, run_outs)
            for lane in range(LANES):
                row = counts[lane]
                for run_out in range(begin, end):
                    theirs = opposing[run_out, first + lane]
                    mine = own[run_out]
                    # In two steps: the difference of the two would be computed in 64 bits.
                    for hand in range(last):
                        row[hand] += np.int16(mine[hand] < theirs)
                        row[hand] -= np.int16(mine[hand] > theirs)
        for lane in range(LANES):
            row, mask = counts[lane], opposing_masks[first + lane]
            for hand in range(last):
                apart = own_masks[hand] & mask == 0
                numbers[lane * hands + hand] = orders * row[hand] if apart else 0
        for hand in range(0, last, LANES):
            for lane in range(LANES):
                store(margins, (first + lane) * hands + hand, load(numbers, lane * hands + hand))
            for column in range(0, LANES, COLUMNS):
                columns = transpose_from_rows(numbers, starts, 0, hand + column)
                store_all(turned, column * LANES, columns)
            for lane in range(LANES):
                place = (hand + lane) * opposing.shape[1] + first
                store(reversed_margins, place, zero - load(turned, lane * LANES))

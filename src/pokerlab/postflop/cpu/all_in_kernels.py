"""Pots that only cards decide, before the river: a table of margins instead of all run-outs.

The *margin* of two hands is the number of run-outs that the one wins minus the number that the
other wins. It is small enough for IEEE halves to hold it exactly (1,980 at most, from the flop),
and with it the value of an all-in is a product of a matrix and a vector. All the all-ins of a
board share the matrix: per number of it, one conversion and four multiplications.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from pokerlab.cards.evaluator.tables import EvaluatorTables
from pokerlab.jit import kernel
from pokerlab.postflop.cpu.vector_kernels import load_as, splat, store
from pokerlab.postflop.tables.board_kernels import classify_hands

Rows: TypeAlias = npt.NDArray[np.floating[Any]]
Offsets: TypeAlias = npt.NDArray[np.int64]

LANES_TOGETHER = 4
"""How many all-ins are evaluated in one pass over the margins."""

_ONE = np.uint64(1)


class AllIns(NamedTuple):
    """The all-ins of a street for one player, filled up to a multiple of four."""

    reach_starts: Offsets
    """Where the opponent's reach row of each begins."""
    value_starts: Offsets
    """Where its row of values begins: the reach it beats minus the reach that beats it."""


@kernel(makes_arrays=False)
def evaluate_all_ins(
    reach: Rows,
    values: Rows,
    all_ins: AllIns,
    margins: npt.NDArray[np.uint16],
    first: int,
    own: int,
    opposing: int,
    chance: Any,
) -> None:
    """Write the value rows of all all-ins of a board.

    `margins` has a row of `own` halves for each opposing hand, from `first` on; `chance` is that
    of a run-out.
    """
    zero, factor = splat(values.dtype.type(0)), splat(chance)
    for lane in range(0, all_ins.reach_starts.size, LANES_TOGETHER):
        reach_1, value_1 = all_ins.reach_starts[lane], all_ins.value_starts[lane]
        reach_2, value_2 = all_ins.reach_starts[lane + 1], all_ins.value_starts[lane + 1]
        reach_3, value_3 = all_ins.reach_starts[lane + 2], all_ins.value_starts[lane + 2]
        reach_4, value_4 = all_ins.reach_starts[lane + 3], all_ins.value_starts[lane + 3]
        for hand in range(0, own, 16):
            sum_1, sum_2, sum_3, sum_4 = zero, zero, zero, zero
            place = first + hand
            for other in range(opposing):
                margin = load_as(margins, place, zero)
                place += own
                # An unsigned index spares the question whether it counts from the end.
                sum_1 = sum_1 + margin * splat(reach[np.uintp(reach_1 + other)])
                sum_2 = sum_2 + margin * splat(reach[np.uintp(reach_2 + other)])
                sum_3 = sum_3 + margin * splat(reach[np.uintp(reach_3 + other)])
                sum_4 = sum_4 + margin * splat(reach[np.uintp(reach_4 + other)])
            store(values, value_1 + hand, sum_1 * factor)
            store(values, value_2 + hand, sum_2 * factor)
            store(values, value_3 + hand, sum_3 * factor)
            store(values, value_4 + hand, sum_4 * factor)


@kernel
def count_margins(
    board: npt.NDArray[np.uint8],
    cards: tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]],
    tables: EvaluatorTables,
    margins: npt.NDArray[np.int16],
) -> None:
    """Add up margins of the first player's hands against the second's: (second, first).

    Of a board of three cards both orders of turn and river count, of four cards the rivers.
    Hands that share a card are compared too.
    """
    own = np.empty(cards[0].shape[0], np.int16)
    possible = np.empty(cards[0].shape[0], np.int16)
    opposing = np.empty(cards[1].shape[0], np.int16)
    orders = 2 if board.size == 3 else 1
    known = np.uint64(0)
    for card in board:
        known |= _ONE << np.uint64(card)
    whole = np.empty(5, np.uint8)
    whole[: board.size] = board
    for turn in range(52 if board.size == 3 else 1):
        before = known
        if board.size == 3:
            if known >> np.uint64(turn) & _ONE:
                continue
            before |= _ONE << np.uint64(turn)
            whole[3] = turn
        for river in range(turn if board.size == 3 else 52):
            if before >> np.uint64(river) & _ONE:
                continue
            whole[4] = river
            classify_hands(whole, cards[0], tables, own)
            classify_hands(whole, cards[1], tables, opposing)
            for hand in range(own.size):
                possible[hand] = 0 if own[hand] == 0 else orders
            for other in range(opposing.size):
                theirs = opposing[other]
                if theirs != 0:
                    row = margins[other]
                    for hand in range(own.size):
                        better = np.int16(own[hand] < theirs) - np.int16(own[hand] > theirs)
                        row[hand] += possible[hand] * better

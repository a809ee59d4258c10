"""How often each class of starting hands beats each other class, on complete boards.

On a board the possible combos are sorted by their hand (worst first). A sweep over the groups of
equal hands keeps, for each of the 169 classes, how many combos were passed, in all and with each
card; what a combo beats of a class is the first number less those of its two cards. That is one
row of 169 small numbers a combo: about 60 µs a board, where all pairs of combos would be 600,000
comparisons.
"""

from __future__ import annotations

import numpy as np

from pokerlab.arrays import Bytes, Int16s, Int32s, Int64s
from pokerlab.cards.equities.showdown_kernels import sort_by_class
from pokerlab.cards.evaluator.batch_kernels import classify_combos
from pokerlab.cards.evaluator.tables import EvaluatorTables
from pokerlab.jit import kernel

_CLASSES = 169


@kernel
def add_class_showdowns(
    boards: Bytes,
    multiplicities: Int64s,
    combo_cards: Bytes,
    class_of_combo: Bytes,
    halves: Int64s,
    tables: EvaluatorTables,
) -> None:
    """Add to `halves` (169, 169) two for each win of a row's combo and one for each tie.

    Each board counts `multiplicities` times; pairs that share a card do not count.
    """
    hands = np.empty(1326, np.uint16)
    order = np.empty(1326, np.uint16)
    spare = np.empty(1326, np.uint16)
    passed = np.empty((53, _CLASSES), np.int16)  # the last row counts all combos
    beaten = np.empty((_CLASSES, _CLASSES), np.int32)
    for board in range(boards.shape[0]):
        classify_combos(boards[board], hands, tables)
        count = 0
        for combo in range(1326):
            if hands[combo] > 0:
                order[count] = combo
                count += 1
        sort_by_class(order, spare, hands, count)
        passed[:] = 0
        beaten[:] = 0
        first = 0
        while first < count:
            last = first
            while last < count and hands[order[last]] == hands[order[first]]:
                _add_row(order[last], combo_cards, class_of_combo, passed, beaten)
                last += 1
            for place in range(first, last):
                combo = order[place]
                number = class_of_combo[combo]
                passed[52, number] += 1
                passed[combo_cards[combo, 0], number] += 1
                passed[combo_cards[combo, 1], number] += 1
            for place in range(first, last):
                # The combo itself was counted once in all and once with each of its cards.
                combo = order[place]
                _add_row(combo, combo_cards, class_of_combo, passed, beaten)
                beaten[class_of_combo[combo], class_of_combo[combo]] += 1
            first = last
        for row in range(_CLASSES):
            for column in range(_CLASSES):
                halves[row, column] += multiplicities[board] * beaten[row, column]


@kernel(makes_arrays=False)
def _add_row(
    combo: int,
    combo_cards: Bytes,
    class_of_combo: Bytes,
    passed: Int16s,
    beaten: Int32s,
) -> None:
    """Add, for each class, the passed combos that share no card with one combo."""
    number = class_of_combo[combo]
    low = combo_cards[combo, 0]
    high = combo_cards[combo, 1]
    for column in range(_CLASSES):
        beaten[number, column] += passed[52, column] - passed[low, column] - passed[high, column]

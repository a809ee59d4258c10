"""Every hand against a weighted range on complete boards, with card removal, in linear time.

On one board all combos are sorted by class once (worst first). A sweep over the groups of equal
class then keeps the total weight of the opposing combos passed so far, and of those that hold
each card. For a combo of cards a and b,

    weight it beats   = total − of card a − of card b            before its group is added,
    weight it does not lose to = total − of card a − of card b + its own weight      after.

(The combo's own opposing twin is counted in all three sums, so once too often subtracted.)
A board costs about 10 ns a combo: class, two passes of a radix sort, sweep.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from pokerlab.cards.evaluator.evaluator_kernels import START, classify
from pokerlab.cards.evaluator.tables import EvaluatorTables
from pokerlab.runtime.arrays import Bytes, Floats, Int64s, Uint16s, Uint64s
from pokerlab.runtime.jit import kernel

Index: TypeAlias = Any

_ONE = np.uint64(1)
_SEVEN_BITS = 127
_FEW = 24  # up to this number of hands, insertion sort beats the radix sort


class Hands(NamedTuple):
    """The combos that take part: those of the hero and those of the opponent."""

    cards: Bytes
    """Their cards (n, 2)."""
    masks: Uint64s
    """Their cards as bits (n)."""
    keys: Uint64s
    """Their evaluator keys (n)."""
    bits: Uint64s
    """Their evaluator bits (n)."""
    opposing: Floats
    """How likely the opponent holds each (n)."""


class ShowdownWorkspace(NamedTuple):
    """Scratch arrays and the results of one board."""

    order: Uint16s
    """Hands that are possible on the board, worst first."""
    spare: Uint16s
    classes: Uint16s
    beaten: Floats
    """Opposing weight that each hand beats."""
    unblocked: Floats
    """Opposing weight that shares no card with each hand."""
    tied: Floats
    of_card: Floats


@kernel
def make_workspace(hands: int) -> ShowdownWorkspace:
    """Scratch arrays for `hands` hands."""
    return ShowdownWorkspace(
        np.empty(hands, np.uint16),
        np.empty(hands, np.uint16),
        np.empty(hands, np.uint16),
        np.empty(hands, np.float64),
        np.empty(hands, np.float64),
        np.empty(hands, np.float64),
        np.empty(52, np.float64),
    )


@kernel
def compare_on_board(
    board: Bytes, hands: Hands, work: ShowdownWorkspace, tables: EvaluatorTables
) -> int:
    """Fill `beaten`, `tied` and `unblocked` for the hands that are possible on a board.

    Returns how many they are; ``work.order[:count]`` lists them.
    """
    count = _collect_possible(board, hands, work, tables)
    sort_by_class(work.order, work.spare, work.classes, count)
    _sweep(count, hands, work)
    return count


@kernel(inline="always")
def _collect_possible(
    board: Bytes, hands: Hands, work: ShowdownWorkspace, tables: EvaluatorTables
) -> int:
    key = START
    bits = np.uint64(0)
    known = np.uint64(0)
    for place in range(board.size):
        key += tables.card_key[board[place]]
        bits |= tables.card_bit[board[place]]
        known |= _ONE << np.uint64(board[place])
    count = 0
    for hand in range(hands.masks.size):
        if hands.masks[hand] & known == 0:
            work.order[count] = hand
            work.classes[hand] = classify(key + hands.keys[hand], bits | hands.bits[hand], tables)
            count += 1
    return count


@kernel
def sort_by_class(order: Uint16s, spare: Uint16s, classes: Uint16s, count: int) -> None:
    """Sort the first `count` hands of `order` by falling class: the worst come first."""
    if count <= _FEW:
        _insertion_sort(order, classes, count)
    else:
        _radix_sort(order, spare, classes, count)


@kernel(inline="always")
def _insertion_sort(order: Uint16s, classes: Uint16s, count: int) -> None:
    """Sort by falling class."""
    for place in range(1, count):
        hand = order[place]
        before = place - 1
        while before >= 0 and classes[order[before]] < classes[hand]:
            order[before + 1] = order[before]
            before -= 1
        order[before + 1] = hand


@kernel(inline="always")
def _radix_sort(order: Uint16s, spare: Uint16s, classes: Uint16s, count: int) -> None:
    """Sort by falling class: stable counting sorts by the low and then the high seven bits."""
    starts = np.zeros((2, 129), np.int64)
    for place in range(count):
        hand_class = classes[order[place]]
        starts[0, 128 - (hand_class & _SEVEN_BITS)] += 1
        starts[1, 128 - (hand_class >> 7)] += 1
    for digit in range(1, 129):
        starts[0, digit] += starts[0, digit - 1]
        starts[1, digit] += starts[1, digit - 1]
    for place in range(count):
        hand = order[place]
        digit = 127 - (classes[hand] & _SEVEN_BITS)
        spare[starts[0, digit]] = hand
        starts[0, digit] += 1
    for place in range(count):
        hand = spare[place]
        digit = 127 - (classes[hand] >> 7)
        order[starts[1, digit]] = hand
        starts[1, digit] += 1


@kernel(inline="always")
def _sweep(count: int, hands: Hands, work: ShowdownWorkspace) -> None:
    cards = hands.cards
    of_card = work.of_card
    of_card[:] = 0
    total = 0.0
    first = 0
    while first < count:
        hand_class = work.classes[work.order[first]]
        last = first
        while last < count and work.classes[work.order[last]] == hand_class:
            hand = work.order[last]
            work.beaten[hand] = total - of_card[cards[hand, 0]] - of_card[cards[hand, 1]]
            last += 1
        for place in range(first, last):
            hand = work.order[place]
            weight = hands.opposing[hand]
            total += weight
            of_card[cards[hand, 0]] += weight
            of_card[cards[hand, 1]] += weight
        for place in range(first, last):
            hand = work.order[place]
            not_lost = total - of_card[cards[hand, 0]] - of_card[cards[hand, 1]]
            work.tied[hand] = not_lost + hands.opposing[hand] - work.beaten[hand]
        first = last
    for place in range(count):
        hand = work.order[place]
        unblocked = total - of_card[cards[hand, 0]] - of_card[cards[hand, 1]]
        work.unblocked[hand] = unblocked + hands.opposing[hand]


@kernel
def add_showdowns(
    boards: Bytes,
    multiplicities: Int64s,
    hands: Hands,
    sums: Floats,
    tables: EvaluatorTables,
) -> None:
    """Add up `beaten`, `tied` and `unblocked` of each hand over boards into `sums` (3, hands)."""
    work = make_workspace(hands.masks.size)
    for board in range(boards.shape[0]):
        times = multiplicities[board]
        count = compare_on_board(boards[board], hands, work, tables)
        for place in range(count):
            hand = work.order[place]
            sums[0, hand] += times * work.beaten[hand]
            sums[1, hand] += times * work.tied[hand]
            sums[2, hand] += times * work.unblocked[hand]


@kernel
def add_strengths(
    boards: Bytes,
    multiplicities: Int64s,
    hands: Hands,
    sums: Floats,
    histogram: Floats,
    tables: EvaluatorTables,
) -> None:
    """Add up the strength of each hand, its square, and the number of boards.

    The strength on a board is (beaten + tied / 2) / unblocked. `sums` is (3, hands); `histogram` is
    (hands, bins), bins of equal width from 0 to 1, the last one closed.
    """
    work = make_workspace(hands.masks.size)
    bins = histogram.shape[1]
    for board in range(boards.shape[0]):
        times = multiplicities[board]
        count = compare_on_board(boards[board], hands, work, tables)
        for place in range(count):
            hand = work.order[place]
            if work.unblocked[hand] <= 0:
                continue
            strength = (work.beaten[hand] + work.tied[hand] / 2) / work.unblocked[hand]
            sums[0, hand] += times * strength
            sums[1, hand] += times * strength * strength
            sums[2, hand] += times
            if bins > 0:
                histogram[hand, min(int(strength * bins), bins - 1)] += times

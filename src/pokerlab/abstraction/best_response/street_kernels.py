"""One street on many boards: what the hero's hands are worth where it begins.

Lines are done `LANES` at a time, and are the innermost index of every array, so that each loop over
them is a few vector instructions. What is needed of so many lines on a board (reaches, worths,
sums by card) is half a megabyte in float32, and stays in the second-level cache.

A showdown costs, for each hand and line, the villain's reach read once, the sums of two cards read
three times and written once, and the worth read and written: about 15 accesses to the first two
caches. The river of hold'em has 9 showdowns, 8 folds (5 accesses) and 13 actions of the villain
(8 accesses).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pokerlab.abstraction.best_response.street_shapes import (
    ADD,
    JOIN,
    LOSE,
    NEXT,
    SEND,
    SET,
    SHOWDOWN,
    WIN,
    Steps,
)
from pokerlab.jit import kernel

__all__ = ["LANES", "StreetWorkspace", "respond", "send_on", "street_workspace"]

Int16s = npt.NDArray[np.int16]
Int32s = npt.NDArray[np.int32]
Int64s = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.floating]

LANES = 64
"""So many lines are done at a time."""


class StreetWorkspace(NamedTuple):
    """What one thread needs; hands go by their place on the board."""

    cards: Int64s
    """(hands, 2): the slots of their cards."""
    reach: Numbers
    """(slots, hands, LANES): the villain's."""
    worth: Numbers
    """(slots, hands, LANES): the hero's."""
    total: Numbers
    """(slots, LANES): the sum of a reach."""
    of_card: Numbers
    """(slots, card slots, LANES): the same over the hands that hold a card."""
    below: Numbers
    """(hands, LANES): of some hands that are equally strong."""
    passed: Numbers
    """(LANES,): the sum over the hands that a showdown has passed, less half of all."""
    passed_of_card: Numbers
    """(card slots, LANES): the same by card."""


def street_workspace(
    slots: int, hands: int, card_slots: int, dtype: npt.DTypeLike
) -> StreetWorkspace:
    """Memory for one thread."""
    return StreetWorkspace(
        np.zeros((hands, 2), np.int64),
        np.zeros((slots, hands, LANES), dtype),
        np.zeros((slots, hands, LANES), dtype),
        np.zeros((slots, LANES), dtype),
        np.zeros((slots, card_slots, LANES), dtype),
        np.zeros((hands, LANES), dtype),
        np.zeros(LANES, dtype),
        np.zeros((card_slots, LANES), dtype),
    )


@kernel(makes_arrays=False)
def respond(
    steps: Steps,
    first: int,
    amount: Numbers,
    into: Int64s,
    plan: Numbers,
    slots: Int16s,
    weight: Floats,
    order: Int16s,
    tie_end: Int16s,
    group: Int32s,
    reach: Numbers,
    given: Floats,
    value: Floats,
    work: StreetWorkspace,
) -> None:
    """Add to `value` what hands are worth where a street begins, over boards by weight.

    Parameters
    ----------
    steps, first, amount, into, plan
        Of a `Block` of lines.
    slots : (hands of the board before, 2)
        Where sums by card are kept, for the cards of each hand.
    weight, order, tie_end, group
        Of `NextBoards`.
    reach : (hands of the board before, lines)
        The villain's, where the street begins.
    given : (hands of the board before, lines of the next street)
        What hands are worth where the next street begins; not used on the last one.
    value : (hands of the board before, lines)
        Added to.
    """
    hands = order.shape[1]
    for begin in range(0, amount.shape[1], LANES):
        if not _is_reached(reach, first + begin):
            continue
        for board in range(len(weight)):
            places = order[board]
            for hand in range(hands):
                work.cards[hand, 0] = slots[places[hand], 0]
                work.cards[hand, 1] = slots[places[hand], 1]
            _load(reach, first + begin, places, work)
            _work_out(steps, begin, amount, into, plan, places, tie_end[board], group[board],
                      given, work)  # fmt: skip
            share = weight[board]
            for hand in range(hands):
                total, found = value[places[hand]], work.worth[0, hand]
                for lane in range(LANES):
                    total[first + begin + lane] += share * found[lane]


@kernel(makes_arrays=False)
def send_on(
    steps: Steps,
    first: int,
    into: Int64s,
    plan: Numbers,
    group: Int32s,
    reach: Numbers,
    out: Numbers,
    work: StreetWorkspace,
) -> None:
    """Write to `out` (hands, lines of the next street) the villain's reach where that begins.

    Hands, their groups (hands,) and their `reach` (hands, lines) are those of one board.
    """
    hands = len(group)
    for begin in range(0, into.shape[1], LANES):
        for hand in range(hands):
            here, row = work.reach[0, hand], reach[hand]
            for lane in range(LANES):
                here[lane] = row[first + begin + lane]
        for step in range(len(steps)):
            what, number, slot = steps[step, 0], steps[step, 1], steps[step, 2]
            if what == SEND:
                for hand in range(hands):
                    here, there = work.reach[slot, hand], work.reach[slot + 1, hand]
                    chance = plan[group[hand], number]
                    for lane in range(LANES):
                        there[lane] = here[lane] * chance[begin + lane]
            elif what == NEXT:
                for lane in range(LANES):
                    line = into[number, begin + lane]
                    if line >= 0:
                        for hand in range(hands):
                            out[hand, line] = work.reach[slot, hand, lane]


@kernel(makes_arrays=False)
def _is_reached(reach: Numbers, first: int) -> bool:
    for hand in range(len(reach)):
        row = reach[hand]
        for lane in range(LANES):
            if row[first + lane] > 0.0:
                return True
    return False


@kernel(makes_arrays=False)
def _load(reach: Numbers, first: int, places: Int16s, work: StreetWorkspace) -> None:
    """Copy the reach of some lines into slot 0, by place on the board, and add it up."""
    total, of_card = work.total[0], work.of_card[0]
    _clear(total, of_card)
    for hand in range(len(places)):
        row, here = reach[places[hand]], work.reach[0, hand]
        one, two = of_card[work.cards[hand, 0]], of_card[work.cards[hand, 1]]
        for lane in range(LANES):
            weight = row[first + lane]
            here[lane] = weight
            total[lane] += weight
            one[lane] += weight
            two[lane] += weight


@kernel(makes_arrays=False)
def _clear(total: Numbers, of_card: Numbers) -> None:
    for lane in range(LANES):
        total[lane] = 0.0
    for card in range(len(of_card)):
        row = of_card[card]
        for lane in range(LANES):
            row[lane] = 0.0


@kernel(makes_arrays=False)
def _work_out(
    steps: Steps,
    begin: int,
    amount: Numbers,
    into: Int64s,
    plan: Numbers,
    places: Int16s,
    tie_end: Int16s,
    group: Int32s,
    given: Floats,
    work: StreetWorkspace,
) -> None:
    """Carry out the steps of a street on one board."""
    hands = len(places)
    step = 0
    while step < len(steps):
        what, number, slot, out, how = (
            steps[step, 0],
            steps[step, 1],
            steps[step, 2],
            steps[step, 3],
            steps[step, 4],
        )
        jump = step + 1
        worth = work.worth[out]
        if what == SEND:
            if not _send(number, slot, begin, hands, plan, group, work):
                jump = steps[step, 5]
                if how == SET:
                    for hand in range(hands):
                        row = worth[hand]
                        for lane in range(LANES):
                            row[lane] = 0.0
        elif what in (WIN, LOSE):
            sign = 1.0 if what == WIN else -1.0
            _fold(sign, amount[number], begin, slot, hands, how, worth, work)
        elif what == SHOWDOWN:
            _show(amount[number], begin, slot, tie_end, how, worth, work)
        elif what == NEXT:
            _take_given(into[number], begin, places, given, how, worth)
        elif what == JOIN:
            for hand in range(hands):
                row, found = worth[hand], work.worth[number, hand]
                for lane in range(LANES):
                    row[lane] = _combined(how, row[lane], found[lane])
        step = jump


@kernel(inline="always", makes_arrays=False)
def _combined(how: int, old: float, new: float) -> float:
    if how == SET:
        return new
    if how == ADD:
        return old + new
    return max(old, new)


@kernel(makes_arrays=False)
def _send(
    edge: int,
    slot: int,
    begin: int,
    hands: int,
    plan: Numbers,
    group: Int32s,
    work: StreetWorkspace,
) -> bool:
    """The villain takes an action; False if he never does."""
    total, of_card = work.total[slot + 1], work.of_card[slot + 1]
    _clear(total, of_card)
    for hand in range(hands):
        here, there = work.reach[slot, hand], work.reach[slot + 1, hand]
        chance = plan[group[hand], edge]
        one, two = of_card[work.cards[hand, 0]], of_card[work.cards[hand, 1]]
        for lane in range(LANES):
            weight = here[lane] * chance[begin + lane]
            there[lane] = weight
            total[lane] += weight
            one[lane] += weight
            two[lane] += weight
    taken = 0.0
    for lane in range(LANES):
        taken += total[lane]
    return taken > 0.0


@kernel(makes_arrays=False)
def _fold(
    sign: float,
    amount: Numbers,
    begin: int,
    slot: int,
    hands: int,
    how: int,
    worth: Numbers,
    work: StreetWorkspace,
) -> None:
    """Every hand wins or loses the same, against all that share no card with it."""
    total, of_card = work.total[slot], work.of_card[slot]
    chips = work.passed
    for lane in range(LANES):
        chips[lane] = sign * amount[begin + lane]
    for hand in range(hands):
        row, own = worth[hand], work.reach[slot, hand]
        one, two = of_card[work.cards[hand, 0]], of_card[work.cards[hand, 1]]
        for lane in range(LANES):
            unblocked = total[lane] - one[lane] - two[lane] + own[lane]
            row[lane] = _combined(how, row[lane], chips[lane] * unblocked)


@kernel(makes_arrays=False)
def _show(
    amount: Numbers,
    begin: int,
    slot: int,
    tie_end: Int16s,
    how: int,
    worth: Numbers,
    work: StreetWorkspace,
) -> None:
    """Hands are sorted: those before a group of equals are beaten, those behind it win.

    With b the weight of those before, t of those up to the end of the equals and a of all, each
    without hands that share a card, a hand wins b and loses a − t: together b + t − a. Sums begin
    at minus half of all, so that those of b and t add up to it.
    """
    passed, of_card, below = work.passed, work.passed_of_card, work.below
    total, total_of_card = work.total[slot], work.of_card[slot]
    for lane in range(LANES):
        passed[lane] = -0.5 * total[lane]
    for card in range(len(of_card)):
        row, whole = of_card[card], total_of_card[card]
        for lane in range(LANES):
            row[lane] = -0.5 * whole[lane]
    hands = len(tie_end)
    start = 0
    while start < hands:
        stop = int(tie_end[start])
        for hand in range(start, stop):
            row = below[hand - start]
            one, two = of_card[work.cards[hand, 0]], of_card[work.cards[hand, 1]]
            for lane in range(LANES):
                row[lane] = passed[lane] - one[lane] - two[lane]
        for hand in range(start, stop):
            weights = work.reach[slot, hand]
            one, two = of_card[work.cards[hand, 0]], of_card[work.cards[hand, 1]]
            for lane in range(LANES):
                weight = weights[lane]
                passed[lane] += weight
                one[lane] += weight
                two[lane] += weight
        for hand in range(start, stop):
            row, found = below[hand - start], worth[hand]
            one, two = of_card[work.cards[hand, 0]], of_card[work.cards[hand, 1]]
            for lane in range(LANES):
                difference = row[lane] + passed[lane] - one[lane] - two[lane]
                found[lane] = _combined(how, found[lane], amount[begin + lane] * difference)
        start = stop


@kernel(makes_arrays=False)
def _take_given(
    into: Int64s, begin: int, places: Int16s, given: Floats, how: int, worth: Numbers
) -> None:
    """What hands are worth on the next street; nothing where the villain never goes there."""
    for hand in range(len(places)):
        row, known = worth[hand], given[places[hand]]
        for lane in range(LANES):
            line = into[begin + lane]
            found = known[line] if line >= 0 else 0.0
            row[lane] = _combined(how, row[lane], found)

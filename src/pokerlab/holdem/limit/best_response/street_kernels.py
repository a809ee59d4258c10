"""One street on many boards: what the hero's hands are worth where it begins.

Lines are done sixteen at a time, as the lanes of a vector (`pokerlab.runtime.vector_kernels`), and
are the innermost index of every array. What is needed of 16 lines on a board (reaches and worths in
a few slots, 70 kB each on the river of hold'em in float32, and sums by card) stays in the
second-level cache, the sums in the first.

A showdown takes, for each hand and sixteen lines, 8 loads and 4 stores; a fold 4 loads and a store;
an action of the villain 4 loads and 3 stores. The river of hold'em has 9 showdowns, 8 folds and 13
actions of the villain.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pokerlab.holdem.limit.best_response.street_shapes import (
    ADD,
    JOIN,
    LOSE,
    NEXT,
    SEND,
    SET,
    SHOWDOWN,
    WIN,
)
from pokerlab.runtime.arrays import Floats, Int16s, Int32s, Int64s, Reals
from pokerlab.runtime.jit import kernel
from pokerlab.runtime.vector_kernels import LANES, larger, load, store


class StreetWorkspace(NamedTuple):
    """What one thread needs, all of it in one dimension; hands go by their place on the board."""

    hands: int
    """For how many there is room."""
    card_slots: int
    cards: Int64s
    """(hands, 2): the slots of their cards, times `LANES`."""
    reach: Reals
    """(slots, hands, LANES): the villain's."""
    worth: Reals
    """(slots, hands, LANES): the hero's."""
    total: Reals
    """(slots, LANES): the sum of a reach."""
    of_card: Reals
    """(slots, card slots, LANES): the same over the hands that hold a card."""
    passed: Reals
    """(card slots, LANES): the same over the hands that a showdown has passed, less half of all."""
    below: Reals
    """(hands, LANES): of some hands that are equally strong."""
    zero: Reals
    """(LANES,)."""
    minus_half: Reals
    """(LANES,)."""
    minus_one: Reals
    """(LANES,)."""


def street_workspace(
    slots: int, hands: int, card_slots: int, dtype: npt.DTypeLike
) -> StreetWorkspace:
    """Memory for one thread."""
    return StreetWorkspace(
        hands,
        card_slots,
        np.zeros(2 * hands, np.int64),
        np.zeros(slots * hands * LANES, dtype),
        np.zeros(slots * hands * LANES, dtype),
        np.zeros(slots * LANES, dtype),
        np.zeros(slots * card_slots * LANES, dtype),
        np.zeros(card_slots * LANES, dtype),
        np.zeros(hands * LANES, dtype),
        np.zeros(LANES, dtype),
        np.full(LANES, -0.5, dtype),
        np.full(LANES, -1.0, dtype),
    )


@kernel(makes_arrays=False)
def respond(
    steps: Int64s,
    first: int,
    amount: Reals,
    into: Int64s,
    edges: int,
    plan: Reals,
    slots: Int16s,
    weight: Floats,
    order: Int16s,
    tie_end: Int16s,
    group: Int32s,
    reach: Reals,
    given: Floats,
    value: Floats,
    work: StreetWorkspace,
) -> None:
    """Add to `value` what hands are worth where a street begins, over boards by weight.

    Parameters
    ----------
    steps, first, amount, into, edges, plan
        Of a `Block` of lines; `plan` in one dimension.
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
                work.cards[2 * hand] = slots[places[hand], 0] * LANES
                work.cards[2 * hand + 1] = slots[places[hand], 1] * LANES
            _load(reach, first + begin, places, work)
            _work_out(
                steps,
                begin,
                amount,
                into,
                edges,
                plan,
                places,
                tie_end[board],
                group[board],
                given,
                work,
            )
            share = weight[board]
            for hand in range(hands):
                total = value[places[hand]]
                for lane in range(LANES):
                    total[first + begin + lane] += share * work.worth[hand * LANES + lane]


@kernel(makes_arrays=False)
def _is_reached(reach: Reals, first: int) -> bool:
    for hand in range(len(reach)):
        for lane in range(LANES):
            if reach[hand, first + lane] > 0.0:
                return True
    return False


@kernel(makes_arrays=False)
def _load(reach: Reals, first: int, places: Int16s, work: StreetWorkspace) -> None:
    """Copy the reach of some lines into slot 0, by place on the board, and add it up."""
    _clear(0, work)
    total = load(work.zero, 0)
    for hand in range(len(places)):
        weight = load(reach[places[hand]], first)
        store(work.reach, hand * LANES, weight)
        total += weight
        one, two = work.cards[2 * hand], work.cards[2 * hand + 1]
        _add(work.of_card, one, weight)
        _add(work.of_card, two, weight)
    store(work.total, 0, total)


@kernel(makes_arrays=False)
def _clear(first: int, work: StreetWorkspace) -> None:
    """Begin sums by card."""
    for place in range(first, first + work.card_slots * LANES, LANES):
        store(work.of_card, place, load(work.zero, 0))


@kernel(makes_arrays=False)
def _work_out(
    steps: Int64s,
    begin: int,
    amount: Reals,
    into: Int64s,
    edges: int,
    plan: Reals,
    places: Int16s,
    tie_end: Int16s,
    group: Int32s,
    given: Floats,
    work: StreetWorkspace,
) -> None:
    """Carry out the steps of a street on one board."""
    hands, room = len(places), work.hands * LANES
    width = amount.shape[1]
    step = 0
    while step < len(steps):
        what, number, slot = steps[step, 0], steps[step, 1], steps[step, 2]
        out, how = steps[step, 3] * room, steps[step, 4]
        jump = step + 1
        if what == SEND:
            if not _send(number * width + begin, edges * width, slot, plan, group, work):
                jump = steps[step, 5]
                if how == SET:
                    for hand in range(hands):
                        store(work.worth, out + hand * LANES, load(work.zero, 0))
        elif what in (WIN, LOSE):
            _fold(what == LOSE, amount[number], begin, slot, hands, how, out, work)
        elif what == SHOWDOWN:
            _show(amount[number], begin, slot, tie_end, how, out, work)
        elif what == NEXT:
            _take_given(into[number], begin, places, given, how, out, work)
        elif what == JOIN:
            for hand in range(hands):
                found = load(work.worth, number * room + hand * LANES)
                _combine(how, work.worth, out + hand * LANES, found)
        step = jump


@kernel(inline="always", makes_arrays=False)
def _add(sums: Reals, place: int, numbers: Any) -> None:
    store(sums, place, load(sums, place) + numbers)


@kernel(inline="always", makes_arrays=False)
def _combine(how: int, worth: Reals, place: int, found: Any) -> None:
    if how == SET:
        store(worth, place, found)
    elif how == ADD:
        store(worth, place, load(worth, place) + found)
    else:
        store(worth, place, larger(load(worth, place), found))


@kernel(makes_arrays=False)
def _send(
    first: int, apart: int, slot: int, plan: Reals, group: Int32s, work: StreetWorkspace
) -> bool:
    """The villain takes an action; False if that never happens.

    Its probabilities are in `plan` from `first` on, those of the groups so far `apart`.
    """
    here = slot * work.hands * LANES
    there = here + work.hands * LANES
    sums = (slot + 1) * work.card_slots * LANES
    _clear(sums, work)
    total = load(work.zero, 0)
    for hand in range(len(group)):
        chance = load(plan, group[hand] * apart + first)
        weight = load(work.reach, here + hand * LANES) * chance
        store(work.reach, there + hand * LANES, weight)
        total += weight
        one, two = sums + work.cards[2 * hand], sums + work.cards[2 * hand + 1]
        _add(work.of_card, one, weight)
        _add(work.of_card, two, weight)
    store(work.total, (slot + 1) * LANES, total)
    taken = 0.0
    for lane in range(LANES):
        taken += work.total[(slot + 1) * LANES + lane]
    return taken > 0.0


@kernel(makes_arrays=False)
def _fold(
    loses: bool,
    amount: Reals,
    begin: int,
    slot: int,
    hands: int,
    how: int,
    out: int,
    work: StreetWorkspace,
) -> None:
    """Every hand wins or loses the same, against all that share no card with it."""
    here = slot * work.hands * LANES
    sums = slot * work.card_slots * LANES
    total = load(work.total, slot * LANES)
    chips = load(amount, begin)
    if loses:
        chips = chips * load(work.minus_one, 0)
    for hand in range(hands):
        one = load(work.of_card, sums + work.cards[2 * hand])
        two = load(work.of_card, sums + work.cards[2 * hand + 1])
        unblocked = total - one - two + load(work.reach, here + hand * LANES)
        _combine(how, work.worth, out + hand * LANES, chips * unblocked)


@kernel(makes_arrays=False)
def _show(
    amount: Reals,
    begin: int,
    slot: int,
    tie_end: Int16s,
    how: int,
    out: int,
    work: StreetWorkspace,
) -> None:
    """Hands are sorted: those before a group of equals are beaten, those behind it win.

    With b the weight of those before, t of those up to the end of the equals and a of all, each
    without hands that share a card, a hand wins b and loses a − t: together b + t − a. Sums begin
    at minus half of all, so that those of b and t add up to it.
    """
    here = slot * work.hands * LANES
    sums = slot * work.card_slots * LANES
    half = load(work.minus_half, 0)
    passed = load(work.total, slot * LANES) * half
    for place in range(0, work.card_slots * LANES, LANES):
        store(work.passed, place, load(work.of_card, sums + place) * half)
    chips = load(amount, begin)
    hands = len(tie_end)
    start = 0
    while start < hands:
        stop = int(tie_end[start])
        for hand in range(start, stop):
            one = load(work.passed, work.cards[2 * hand])
            two = load(work.passed, work.cards[2 * hand + 1])
            store(work.below, (hand - start) * LANES, passed - one - two)
        for hand in range(start, stop):
            weight = load(work.reach, here + hand * LANES)
            one, two = work.cards[2 * hand], work.cards[2 * hand + 1]
            passed += weight
            _add(work.passed, one, weight)
            _add(work.passed, two, weight)
        for hand in range(start, stop):
            one = load(work.passed, work.cards[2 * hand])
            two = load(work.passed, work.cards[2 * hand + 1])
            difference = load(work.below, (hand - start) * LANES) + (passed - one - two)
            _combine(how, work.worth, out + hand * LANES, chips * difference)
        start = stop


@kernel(makes_arrays=False)
def _take_given(
    into: Int64s,
    begin: int,
    places: Int16s,
    given: Floats,
    how: int,
    out: int,
    work: StreetWorkspace,
) -> None:
    """What hands are worth on the next street; nothing where the villain never goes there."""
    for hand in range(len(places)):
        known = given[places[hand]]
        for lane in range(LANES):
            line = into[begin + lane]
            work.below[lane] = known[line] if line >= 0 else 0.0
        _combine(how, work.worth, out + hand * LANES, load(work.below, 0))

"""All leaves of a board at once: lanes are leaves, and one sweep over the hands serves 16 of them.

On a board all showdowns share one order of the hands, by strength. A sweep from the worst group
of equal hands to the best keeps, for each leaf, the opposing reach passed so far and its part on
each card; with these, card removal costs two subtractions (see `cards.showdown_kernels` for the
same in scalar form). Where each sum is kept was decided before (`sweep_kernels`), so there are no
branches. Per opposing hand and 16 leaves: 2 loads, 3 additions and 3 stores, and one more for
folds; per own hand 8 loads and 8 additions for showdowns, 3 and 3 for folds; and a transpose of
16 × 16 numbers for 16 opposing hands, and one for 16 own hands and each kind of leaf (on ARM64 of
16 × 4 for four hands: see `COLUMNS`). All of it stays in the first-level cache.

For a hand with cards a and b, T the total and C the sums by card,

    value at showdown = (T − Ca − Cb before its group) + (the same after it) − (the same at the end)

which is the reach it beats minus the reach that beats it: the opponent's same hand would be
counted in the second and the third term, and cancels. After a fold all that counts is the
*unblocked* reach, that of the hands which share no card with it: T − Ca − Cb at the end plus the
reach of the same hand.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from pokerlab.engine.cpu.kernels.sweep_kernels import OPPOSING_PLACES, OWN_PLACES, ZERO_ROW, Sweep
from pokerlab.engine.tables.arrays import Leaves
from pokerlab.runtime.arrays import Reals, Uint16s
from pokerlab.runtime.jit import kernel
from pokerlab.runtime.vector_kernels import (
    COLUMNS,
    LANES,
    load,
    place_at,
    place_in,
    read_places,
    read_starts,
    settle,
    splat,
    store,
    store_all,
    transpose_from_rows,
    transpose_to_rows,
)

LEAVES = LANES
"""Leaves in a block: a vector."""


class LeafWorkspace(NamedTuple):
    """What one thread needs for `evaluate_block`."""

    reach: Reals
    """Opposing reach, hand by hand, 16 leaves each, for folds; (opposing hands + 1) × 16."""
    sums: Reals
    """Reach passed so far, in all and by card, 16 leaves each; `count_sum_rows` × 16."""


class BoardHands(NamedTuple):
    """The hands that are possible on a board, as one player's sweep sees them.

    Hands are in rising strength and padded to a multiple of 16.
    """

    own: int
    """Own hands, padding included."""
    opposing: int
    """Opposing hands, padding included."""
    sweep: Sweep
    first_own: int
    first_opposing: int
    """Where this board's hands begin among those of all boards."""


@kernel(makes_arrays=False)
def evaluate_block(
    reach: Reals,
    values: Reals,
    first: int,
    showdowns: bool,
    folds: bool,
    leaves: Leaves,
    hands: BoardHands,
    work: LeafWorkspace,
) -> None:
    """Write the value rows of 16 leaves, the `first` and those after it, from the reach rows."""
    zero = splat(reach.dtype.type(0))
    store(work.reach, hands.opposing * LEAVES, zero)
    for row in range(ZERO_ROW + 1):
        store(work.sums, row * LEAVES, zero)
    total = zero
    opposing, sums = hands.sweep.opposing, work.sums
    reach_starts = read_starts(leaves.reach_starts, first)
    for first_hand in range(0, hands.opposing, COLUMNS):
        new = transpose_from_rows(reach, reach_starts, first, first_hand)
        if folds and COLUMNS == 4:  # now: later these 16 registers would have been put aside
            store_all(work.reach, first_hand * LEAVES, new)
        here = (hands.first_opposing + first_hand) * OPPOSING_PLACES
        total = _pass_by_four(opposing, here, sums, total, new[0], new[1], new[2], new[3])
        if COLUMNS > 4:
            here += 4 * OPPOSING_PLACES
            total = _pass_by_four(opposing, here, sums, total, new[4], new[5], new[6], new[7])
            here += 4 * OPPOSING_PLACES
            total = _pass_by_four(opposing, here, sums, total, new[8], new[9], new[10], new[11])
            here += 4 * OPPOSING_PLACES
            total = _pass_by_four(opposing, here, sums, total, new[12], new[13], new[14], new[15])
        if folds and COLUMNS > 4:
            store_all(work.reach, first_hand * LEAVES, new)
    own = hands.sweep.own
    if showdowns:
        showdown_starts = read_starts(leaves.showdown_starts, first)
        for hand in range(0, hands.own, COLUMNS):
            here = (hands.first_own + hand) * OWN_PLACES
            lanes = _beaten_by_four(own, here, sums, total)
            if COLUMNS > 4:
                lanes = (
                    lanes
                    + _beaten_by_four(own, here + 4 * OWN_PLACES, sums, total)
                    + _beaten_by_four(own, here + 8 * OWN_PLACES, sums, total)
                    + _beaten_by_four(own, here + 12 * OWN_PLACES, sums, total)
                )
            transpose_to_rows(lanes, values, showdown_starts, first, hand)
    if folds and hands.own > 0:
        fold_starts = read_starts(leaves.fold_starts, first)
        last_own = (hands.first_own + hands.own - 4) * OWN_PLACES
        ahead = _fold_places(own, hands.first_own * OWN_PLACES)
        for hand in range(0, hands.own, COLUMNS):
            here = (hands.first_own + hand) * OWN_PLACES
            if COLUMNS == 4:
                # The places of the next hands are read a turn early: additions that wait for a
                # place to be read fill the processor's queue.
                places = ahead
                ahead = _fold_places(own, min(here + 4 * OWN_PLACES, last_own))
                lanes = _unblocked_by_four(own, places, sums, work.reach, total)
            else:
                lanes = (
                    _unblocked_from(own, here, sums, work.reach, total)
                    + _unblocked_from(own, here + 4 * OWN_PLACES, sums, work.reach, total)
                    + _unblocked_from(own, here + 8 * OWN_PLACES, sums, work.reach, total)
                    + _unblocked_from(own, here + 12 * OWN_PLACES, sums, work.reach, total)
                )
            transpose_to_rows(lanes, values, fold_starts, first, hand)


@kernel(makes_arrays=False, inner=True, forceinline=True)
def _pass_by_four(
    opposing: Uint16s, here: int, sums: Reals, total: Any, one: Any, two: Any, three: Any, four: Any
) -> Any:
    total = _pass_by(opposing, here, sums, total, one)
    total = _pass_by(opposing, here + OPPOSING_PLACES, sums, total, two)
    total = _pass_by(opposing, here + 2 * OPPOSING_PLACES, sums, total, three)
    return _pass_by(opposing, here + 3 * OPPOSING_PLACES, sums, total, four)


@kernel(makes_arrays=False, inner=True, forceinline=True)
def _beaten_by_four(own: Uint16s, here: int, sums: Reals, total: Any) -> Any:
    first, first_end = read_places(own, here), read_places(own, here + 4)
    here += OWN_PLACES
    second, second_end = read_places(own, here), read_places(own, here + 4)
    here += OWN_PLACES
    third, third_end = read_places(own, here), read_places(own, here + 4)
    here += OWN_PLACES
    fourth, fourth_end = read_places(own, here), read_places(own, here + 4)
    one = settle(_beaten(own, first, first_end, sums, total))
    two = settle(_beaten(own, second, second_end, sums, total))
    three = settle(_beaten(own, third, third_end, sums, total))
    four = settle(_beaten(own, fourth, fourth_end, sums, total))
    return one, two, three, four


@kernel(makes_arrays=False, inner=True, forceinline=True)
def _fold_places(own: Uint16s, here: int) -> Any:
    """What `_unblocked` asks for of four hands."""
    first, first_same = read_places(own, here + 4), place_at(own, here + 8)
    here += OWN_PLACES
    second, second_same = read_places(own, here + 4), place_at(own, here + 8)
    here += OWN_PLACES
    third, third_same = read_places(own, here + 4), place_at(own, here + 8)
    here += OWN_PLACES
    fourth, fourth_same = read_places(own, here + 4), place_at(own, here + 8)
    return first, first_same, second, second_same, third, third_same, fourth, fourth_same


@kernel(makes_arrays=False, inner=True, forceinline=True)
def _unblocked_by_four(own: Uint16s, places: Any, sums: Reals, reach: Reals, total: Any) -> Any:
    one = settle(_unblocked(own, places[0], places[1], sums, reach, total))
    two = settle(_unblocked(own, places[2], places[3], sums, reach, total))
    three = settle(_unblocked(own, places[4], places[5], sums, reach, total))
    four = settle(_unblocked(own, places[6], places[7], sums, reach, total))
    return one, two, three, four


@kernel(makes_arrays=False, inner=True, forceinline=True)
def _unblocked_from(own: Uint16s, here: int, sums: Reals, reach: Reals, total: Any) -> Any:
    return _unblocked_by_four(own, _fold_places(own, here), sums, reach, total)


@kernel(makes_arrays=False, inner=True)
def _pass_by(opposing: Uint16s, here: int, sums: Reals, total: Any, new: Any) -> Any:
    """Add the reach of an opposing hand to the sums of its cards; the new total."""
    places = read_places(opposing, here)
    total = total + new
    store(sums, place_in(opposing, places, 0), total)
    first_card = load(sums, place_in(opposing, places, 1)) + new
    second_card = load(sums, place_in(opposing, places, 3)) + new
    store(sums, place_in(opposing, places, 2), first_card)
    store(sums, place_at(opposing, here + 4), second_card)
    return total


@kernel(makes_arrays=False, inner=True)
def _beaten(own: Uint16s, places: int, places_end: int, sums: Reals, total: Any) -> Any:
    """What an own hand beats less what beats it, for each leaf."""
    before = load(sums, place_in(own, places, 2)) + load(sums, place_in(own, places_end, 1))
    after = load(sums, place_in(own, places, 3)) + load(sums, place_in(own, places_end, 2))
    at_end = load(sums, place_in(own, places_end, 0)) + load(sums, place_in(own, places_end, 3))
    below = load(sums, place_in(own, places, 0)) - before
    return (below + (load(sums, place_in(own, places, 1)) - after)) - (total - at_end)


@kernel(makes_arrays=False, inner=True)
def _unblocked(own: Uint16s, places: int, same: int, sums: Reals, reach: Reals, total: Any) -> Any:
    """What an own hand meets, for each leaf."""
    blocked = load(sums, place_in(own, places, 0)) + load(sums, place_in(own, places, 3))
    return total + load(reach, same) - blocked

"""All leaves of a board at once: lanes are leaves, and one sweep over the hands serves 16 of them.

On a board all showdowns share one order of the hands, by strength. A sweep from the worst group
of equal hands to the best keeps, for each leaf, the opposing reach passed so far and its part on
each card; with these, card removal costs two subtractions (see `cards.showdown_kernels` for the
same in scalar form). Where each sum is kept was decided before (`sweep_kernels`), so there are no
branches. Per opposing hand and 16 leaves: 2 loads, 3 additions and 3 stores, and one more for
folds; per own hand 8 loads and 8 additions for showdowns, 3 and 3 for folds; and a transpose of
16 × 16 numbers for 16 opposing hands, and one for 16 own hands and each kind of leaf. All of it
stays in the first-level cache.

For a hand with cards a and b, T the total and C the sums by card,

    value at showdown = (T − Ca − Cb before its group) + (the same after it) − (the same at the end)

which is the reach it beats minus the reach that beats it: the opponent's same hand would be
counted in the second and the third term, and cancels. After a fold all that counts is the
*unblocked* reach, that of the hands which share no card with it: T − Ca − Cb at the end plus the
reach of the same hand.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from pokerlab.jit import kernel
from pokerlab.postflop.cpu.sweep_kernels import OPPOSING_PLACES, OWN_PLACES, ZERO_ROW, Sweep
from pokerlab.postflop.tables.arrays import Leaves
from pokerlab.vector_kernels import (
    LANES,
    load,
    place_at,
    splat,
    store,
    store_sixteen,
    transpose_from_rows,
    transpose_to_rows,
)

LEAVES = LANES
"""Leaves in a block: a vector."""

Rows: TypeAlias = npt.NDArray[np.floating[Any]]
Places: TypeAlias = npt.NDArray[np.uint16]


class LeafWorkspace(NamedTuple):
    """What one thread needs for `evaluate_block`."""

    reach: Rows
    """Opposing reach, hand by hand, 16 leaves each, for folds; (opposing hands + 1) × 16."""
    sums: Rows
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
    reach: Rows,
    values: Rows,
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
    for first_hand in range(0, hands.opposing, 16):
        new = transpose_from_rows(reach, leaves.reach_starts, first, first_hand)
        here = (hands.first_opposing + first_hand) * OPPOSING_PLACES
        total = _pass_by(opposing, here, sums, total, new[0])
        total = _pass_by(opposing, here + OPPOSING_PLACES, sums, total, new[1])
        total = _pass_by(opposing, here + 2 * OPPOSING_PLACES, sums, total, new[2])
        total = _pass_by(opposing, here + 3 * OPPOSING_PLACES, sums, total, new[3])
        total = _pass_by(opposing, here + 4 * OPPOSING_PLACES, sums, total, new[4])
        total = _pass_by(opposing, here + 5 * OPPOSING_PLACES, sums, total, new[5])
        total = _pass_by(opposing, here + 6 * OPPOSING_PLACES, sums, total, new[6])
        total = _pass_by(opposing, here + 7 * OPPOSING_PLACES, sums, total, new[7])
        total = _pass_by(opposing, here + 8 * OPPOSING_PLACES, sums, total, new[8])
        total = _pass_by(opposing, here + 9 * OPPOSING_PLACES, sums, total, new[9])
        total = _pass_by(opposing, here + 10 * OPPOSING_PLACES, sums, total, new[10])
        total = _pass_by(opposing, here + 11 * OPPOSING_PLACES, sums, total, new[11])
        total = _pass_by(opposing, here + 12 * OPPOSING_PLACES, sums, total, new[12])
        total = _pass_by(opposing, here + 13 * OPPOSING_PLACES, sums, total, new[13])
        total = _pass_by(opposing, here + 14 * OPPOSING_PLACES, sums, total, new[14])
        total = _pass_by(opposing, here + 15 * OPPOSING_PLACES, sums, total, new[15])
        if folds:
            store_sixteen(work.reach, first_hand * LEAVES, new)
    own = hands.sweep.own
    if showdowns:
        for hand in range(0, hands.own, 16):
            here = (hands.first_own + hand) * OWN_PLACES
            lanes = (
                _beaten(own, here, sums, total),
                _beaten(own, here + 1 * OWN_PLACES, sums, total),
                _beaten(own, here + 2 * OWN_PLACES, sums, total),
                _beaten(own, here + 3 * OWN_PLACES, sums, total),
                _beaten(own, here + 4 * OWN_PLACES, sums, total),
                _beaten(own, here + 5 * OWN_PLACES, sums, total),
                _beaten(own, here + 6 * OWN_PLACES, sums, total),
                _beaten(own, here + 7 * OWN_PLACES, sums, total),
                _beaten(own, here + 8 * OWN_PLACES, sums, total),
                _beaten(own, here + 9 * OWN_PLACES, sums, total),
                _beaten(own, here + 10 * OWN_PLACES, sums, total),
                _beaten(own, here + 11 * OWN_PLACES, sums, total),
                _beaten(own, here + 12 * OWN_PLACES, sums, total),
                _beaten(own, here + 13 * OWN_PLACES, sums, total),
                _beaten(own, here + 14 * OWN_PLACES, sums, total),
                _beaten(own, here + 15 * OWN_PLACES, sums, total),
            )
            transpose_to_rows(lanes, values, leaves.showdown_starts, first, hand)
    if folds:
        for hand in range(0, hands.own, 16):
            here = (hands.first_own + hand) * OWN_PLACES
            lanes = (
                _unblocked(own, here, sums, work.reach, total),
                _unblocked(own, here + 1 * OWN_PLACES, sums, work.reach, total),
                _unblocked(own, here + 2 * OWN_PLACES, sums, work.reach, total),
                _unblocked(own, here + 3 * OWN_PLACES, sums, work.reach, total),
                _unblocked(own, here + 4 * OWN_PLACES, sums, work.reach, total),
                _unblocked(own, here + 5 * OWN_PLACES, sums, work.reach, total),
                _unblocked(own, here + 6 * OWN_PLACES, sums, work.reach, total),
                _unblocked(own, here + 7 * OWN_PLACES, sums, work.reach, total),
                _unblocked(own, here + 8 * OWN_PLACES, sums, work.reach, total),
                _unblocked(own, here + 9 * OWN_PLACES, sums, work.reach, total),
                _unblocked(own, here + 10 * OWN_PLACES, sums, work.reach, total),
                _unblocked(own, here + 11 * OWN_PLACES, sums, work.reach, total),
                _unblocked(own, here + 12 * OWN_PLACES, sums, work.reach, total),
                _unblocked(own, here + 13 * OWN_PLACES, sums, work.reach, total),
                _unblocked(own, here + 14 * OWN_PLACES, sums, work.reach, total),
                _unblocked(own, here + 15 * OWN_PLACES, sums, work.reach, total),
            )
            transpose_to_rows(lanes, values, leaves.fold_starts, first, hand)


@kernel(makes_arrays=False, inner=True)
def _pass_by(opposing: Places, here: int, sums: Rows, total: Any, new: Any) -> Any:
    """Add the reach of an opposing hand to the sums of its cards; the new total."""
    total = total + new
    store(sums, place_at(opposing, here), total)
    first_card = load(sums, place_at(opposing, here + 1)) + new
    second_card = load(sums, place_at(opposing, here + 3)) + new
    store(sums, place_at(opposing, here + 2), first_card)
    store(sums, place_at(opposing, here + 4), second_card)
    return total


@kernel(makes_arrays=False, inner=True)
def _beaten(own: Places, here: int, sums: Rows, total: Any) -> Any:
    """What an own hand beats less what beats it, for each leaf."""
    before = load(sums, place_at(own, here + 2)) + load(sums, place_at(own, here + 5))
    after = load(sums, place_at(own, here + 3)) + load(sums, place_at(own, here + 6))
    at_end = load(sums, place_at(own, here + 4)) + load(sums, place_at(own, here + 7))
    below = load(sums, place_at(own, here)) - before
    return (below + (load(sums, place_at(own, here + 1)) - after)) - (total - at_end)


@kernel(makes_arrays=False, inner=True)
def _unblocked(own: Places, here: int, sums: Rows, reach: Rows, total: Any) -> Any:
    """What an own hand meets, for each leaf."""
    blocked = load(sums, place_at(own, here + 4)) + load(sums, place_at(own, here + 7))
    return total + load(reach, place_at(own, here + 8)) - blocked

"""All leaves of a board at once: lanes are leaves, and one sweep over the hands serves 32 of them.

On a board all showdowns share one order of the hands, by strength. A sweep from the worst group
of equal hands to the best keeps, for each leaf, the opposing reach passed so far and its part on
each card; with these, card removal costs two subtractions (see `cards.showdown_kernels` for the
same in scalar form). Per opposing hand and leaf: 1 load of reach, 2 loads, 3 additions and 2
stores of sums; per own hand and leaf: 4 loads of sums, 5 additions, 2 stores. All of it stays in
the first-level cache: 53 rows of sums and the row of totals are 7 kB.

For a hand with cards a and b, T the total and C the sums by card,

    value at showdown = (T − Ca − Cb before its group) + (the same after it) − (the same at the end)

which is the reach it beats minus the reach that beats it: the opponent's same hand would be
counted in the second and the third term, and cancels. After a fold all that counts is the
*unblocked* reach, that of the hands which share no card with it: T − Ca − Cb at the end plus the
reach of the same hand.

A sweep leaves the memory idle, and the passes before and after it are as fast as memory is. So
the sweep asks for what they need: of the hero's storage on this board two cache lines for each
own hand, of the opponent's storage on the next board one for each opposing hand.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from pokerlab.jit import kernel
from pokerlab.postflop.tables.arrays import Leaves
from pokerlab.vector_kernels import (
    load,
    prefetch,
    splat,
    store,
    transpose_from_rows,
    transpose_to_rows,
)

LEAVES = 32
"""Leaves in a block: two vectors."""

Rows: TypeAlias = npt.NDArray[np.floating[Any]]
Offsets: TypeAlias = npt.NDArray[np.int64]
Cards: TypeAlias = npt.NDArray[np.int32]

_HALF = LEAVES // 2


class LeafWorkspace(NamedTuple):
    """What one thread needs for `evaluate_block`."""

    reach: Rows
    """Opposing reach, hand by hand, 32 leaves each; (opposing hands + 1) × 32."""
    out: Rows
    """Values, hand by hand, 32 leaves each; own hands × 32."""
    sums: Rows
    """Reach passed so far by card, 32 leaves each; 53 × 32 (card 52 is that of padding)."""


class BoardHands(NamedTuple):
    """The hands that are possible on a board, as one player's sweep sees them.

    Hands are in rising strength and padded to a multiple of 16; offsets count elements of rows
    of 32.
    """

    own: int
    """Own hands, padding included."""
    opposing: int
    """Opposing hands, padding included."""
    own_cards: Cards
    """Offsets of the sums of the two cards of each own hand."""
    opposing_cards: Cards
    """The same for opposing hands."""
    same_hand: Cards
    """Offset of the same hand in the opponent's order; that of a row of zeros if there is none."""
    groups: Cards
    """For each group of equal hands: own from, own to, opposing from, opposing to."""
    first_group: int
    last_group: int
    first_own: int
    first_opposing: int
    """Where this board's entries of the arrays begin."""


class Prefetch(NamedTuple):
    """What is to come into the cache during a sweep."""

    own: Any
    own_first: int
    own_last: int
    """The hero's storage that is needed on the way up: from, to."""
    other: Any
    other_first: int
    """The opponent's storage that is needed next: from."""


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
    coming: Prefetch,
) -> None:
    """Write the value rows of 32 leaves, the `first` and those after it, from the reach rows."""
    second = first + _HALF
    for hand in range(0, hands.opposing, 16):
        place = hand * LEAVES
        starts = leaves.reach_starts
        transpose_from_rows(reach, starts, first, hand, work.reach, place, LEAVES)
        transpose_from_rows(reach, starts, second, hand, work.reach, place + _HALF, LEAVES)
    zero = splat(reach.dtype.type(0))
    nobody = hands.opposing * LEAVES
    store(work.reach, nobody, zero)
    store(work.reach, nobody + _HALF, zero)
    for place in range(0, 53 * LEAVES, 16):
        store(work.sums, place, zero)
    if showdowns:
        left, right = _sweep(hands, work, zero, coming)
        _finish_showdowns(left, right, hands, work)
        _write_rows(values, leaves.showdown_starts, first, hands.own, work.out)
    else:
        left, right = _add_up(hands, work, zero)
    if folds:
        _finish_folds(left, right, hands, work)
        _write_rows(values, leaves.fold_starts, first, hands.own, work.out)


@kernel(inline="always", makes_arrays=False)
def _sweep(hands: BoardHands, work: LeafWorkspace, zero: Any, coming: Prefetch) -> Any:
    reach, out, sums = work.reach, work.out, work.sums
    own_line, other_line = 64 // coming.own.itemsize, 64 // coming.other.itemsize
    own_next, other_next = coming.own_first, coming.other_first
    left, right = zero, zero
    own_to = 0
    for group in range(hands.first_group * 4, hands.last_group * 4, 4):
        own_from, own_to = hands.groups[group], hands.groups[group + 1]
        for hand in range(own_from, own_to):
            first = hands.own_cards[hands.first_own + 2 * hand]
            second = hands.own_cards[hands.first_own + 2 * hand + 1]
            place = hand * LEAVES
            prefetch(coming.own, own_next)
            prefetch(coming.own, min(own_next + own_line, coming.own_last))
            own_next = min(own_next + 2 * own_line, coming.own_last)
            store(out, place, left - (load(sums, first) + load(sums, second)))
            store(
                out,
                place + _HALF,
                right - (load(sums, first + _HALF) + load(sums, second + _HALF)),
            )
        for hand in range(hands.groups[group + 2], hands.groups[group + 3]):
            first = hands.opposing_cards[hands.first_opposing + 2 * hand]
            second = hands.opposing_cards[hands.first_opposing + 2 * hand + 1]
            place = hand * LEAVES
            prefetch(coming.other, other_next)
            other_next += other_line
            reach_left, reach_right = load(reach, place), load(reach, place + _HALF)
            left, right = left + reach_left, right + reach_right
            store(sums, first, load(sums, first) + reach_left)
            store(sums, first + _HALF, load(sums, first + _HALF) + reach_right)
            store(sums, second, load(sums, second) + reach_left)
            store(sums, second + _HALF, load(sums, second + _HALF) + reach_right)
        for hand in range(own_from, own_to):
            first = hands.own_cards[hands.first_own + 2 * hand]
            second = hands.own_cards[hands.first_own + 2 * hand + 1]
            place = hand * LEAVES
            after = left - (load(sums, first) + load(sums, second))
            store(out, place, load(out, place) + after)
            after = right - (load(sums, first + _HALF) + load(sums, second + _HALF))
            store(out, place + _HALF, load(out, place + _HALF) + after)
    for place in range(own_to * LEAVES, hands.own * LEAVES, 16):
        store(out, place, zero)  # padding belongs to no group
    return left, right


@kernel(inline="always", makes_arrays=False)
def _add_up(hands: BoardHands, work: LeafWorkspace, zero: Any) -> Any:
    """Totals and sums by card without an order: for blocks that have folds alone."""
    reach, sums = work.reach, work.sums
    left, right = zero, zero
    for hand in range(hands.opposing):
        first = hands.opposing_cards[hands.first_opposing + 2 * hand]
        second = hands.opposing_cards[hands.first_opposing + 2 * hand + 1]
        place = hand * LEAVES
        reach_left, reach_right = load(reach, place), load(reach, place + _HALF)
        left, right = left + reach_left, right + reach_right
        store(sums, first, load(sums, first) + reach_left)
        store(sums, first + _HALF, load(sums, first + _HALF) + reach_right)
        store(sums, second, load(sums, second) + reach_left)
        store(sums, second + _HALF, load(sums, second + _HALF) + reach_right)
    return left, right


@kernel(inline="always", makes_arrays=False)
def _finish_showdowns(left: Any, right: Any, hands: BoardHands, work: LeafWorkspace) -> None:
    out, sums = work.out, work.sums
    for hand in range(hands.own):
        first = hands.own_cards[hands.first_own + 2 * hand]
        second = hands.own_cards[hands.first_own + 2 * hand + 1]
        place = hand * LEAVES
        unblocked = left - (load(sums, first) + load(sums, second))
        store(out, place, load(out, place) - unblocked)
        unblocked = right - (load(sums, first + _HALF) + load(sums, second + _HALF))
        store(out, place + _HALF, load(out, place + _HALF) - unblocked)


@kernel(inline="always", makes_arrays=False)
def _finish_folds(left: Any, right: Any, hands: BoardHands, work: LeafWorkspace) -> None:
    out, sums, reach = work.out, work.sums, work.reach
    for hand in range(hands.own):
        first = hands.own_cards[hands.first_own + 2 * hand]
        second = hands.own_cards[hands.first_own + 2 * hand + 1]
        same = hands.same_hand[hands.first_own // 2 + hand]
        place = hand * LEAVES
        unblocked = left + load(reach, same) - (load(sums, first) + load(sums, second))
        store(out, place, unblocked)
        unblocked = right + load(reach, same + _HALF)
        store(
            out, place + _HALF, unblocked - (load(sums, first + _HALF) + load(sums, second + _HALF))
        )


@kernel(makes_arrays=False, inner=True)
def _write_rows(values: Rows, starts: Offsets, first: int, hands: int, out: Rows) -> None:
    for hand in range(0, hands, 16):
        place = hand * LEAVES
        transpose_to_rows(out, place, LEAVES, values, starts, first, hand)
        transpose_to_rows(out, place + _HALF, LEAVES, values, starts, first + _HALF, hand)

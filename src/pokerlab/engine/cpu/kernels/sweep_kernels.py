"""Which rows of sums a sweep over the hands of a board reads and writes (see `leaf_kernels`).

A sweep goes through the opposing hands from the worst to the best. It keeps their reach added up,
in all and by card, and an own hand needs these sums as they are before the hands of its own
strength, after them, and at the end. To know where they are is to know the order alone. So a sum
gets a new row when the old one is needed later, and all that is left to the sweep are loops without
a branch: one over the opposing hands, and one over the own.

The rows of a board: one for each card and one that stays zero, then those that are added. A *place*
is a row times the numbers in it. Places of all boards together: 28 bytes for each hand of a board.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.runtime.arrays import Int32s, Int64s, Uint16s
from pokerlab.runtime.jit import kernel
from pokerlab.runtime.vector_kernels import LANES

ZERO_ROW = 52
"""The row that stays zero, after those of the cards: it also stands for the cards of padding."""
OWN_PLACES = 9
"""For each own hand: the total before and after its equals; for each of its cards the sum before,
after and at the end; the reach of the same hand."""
OPPOSING_PLACES = 5
"""For each opposing hand: the new total; for each of its cards the sum before and after."""


class Sweep(NamedTuple):
    """The places of all boards of a street, for one hero."""

    own: Uint16s
    """`OWN_PLACES` for each hand of the hero."""
    opposing: Uint16s
    """`OPPOSING_PLACES` for each hand of the opponent."""


def count_sum_rows(hands: int) -> int:
    """The most rows that a sweep over `hands` opposing hands needs."""
    return ZERO_ROW + 1 + 3 * hands


class OneSide(NamedTuple):
    """The hands of a player on all boards, as `write_places` looks at them."""

    first: Int64s
    """Where the hands of a board begin, and where the last end."""
    cards: Int32s
    """Two offsets for each hand: card × leaves; 52 × leaves for padding."""


@kernel
def write_places(
    own: OneSide,
    opposing: OneSide,
    same_hand: Int32s,
    groups: Int32s,
    group_first: Int64s,
    leaves: int,
    sweep: Sweep,
) -> None:
    """Write the places board by board.

    `same_hand` and `groups` are those of `PlayerBoards`, offsets those of `leaves` leaves. Before
    the river there are no groups, and only the sums at the end count.
    """
    # Looked up: a division takes several times as long.
    card_of = np.empty(ZERO_ROW * leaves + 1, np.uint8)
    for card in range(ZERO_ROW + 1):
        card_of[card * leaves] = card
    row_of = np.zeros(ZERO_ROW + 1, np.int64)
    needed = np.zeros(ZERO_ROW + 1, np.bool_)
    for board in range(own.first.size - 1):
        for card in range(ZERO_ROW + 1):
            row_of[card], needed[card] = card, False
        total, total_needed, rows = ZERO_ROW, True, ZERO_ROW + 1
        own_first, own_last = own.first[board], own.first[board + 1]
        first, last = opposing.first[board], opposing.first[board + 1]
        done = first
        from_group, to_group = 0, 0
        if group_first.size > 0:
            from_group, to_group = group_first[board], group_first[board + 1]
        for group in range(from_group, to_group + 1):
            # After the groups: what belongs to none, which is padding on the river.
            if group < to_group:
                begin, end = own_first + groups[4 * group], own_first + groups[4 * group + 1]
                stop = first + groups[4 * group + 3]
            else:
                begin, end, stop = 0, 0, last
            for hand in range(begin, end):
                here = OWN_PLACES * hand
                sweep.own[here], total_needed = total * LANES, True
                for side in range(2):
                    card = card_of[own.cards[2 * hand + side]]
                    sweep.own[here + 2 + 3 * side] = row_of[card] * LANES
                    needed[card] = True
            for hand in range(done, stop):
                here = OPPOSING_PLACES * hand
                if total_needed:
                    total, total_needed = rows, False
                    rows += 1
                sweep.opposing[here] = total * LANES
                for side in range(2):
                    card = card_of[opposing.cards[2 * hand + side]]
                    sweep.opposing[here + 1 + 2 * side] = row_of[card] * LANES
                    if needed[card]:
                        row_of[card], needed[card] = rows, False
                        rows += 1
                    sweep.opposing[here + 2 + 2 * side] = row_of[card] * LANES
            done = stop
            for hand in range(begin, end):
                here = OWN_PLACES * hand
                sweep.own[here + 1], total_needed = total * LANES, True
                for side in range(2):
                    card = card_of[own.cards[2 * hand + side]]
                    sweep.own[here + 3 + 3 * side] = row_of[card] * LANES
                    needed[card] = True
        for hand in range(own_first, own_last):
            here = OWN_PLACES * hand
            sweep.own[here + 8] = same_hand[hand] // leaves * LANES
            for side in range(2):
                card = card_of[own.cards[2 * hand + side]]
                sweep.own[here + 4 + 3 * side] = row_of[card] * LANES
                if card == ZERO_ROW:  # padding: nothing before, everything after, so nothing in all
                    sweep.own[here], sweep.own[here + 1] = ZERO_ROW * LANES, total * LANES
                    for place in range(2, 8):
                        sweep.own[here + place] = ZERO_ROW * LANES

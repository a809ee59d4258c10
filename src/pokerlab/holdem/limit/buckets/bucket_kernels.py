"""The buckets of many hands, and counts of what they lead to, in compiled loops.

A look-up takes 0.2 to 0.3 microseconds (`pokerlab.holdem.limit.buckets.look_up_kernels`). Counting
goes through all boards up to suits: 1,755 flops, 16,432 turns. On a turn, each hand has up to four
pasts (any of the four cards can have come last) and 46 rivers.
"""

from __future__ import annotations

import numpy as np

from pokerlab.cards.equities.showdown_kernels import make_workspace
from pokerlab.cards.isomorphism.hand_index_kernels import deal_index
from pokerlab.holdem.limit.buckets.look_up_kernels import BucketLookUp, bucket_on_street
from pokerlab.holdem.limit.strength.strength_kernels import CLOSED, Showdown, river_rows
from pokerlab.runtime.arrays import Bytes, Int32s, Int64s, Uint16s
from pokerlab.runtime.jit import kernel

_COMBOS = 1326


@kernel(makes_arrays=False)
def find_buckets(look_up: BucketLookUp, deals: Bytes, buckets: Int32s) -> None:
    """The buckets of rows of cards (hand, flop, turn, river) on all streets (rows, 4)."""
    for street in range(4):
        for row in range(len(deals)):
            before = int(buckets[row, street - 1]) if street else 0
            buckets[row, street] = bucket_on_street(look_up, street, deals[row], before)


@kernel(makes_arrays=False)
def hands_on_board(
    board: Bytes, look_up: BucketLookUp, cards: Bytes, deal: Bytes, buckets: Int32s
) -> None:
    """The bucket of each combo on a board, whose cards stand in the order of dealing.

    −1 where the board makes the combo impossible. `cards` are those of the combos (1326, 2);
    `deal` (7) is room to work in.
    """
    size = len(board)
    for place in range(size):
        deal[2 + place] = board[place]
    for hand in range(len(cards)):
        buckets[hand] = -1
        if not _blocked(board, cards[hand, 0], cards[hand, 1]):
            deal[0] = cards[hand, 0]
            deal[1] = cards[hand, 1]
            bucket = 0
            for street in range(size - 1 if size else 1):
                bucket = bucket_on_street(look_up, street, deal, bucket)
            buckets[hand] = bucket


@kernel
def count_flops(
    boards: Bytes, multiplicities: Int64s, cards: Bytes, look_up: BucketLookUp, counts: Int64s
) -> None:
    """Count (bucket before the flop, value on the flop) over all hands on some flops."""
    deal = np.empty(7, np.uint8)
    for board in range(len(boards)):
        _count_flop(boards[board], multiplicities[board], cards, look_up, deal, counts)


@kernel(makes_arrays=False)
def _count_flop(
    board: Bytes, times: int, cards: Bytes, look_up: BucketLookUp, deal: Bytes, counts: Int64s
) -> None:
    for place in range(3):
        deal[2 + place] = board[place]
    for hand in range(len(cards)):
        if not _blocked(board, cards[hand, 0], cards[hand, 1]):
            deal[0] = cards[hand, 0]
            deal[1] = cards[hand, 1]
            before = bucket_on_street(look_up, 0, deal, 0)
            value = look_up.values[1][deal_index(look_up.indexers[1], deal)]
            counts[before, value] += times


@kernel
def count_turns(
    boards: Bytes, multiplicities: Int64s, cards: Bytes, look_up: BucketLookUp, counts: Int64s
) -> None:
    """Count (bucket on the flop, value on the turn) over all hands on some turns.

    Each of the four cards of a board was the turn in a quarter of its deals.
    """
    deal = np.empty(7, np.uint8)
    for board in range(len(boards)):
        _count_turn(boards[board], multiplicities[board], cards, look_up, deal, counts)


@kernel(makes_arrays=False)
def _count_turn(
    board: Bytes, times: int, cards: Bytes, look_up: BucketLookUp, deal: Bytes, counts: Int64s
) -> None:
    for hand in range(len(cards)):
        if not _blocked(board, cards[hand, 0], cards[hand, 1]):
            deal[0] = cards[hand, 0]
            deal[1] = cards[hand, 1]
            start = bucket_on_street(look_up, 0, deal, 0)
            _put_last(board, 3, deal)
            value = look_up.values[2][deal_index(look_up.indexers[2], deal)]
            for turn in range(4):
                _put_last(board, turn, deal)
                counts[bucket_on_street(look_up, 1, deal, start), value] += times


@kernel
def count_rivers(
    boards: Bytes,
    multiplicities: Int64s,
    showdown: Showdown,
    look_up: BucketLookUp,
    value_of: Uint16s,
    counts: Int64s,
) -> None:
    """Count (bucket on the turn, value on the river) over all hands and rivers on some turns.

    The value of a river depends on the strength alone: `value_of` (1981).
    """
    work = make_workspace(_COMBOS)
    rows = np.empty((52, _COMBOS), np.uint16)
    deal = np.empty(7, np.uint8)
    rivers = np.empty(52, np.uint16)
    for board in range(len(boards)):
        river_rows(boards[board], showdown, work, rows)
        _count_river(
            boards[board],
            multiplicities[board],
            showdown.hands.cards,
            look_up,
            rows,
            value_of,
            deal,
            rivers,
            counts,
        )


@kernel(makes_arrays=False)
def _count_river(
    board: Bytes,
    times: int,
    cards: Bytes,
    look_up: BucketLookUp,
    rows: Uint16s,
    value_of: Uint16s,
    deal: Bytes,
    rivers: Uint16s,
    counts: Int64s,
) -> None:
    # Without recall the past does not matter.
    next_groups = look_up.next_groups[2]
    pasts = 4 if len(next_groups) else 1
    for hand in range(len(cards)):
        if _blocked(board, cards[hand, 0], cards[hand, 1]):
            continue
        deal[0] = cards[hand, 0]
        deal[1] = cards[hand, 1]
        start = bucket_on_street(look_up, 0, deal, 0)
        found = 0
        for river in range(52):
            strength = rows[river, hand]
            if strength != CLOSED:
                rivers[found] = value_of[strength]
                found += 1
        _put_last(board, 3, deal)
        value = int(look_up.values[2][deal_index(look_up.indexers[2], deal)])
        for turn in range(pasts):
            bucket = value
            if len(next_groups):
                _put_last(board, turn, deal)
                bucket = int(next_groups[bucket_on_street(look_up, 1, deal, start), value])
            for river in range(found):
                counts[bucket, rivers[river]] += times * (4 // pasts)


@kernel
def map_strengths(river: Uint16s, values: Uint16s, value_of: Int64s) -> bool:
    """Find the value of each river strength; False where the strength does not decide it.

    `value_of` (1981) starts with −1, which stays where no hand has a strength.
    """
    for number in range(len(river)):
        strength = river[number]
        if value_of[strength] < 0:
            value_of[strength] = values[number]
        elif value_of[strength] != values[number]:
            return False
    return True


@kernel(makes_arrays=False)
def _blocked(board: Bytes, first: int, second: int) -> bool:
    found = False
    for place in range(len(board)):
        found |= board[place] == first or board[place] == second
    return found


@kernel(makes_arrays=False)
def _put_last(board: Bytes, last: int, deal: Bytes) -> None:
    """Write a board of four cards to a deal, one of them as the turn."""
    place = 2
    for card in range(4):
        if card != last:
            deal[place] = board[card]
            place += 1
    deal[5] = board[last]

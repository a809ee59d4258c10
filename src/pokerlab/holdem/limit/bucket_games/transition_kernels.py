"""Showdowns between buckets, added up over whole boards with card removal.

On one board the hands are sorted once. A sweep from the worst keeps for each bucket how many
hands have passed, in all and with each card; what a hand beats is total − of card a − of card b,
bucket by bucket. A board costs about 1,081 · 6 · (buckets that it leaves) additions.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.cards.equities.showdown_kernels import (
    ShowdownWorkspace,
    compare_on_board,
    make_workspace,
    sort_by_class,
)
from pokerlab.cards.evaluator.batch_kernels import classify_combos
from pokerlab.holdem.limit.buckets.bucket_kernels import hands_on_board
from pokerlab.holdem.limit.buckets.look_up_kernels import BucketLookUp, bucket_on_street
from pokerlab.holdem.limit.strength.strength_kernels import Showdown
from pokerlab.runtime.arrays import Bytes, Floats, Int16s, Int32s, Int64s, Uint16s
from pokerlab.runtime.jit import kernel

_COMBOS = 1326


@kernel
def add_bucket_showdowns(
    boards: Bytes,
    multiplicities: Int64s,
    showdown: Showdown,
    look_up: BucketLookUp,
    value_of: Uint16s,
    wins: Floats,
    meetings: Floats,
) -> None:
    """Add for pairs of river buckets how often the first wins, and how often they meet.

    Boards are in the order of dealing. Where the value on the river depends on the strength
    alone, `value_of` (1981) has it; otherwise it is empty, and all streets are looked up, which
    takes most of the time. Boards with the same turn should follow each other. `wins` and
    `meetings` are (buckets, buckets).
    """
    work = make_workspace(_COMBOS)
    buckets = np.empty(_COMBOS, np.int32)
    before = np.zeros(_COMBOS, np.int32)
    next_groups = look_up.next_groups[3]
    deal = np.empty(7, np.uint8)
    pairs = _make_pairs(len(wins))
    for board in range(len(boards)):
        count = compare_on_board(boards[board], showdown.hands, work, showdown.evaluator)
        if len(value_of):
            if len(next_groups) and (board == 0 or _other_turn(boards[board - 1], boards[board])):
                hands_on_board(boards[board, :4], look_up, showdown.hands.cards, deal, before)
            for place in range(count):
                hand = work.order[place]
                value = int(value_of[int(2.0 * work.beaten[hand] + work.tied[hand])])
                buckets[hand] = next_groups[before[hand], value] if len(next_groups) else value
        else:
            hands_on_board(boards[board], look_up, showdown.hands.cards, deal, buckets)
        times = float(multiplicities[board])
        _add_showdowns(count, buckets, showdown.hands.cards, times, work, pairs, wins, meetings)


@kernel
def add_group_showdowns(
    boards: Bytes,
    multiplicities: Int64s,
    showdown: Showdown,
    groups: Int32s,
    wins: Floats,
    meetings: Floats,
) -> None:
    """The same where each combo is in one of `groups` (1326) on all boards."""
    work = make_workspace(_COMBOS)
    pairs = _make_pairs(len(wins))
    cards = showdown.hands.cards
    for board in range(len(boards)):
        classify_combos(boards[board], work.classes, showdown.evaluator)
        count = 0
        for hand in range(_COMBOS):
            if work.classes[hand] > 0:
                work.order[count] = hand
                count += 1
        sort_by_class(work.order, work.spare, work.classes, count)
        times = float(multiplicities[board])
        _add_showdowns(count, groups, cards, times, work, pairs, wins, meetings)


@kernel
def add_run_outs(
    street: int,
    boards: Bytes,
    showdown: Showdown,
    look_up: BucketLookUp,
    groups: Int32s,
    to_turn: Floats,
    to_river: Floats,
    wins: Floats,
    meetings: Floats,
) -> None:
    """Add how all hands move from group to group on some run-outs of one board, and who wins.

    `boards` (n, 5) all begin with the cards of `street` (1 to 3), where each combo is in one of
    `groups` (1326); −1 if the board makes it impossible. `to_turn` and `to_river` (groups
    before, groups) are empty for streets that are over; `wins` and `meetings` are as above.
    """
    work = make_workspace(_COMBOS)
    pairs = _make_pairs(len(wins))
    cards = showdown.hands.cards
    now = np.empty(_COMBOS, np.int32)
    deal = np.empty(7, np.uint8)
    for board in range(len(boards)):
        for hand in range(_COMBOS):
            now[hand] = groups[hand]
        for place in range(5):
            deal[2 + place] = boards[board, place]
        for later in range(street + 1, 4):
            moves = to_turn if later == 2 else to_river
            card = boards[board, later + 1]
            for hand in range(_COMBOS):
                if now[hand] < 0:
                    continue
                deal[0] = cards[hand, 0]
                deal[1] = cards[hand, 1]
                if deal[0] == card or deal[1] == card:
                    now[hand] = -1
                    continue
                after = bucket_on_street(look_up, later, deal, now[hand])
                moves[now[hand], after] += 1.0
                now[hand] = after
        count = compare_on_board(boards[board], showdown.hands, work, showdown.evaluator)
        _add_showdowns(count, now, cards, 1.0, work, pairs, wins, meetings)


@kernel(makes_arrays=False)
def _other_turn(board: Bytes, other: Bytes) -> bool:
    """Whether two boards differ before the river."""
    return bool(
        board[0] != other[0] or board[1] != other[1] or board[2] != other[2] or board[3] != other[3]
    )


class _PairWorkspace(NamedTuple):
    """What a board needs; n is the number of buckets, of which only the first few are used."""

    number: Int32s
    """(n,): the number of a bucket among those present; −1 everywhere between two boards."""
    bucket: Int32s
    """(n,): the buckets that are present."""
    local: Int32s
    """(combos,): the number of a hand's bucket."""
    passed: Int16s
    """(53, n): hands that have passed, with each card and in all."""
    wins: Int32s
    """(n, n)."""
    meetings: Int32s
    """(n, n)."""


@kernel
def _make_pairs(buckets: int) -> _PairWorkspace:
    return _PairWorkspace(
        np.full(buckets, -1, np.int32),
        np.empty(buckets, np.int32),
        np.empty(_COMBOS, np.int32),
        np.empty((53, buckets), np.int16),
        np.empty((buckets, buckets), np.int32),
        np.empty((buckets, buckets), np.int32),
    )


@kernel(makes_arrays=False)
def _add_showdowns(
    count: int,
    buckets: Int32s,
    cards: Bytes,
    times: float,
    work: ShowdownWorkspace,
    pairs: _PairWorkspace,
    wins: Floats,
    meetings: Floats,
) -> None:
    """Add the showdowns of the board whose hands have just been compared."""
    present = _number_present(count, buckets, work, pairs)
    _sweep(count, present, cards, work, pairs)
    for row in range(present):
        to_wins, to_meetings = wins[pairs.bucket[row]], meetings[pairs.bucket[row]]
        won, met = pairs.wins[row], pairs.meetings[row]
        for column in range(present):
            bucket = pairs.bucket[column]
            to_wins[bucket] += times * won[column]
            to_meetings[bucket] += times * met[column]


@kernel(makes_arrays=False)
def _number_present(
    count: int, buckets: Int32s, work: ShowdownWorkspace, pairs: _PairWorkspace
) -> int:
    """Number the buckets that the board leaves: far fewer than there are."""
    present = 0
    for place in range(count):
        hand = work.order[place]
        if pairs.number[buckets[hand]] < 0:
            pairs.number[buckets[hand]] = present
            pairs.bucket[present] = buckets[hand]
            present += 1
        pairs.local[hand] = pairs.number[buckets[hand]]
    for place in range(present):
        pairs.number[pairs.bucket[place]] = -1
    return present


@kernel(makes_arrays=False)
def _sweep(
    count: int, present: int, cards: Bytes, work: ShowdownWorkspace, pairs: _PairWorkspace
) -> None:
    """Go through the hands, worst first."""
    local, passed = pairs.local, pairs.passed
    for bucket in range(present):
        for card in range(len(passed)):
            passed[card, bucket] = 0
        for other in range(present):
            pairs.wins[bucket, other] = 0
            pairs.meetings[bucket, other] = 0
    first = 0
    while first < count:
        hand_class = work.classes[work.order[first]]
        last = first
        while last < count and work.classes[work.order[last]] == hand_class:
            _add_row(work.order[last], present, cards, local, passed, pairs.wins)
            last += 1
        for place in range(first, last):
            hand = work.order[place]
            passed[cards[hand, 0], local[hand]] += 1
            passed[cards[hand, 1], local[hand]] += 1
            passed[52, local[hand]] += 1
        first = last
    for place in range(count):
        hand = work.order[place]
        _add_row(hand, present, cards, local, passed, pairs.meetings)
        # The hand itself was taken away twice.
        pairs.meetings[local[hand], local[hand]] += 1


@kernel(makes_arrays=False)
def _add_row(
    hand: int, present: int, cards: Bytes, local: Int32s, passed: Int16s, sums: Int32s
) -> None:
    every, low, high = passed[52], passed[cards[hand, 0]], passed[cards[hand, 1]]
    row = sums[local[hand]]
    for bucket in range(present):
        row[bucket] += every[bucket] - low[bucket] - high[bucket]

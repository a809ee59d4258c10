"""Showdowns between buckets, added up over whole boards with card removal.

On one board the hands are sorted once. A sweep from the worst keeps for each bucket how many
hands have passed, in all and with each card; what a hand beats is total − of card a − of card b,
bucket by bucket. A board costs about 1,081 · 6 · buckets additions.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pokerlab.abstraction.bucket_kernels import Chain, hands_on_board
from pokerlab.abstraction.strength_kernels import Showdown
from pokerlab.cards.showdown_kernels import Workspace, compare_on_board, make_workspace
from pokerlab.jit import kernel

__all__ = ["add_bucket_showdowns", "add_moves"]

Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]
Int32s = npt.NDArray[np.int32]

_COMBOS = 1326


@kernel
def add_bucket_showdowns(
    boards: Bytes,
    multiplicities: npt.NDArray[np.int64],
    showdown: Showdown,
    chain: Chain,
    value_of: npt.NDArray[np.uint16],
    wins: Floats,
    met: Floats,
) -> None:
    """Add for pairs of river buckets how often the first wins, and how often they meet.

    Boards are in the order of dealing. Where the bucket depends on the strength alone,
    `value_of` (1981) has it; otherwise it is empty. `wins` and `met` are (buckets, buckets).
    """
    work = make_workspace(_COMBOS)
    buckets = np.empty(_COMBOS, np.int32)
    deal = np.empty(7, np.uint8)
    passed = np.empty((53, len(wins)), np.float64)
    for board in range(len(boards)):
        count = compare_on_board(boards[board], showdown.hands, work, showdown.evaluator)
        if len(value_of):
            for place in range(count):
                hand = work.order[place]
                buckets[hand] = value_of[int(2.0 * work.beaten[hand] + work.tied[hand])]
        else:
            hands_on_board(boards[board], chain, showdown.hands.cards, deal, buckets)
        times = float(multiplicities[board])
        _sweep(count, times, showdown.hands.cards, buckets, work, passed, wins, met)


@kernel(makes_arrays=False)
def _sweep(
    count: int,
    times: float,
    cards: Bytes,
    buckets: Int32s,
    work: Workspace,
    passed: Floats,
    wins: Floats,
    met: Floats,
) -> None:
    """Go through the hands, worst first; `passed` has a row for each card and one for all."""
    passed[:] = 0.0
    first = 0
    while first < count:
        hand_class = work.classes[work.order[first]]
        last = first
        while last < count and work.classes[work.order[last]] == hand_class:
            _add_row(work.order[last], times, cards, buckets, passed, wins)
            last += 1
        for place in range(first, last):
            hand = work.order[place]
            passed[cards[hand, 0], buckets[hand]] += 1.0
            passed[cards[hand, 1], buckets[hand]] += 1.0
            passed[52, buckets[hand]] += 1.0
        first = last
    for place in range(count):
        hand = work.order[place]
        _add_row(hand, times, cards, buckets, passed, met)
        # The hand itself was taken away twice.
        met[buckets[hand], buckets[hand]] += times


@kernel(makes_arrays=False)
def _add_row(
    hand: int, times: float, cards: Bytes, buckets: Int32s, passed: Floats, sums: Floats
) -> None:
    low, high, row = int(cards[hand, 0]), int(cards[hand, 1]), int(buckets[hand])
    for bucket in range(sums.shape[1]):
        without = passed[52, bucket] - passed[low, bucket] - passed[high, bucket]
        sums[row, bucket] += times * without


@kernel
def add_moves(board: Bytes, showdown: Showdown, chain: Chain, counts: Floats) -> None:
    """Count (bucket on a board, bucket with one more card) over all hands and all cards."""
    size = len(board)
    deal = np.empty(7, np.uint8)
    now = np.empty(_COMBOS, np.int32)
    later = np.empty(_COMBOS, np.int32)
    longer = np.empty(size + 1, np.uint8)
    longer[:size] = board
    hands_on_board(board, chain, showdown.hands.cards, deal, now)
    for card in range(52):
        longer[size] = card
        known = False
        for place in range(size):
            known |= board[place] == card
        if known:
            continue
        hands_on_board(longer, chain, showdown.hands.cards, deal, later)
        for hand in range(_COMBOS):
            if later[hand] >= 0:
                counts[now[hand], later[hand]] += 1.0

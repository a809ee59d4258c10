"""The strengths of all hands on whole boards, added up for flops and turns, in compiled loops.

A strength on a complete board is twice the opposing hands that lose plus those that tie, of 990:
a whole number from 0 to 1,980. Sums of strengths and of their squares are whole numbers too, so
that nothing is rounded.

A board's 1,081 strengths cost one sort, about 10 microseconds. Sums are kept by combo, in the
first- and second-level cache, and written to their places in the big tables once a board: a flop
adds up 1,176 boards for one look-up of each place, a turn 48.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pokerlab.cards.equities.showdown_kernels import (
    Hands,
    ShowdownWorkspace,
    compare_on_board,
    make_workspace,
)
from pokerlab.cards.evaluator.tables import EvaluatorTables
from pokerlab.cards.isomorphism.hand_index_kernels import IndexTables, deal_index
from pokerlab.runtime.arrays import Bytes, Int64s, Uint16s, Uint64s
from pokerlab.runtime.jit import kernel

STRENGTHS = 1981
"""How many different strengths there are on a complete board: 0 to 1,980."""
CLOSED = 0xFFFF
"""The strength of a combo that the board makes impossible."""


_COMBOS = 1326


class Showdown(NamedTuple):
    """What kernels need to compare all 1,326 combos on a board."""

    hands: Hands
    evaluator: EvaluatorTables


@kernel
def board_strengths(
    board: Bytes, showdown: Showdown, work: ShowdownWorkspace, strengths: Uint16s
) -> None:
    """Write the strength of each combo on a complete board to `strengths` (1326)."""
    count = compare_on_board(board, showdown.hands, work, showdown.evaluator)
    strengths[:] = CLOSED
    for place in range(count):
        hand = work.order[place]
        strengths[hand] = np.uint16(2.0 * work.beaten[hand] + work.tied[hand])


@kernel
def write_river(
    boards: Bytes,
    multiplicities: Int64s,
    showdown: Showdown,
    index: IndexTables,
    river: Uint16s,
    before_flop: Uint64s,
) -> None:
    """Write the strengths on complete boards, and add up what they are before the flop.

    `river` is by number of hand and board; `before_flop` (2, 1326) takes the sums of strengths
    and of their squares over all boards for which these stand.
    """
    work = make_workspace(_COMBOS)
    strengths = np.empty(_COMBOS, np.uint16)
    numbers = np.empty(_COMBOS, np.int64)
    deal = np.empty(7, np.uint8)
    for board in range(len(boards)):
        board_strengths(boards[board], showdown, work, strengths)
        for place in range(5):
            deal[2 + place] = boards[board, place]
        times = np.uint64(multiplicities[board])
        # One pass for the numbers, one to write: the writes go far, and need not wait.
        _number_hands(strengths, showdown.hands.cards, index, deal, numbers)
        for hand in range(_COMBOS):
            if strengths[hand] != CLOSED:
                river[numbers[hand]] = strengths[hand]
                strength = np.uint64(strengths[hand])
                before_flop[0, hand] += times * strength
                before_flop[1, hand] += times * strength * strength


@kernel
def _number_hands(
    strengths: Uint16s, cards: Bytes, index: IndexTables, deal: Bytes, numbers: Int64s
) -> None:
    """Number all hands that are possible with the board of `deal`, whose first cards it changes."""
    for hand in range(len(strengths)):
        if strengths[hand] != CLOSED:
            deal[0] = cards[hand, 0]
            deal[1] = cards[hand, 1]
            numbers[hand] = deal_index(index, deal)


@kernel
def add_up_boards(
    boards: Bytes,
    showdown: Showdown,
    index: IndexTables,
    sums: npt.NDArray[np.uint32],
    squares: npt.NDArray[np.uint32],
) -> None:
    """Write for boards of three or four cards the sums over all ways to complete them.

    `sums` and `squares` are by number of hand and board. On the flop the largest sum of squares
    is 1,081 · 1,980², which 32 bits just hold.
    """
    work = make_workspace(_COMBOS)
    strengths = np.empty(_COMBOS, np.uint16)
    numbers = np.empty(_COMBOS, np.int64)
    sum_of = np.empty(_COMBOS, np.uint32)
    square_of = np.empty(_COMBOS, np.uint32)
    size = boards.shape[1]
    complete = np.empty(5, np.uint8)
    deal = np.empty(2 + size, np.uint8)
    for board in range(len(boards)):
        sum_of[:] = 0
        square_of[:] = 0
        known = 0
        for place in range(size):
            complete[place] = boards[board, place]
            deal[2 + place] = boards[board, place]
            known |= 1 << int(boards[board, place])
        for turn in range(52 if size == 3 else 1):
            if size == 3:
                if known >> turn & 1:
                    continue
                complete[3] = turn
            for river in range(turn + 1 if size == 3 else 0, 52):
                if known >> river & 1:
                    continue
                complete[4] = river
                board_strengths(complete, showdown, work, strengths)
                _add(strengths, sum_of, square_of)
        _possible_hands(known, showdown.hands.cards, strengths)
        _number_hands(strengths, showdown.hands.cards, index, deal, numbers)
        for hand in range(_COMBOS):
            if strengths[hand] != CLOSED:
                sums[numbers[hand]] = sum_of[hand]
                squares[numbers[hand]] = square_of[hand]


@kernel
def _add(strengths: Uint16s, sums: npt.NDArray[np.uint32], squares: npt.NDArray[np.uint32]) -> None:
    for hand in range(len(strengths)):
        strength = np.uint32(strengths[hand]) if strengths[hand] != CLOSED else np.uint32(0)
        sums[hand] += strength
        squares[hand] += strength * strength


@kernel
def _possible_hands(known: int, cards: Bytes, strengths: Uint16s) -> None:
    """Mark the combos that hold a known card, and no others."""
    for hand in range(len(strengths)):
        closed = known >> int(cards[hand, 0]) & 1 or known >> int(cards[hand, 1]) & 1
        strengths[hand] = CLOSED if closed else 0


@kernel
def river_rows(board: Bytes, showdown: Showdown, work: ShowdownWorkspace, rows: Uint16s) -> None:
    """Write the strengths on a board of four cards with each river to `rows` (52, 1326)."""
    complete = np.empty(5, np.uint8)
    for place in range(4):
        complete[place] = board[place]
    for river in range(52):
        if river == board[0] or river == board[1] or river == board[2] or river == board[3]:
            rows[river] = CLOSED
        else:
            complete[4] = river
            board_strengths(complete, showdown, work, rows[river])

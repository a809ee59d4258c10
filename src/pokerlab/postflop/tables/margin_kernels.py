"""Win margins: how many more run-outs one hand wins than another.

Cost: for each run-out the class of every hand, and then for each pair of hands a comparison of
two 16-bit numbers and an addition, sixteen or more at once.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pokerlab.cards.evaluator.tables import EvaluatorTables
from pokerlab.jit import kernel
from pokerlab.postflop.tables.board_kernels import classify_hands

_ONE = np.uint64(1)


@kernel
def count_win_margins(
    board: npt.NDArray[np.uint8],
    cards: tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]],
    tables: EvaluatorTables,
    margins: npt.NDArray[np.int16],
) -> None:
    """Add up win margins of the first player's hands against the second's: (second, first).

    Of a board of three cards both orders of turn and river count, of four cards the rivers.
    Hands that share a card are compared too.
    """
    own = np.empty(cards[0].shape[0], np.int16)
    possible = np.empty(cards[0].shape[0], np.int16)
    opposing = np.empty(cards[1].shape[0], np.int16)
    orders = 2 if board.size == 3 else 1
    known = np.uint64(0)
    whole = np.empty(5, np.uint8)
    for place in range(board.size):
        whole[place] = board[place]
        known |= _ONE << np.uint64(board[place])
    for turn in range(52 if board.size == 3 else 1):
        before = known
        if board.size == 3:
            if known >> np.uint64(turn) & _ONE:
                continue
            before |= _ONE << np.uint64(turn)
            whole[3] = turn
        for river in range(turn if board.size == 3 else 52):
            if before >> np.uint64(river) & _ONE:
                continue
            whole[4] = river
            classify_hands(whole, cards[0], tables, own)
            classify_hands(whole, cards[1], tables, opposing)
            for hand in range(own.size):
                possible[hand] = 0 if own[hand] == 0 else orders
            for other in range(opposing.size):
                theirs = opposing[other]
                if theirs != 0:
                    row = margins[other]
                    for hand in range(own.size):
                        better = np.int16(own[hand] < theirs) - np.int16(own[hand] > theirs)
                        row[hand] += possible[hand] * better

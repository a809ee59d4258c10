"""Subsets of run-outs: how strong hands are on every board, and what a check-down misses.

Cost: 10 ns a hand and board for the strengths; for the check-downs of a turn two comparisons of
16-bit numbers for each river of the subset and each pair of hands.
"""

from __future__ import annotations

import numpy as np

from pokerlab.cards.equities.showdown_kernels import Hands, compare_on_board, make_workspace
from pokerlab.cards.evaluator.tables import EvaluatorTables
from pokerlab.runtime.arrays import Bytes, Int16s, Int32s, Singles
from pokerlab.runtime.jit import kernel


@kernel
def find_strengths(
    boards: Bytes, hands: Hands, whole: int, tables: EvaluatorTables, found: Int16s
) -> None:
    """Write the strength of each hand on complete boards, in parts of `whole`: (boards, hands).

    −1 where the board has a card of the hand, or nobody can oppose it. With opposing weights that
    are whole numbers the result is the same on every machine.
    """
    work = make_workspace(hands.masks.size)
    for board in range(boards.shape[0]):
        found[board, :] = -1
        count = compare_on_board(boards[board], hands, work, tables)
        for place in range(count):
            hand = work.order[place]
            if work.unblocked[hand] > 0:
                won = work.beaten[hand] + work.tied[hand] / 2
                found[board, hand] = int(np.floor(won / work.unblocked[hand] * whole + 0.5))


@kernel
def add_showdowns_of_pairs(
    own: Int16s, opposing: Int16s, weights: Singles, margins: Singles
) -> None:
    """Add to `margins` (opposing, own) who wins on complete boards, times their weights.

    Classes are (boards, hands), 0 for a hand that the board does not allow. Hands that share a card
    are not told apart from others.
    """
    hands = own.shape[1]
    for other in range(opposing.shape[1]):
        row = margins[other]
        for board in range(own.shape[0]):
            theirs, mine, weight = opposing[board, other], own[board], weights[board]
            if theirs > 0:
                for hand in range(hands):
                    won = np.float32(mine[hand] < theirs) - np.float32(mine[hand] > theirs)
                    row[hand] += weight * won * np.float32(mine[hand] > 0)


@kernel
def add_carried_margins(
    margins: Singles,
    own_places: Int32s,
    opposing_places: Int32s,
    weight: np.float32,
    total: Singles,
) -> None:
    """Add margins on a board (opposing, own) to those on the board before it, times a weight.

    Places are where hands of the board before are found on the board, more than there are where
    they are impossible.
    """
    opposing, own = total.shape
    for other in range(opposing):
        if opposing_places[other] < opposing:
            row = margins[opposing_places[other]]
            for hand in range(own):
                if own_places[hand] < own:
                    total[other, hand] += weight * row[own_places[hand]]

"""Subsets of run-outs: how strong hands are on every board, and what a check-down misses.

Cost: 10 ns a hand and board for the strengths; for the check-downs of a turn two comparisons of
16-bit numbers for each river of the subset and each pair of hands.
"""

from __future__ import annotations

import numpy as np

from pokerlab.cards.equities.showdown_kernels import Hands, compare_on_board, make_workspace
from pokerlab.cards.evaluator.tables import EvaluatorTables
from pokerlab.runtime.arrays import Bytes, Int16s, Int32s, Int64s, Singles, Uint16s, Uint64s
from pokerlab.runtime.jit import kernel
from pokerlab.runtime.vector_kernels import LANES, load, load_as, splat, store


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
def add_ties_of_pairs(own: Int16s, opposing: Int16s, weights: Singles, ties: Singles) -> None:
    """Add to `ties` (opposing, own) who ties on complete boards, times their weights.

    See `add_showdowns_of_pairs`.
    """
    hands = own.shape[1]
    for other in range(opposing.shape[1]):
        row = ties[other]
        for board in range(own.shape[0]):
            theirs, mine, weight = opposing[board, other], own[board], weights[board]
            if theirs > 0:
                for hand in range(hands):
                    row[hand] += weight * np.float32(mine[hand] == theirs)


@kernel
def add_carried_margins(
    margins: Uint16s,
    boards: Int64s,
    weights: Singles,
    own_places: Int32s,
    opposing_places: Int32s,
    others: tuple[int, int],
    total: Singles,
) -> None:
    """Add margins on the boards of a street to those of some opposing hands on the board before it.

    Margins are IEEE halves, ``[board][opposing][own]``. Each row of places is a card: where hands
    of the board before are found on its board, more than there are where they are impossible; it
    counts with its weight.
    """
    opposing, own = total.shape
    row = np.empty(own, np.float32)
    zero = splat(np.float32(0))
    for other in range(others[0], others[1]):
        for card in range(boards.size):
            there = opposing_places[card, other]
            if there < opposing:
                first = (boards[card] * opposing + there) * own
                for hand in range(0, own, LANES):
                    store(row, hand, load_as(margins, first + hand, zero))
                weight, places = weights[card], own_places[card]
                for hand in range(own):
                    if places[hand] < own:
                        total[other, hand] += weight * row[places[hand]]


@kernel
def write_corrections(
    counted: Uint16s,
    whole: np.float32,
    subset: Singles,
    chance: np.float32,
    own_scales: Singles,
    opposing_scales: Singles,
    own_masks: Uint64s,
    opposing_masks: Uint64s,
    found: Uint16s,
) -> None:
    """Write the margins over all run-outs less those of a subset, both as parts of the pot.

    What is counted (halves) is `whole` times too large; sums over a subset (opposing, own) become
    means by the scales of both hands and the chance of a card. Hands that share a card, by their
    masks of cards, have nothing to correct.
    """
    opposing, own = subset.shape
    row = np.empty(own, np.float32)
    zero, factor = splat(np.float32(0)), splat(whole)
    for other in range(opposing):
        mask, scale = opposing_masks[other], opposing_scales[other]
        for hand in range(own):
            row[hand] = subset[other, hand] * (scale * own_scales[hand]) * chance
        for hand in range(0, own, LANES):
            counts = load_as(counted, other * own + hand, zero)
            store(row, hand, counts * factor - load(row, hand))
        for hand in range(own):
            row[hand] = row[hand] if own_masks[hand] & mask == 0 else np.float32(0)
        for hand in range(0, own, LANES):
            store(found, other * own + hand, load(row, hand))


@kernel
def turn_corrections(found: Uint16s, own: int, turned: Uint16s) -> None:
    """Write corrections of the other player: (own, opposing), with the sign changed."""
    opposing = found.size // own
    for first in range(0, opposing, LANES):
        for hand in range(own):
            for other in range(first, first + LANES):
                turned[hand * opposing + other] = found[other * own + hand] ^ 0x8000

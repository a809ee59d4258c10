"""Histograms of river strength of all hands, and the centre that each is nearest to."""

from __future__ import annotations

import numpy as np

from pokerlab.cards.equities.showdown_kernels import make_workspace
from pokerlab.cards.isomorphism.hand_index_kernels import IndexTables, deal_index
from pokerlab.engine.groups.clustering_kernels import assign_rows
from pokerlab.holdem.limit.strength.strength_kernels import (
    CLOSED,
    STRENGTHS,
    Showdown,
    board_strengths,
)
from pokerlab.runtime.arrays import Bytes, Int64s, Singles, Uint16s
from pokerlab.runtime.jit import kernel

_COMBOS = 1326


@kernel
def write_histograms(
    boards: Bytes,
    showdown: Showdown,
    index: IndexTables,
    histograms: Uint16s,
) -> None:
    """Write how river strengths are distributed for all hands on boards of three or four cards.

    `histograms` (numbers, bins) takes for each hand and board the number of run-outs in each bin.
    """
    bins = histograms.shape[1]
    cards = showdown.hands.cards
    work = make_workspace(_COMBOS)
    strengths = np.empty(_COMBOS, np.uint16)
    here = np.empty((_COMBOS, bins), np.uint16)
    size = boards.shape[1]
    complete = np.empty(5, np.uint8)
    deal = np.empty(2 + size, np.uint8)
    for board in range(len(boards)):
        here[:] = 0
        for place in range(size):
            complete[place] = boards[board, place]
            deal[2 + place] = boards[board, place]
        for turn in range(52 if size == 3 else 1):
            if size == 3:
                if _holds(boards[board], turn):
                    continue
                complete[3] = turn
            for river in range(turn + 1 if size == 3 else 0, 52):
                if _holds(boards[board], river):
                    continue
                complete[4] = river
                board_strengths(complete, showdown, work, strengths)
                for hand in range(_COMBOS):
                    if strengths[hand] != CLOSED:
                        here[hand, int(strengths[hand]) * bins // STRENGTHS] += 1
        for hand in range(_COMBOS):
            if not _holds(boards[board], cards[hand, 0]) | _holds(boards[board], cards[hand, 1]):
                deal[0] = cards[hand, 0]
                deal[1] = cards[hand, 1]
                number = deal_index(index, deal)
                for column in range(bins):
                    histograms[number, column] = here[hand, column]


@kernel
def add_start_histograms(
    boards: Bytes, multiplicities: Int64s, showdown: Showdown, histograms: Int64s
) -> None:
    """Add how river strengths are distributed before the flop to `histograms` (1326, bins)."""
    bins = histograms.shape[1]
    work = make_workspace(_COMBOS)
    strengths = np.empty(_COMBOS, np.uint16)
    for board in range(len(boards)):
        board_strengths(boards[board], showdown, work, strengths)
        for hand in range(_COMBOS):
            if strengths[hand] != CLOSED:
                place = int(strengths[hand]) * bins // STRENGTHS
                histograms[hand, place] += multiplicities[board]


@kernel
def _holds(board: Bytes, card: int) -> bool:
    found = False
    for place in range(len(board)):
        found |= board[place] == card
    return found


@kernel
def assign_histograms(histograms: Uint16s, centres: Singles, values: Uint16s) -> None:
    """Write the nearest centre of each histogram of counts (n, bins) to `values`."""
    bins = histograms.shape[1]
    row = np.empty((1, bins), np.float32)
    nearest = np.empty(1, np.int64)
    distances = np.empty(1, np.float32)
    for number in range(len(histograms)):
        total = np.float32(0)
        for place in range(bins):
            total += np.float32(histograms[number, place])
            row[0, place] = total
        for place in range(bins):
            row[0, place] /= total
        assign_rows(row, centres, nearest, distances)
        values[number] = nearest[0]

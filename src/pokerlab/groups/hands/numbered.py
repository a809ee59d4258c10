"""Groups of similar hands, as many for each street as asked for, every board on its own.

Both kinds look at the hands of a player's own range on a board, with their weights, and at their
strength against all opposing combos on the complete boards to come.

- **percentile** cuts the hands by their mean strength into parts of equal weight. Hands of one
  strength stay together, in the part where the middle of them lies.
- **kmeans** puts hands together whose strengths on the river are distributed in a similar way: the
  earth mover's distance of their histograms in `pokerlab.groups.clustering.BINS` bins. On the river
  a hand is one strength, and the groups are the best possible ones by squared distance.

A street that asks for as many groups as there are hands, or more, has one for each hand. Weights
are rounded to millionths. The same hands always make the same groups; the names of the suits play
no part.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from pokerlab.arrays import Bytes, Floats, Int32s, Int64s
from pokerlab.cards.codes import N_COMBOS
from pokerlab.groups.clustering import BINS, cluster_rows, cumulated
from pokerlab.groups.clustering_kernels import assign_rows
from pokerlab.groups.hands.hand_grouping import HandGrouping
from pokerlab.groups.hands.line_kernels import part_line
from pokerlab.groups.hands.measures import GRID, STRENGTHS, river_strengths
from pokerlab.groups.hands.run_outs import RunOuts, in_threads, possible_combos


def number_similar_hands(
    grouping: HandGrouping,
    run_outs: RunOuts,
    boards: Sequence[Bytes],
    own: Floats,
    threads: int,
) -> list[Int32s]:
    """Number the groups of the hands of a range on boards of each street, each on its own.

    Returns
    -------
    By street, numbers (boards, 1326) below 1,326; −1 for other hands.
    """
    strengths = river_strengths(run_outs.rivers, threads)
    weights = np.maximum(np.rint(own * GRID), own > 0).astype(np.int64)
    numbered = []
    for street in boards:
        count = grouping.count_for(street.shape[1])
        numbers = np.full((len(street), N_COMBOS), -1, np.int32)

        def number(
            part: slice, count: int = count, street: Bytes = street, numbers: Int32s = numbers
        ) -> None:
            for place in range(part.start, part.stop):
                board = street[place].tolist()
                hands = np.flatnonzero(possible_combos(board) & (weights > 0))
                to_come = strengths[run_outs.below(board)][:, hands]
                numbers[place, hands] = _group(grouping.kind, to_come, weights[hands], count)

        in_threads(number, len(street), threads)
        numbered.append(numbers)
    return numbered


def _group(kind: str, strengths: Int32s, weights: Int64s, count: int) -> npt.NDArray[np.integer]:
    """Group hands by their strengths on complete boards (boards, hands), −1 if impossible."""
    if count >= len(weights):
        return np.arange(len(weights))
    if kind == "percentile":
        return _percentiles(np.maximum(strengths, 0).sum(axis=0), weights, count)
    if len(strengths) == 1:
        return _best_intervals(strengths[0], weights, count)
    return _clusters(strengths, weights, count)


def _percentiles(
    values: npt.NDArray[np.integer], weights: Int64s, count: int
) -> npt.NDArray[np.integer]:
    different, place = np.unique(values, return_inverse=True)
    together = np.zeros(len(different), np.int64)
    np.add.at(together, place, weights)
    ends = np.cumsum(together)
    parts: Int64s = (2 * ends - together) * count // (2 * ends[-1])
    return parts[place]


def _best_intervals(values: Int32s, weights: Int64s, count: int) -> npt.NDArray[np.integer]:
    different, place = np.unique(values, return_inverse=True)
    if count >= len(different):
        return place
    together = np.bincount(place, weights).astype(np.float64)
    parts = np.empty(len(different), np.int32)
    part_line(different.astype(np.float64), together, count, parts)
    return parts[place]


def _clusters(strengths: Int32s, weights: Int64s, count: int) -> npt.NDArray[np.integer]:
    hands = strengths.shape[1]
    cells = np.arange(hands) * BINS + strengths * BINS // STRENGTHS
    histograms = np.bincount(cells[strengths >= 0], minlength=hands * BINS).reshape(hands, BINS)
    # Equal hands are one row, and the rows are sorted: the order of the combos does not matter.
    different, place = np.unique(histograms, axis=0, return_inverse=True)
    if count >= len(different):
        return place
    rows = cumulated(different)
    together = np.bincount(place, weights).astype(np.float64)
    centres = cluster_rows(rows, together, count, np.random.default_rng(0))
    nearest, distances = np.empty(len(rows), np.int64), np.empty(len(rows), np.float32)
    assign_rows(rows, centres, nearest, distances)
    return nearest[place]

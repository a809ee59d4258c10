"""Buckets by k-means: hands whose strengths on the river are distributed in a similar way.

A hand is described by the histogram of its strength on all complete boards to come. The distance of
two hands is the earth mover's distance of their histograms; a centre is the mean histogram of
its hands, and centres are numbered by their mean strength, the weakest first. On the river a
hand is one strength, and the distance is the difference.

Deviation from textbook k-means: the distance is not squared, so a centre is not exactly the best
one for its hands (that would be a median); in practice the rounds settle all the same, and the
best of them is kept. Centres are found on a sample of hands; then every hand goes to the nearest.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from pokerlab.abstraction.buckets.clustering_kernels import (
    add_start_histograms,
    assign_histograms,
    assign_rows,
    move_centres,
    write_histograms,
)
from pokerlab.abstraction.strength.tables import BOARD_CARDS, all_combos, hand_indexers
from pokerlab.cards.codes import COMBO_CARDS, N_COMBOS
from pokerlab.cards.isomorphism.suits import board_orbits
from pokerlab.files.builds import Tick

__all__ = ["BINS", "cluster_rows", "cluster_street", "cumulated"]

BINS = 30
"""Bins of a histogram of river strength."""
_SAMPLE = 100_000
_ROUNDS = 40
_HISTOGRAMS = 0.9
"""The share of the time that the histograms take."""

Shares = npt.NDArray[np.float32]
Values = npt.NDArray[np.uint16]


def cluster_street(
    street: int, count: int, rng: np.random.Generator, tick: Tick | None = None
) -> Values:
    """Part the hands of a street before the river into buckets; by number of hand and board.

    Parameters
    ----------
    street, count
        0 to 2; how many buckets.
    rng
        For the sample of hands and the first centres.
    tick
        Called with each share of the work that is done.
    """
    tick = tick or (lambda share: None)
    indexer = hand_indexers()[street]

    def histograms_tick(share: float) -> None:
        tick(_HISTOGRAMS * share)

    histograms = (
        _start_histograms(histograms_tick) if street == 0 else _histograms(street, histograms_tick)
    )
    numbers = np.arange(indexer.size)
    if len(numbers) > _SAMPLE:
        numbers = np.sort(rng.choice(indexer.size, _SAMPLE, replace=False))
    _, deals = indexer.unindex_batch(numbers)
    centres = cluster_rows(cumulated(histograms[numbers]), deals.astype(np.float64), count, rng)
    values = np.empty(indexer.size, np.uint16)
    _in_threads(
        lambda first, last: assign_histograms(histograms[first:last], centres, values[first:last]),
        indexer.size,
        lambda share: tick((1 - _HISTOGRAMS) * share),
    )
    return values


def cluster_rows(
    rows: Shares, weights: npt.NDArray[np.float64], count: int, rng: np.random.Generator
) -> Shares:
    """Find `count` centres of weighted rows by the sum of absolute differences.

    Returns the centres as columns (bins, count), the ones with the highest means last (the
    cumulated histogram of a strong hand is low).

    Examples
    --------
    >>> rows = np.array([[0.0], [0.1], [0.9], [1.0]], np.float32)
    >>> cluster_rows(rows, np.ones(4), 2, np.random.default_rng(1)).round()
    array([[1., 0.]], dtype=float32)
    """
    centres = _spread(rows, weights, count, rng)
    sums, totals = np.zeros((rows.shape[1], count)), np.zeros(count)
    nearest, distances = np.zeros(len(rows), np.int64), np.zeros(len(rows), np.float32)
    best, best_cost = centres, np.inf
    for _ in range(_ROUNDS):
        assign_rows(rows, centres, nearest, distances)
        cost = float(weights @ distances)
        if cost >= best_cost * (1 - 1e-4):
            break
        best, best_cost = centres, cost
        move_centres(rows, weights, nearest, sums, totals)
        moved = np.where(totals > 0, sums / np.maximum(totals, 1e-300), centres)
        # A centre that has lost all its rows goes where the largest error is.
        for lost, far in zip(np.flatnonzero(totals == 0), np.argsort(-distances), strict=False):
            moved[:, lost] = rows[far]
        centres = np.ascontiguousarray(moved, dtype=np.float32)
    return np.ascontiguousarray(best[:, np.argsort(-best.sum(axis=0), kind="stable")])


def _spread(
    rows: Shares, weights: npt.NDArray[np.float64], count: int, rng: np.random.Generator
) -> Shares:
    """First centres: each drawn by weight and the square of the distance to the others so far."""
    chosen = [int(rng.choice(len(rows), p=weights / weights.sum()))]
    distances = np.abs(rows - rows[chosen[0]]).sum(axis=1)
    for _ in range(1, count):
        chances = weights * distances.astype(np.float64) ** 2
        if not chances.any():
            raise ValueError(
                f"{count} buckets are too many: there are only {len(chosen)} different hands"
            )
        chosen.append(int(rng.choice(len(rows), p=chances / chances.sum())))
        np.minimum(distances, np.abs(rows - rows[chosen[-1]]).sum(axis=1), out=distances)
    return np.ascontiguousarray(rows[chosen].T)


def cumulated(histograms: npt.NDArray[Any]) -> Shares:
    """Rows of counts as rows of cumulated shares.

    Examples
    --------
    >>> cumulated(np.array([[1, 1, 2]]))
    array([[0.25, 0.5 , 1. ]], dtype=float32)
    """
    totals = np.cumsum(histograms, axis=1, dtype=np.float64)
    return np.asarray(totals / totals[:, -1:], np.float32)


def _histograms(street: int, tick: Tick) -> Values:
    boards, _ = board_orbits(size=BOARD_CARDS[street])
    indexer = hand_indexers()[street]
    histograms = np.zeros((indexer.size, BINS), np.uint16)
    _in_threads(
        lambda first, last: write_histograms(
            boards[first:last], all_combos(), indexer.tables, histograms
        ),
        len(boards),
        tick,
    )
    return histograms


def _start_histograms(tick: Tick) -> Values:
    """Histograms of the 169 classes; scaled, because counts of boards do not fit 16 bits."""
    boards, multiplicities = board_orbits()
    by_combo = np.zeros((N_COMBOS, BINS), np.int64)
    ends = np.linspace(0, len(boards), 65).astype(int)
    for here in map(slice, ends[:-1], ends[1:]):
        add_start_histograms(boards[here], multiplicities[here], all_combos(), by_combo)
        tick(1 / 64)
    numbers = hand_indexers()[0].index_batch(COMBO_CARDS)
    classes = np.zeros((hand_indexers()[0].size, BINS))
    np.add.at(classes, numbers, by_combo)
    shares = classes / classes.sum(axis=1, keepdims=True)
    return np.asarray(np.rint(shares * np.iinfo(np.uint16).max), np.uint16)


def _in_threads(work: Callable[[int, int], None], size: int, tick: Tick) -> None:
    def part(first: int, last: int) -> None:
        work(first, last)
        tick((last - first) / size)

    ends = np.linspace(0, size, 65).astype(int)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(part, ends[:-1], ends[1:]))

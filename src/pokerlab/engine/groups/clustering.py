"""K-means on histograms by the earth mover's distance: what buckets and groups of hands share.

In one dimension, the work to turn one histogram into another is the sum over the bins of the
differences of the cumulated histograms, so rows of cumulated shares are compared by the sum of
absolute differences.

Deviation from textbook k-means: the distance is not squared, so a centre is not exactly the best
one for its rows (that would be a median); in practice the rounds settle all the same, and the
best of them is kept.
"""

from __future__ import annotations

import numpy as np

from pokerlab.engine.groups.clustering_kernels import assign_rows, move_centres
from pokerlab.runtime.arrays import AnyArray, Floats, Singles

BINS = 30
"""Bins of a histogram of river strength."""
_ROUNDS = 40


def cluster_rows(rows: Singles, weights: Floats, count: int, rng: np.random.Generator) -> Singles:
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


def _spread(rows: Singles, weights: Floats, count: int, rng: np.random.Generator) -> Singles:
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


def cumulated(histograms: AnyArray) -> Singles:
    """Rows of counts as rows of cumulated shares.

    Examples
    --------
    >>> cumulated(np.array([[1, 1, 2]]))
    array([[0.25, 0.5 , 1. ]], dtype=float32)
    """
    totals = np.cumsum(histograms, axis=1, dtype=np.float64)
    return np.asarray(totals / totals[:, -1:], np.float32)

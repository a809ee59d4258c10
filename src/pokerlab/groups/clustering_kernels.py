"""K-means on rows of cumulated shares, in compiled loops.

A row is compared with all centres at once: the loop over centres is inside, so that the processor
takes sixteen of them at a time. A row costs a subtraction and an addition for each bin and centre,
about 0.1 ns each.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pokerlab.jit import kernel

Int64s = npt.NDArray[np.int64]
Shares = npt.NDArray[np.float32]


@kernel
def assign_rows(rows: Shares, centres: Shares, nearest: Int64s, distances: Shares) -> None:
    """Find for each of `rows` (n, bins) the nearest of `centres` (bins, k), and how far it is."""
    bins, count = centres.shape
    distance = np.empty(count, np.float32)
    for row in range(len(rows)):
        distance[:] = 0
        for place in range(bins):
            share = rows[row, place]
            for centre in range(count):
                distance[centre] += abs(share - centres[place, centre])
        best = 0
        for centre in range(1, count):
            if distance[centre] < distance[best]:
                best = centre
        nearest[row] = best
        distances[row] = distance[best]


@kernel
def move_centres(
    rows: Shares,
    weights: npt.NDArray[np.float64],
    nearest: Int64s,
    sums: npt.NDArray[np.float64],
    totals: npt.NDArray[np.float64],
) -> None:
    """Add up the rows of each centre: `sums` (bins, k), and their weights: `totals` (k)."""
    sums[:] = 0
    totals[:] = 0
    for row in range(len(rows)):
        centre = nearest[row]
        totals[centre] += weights[row]
        for place in range(rows.shape[1]):
            sums[place, centre] += weights[row] * rows[row, place]

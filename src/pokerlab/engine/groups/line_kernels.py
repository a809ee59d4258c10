"""The best k groups of points on a line, in compiled loops.

Groups of a line are intervals, so the best ones come from dynamic programming over where the last
one begins. The squared distance to the mean of an interval satisfies the quadrangle inequality:
where the last of k groups begins is bounded by the same for one group less and for one point
more (Knuth 1971, Yao 1980). That makes n points cost n · (n + k) steps, about 0.1 ms for the 230
strengths of a river board.
"""

from __future__ import annotations

import numpy as np

from pokerlab.runtime.arrays import Floats, Int32s
from pokerlab.runtime.jit import kernel


@kernel
def part_line(points: Floats, weights: Floats, count: int, parts: Int32s) -> float:
    """Part rising points into `count` intervals with the least weighted squared distance to means.

    `parts` takes the part of each point, 0 for the lowest; returns the sum of the squared
    distances. There are at least as many points as parts.
    """
    size = points.size
    # Sums of weights, of points and of their squares before each place; from the middle, so that
    # the differences of large numbers stay exact.
    middle = (points[0] + points[size - 1]) / 2
    sums = np.zeros((3, size + 1))
    for place in range(size):
        shifted = points[place] - middle
        sums[0, place + 1] = sums[0, place] + weights[place]
        sums[1, place + 1] = sums[1, place] + weights[place] * shifted
        sums[2, place + 1] = sums[2, place] + weights[place] * shifted * shifted
    # cost[e]: the best of the first e points with the parts so far; begins[p, e]: where the last
    # of p + 1 parts begins then.
    cost = np.empty(size + 1)
    before = np.empty(size + 1)
    begins = np.zeros((count, size + 1), np.int32)
    for end in range(1, size + 1):
        cost[end] = _spread(sums, 0, end)
    for part in range(1, count):
        before[:] = cost
        latest = size - 1
        for end in range(size, part, -1):
            earliest = max(part, begins[part - 1, end])
            best, place = np.inf, earliest
            for begin in range(earliest, min(latest, end - 1) + 1):
                found = before[begin] + _spread(sums, begin, end)
                if found < best:
                    best, place = found, begin
            cost[end] = best
            begins[part, end] = place
            latest = place
    total = cost[size]
    end = size
    for part in range(count - 1, -1, -1):
        begin = begins[part, end] if part > 0 else 0
        parts[begin:end] = part
        end = begin
    return float(total)


@kernel(makes_arrays=False)
def _spread(sums: Floats, begin: int, end: int) -> float:
    weight = sums[0, end] - sums[0, begin]
    total = sums[1, end] - sums[1, begin]
    return float(max(sums[2, end] - sums[2, begin] - total * total / weight, 0.0))

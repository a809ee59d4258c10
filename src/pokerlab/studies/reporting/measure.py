"""Measured numbers with their standard errors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pokerlab.runtime.arrays import Floats


class Measure(NamedTuple):
    """A number and its standard error; NaN where there is none.

    Examples
    --------
    >>> Measure(3.0, 3.0) - Measure(5.0, 4.0)
    Measure(value=-2.0, error=5.0)
    """

    value: float
    error: float

    def __sub__(self, other: Measure) -> Measure:
        """The difference of two independent measurements."""
        return Measure(self.value - other.value, math.hypot(self.error, other.error))

    def __neg__(self) -> Measure:
        """The opposite number."""
        return Measure(-self.value, self.error)


def mean_of(values: Sequence[float] | Floats) -> Measure:
    """The mean of independent samples.

    Examples
    --------
    >>> mean_of([1.0, 3.0])
    Measure(value=2.0, error=1.0)
    >>> mean_of([1.0]).error
    nan
    """
    each = np.asarray(values, np.float64)
    if len(each) == 0:
        return Measure(math.nan, math.nan)
    error = each.std(ddof=1) / math.sqrt(len(each)) if len(each) > 1 else math.nan
    return Measure(float(each.mean()), float(error))


def share(part: float, whole: float) -> Measure:
    """A frequency, as if all that is counted were independent.

    Examples
    --------
    >>> share(25, 100)
    Measure(value=0.25, error=0.04330127018922193)
    """
    if whole == 0:
        return Measure(math.nan, math.nan)
    value = part / whole
    return Measure(value, math.sqrt(value * (1.0 - value) / whole))


def slope(places: Sequence[float], values: Sequence[Measure]) -> Measure:
    """The slope of the straight line through measurements, weighted by their errors.

    Places without an error do not count. The error is that of the measurements, or, if they lie
    further from a line than their errors say, what their scatter says.

    Examples
    --------
    >>> slope([0, 1, 2], [Measure(1.0, 0.1), Measure(3.0, 0.1), Measure(5.0, 0.1)])
    Measure(value=2.0, error=0.0707...)
    """
    known = [
        (place, each.value, 1.0 / each.error**2)
        for place, each in zip(places, values, strict=True)
        if each.error > 0.0
    ]
    if len(known) < 2:
        return Measure(math.nan, math.nan)
    x, y, weight = np.array(known).T
    x = x - np.average(x, weights=weight)
    y = y - np.average(y, weights=weight)
    spread = float((weight * x**2).sum())
    value = float((weight * x * y).sum()) / spread
    scatter = float((weight * (y - value * x) ** 2).sum()) / max(len(known) - 2, 1)
    return Measure(value, math.sqrt(max(scatter, 1.0) / spread))

"""Sums of what was won, in the order in which it was played: means, errors, and a win curve."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.arrays import Floats

POINTS = 500
"""About so many points of a curve are kept."""


class Sums(NamedTuple):
    """Sums after some deals, of one or several quantities."""

    deals: int
    total: Floats
    squares: Floats

    @property
    def mean(self) -> Floats:
        """The average of a deal."""
        return self.total / max(self.deals, 1)

    @property
    def stderr(self) -> Floats:
        """The standard error of that; NaN for fewer than two deals."""
        if self.deals < 2:
            return np.full_like(self.total, np.nan)
        spread = np.maximum(self.squares - self.total**2 / self.deals, 0.0)
        return np.asarray(np.sqrt(spread / (self.deals - 1) / self.deals))


class Totals:
    """Adds up some quantities of each deal.

    Attributes
    ----------
    last
        The sums of all that was added.
    curve
        The sums on the way, at evenly spaced numbers of deals.

    Examples
    --------
    >>> totals = Totals(columns=1, deals=4)
    >>> totals.add(np.array([[1.0], [3.0], [-1.0]]))
    >>> float(totals.last.mean[0]), [float(point.total[0]) for point in totals.curve]
    (1.0, [1.0, 4.0, 3.0])
    """

    def __init__(self, columns: int, deals: int) -> None:
        self.last = Sums(0, np.zeros(columns), np.zeros(columns))
        self.curve: list[Sums] = []
        self._step = max(1, deals // POINTS)

    def add(self, samples: Floats) -> None:
        """Count more deals: (deals, columns)."""
        begin = 0
        while begin < len(samples):
            # Up to the next point of the curve, or to the end.
            end = min(begin + self._step - self.last.deals % self._step, len(samples))
            part = samples[begin:end]
            self.last = Sums(
                self.last.deals + len(part),
                self.last.total + part.sum(axis=0),
                self.last.squares + (part**2).sum(axis=0),
            )
            if self.last.deals % self._step == 0:
                self.curve.append(self.last)
            begin = end


def standardised(difference: float, error: float) -> float:
    """A difference in standard errors; infinite where there is a difference and no error."""
    if abs(difference) < 1e-9:
        return 0.0
    return difference / error if error > 0 else float(np.copysign(np.inf, difference))

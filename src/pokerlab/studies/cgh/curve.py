"""How update rules did: the measurements of each on each game, and what they show."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pokerlab.runtime.arrays import Floats, Int64s
from pokerlab.solvers import Point, parse_rule

_ROWS_GROWTH = 1.2
"""The rows of the curves' file lie so far apart."""
_NEAR = 1.25
"""Measurements up to this factor away count as being around an iteration."""
_SETTLED = 10
"""Rises are counted from this iteration on: the first steps of all rules are large."""
_ROUNDING = 1e-12
"""Exploitabilities below this are rounding errors; they all count as this."""


@dataclass(frozen=True)
class RaceCurve:
    """How a rule did on a game.

    Attributes
    ----------
    game, rule
        The name of the track and the text of the rule.
    nbytes
        The memory of what the rule keeps between iterations.
    points
        All measurements.
    """

    game: str
    rule: str
    nbytes: int
    points: tuple[Point, ...]

    @property
    def last(self) -> Point:
        """The last measurement."""
        return self.points[-1]

    @cached_property
    def iterations(self) -> Int64s:
        """Where it was measured."""
        return np.array([point.iteration for point in self.points], np.int64)

    @cached_property
    def seconds(self) -> Floats:
        """The time spent in iterations up to there."""
        return np.array([point.seconds for point in self.points], np.float64)

    @cached_property
    def exploitability(self) -> Floats:
        """What was measured, rounding errors cut off."""
        found = np.array([point.exploitability for point in self.points], np.float64)
        return np.maximum(found, _ROUNDING)

    @cached_property
    def best(self) -> Floats:
        """The lowest exploitability up to each point: what one has who keeps the best iterate."""
        return np.minimum.accumulate(self.exploitability)

    def around(self, iteration: int) -> float:
        """The median of the exploitability near an iteration; NaN where the curve ends before.

        A single measurement of a curve that goes up and down says little.
        """
        if iteration > self.iterations[-1]:
            return math.nan
        near = (self.iterations * _NEAR >= iteration) & (self.iterations <= iteration * _NEAR)
        return float(np.median(self.exploitability[near])) if near.any() else math.nan

    @property
    def slope(self) -> float:
        """The p of ε ≈ n^p over the last two decades; NaN where all is rounding errors.

        −1/2 is what the proofs for CFR promise; 0 means no convergence.
        """
        late = (self.iterations * 100 >= self.iterations[-1]) & (self.exploitability > _ROUNDING)
        if late.sum() < 3:
            return math.nan
        return float(
            np.polyfit(np.log(self.iterations[late]), np.log(self.exploitability[late]), 1)[0]
        )

    @property
    def rises(self) -> float:
        """The share of measurements, from the 10th iteration on, that are above the one before."""
        found = self._settled
        return float(np.mean(found[1:] > found[:-1] * (1 + 1e-9))) if len(found) > 1 else math.nan

    @property
    def largest_rise(self) -> float:
        """How many times the lowest exploitability so far it was at worst, from the 10th on."""
        found = self._settled
        return float(np.max(found / np.minimum.accumulate(found))) if len(found) else math.nan

    @property
    def microseconds(self) -> float:
        """The time of an iteration, in the fastest stretch of the later half.

        Other programs make a run slower, never faster.
        """
        half = (len(self.points) - 1) // 2
        if half == 0:
            return float(1e6 * self.seconds[-1] / self.iterations[-1])
        took = np.diff(self.seconds[half:]) / np.diff(self.iterations[half:])
        return float(1e6 * took.min())

    @property
    def _settled(self) -> Floats:
        return self.exploitability[self.iterations >= _SETTLED]

    def summary(self) -> dict[str, str | int | float]:
        """A row of the table."""
        return {
            "game": self.game,
            "rule": self.rule,
            "bytes": self.nbytes,
            "microseconds": self.microseconds,
            "iterations": self.last.iteration,
            "seconds": self.last.seconds,
            **{f"at_{number}": self.around(number) for number in (10, 100, 400, 1000, 10_000)},
            "final": self.around(self.last.iteration),
            "best": float(self.best[-1]),
            "slope": self.slope,
            "rises": self.rises,
            "largest_rise": self.largest_rise,
        }

    def rows(self) -> Iterator[tuple[str, str, int, float, float, float, float]]:
        """The curve with fewer points, and the lowest and highest value from one to the next.

        Game, rule, iteration, seconds, exploitability, lowest, highest.
        """
        begin = 0
        for end in thinned(self.iterations, _ROWS_GROWTH):
            since = self.exploitability[begin : end + 1]
            yield (
                self.game,
                self.rule,
                int(self.iterations[end]),
                float(self.seconds[end]),
                float(self.exploitability[end]),
                float(since.min()),
                float(since.max()),
            )
            begin = end + 1


@dataclass(frozen=True)
class RaceResult:
    """What a race showed.

    Attributes
    ----------
    curves
        One for each game and rule, game by game.
    interrupted
        Whether Ctrl-C ended it; then the last curve is cut short and others are missing.
    """

    curves: tuple[RaceCurve, ...]
    interrupted: bool = False

    @property
    def games(self) -> list[str]:
        """The tracks, in the order of the race."""
        return list(dict.fromkeys(curve.game for curve in self.curves))

    @property
    def rules(self) -> list[str]:
        """The rules, in the order of the race."""
        return list(dict.fromkeys(curve.rule for curve in self.curves))

    def curve(self, game: str, rule: str) -> RaceCurve:
        """The curve of a rule, in any spelling, on a game; `ValueError` where there is none."""
        wanted = str(parse_rule(rule))
        for curve in self.curves:
            if (curve.game, curve.rule) == (game, wanted):
                return curve
        raise ValueError(
            f"{wanted} did not race on {game!r}; there are {', '.join(self.rules)} "
            f"on {', '.join(self.games)}"
        )

    def summary(self) -> list[dict[str, str | int | float]]:
        """The table: a row for each curve."""
        return [curve.summary() for curve in self.curves]


def thinned(iterations: Int64s, growth: float) -> list[int]:
    """Places in a list of iterations that lie a factor apart; the last is always among them.

    Examples
    --------
    >>> thinned(np.array([1, 2, 3, 4, 5, 6, 7, 8, 9]), 2)
    [0, 1, 3, 7, 8]
    """
    chosen: list[int] = []
    due = 0.0
    for place, iteration in enumerate(iterations.tolist()):
        if iteration >= due or place == len(iterations) - 1:
            chosen.append(place)
            due = iteration * growth
    return chosen

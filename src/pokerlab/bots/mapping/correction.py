"""Correction: with three players in, move a mapped triple towards a three-player strategy.

A mapped two-player strategy folds far too little while both opponents are in: before the flop and
any raise HBB6 folds 21%, where a strategy trained for three folds 59%; after a bet on the flop 12%
instead of 31%. The correction is a regression: for each street and number of raises on it, the odds
of raise and fold against call become

    log odds = base + a · log(raise : call) + b · log(fold : call) + c · log(win : lose)

where the middle terms are the mapped triple, and the last is the chance to win against two hands
that may be anything. The numbers in pokerlab were learned from decisions of a
three-player strategy in play against itself (``python -m benchmarks.mappings learn``); so the
correction needs no three-player strategy at play.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.bots.mapping.bias import Triple
from pokerlab.games import Betting

Cards = tuple[int, ...]

STREETS, RAISES = 4, 5
"""Numbers of raises on a street go from none to four (three before the flop)."""

COLUMNS = ("base", "raise", "fold", "win")
"""What the log odds of an action are made of."""

_SOFT = 0.02
"""Added to all probabilities, so that log odds are finite: what a triple says for sure is not."""
_CERTAIN = 0.01
"""Chances to win count as no nearer to 0 or 1 than this."""
_PRIOR_WEIGHT = 5.0
"""How strongly coefficients are held where they begin, beside what one example weighs."""


class Example(NamedTuple):
    """A decision with three players in: the mapped triple, and the right one.

    Attributes
    ----------
    street, raises
        0 for pre-flop; raises on this street.
    mapped
        The mapped triple.
    win
        The chance to win against two hands that may be anything.
    wanted
        The triple of the three-player strategy.
    can_raise, can_fold
        Whether a raise was possible, and something to pay.
    """

    street: int
    raises: int
    mapped: Triple
    win: float
    wanted: Triple
    can_raise: bool
    can_fold: bool


@dataclass(frozen=True, eq=False)
class Correction:
    """The coefficients of the regression.

    Attributes
    ----------
    coefficients
        Shape (4, 5, 2, 4): street, raises on it, log odds of (raise, fold), `COLUMNS`.

    Examples
    --------
    The one that changes little, and one that folds more where a hand seldom wins:

    >>> correction = Correction.identity()
    >>> triple = correction.triple(0, 0, (0.2, 0.3, 0.5), win=0.2)
    >>> [round(chance, 2) for chance in triple]
    [0.21, 0.3, 0.49]
    >>> correction.coefficients[0, 0, 1, 3] = -2.0
    >>> triple = correction.triple(0, 0, (0.2, 0.3, 0.5), win=0.2)
    >>> [round(chance, 2) for chance in triple]
    [0.81, 0.07, 0.12]
    """

    coefficients: Floats

    @classmethod
    def identity(cls) -> Correction:
        """The correction that leaves triples as they are, but for the softening."""
        coefficients = np.zeros((STREETS, RAISES, 2, len(COLUMNS)))
        coefficients[:, :, 0, 1] = coefficients[:, :, 1, 2] = 1.0
        return cls(coefficients)

    def triple(
        self,
        street: int,
        raises: int,
        mapped: Triple,
        win: float,
        *,
        can_raise: bool = True,
        can_fold: bool = True,
    ) -> Triple:
        """The corrected triple; impossible actions become calls."""
        seen = _features(_possible(mapped, can_raise, can_fold), win)
        to_raise, to_fold = (
            math.fsum(map(float.__mul__, row, seen))
            for row in self.coefficients[street, raises].tolist()
        )
        most = max(to_raise, to_fold, 0.0)
        raise_ = math.exp(to_raise - most) if can_raise else 0.0
        fold = math.exp(to_fold - most) if can_fold else 0.0
        call = math.exp(-most)
        total = raise_ + call + fold
        return fold / total, call / total, raise_ / total

    def at(self, node: Betting, hole: Cards, board: Cards, mapped: Triple) -> Triple:
        """The same at a decision with three players in."""
        return self.triple(
            node.street,
            node.raises,
            mapped,
            chance_against_two(node, hole, board),
            can_raise=node.raise_bounds() is not None,
            can_fold=node.to_call > 0,
        )

    def rows(self) -> list[dict[str, str]]:
        """The coefficients as rows of a table."""
        return [
            {"street": str(street), "raises": str(raises), "action": action}
            | {name: f"{value:.3f}" for name, value in zip(COLUMNS, values, strict=True)}
            for street, by_raises in enumerate(self.coefficients.tolist())
            for raises, actions in enumerate(by_raises)
            for action, values in zip(("raise", "fold"), actions, strict=True)
        ]


@cache
def learned_correction() -> Correction:
    """The correction that is part of pokerlab.

    Examples
    --------
    A hand that wins a fifth of the pots against two, after a raise before the flop:

    >>> fold, call, raise_ = learned_correction().triple(0, 1, (0.1, 0.6, 0.3), win=0.2)
    >>> fold > 0.9
    True
    """
    source = files("pokerlab.bots.mapping") / "data" / "three_player_correction.csv"
    coefficients = Correction.identity().coefficients
    for row in csv.DictReader(source.read_text("utf-8").splitlines()):
        place = int(row["street"]), int(row["raises"]), ("raise", "fold").index(row["action"])
        coefficients[place] = [float(row[name]) for name in COLUMNS]
    coefficients.flags.writeable = False
    return Correction(coefficients)


def chance_against_two(node: Betting, hole: Cards, board: Cards) -> float:
    """The chance to win against two hands that may be anything."""
    from pokerlab.bots.winning_chances import winning_chance  # takes Numba along

    return winning_chance(node.game, hole, board, 2)


def fit_correction(examples: Iterable[Example]) -> Correction:
    """Learn a correction: the most likely coefficients.

    Where there are few examples, coefficients stay near those of the street before; before the
    flop and on the flop, near those that change nothing.

    Examples
    --------
    >>> example = Example(0, 1, (0.1, 0.6, 0.3), 0.2, (0.75, 0.25, 0.0), True, True)
    >>> fold, call, raise_ = fit_correction([example] * 1000).triple(0, 1, (0.1, 0.6, 0.3), 0.2)
    >>> round(call, 2), round(fold, 2)
    (0.25, 0.75)
    """
    by_cell: dict[tuple[int, int], list[Example]] = {}
    for example in examples:
        by_cell.setdefault((example.street, example.raises), []).append(example)
    coefficients = Correction.identity().coefficients
    for street in range(STREETS):
        for raises in range(RAISES):
            if street > 1:
                coefficients[street, raises] = coefficients[street - 1, raises]
            cell = by_cell.get((street, raises))
            if cell:
                coefficients[street, raises] = _fit(cell, coefficients[street, raises])
    return Correction(coefficients)


def _fit(examples: list[Example], start: Floats) -> Floats:
    """The coefficients of one cell, by maximum likelihood with a normal prior around `start`."""
    from scipy.optimize import minimize  # half a second, and playing does not need it

    seen = np.array(
        [_features(_possible(each.mapped, each.can_raise, each.can_fold), each.win)
         for each in examples]
    )  # fmt: skip
    wanted = np.array([_possible(each.wanted, each.can_raise, each.can_fold) for each in examples])
    barred = np.array([(not each.can_fold, False, not each.can_raise) for each in examples])

    def loss(flat: Floats) -> tuple[float, Floats]:
        away = flat - start.ravel()
        to_raise, to_fold = flat.reshape(2, -1) @ seen.T
        odds = np.stack((to_fold, np.zeros(len(seen)), to_raise), axis=1)
        odds[barred] = -np.inf
        odds -= odds.max(axis=1, keepdims=True)
        weights = np.exp(odds)
        probabilities = weights / weights.sum(axis=1, keepdims=True)
        likely = np.log(probabilities, where=~barred, out=np.zeros_like(probabilities))
        error = (probabilities - wanted)[:, (2, 0)]
        value = -(wanted * likely).sum() + _PRIOR_WEIGHT * (away @ away)
        return value, (error.T @ seen).ravel() + 2.0 * _PRIOR_WEIGHT * away

    found = minimize(loss, start.ravel(), jac=True, method="L-BFGS-B")
    return np.asarray(found.x, np.float64).reshape(start.shape)


def _features(triple: Triple, win: float) -> tuple[float, float, float, float]:
    fold, call, raise_ = triple
    win = min(max(win, _CERTAIN), 1.0 - _CERTAIN)
    return (
        1.0,
        math.log((raise_ + _SOFT) / (call + _SOFT)),
        math.log((fold + _SOFT) / (call + _SOFT)),
        math.log(win / (1.0 - win)),
    )


def _possible(triple: Triple, can_raise: bool, can_fold: bool) -> Triple:
    """The triple with actions that are not possible counted as calls."""
    fold, call, raise_ = triple
    if not can_raise:
        raise_, call = 0.0, call + raise_
    if not can_fold:
        call, fold = call + fold, 0.0
    return fold, call, raise_

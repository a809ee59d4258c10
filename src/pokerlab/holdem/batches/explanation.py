"""How far textures explain the differences of a number between flops.

Three answers, each with its R², the part of the variance between boards that it explains (boards
counted by their shares):

- each feature of the texture alone: the means over the flops with the same value of it;
- all features together, their effects added up: a linear regression;
- a tree of a few classes of flops: split in two again and again, each time where the squared
  error falls most. Its classes are texts that `pokerlab.cards.TextureFilter` takes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pokerlab.holdem.spots.reports.line_report import FEATURE_VALUES, FEATURES, LineReport
from pokerlab.runtime.arrays import Floats, Indices


@dataclass(frozen=True)
class FlopClass:
    """Flops of one class."""

    text: str
    """The words that select them."""
    boards: int
    """How many boards of the report there are."""
    share: float
    """Their share of all flops."""
    mean: float
    """The mean of the column over them."""


@dataclass(frozen=True)
class Explanation:
    """The explanation of a column of a report by textures.

    Attributes
    ----------
    column, boards, mean, spread
        What is explained, on how many boards, its mean, and its standard deviation between them.
    alone
        R² of each feature by itself, the largest first.
    together
        R² of all features, their effects added up.
    classes
        The classes of the tree, the largest mean first.
    by_classes
        R² of the classes.
    """

    column: str
    boards: int
    mean: float
    spread: float
    alone: dict[str, float]
    together: float
    classes: tuple[FlopClass, ...]
    by_classes: float


def explain(report: LineReport, column: str, classes: int = 6) -> Explanation:
    """Find what explains a column of a report.

    Parameters
    ----------
    report
        Of as many boards as possible; ValueError for fewer than ten.
    column
        A column of `LineReport.numbers`.
    classes
        How many classes of flops the tree has at most. A class has at least one in fifty of the
        deals and five boards.

    Examples
    --------
    Equities that fall with the high card, on all flops:

    >>> from pokerlab.cards import all_flops
    >>> high = np.array([float(flop.texture.high) for flop in all_flops()])
    >>> report = LineReport(
    ...     "", 0, tuple(flop.name for flop in all_flops()), np.ones(1755), pot=np.ones(1755),
    ...     ev=np.column_stack([high, -high]), equity=np.ones((1755, 2)), actions=(),
    ...     frequencies=np.ones((1755, 0)), action_evs=np.ones((1755, 0)),
    ...     weights=np.array([flop.weight for flop in all_flops()]),
    ... )
    >>> found = explain(report, "oop_ev", classes=2)
    >>> max(found.alone, key=found.alone.get), round(found.alone["high"], 6)
    ('high', 1.0)
    >>> [flops.text for flops in found.classes]
    ['J-high+', 'T-high-']
    """
    values = report.column(column)
    known = ~np.isnan(values) & (report.shares > 0)
    if known.sum() < _FEWEST:
        raise ValueError(
            f"{column}: known on {int(known.sum())} boards, too few to explain how it differs "
            f"(at least {_FEWEST})"
        )
    kept = np.flatnonzero(known)
    problem = _Problem(
        values[kept],
        report.shares[kept] / report.shares[kept].sum(),
        {
            name: np.array(
                [
                    FEATURE_VALUES[name].index(FEATURES[name](report.textures[place]))
                    for place in kept.tolist()
                ]
            )
            for name in report.features
        },
    )
    leaves = _grow(problem, classes)
    alone = {name: problem.explained(_split_by(levels)) for name, levels in problem.levels.items()}
    return Explanation(
        column=column,
        boards=len(kept),
        mean=problem.mean,
        spread=float(np.sqrt(problem.variance)),
        alone=dict(sorted(alone.items(), key=lambda each: -each[1])),
        together=_regression(problem),
        classes=tuple(
            sorted((_flop_class(problem, leaf) for leaf in leaves), key=lambda each: -each.mean)
        ),
        by_classes=problem.explained([leaf.places for leaf in leaves]),
    )


_FEWEST = 10
_LEAST_SHARE = 0.02
_LEAST_BOARDS = 5


@dataclass(frozen=True)
class _Problem:
    values: Floats
    shares: Floats
    levels: dict[str, Indices]
    """By feature, the place of each board's value among `FEATURE_VALUES`."""

    @property
    def mean(self) -> float:
        return float(self.shares @ self.values)

    @property
    def variance(self) -> float:
        return float(self.shares @ (self.values - self.mean) ** 2)

    def squares(self, places: Indices) -> float:
        """The squared deviations from the mean of some boards, by share."""
        shares, values = self.shares[places], self.values[places]
        mean = shares @ values / shares.sum()
        return float(shares @ (values - mean) ** 2)

    def explained(self, parts: Sequence[Indices]) -> float:
        """R² of the means of parts that hold all boards together."""
        return self.r_squared(sum(self.squares(places) for places in parts))

    def r_squared(self, left: float) -> float:
        """R² where squared deviations are left."""
        return 1 - left / self.variance if self.variance > self.rounding else 0.0

    @property
    def rounding(self) -> float:
        """Squared deviations that are nothing but rounding, so that nothing explains them."""
        return 1e-18 * float(np.abs(self.values).max()) ** 2


@dataclass(frozen=True)
class _Leaf:
    places: Indices
    bounds: dict[str, tuple[int, int]]
    """By feature, the lowest and the highest value."""


def _grow(problem: _Problem, classes: int) -> list[_Leaf]:
    everywhere = {name: (0, len(FEATURE_VALUES[name]) - 1) for name in problem.levels}
    leaves = [_Leaf(np.arange(len(problem.values)), everywhere)]
    while len(leaves) < classes:
        splits = [(_best_split(problem, leaf), place) for place, leaf in enumerate(leaves)]
        (gain, parts), place = max(splits, key=lambda each: each[0][0])
        if parts is None or gain <= max(1e-9 * problem.variance, problem.rounding):
            break
        leaves[place : place + 1] = parts
    return leaves


def _best_split(problem: _Problem, leaf: _Leaf) -> tuple[float, tuple[_Leaf, _Leaf] | None]:
    best: tuple[float, tuple[_Leaf, _Leaf] | None] = (0.0, None)
    before = problem.squares(leaf.places)
    for name, (low, high) in leaf.bounds.items():
        levels = problem.levels[name][leaf.places]
        for cut in range(low, high):
            below, above = leaf.places[levels <= cut], leaf.places[levels > cut]
            if any(
                len(part) < _LEAST_BOARDS or problem.shares[part].sum() < _LEAST_SHARE
                for part in (below, above)
            ):
                continue
            gain = before - problem.squares(below) - problem.squares(above)
            if gain > best[0]:
                best = (
                    gain,
                    (
                        _Leaf(below, {**leaf.bounds, name: (low, cut)}),
                        _Leaf(above, {**leaf.bounds, name: (cut + 1, high)}),
                    ),
                )
    return best


def _flop_class(problem: _Problem, leaf: _Leaf) -> FlopClass:
    shares = problem.shares[leaf.places]
    words = [
        word
        for name, (low, high) in leaf.bounds.items()
        if (word := _words(name, low, high)) is not None
    ]
    return FlopClass(
        text=" ".join(words) or "any flop",
        boards=len(leaf.places),
        share=float(shares.sum()),
        mean=float(shares @ problem.values[leaf.places] / shares.sum()),
    )


def _words(name: str, low: int, high: int) -> str | None:
    """What a texture filter calls the values of a feature from one to another; None for all."""
    order = FEATURE_VALUES[name]
    last = len(order) - 1
    if (low, high) == (0, last):
        return None
    if low == high:
        return order[low]
    if name not in ("high", "broadways"):
        return "|".join(order[low : high + 1])
    return " ".join(
        ([f"{order[low]}+"] if low > 0 else []) + ([f"{order[high]}-"] if high < last else [])
    )


def _split_by(levels: Indices) -> list[Indices]:
    return [np.flatnonzero(levels == level) for level in np.unique(levels)]


def _regression(problem: _Problem) -> float:
    """R² of least squares on one column for each value of each feature."""
    columns = [np.ones(len(problem.values))]
    for levels in problem.levels.values():
        columns += [(levels == level).astype(np.float64) for level in np.unique(levels)[1:]]
    root = np.sqrt(problem.shares)
    design = np.column_stack(columns) * root[:, None]
    solution = np.linalg.lstsq(design, problem.values * root, rcond=None)[0]
    return problem.r_squared(float(((design @ solution - problem.values * root) ** 2).sum()))

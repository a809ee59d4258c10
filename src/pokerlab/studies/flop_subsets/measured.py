"""What is known about the 1,755 flops, as columns of numbers whose means a subset has to keep.

And how far the means over a subset are from those over all flops.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from pokerlab.cards.codes import RANKS
from pokerlab.cards.flops import all_flops
from pokerlab.cards.textures import CONNECTEDNESS, PAIRINGS, SUIT_COUNTS
from pokerlab.runtime.arrays import Floats, Indices
from pokerlab.studies.flop_subsets.choosing import choose_flops, covariance, deviations
from pokerlab.studies.flop_subsets.equities import FlopEquities
from pokerlab.studies.flop_subsets.range_pairs import SPOTS
from pokerlab.studies.flop_subsets.solved import SolvedSpot

RANGE_PART = 0.5
HAND_PART = 0.3
TEXTURE_PART = 0.1
SOLVED_PART = 0.15
OWN_PART = 0.1
"""What the groups of columns count for beside one another: the ranges and the hands of all pairs,
textures, each solved spot, and each flop's own part."""


def multiplicities() -> Floats:
    """Deals that each of the 1,755 flops stands for."""
    return np.array([float(flop.multiplicity) for flop in all_flops()])


def texture_columns() -> Floats:
    """One column for each value of each feature of a texture, and for each rank on the flop."""
    columns = []
    for flop in all_flops():
        kind = flop.texture
        ranks = [card >> 2 for card in flop.cards]
        columns.append(
            [
                *(kind.high == rank for rank in range(len(RANKS))),
                *(ranks.count(rank) for rank in range(len(RANKS))),
                *(kind.pairing == value for value in PAIRINGS),
                *(kind.suits == value for value in SUIT_COUNTS),
                *(kind.connectedness == value for value in CONNECTEDNESS),
            ]
        )
    return np.array(columns, dtype=np.float64)


def range_columns(pair: FlopEquities) -> Floats:
    """Deviations of what describes a pair of ranges; the equities of both add up to 1."""
    shapes = pair.shapes.reshape(len(pair.shapes), -1)
    first = deviations(np.delete(shapes, 4, axis=1), multiplicities(), pair.matchups[:, None])
    return np.column_stack([first, deviations(pair.matchups[:, None], multiplicities())])


def hand_columns(pair: FlopEquities) -> Floats:
    """Deviations of the equities of starting hands, scaled by their shares of the range."""
    held = pair.held.reshape(len(pair.held), -1)
    equity = pair.by_hand.reshape(len(held), -1)
    share = multiplicities() @ held
    ever = share > 0
    columns = deviations(equity[:, ever], multiplicities(), held[:, ever])
    # Scaled so that the mean over columns is the mean over the hands that are dealt.
    return np.asarray(columns * np.sqrt(share[ever] / share[ever].mean()))


def expected_errors(pairs: list[FlopEquities], solved: list[SolvedSpot]) -> Floats:
    """The covariance of everything that is measured, for `choose_flops`."""
    groups = [(TEXTURE_PART, deviations(texture_columns(), multiplicities()))]
    for pair in pairs:
        groups.append((RANGE_PART / len(pairs), range_columns(pair)))
        groups.append((HAND_PART / len(pairs), hand_columns(pair)))
    for spot in solved:
        groups.append((SOLVED_PART, deviations(spot.values, multiplicities(), spot.chances)))
    return covariance(groups, OWN_PART)


Errors = dict[str, float]


def mean_errors(values: Floats, chances: Floats, numbers: Indices, weights: Floats) -> Floats:
    """What the weighted means of columns over some flops are above those over all."""
    everywhere = multiplicities()[:, None] * chances
    here = weights[:, None] * chances[numbers]
    true = (everywhere * values).sum(axis=0) / everywhere.sum(axis=0)
    found = (here * values[numbers]).sum(axis=0) / np.maximum(here.sum(axis=0), 1e-300)
    return np.asarray(found - true)


def hand_error(pair: FlopEquities, numbers: Indices, weights: Floats) -> float:
    """The root of the mean squared error of the equity of a starting hand, over hands as dealt."""
    held = pair.held.reshape(len(pair.held), -1)
    share = multiplicities() @ held
    ever = share > 0
    equity = pair.by_hand.reshape(held.shape)
    off = mean_errors(equity[:, ever], held[:, ever], numbers, weights)
    share = share[ever]
    return float(np.sqrt(share @ off**2 / share.sum()))


def held_out_errors(
    pairs: Mapping[str, FlopEquities], solved: Sequence[SolvedSpot], size: int
) -> Errors:
    """Errors with flops that were chosen without the ranges that are judged.

    A pair of ranges and the spots that were solved with it are left out together. The errors are
    the roots of mean squares over pairs, and over solved spots.
    """

    def choose(judged: str) -> tuple[Indices, Floats]:
        known = [pair for name, pair in pairs.items() if name != judged]
        others = [spot for spot in solved if SPOTS[spot.name][0] != judged]
        return choose_flops(expected_errors(known, others), size)

    return _errors(pairs, solved, choose)


def random_errors(
    pairs: Mapping[str, FlopEquities], solved: Sequence[SolvedSpot], size: int, draws: int = 50
) -> Errors:
    """The same with flops drawn as they are dealt, without replacement, all counted the same."""
    generator = np.random.default_rng(0)
    shares = multiplicities() / multiplicities().sum()

    def draw(_: str) -> tuple[Indices, Floats]:
        return generator.choice(len(shares), size, replace=False, p=shares), np.ones(size)

    found = [_errors(pairs, solved, draw) for _ in range(draws)]
    return {name: float(np.sqrt(np.mean([each[name] ** 2 for each in found]))) for name in found[0]}


def _errors(
    pairs: Mapping[str, FlopEquities],
    solved: Sequence[SolvedSpot],
    choose: Callable[[str], tuple[Indices, Floats]],
) -> Errors:
    squares: dict[str, list[float]] = {}
    for name, pair in pairs.items():
        chosen = choose(name)
        shapes = pair.shapes.reshape(len(pair.shapes), -1)
        equity, _, strong, weak, *_ = mean_errors(shapes, pair.matchups[:, None], *chosen)
        squares.setdefault("equity", []).append(equity**2)
        squares.setdefault("strong and weak hands", []).extend((strong**2, weak**2))
        squares.setdefault("equity of a hand", []).append(hand_error(pair, *chosen) ** 2)
        for spot in solved:
            if SPOTS[spot.name][0] != name:
                continue
            off = mean_errors(spot.values, spot.chances, *chosen)
            for column, error in zip(spot.columns, off.tolist(), strict=True):
                kind = column if column in ("ev", "equity") else "frequency"
                squares.setdefault(f"solved: {kind}", []).append(error**2)
    return {name: float(np.sqrt(np.mean(each))) for name, each in squares.items()}

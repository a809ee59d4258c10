"""What is known about the 1,755 flops, as columns of numbers whose means a subset has to keep."""

from __future__ import annotations

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.cards.codes import RANKS
from pokerlab.cards.flops import all_flops
from pokerlab.cards.textures import CONNECTEDNESS, PAIRINGS, SUIT_COUNTS
from pokerlab.studies.flop_subsets.choosing import covariance, deviations
from pokerlab.studies.flop_subsets.equities import FlopEquities
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

"""Exact equities of a pair of ranges on every flop, by starting hand and as a whole."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pokerlab.cards.codes import COMBO_CARDS
from pokerlab.cards.equities.strength import hand_strength
from pokerlab.cards.flops import all_flops
from pokerlab.cards.hand_classes import CLASS_NAMES, CLASS_OF_COMBO
from pokerlab.cards.ranges.blockers import unblocked_weights
from pokerlab.cards.ranges.range import Range
from pokerlab.runtime.arrays import Floats
from pokerlab.runtime.files.atomic import atomic_file

SHAPES = ("mean", "spread", "strong", "weak")
"""Of a range's equities: mean, standard deviation, share above 75%, share below 35%."""


@dataclass(frozen=True, eq=False)
class FlopEquities:
    """What a pair of ranges has on the 1,755 flops, in their order.

    Attributes
    ----------
    matchups
        (flops,): pairs of hands that both can hold, by weight.
    shapes
        (flops, player, 4): see `SHAPES`.
    held
        (flops, player, 169): the weight of a starting hand that meets an opposing hand.
    by_hand
        (flops, player, 169): its equity; 0 where it is never held.
    """

    matchups: Floats
    shapes: Floats
    held: Floats
    by_hand: Floats


def flop_equities(
    ranges: tuple[str, str], file: Path, report: Callable[[int], None] = lambda done: None
) -> FlopEquities:
    """Measure a pair of ranges on all flops, or read what was measured before.

    It takes a minute or more on one core; `report` is given the number of flops done.
    """
    if file.exists():
        with np.load(file) as stored:
            return FlopEquities(**{name: stored[name].astype(np.float64) for name in stored.files})
    weights = [Range(text).weights for text in ranges]
    flops = all_flops()
    classes = len(CLASS_NAMES)
    found = FlopEquities(
        np.zeros(len(flops)),
        np.zeros((len(flops), 2, len(SHAPES))),
        np.zeros((len(flops), 2, classes)),
        np.zeros((len(flops), 2, classes)),
    )
    for place, flop in enumerate(flops):
        possible = ~np.isin(COMBO_CARDS, flop.cards).any(axis=1)
        live = [each * possible for each in weights]
        for player in range(2):
            arriving = live[player] * unblocked_weights(live[1 - player])
            equity = np.nan_to_num(hand_strength(flop.cards, Range(live[1 - player])))
            held = np.bincount(CLASS_OF_COMBO, arriving, classes)
            won = np.bincount(CLASS_OF_COMBO, arriving * equity, classes)
            found.matchups[place] = arriving.sum()
            found.shapes[place, player] = _shapes(equity, arriving / arriving.sum())
            found.held[place, player] = held
            found.by_hand[place, player] = won / np.maximum(held, 1e-300)
        report(place + 1)
    with atomic_file(file) as partial, partial.open("wb") as stream:
        np.savez_compressed(
            stream, **{name: value.astype(np.float32) for name, value in vars(found).items()}
        )
    return found


def _shapes(equity: Floats, shares: Floats) -> list[float]:
    mean = float(equity @ shares)
    spread = float(np.sqrt((equity - mean) ** 2 @ shares))
    return [mean, spread, float(shares[equity > 0.75].sum()), float(shares[equity < 0.35].sum())]

"""Table 4: how many groups the hands of a flop fall into, street by street.

Boards are merged as in the thesis (see `sizes`), each class counted once, or as often as it comes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pokerlab.cards.codes import N_COMBOS, parse_cards
from pokerlab.engine.groups import HandGrouping, count_hand_groups
from pokerlab.runtime.arrays import Floats, Int64s
from pokerlab.studies.abstraction.sizes import card_classes
from pokerlab.studies.abstraction.thesis import MEASURES


class StreetSizes(NamedTuple):
    """The groups of one street of a flop.

    Attributes
    ----------
    classes
        How many classes of boards there are.
    mean
        Over all boards.
    class_mean, class_squares
        Over the classes, each once: the mean number of groups and the mean of its square.
    least, most
        Of all boards.
    """

    classes: int
    mean: float
    class_mean: float
    class_squares: float
    least: int
    most: int


FlopCounts = Mapping[str, Sequence[StreetSizes]]
"""For each abstraction its streets."""


@dataclass(frozen=True)
class GroupCountTask:
    """Some flops to count, full ranges."""

    flops: tuple[str, ...]
    names: tuple[str, ...] = MEASURES

    def run(self, folder: Path, threads: int) -> dict[str, Any]:
        """Count; the record as JSON."""
        return {
            flop: {
                name: [list(street) for street in streets]
                for name, streets in count_flop(flop, self.names, threads).items()
            }
            for flop in self.flops
        }

    @staticmethod
    def read(data: Mapping[str, Any]) -> dict[str, FlopCounts]:
        """The record that a task made."""
        return {
            flop: {
                name: [StreetSizes(*street) for street in streets]
                for name, streets in of_flop.items()
            }
            for flop, of_flop in data.items()
        }


def count_flop(flop: str, names: Sequence[str] = MEASURES, threads: int = 1) -> FlopCounts:
    """Count the groups of a flop.

    Examples
    --------
    >>> found = count_flop("Th6s3c", ["rank/river"])["rank/river"]
    >>> [(street.classes, street.least, street.most) for street in found]
    [(1, 289, 289), (49, 91, 146), (1033, 22, 134)]
    """
    cards = parse_cards(flop)
    turns = [(turn[0], len(turn)) for turn in card_classes(cards, least=1)]
    rivers = [
        (turn, river[0], often * len(river))
        for turn, often in turns
        for river in card_classes([*cards, turn], least=2)
    ]
    boards = [
        np.array([cards], np.uint8),
        np.array([[*cards, turn] for turn, _ in turns], np.uint8),
        np.array([[*cards, turn, river] for turn, river, _ in rivers], np.uint8),
    ]
    often = [
        np.ones(1),
        np.array([each for _, each in turns], float),
        np.array([each for _, _, each in rivers], float),
    ]
    everything = np.ones(N_COMBOS)
    found = {}
    for name in names:
        counts = count_hand_groups(
            HandGrouping.parse(name), boards, (everything, everything), threads
        )
        found[name] = [
            _street(of_street[0], weights) for of_street, weights in zip(counts, often, strict=True)
        ]
    return found


def _street(counts: Int64s, often: Floats) -> StreetSizes:
    each = counts.astype(np.float64)
    return StreetSizes(
        len(counts),
        float(np.average(each, weights=often)),
        float(each.mean()),
        float((each**2).mean()),
        int(counts.min()),
        int(counts.max()),
    )

"""The content of buckets: sizes, example hands, histograms; the similarity of two sets.

Sizes are exact. The rest is measured on random deals.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from pokerlab.abstraction.buckets.buckets import Buckets, random_deals
from pokerlab.abstraction.strength.strength_kernels import STRENGTHS
from pokerlab.abstraction.strength.tables import BOARD_CARDS, STREETS, StrengthTables, hand_indexers
from pokerlab.arrays import Bytes, Floats, Int32s, Int64s
from pokerlab.cards.codes import format_cards

HISTOGRAM_BINS = 20
_EXAMPLES = 3


@dataclass(frozen=True, eq=False)
class StreetSurvey:
    """The buckets of one street.

    Attributes
    ----------
    street
        Its name.
    shares
        The share of all deals of each bucket.
    strength
        The mean strength of each bucket on the river; NaN where no deal came.
    histograms
        (buckets, 20): how the strength on the river is distributed.
    examples
        Up to three hands of each bucket, as ``AsKd QhJh2c``.
    spread
        The standard deviation of expected hand strength inside buckets: what they leave open.
    """

    street: str
    shares: Floats
    strength: Floats
    histograms: Floats
    examples: tuple[tuple[str, ...], ...]
    spread: float


def survey_buckets(
    buckets: Buckets, tables: StrengthTables, deals: int, rng: np.random.Generator
) -> tuple[StreetSurvey, ...]:
    """Look at random deals through some buckets."""
    cards = random_deals(deals, rng)
    found = buckets.of_deals(cards)
    river = tables.river[hand_indexers()[3].index_batch(cards)]
    bins = river.astype(np.int64) * HISTOGRAM_BINS // STRENGTHS
    surveys = []
    for street, name in enumerate(STREETS):
        count, here = buckets.counts[street], found[:, street]
        histograms = np.zeros((count, HISTOGRAM_BINS))
        np.add.at(histograms, (here, bins), 1)
        number = histograms.sum(axis=1)
        with np.errstate(invalid="ignore"):
            strength = np.bincount(here, river / (STRENGTHS - 1), count) / number
            histograms /= number[:, None]
        surveys.append(
            StreetSurvey(
                name,
                buckets.shares[street],
                strength,
                histograms,
                _examples(cards[:, : 2 + BOARD_CARDS[street]], here, count),
                _spread(_strengths(tables, street, cards), here, count),
            )
        )
    return tuple(surveys)


@dataclass(frozen=True)
class StreetComparison:
    """How similar two sets of buckets are on one street, on random deals.

    Attributes
    ----------
    street
        Its name.
    counts
        How many buckets each has.
    bits
        How much each tells about a deal: the entropy of its buckets.
    shared_bits
        How much of that is the same: the mutual information. It is estimated too high when
        there are not many more deals than pairs of buckets.
    spread
        What each leaves open: the standard deviation of expected hand strength inside buckets.
    """

    street: str
    counts: tuple[int, int]
    bits: tuple[float, float]
    shared_bits: float
    spread: tuple[float, float]


def compare_buckets(
    first: Buckets, second: Buckets, tables: StrengthTables, deals: int, rng: np.random.Generator
) -> tuple[StreetComparison, ...]:
    """Look at the same random deals through two sets of buckets."""
    cards = random_deals(deals, rng)
    ones, others = first.of_deals(cards), second.of_deals(cards)
    comparisons = []
    for street, name in enumerate(STREETS):
        one, other = ones[:, street].astype(np.int64), others[:, street].astype(np.int64)
        counts = first.counts[street], second.counts[street]
        bits = _entropy(one), _entropy(other)
        both = _entropy(one * counts[1] + other)
        strength = _strengths(tables, street, cards)
        spread = _spread(strength, one, counts[0]), _spread(strength, other, counts[1])
        shared = max(0.0, bits[0] + bits[1] - both)
        comparisons.append(StreetComparison(name, counts, bits, shared, spread))
    return tuple(comparisons)


def _strengths(tables: StrengthTables, street: int, cards: Bytes) -> Floats:
    numbers = hand_indexers()[street].index_batch(cards[:, : 2 + BOARD_CARDS[street]])
    return tables.strength_of(street, numbers)


def _spread(strength: Floats, here: npt.NDArray[np.integer], count: int) -> float:
    number = np.maximum(np.bincount(here, minlength=count), 1)
    mean = np.bincount(here, strength, count) / number
    return float(np.sqrt(np.mean((strength - mean[here]) ** 2)))


def _entropy(values: Int64s) -> float:
    _, counts = np.unique(values, return_counts=True)
    shares = counts / counts.sum()
    return float(-(shares * np.log2(shares)).sum()) + 0.0


def _examples(cards: Bytes, here: Int32s, count: int) -> tuple[tuple[str, ...], ...]:
    order = np.argsort(here, kind="stable")
    starts = np.searchsorted(here[order], np.arange(count + 1))
    return tuple(
        tuple(
            " ".join(filter(None, (format_cards(deal[:2]), format_cards(deal[2:]))))
            for deal in cards[order[begin : min(end, begin + _EXAMPLES)]]
        )
        for begin, end in pairwise(starts)
    )

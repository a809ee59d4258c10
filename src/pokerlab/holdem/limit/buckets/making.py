"""Making buckets: deals are counted by what leads to a bucket, and parted into equal shares.

Percentiles have equal numbers of deals: every hand and board counts as often as it is dealt, and
inside a bucket the hands of one value stay together, in the part where the middle of them lies.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from pokerlab.cards.isomorphism.suits import board_orbits
from pokerlab.engine.groups.clustering import BINS, cluster_rows
from pokerlab.holdem.limit.buckets.bucket_kernels import (
    count_flops,
    count_rivers,
    count_turns,
)
from pokerlab.holdem.limit.buckets.buckets import Buckets
from pokerlab.holdem.limit.buckets.clustering import cluster_street
from pokerlab.holdem.limit.buckets.look_up_kernels import BucketLookUp
from pokerlab.holdem.limit.buckets.plan import LEVELS, BucketPlan, parse_buckets
from pokerlab.holdem.limit.buckets.street_buckets import StreetBuckets
from pokerlab.holdem.limit.strength.strength_kernels import STRENGTHS
from pokerlab.holdem.limit.strength.tables import (
    BOARD_CARDS,
    RUN_OUTS,
    STREETS,
    StrengthTables,
    all_combos,
    hand_indexers,
    strength_tables,
)
from pokerlab.runtime.arrays import AnyArray, Floats, Int32s, Int64s, Uint16s
from pokerlab.runtime.files.builds import Meter, Report, Tick, reporter
from pokerlab.runtime.machine import core_count

_PARTS = 256
"""The number of parts in which the boards of a street are counted."""
_COUNTING = (0.0, 0.4, 14.0, 46.0)
_CLUSTERING = (3.0, 46.0, 170.0)
"""Seconds of one core, by street, to count deals and to find buckets by k-means."""


def make_buckets(
    text: str, *, rng: np.random.Generator | None = None, report: Report | None = None
) -> Buckets:
    """Make the buckets that a text describes; the module has its grammar.

    The strength tables are built first where they are missing. Then it takes a minute or two.

    Parameters
    ----------
    text
        Such as ``ehs2:10,10,10,10``.
    rng
        For k-means; the same seed gives the same buckets.
    report
        Called with the progress of the strength tables if they are built, then of the buckets.
    """
    plan = parse_buckets(text)
    report = reporter(report)
    tables = strength_tables(report)
    meter = Meter(report, "the buckets", _seconds(plan))
    maker = _Maker(plan, tables, rng or np.random.default_rng(0), meter)
    for street in range(len(STREETS)):
        maker.add(street)
    return Buckets(str(plan), tuple(maker.groups), tuple(maker.shares))


def nested_parts(counts: Int64s, parts: int) -> Uint16s:
    """Part each row of counts by value into parts of equal numbers.

    A value belongs where the middle of its deals lies. Shape as `counts`: the part of each value.

    Examples
    --------
    >>> nested_parts(np.array([[1, 1, 1, 1], [0, 8, 1, 1], [0, 0, 0, 0]]), 2)
    array([[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 1, 1]], dtype=uint16)
    """
    weights = counts.astype(np.float64)
    weights[weights.sum(axis=1) == 0] = 1  # nothing is known: all values equal
    ends = np.cumsum(weights, axis=1)
    middle = (ends - weights / 2) / ends[:, -1:]
    return np.minimum((middle * parts).astype(np.uint16), np.uint16(parts - 1))


def count_deals(
    street: int,
    look_up: BucketLookUp,
    groups_before: int,
    values: int,
    value_of: Uint16s | None = None,
    tick: Tick | None = None,
) -> Int64s:
    """Count all deals by (bucket on the street before, value on a street after the first).

    Parameters
    ----------
    street
        1 to 3.
    look_up
        The buckets of the earlier streets, and on flop and turn the values of this one.
    groups_before, values
        The shape of the answer.
    value_of
        On the river, the value of each strength.
    tick
        Called with each share of the work that is done.
    """
    boards, multiplicities = board_orbits(size=min(BOARD_CARDS[street], 4))
    cards = all_combos().hands.cards

    ends = np.linspace(0, len(boards), _PARTS + 1).astype(int)
    left = iter([slice(*both) for both in pairwise(ends)])

    def count(counts: Int64s) -> Int64s:
        """Take part after part of the boards, until none is left."""
        for part in left:
            here = boards[part], multiplicities[part]
            if street == 1:
                count_flops(*here, cards, look_up, counts)
            elif street == 2:
                count_turns(*here, cards, look_up, counts)
            else:
                assert value_of is not None
                count_rivers(*here, all_combos(), look_up, value_of, counts)
            if tick is not None:
                tick(len(here[0]) / len(boards))
        return counts

    # Counts are large: there are as many as threads, not as parts.
    threads = core_count()
    empty = [np.zeros((groups_before, values), np.int64) for _ in range(threads)]
    with ThreadPoolExecutor(threads) as pool:
        try:
            return np.asarray(np.sum(list(pool.map(count, empty)), axis=0), np.int64)
        finally:
            for _ in left:
                pass  # after Ctrl-C nobody finds another part


@dataclass
class _Maker:
    """Makes the buckets of one street after the other."""

    plan: BucketPlan
    tables: StrengthTables
    rng: np.random.Generator
    meter: Meter
    groups: list[StreetBuckets] = field(default_factory=list)
    shares: list[Floats] = field(default_factory=list)

    def add(self, street: int) -> None:
        """Make the buckets of the next street."""
        if street == 0:
            self._add_start()
        elif self.plan.recall:
            self._add_nested(street)
        else:
            self._add_flat(street)

    def _add_start(self) -> None:
        parts = self.plan.parts[0]
        _, combos = hand_indexers()[0].unindex_batch(np.arange(169))
        if self.plan.classes:
            values = np.arange(169, dtype=np.uint16)
        elif self.plan.kind == "kmeans":
            values = self._cluster(0)
        else:
            # Equal values keep together: there are as many steps as different values.
            _, ranks = np.unique(self._measure[0], return_inverse=True)
            counts = np.bincount(ranks, combos).astype(np.int64)
            values = nested_parts(counts[None], parts)[0][ranks]
        self._append(parts, values, None, np.bincount(values, combos, parts))

    def _add_nested(self, street: int) -> None:
        parts, before = self.plan.parts[street], self.groups[-1].groups
        values = self._levels(street)
        n_values = STRENGTHS if street == 3 else LEVELS
        counts = self._count(street, values, before, n_values)
        steps = nested_parts(counts, parts)
        next_bucket = (np.arange(before)[:, None] * parts + steps).astype(np.int32)
        deals = np.bincount(next_bucket.ravel(), counts.ravel(), before * parts)
        self._append(before * parts, values, next_bucket, deals)

    def _add_flat(self, street: int) -> None:
        parts = self.plan.parts[street]
        n_values = STRENGTHS if street == 3 else LEVELS
        if self.plan.kind == "kmeans" and street < 3:
            values = self._cluster(street)
            counts = self._count(street, values, self.groups[-1].groups, parts)
            self._append(parts, values, None, counts.sum(axis=0))
            return
        levels = self._levels(street)
        counts = self._count(street, levels, self.groups[-1].groups, n_values).sum(axis=0)
        if self.plan.kind == "kmeans":
            # Low where the hand is strong, as cumulated histograms are.
            weakness = np.arange(STRENGTHS - 1, -1, -1) / (STRENGTHS - 1)
            rows = np.asarray(weakness[:, None] * BINS, np.float32)
            centres = cluster_rows(rows, counts.astype(np.float64), parts, self.rng)
            part_of = np.abs(rows - centres).argmin(axis=1).astype(np.uint16)
        else:
            part_of = nested_parts(counts[None], parts)[0]
        self._append(parts, part_of[levels], None, np.bincount(part_of, counts, parts))

    def _append(
        self,
        groups: int,
        values: Uint16s,
        next_bucket: Int32s | None,
        deals: npt.NDArray[np.generic],
    ) -> None:
        self.groups.append(StreetBuckets(groups, values, "hand", next_bucket))
        counts = deals.astype(np.float64)
        self.shares.append(counts / counts.sum())

    @property
    def _measure(self) -> tuple[AnyArray, ...]:
        """By street before the river and number: what hands are parted by."""
        return self.tables.sums if self.plan.kind == "ehs-flat" else self.tables.squares

    def _levels(self, street: int) -> Uint16s:
        """Values of a street by number: finely quantised expected (squared) hand strength."""
        if street == 3:
            return self.tables.river
        power = 1 if self.plan.kind == "ehs-flat" else 2
        top = RUN_OUTS[street] * (STRENGTHS - 1) ** power + 1
        measured = self._measure[street]
        # 45 bits are enough for the product; block by block, to save memory.
        values = np.empty(len(measured), np.uint16)
        for first in range(0, len(measured), 1 << 20):
            block = measured[first : first + (1 << 20)].astype(np.uint64)
            values[first : first + (1 << 20)] = block * np.uint64(LEVELS) // np.uint64(top)
        return values

    def _count(self, street: int, values: Uint16s, before: int, n_values: int) -> Int64s:
        streets = [*self.groups, StreetBuckets(n_values, values, "hand")]
        look_up = Buckets("", _padded(streets), ()).look_up
        value_of = np.arange(STRENGTHS, dtype=np.uint16) if street == 3 else None
        tick = self.meter.ticks(_COUNTING[street])
        return count_deals(street, look_up, before, n_values, value_of, tick)

    def _cluster(self, street: int) -> Uint16s:
        tick = self.meter.ticks(_CLUSTERING[street])
        return cluster_street(street, self.plan.parts[street], self.rng, tick)


def _seconds(plan: BucketPlan) -> float:
    """About how long it takes to make some buckets."""
    clustered = _CLUSTERING if plan.kind == "kmeans" else ()
    return sum(_COUNTING) + sum(clustered[int(plan.classes) :])


def _padded(groups: Sequence[StreetBuckets]) -> tuple[StreetBuckets, ...]:
    """Groups for all streets: kernels look at none of the later ones."""
    return (*groups, *(groups[-1] for _ in range(len(STREETS) - len(groups))))

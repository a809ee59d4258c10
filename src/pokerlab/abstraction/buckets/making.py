"""Making buckets from a text that says how, and keeping them in the cache folder.

``ehs2:10,10,10,10``
    Nested percentiles of expected squared hand strength with perfect recall: ten buckets before
    the flop; on the flop each of them is parted in ten, each of those in ten on the turn, and so
    on (10, 100, 1,000 and 10,000 buckets).
``ehs2-flat:5,5,5,5``
    Percentiles of all hands of the street; what was before is forgotten.
``kmeans:8,50,50,50``
    k-means on histograms of river strength with the earth mover's distance; what was before is
    forgotten.
``169/…``
    The 169 classes of starting hands before the flop, then the numbers of three streets:
    ``169/ehs2:6,6,6``, ``169/kmeans:200,200,200``.

Percentiles have equal numbers of deals: every hand and board counts as often as it is dealt, and
inside a bucket the hands of one value stay together, in the part where the middle of them lies.
A value on flop and turn is one of 4,096 steps of expected squared hand strength; on the river it
is the strength itself, of 1,980. With many small parts some come out uneven, and few are empty.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import pairwise
from math import prod
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pokerlab.abstraction.buckets.bucket_kernels import (
    count_flops,
    count_rivers,
    count_turns,
)
from pokerlab.abstraction.buckets.buckets import BUCKETS_FORMAT, Buckets, load_buckets
from pokerlab.abstraction.buckets.clustering import BINS, cluster_rows, cluster_street
from pokerlab.abstraction.strength.strength_kernels import STRENGTHS
from pokerlab.abstraction.strength.tables import (
    BOARD_CARDS,
    ROOM,
    RUN_OUTS,
    STREETS,
    StrengthTables,
    all_combos,
    hand_indexers,
    strength_tables,
    tables_path,
)
from pokerlab.cards.isomorphism.suits import board_orbits
from pokerlab.files.builds import Meter, Report, Tick, check_room, one_builder, reporter
from pokerlab.groups.group_kernels import GroupLookUp
from pokerlab.groups.street_groups import StreetGroups
from pokerlab.jit import cache_folder

__all__ = [
    "BucketPlan",
    "cached_buckets",
    "count_deals",
    "make_buckets",
    "nested_parts",
    "open_buckets",
    "parse_buckets",
]

LEVELS = 4096
"""Steps of expected squared hand strength on flop and turn."""
MAX_BUCKETS = 1_000_000
_MAX_CELLS = 100_000_000
"""Entries of the largest table from (bucket before, value) to bucket: 400 MB."""
_KINDS = ("ehs2", "ehs2-flat", "kmeans")
_FORMS = "ehs2:10,10,10,10, ehs2-flat:5,5,5,5, kmeans:8,50,50,50, 169/ehs2:6,6,6"

_PARTS = 256
"""The boards of a street are counted in so many parts."""
_COUNTING = (0.0, 0.4, 14.0, 46.0)
_CLUSTERING = (3.0, 46.0, 170.0)
"""Seconds of one core, by street, to count deals and to find buckets by k-means."""

Counts = npt.NDArray[np.int64]
Values = npt.NDArray[np.uint16]


@dataclass(frozen=True)
class BucketPlan:
    """What a text asks for.

    Attributes
    ----------
    kind
        ``ehs2``, ``ehs2-flat`` or ``kmeans``.
    parts
        For each street, in how many buckets (with recall: each bucket before) is parted.
    classes
        Whether the first street has the 169 classes.
    """

    kind: str
    parts: tuple[int, ...]
    classes: bool

    @property
    def recall(self) -> bool:
        """Whether a bucket tells those of the streets before."""
        return self.kind == "ehs2"

    @property
    def counts(self) -> tuple[int, ...]:
        """How many buckets each street has."""
        if not self.recall:
            return self.parts
        return tuple(prod(self.parts[: street + 1]) for street in range(len(self.parts)))

    @property
    def file_bytes(self) -> int:
        """About how large the file of the buckets is."""
        values = [indexer.size for indexer in hand_indexers()]
        steps = [count * LEVELS for count in self.counts[:-1]] if self.recall else []
        return 2 * sum(values) + 2 * sum(steps) + 8 * sum(self.counts) + 4096

    def __str__(self) -> str:
        parts = self.parts[1:] if self.classes else self.parts
        return ("169/" if self.classes else "") + f"{self.kind}:{','.join(map(str, parts))}"


def parse_buckets(text: str) -> BucketPlan:
    """Read the text of some buckets.

    Examples
    --------
    >>> parse_buckets("169/ehs2:5,4,3").counts
    (169, 845, 3380, 10140)
    >>> str(parse_buckets(" EHS2 : 10, 10, 10, 10 "))
    'ehs2:10,10,10,10'
    >>> parse_buckets("ehs2:10,10")
    Traceback (most recent call last):
    ValueError: buckets 'ehs2:10,10': 2 numbers, but ehs2 has 4 streets
    """
    found = re.fullmatch(r"(169/)?([a-z][a-z0-9-]*):([0-9,]+)", re.sub(r"\s", "", text).lower())
    if not found or found[2] not in _KINDS:
        raise ValueError(f"buckets {text!r} are not known; write them as {_FORMS}")
    words = found[3].split(",")
    streets = 3 if found[1] else 4
    if len(words) != streets or not all(words):
        what = f"{found[1] or ''}{found[2]} has {streets} streets"
        given = "1 number" if len(words) == 1 else f"{len(words)} numbers"
        raise ValueError(f"buckets {text!r}: {given}, but {what}")
    parts = tuple(int(word[:9]) for word in words)
    parts = (169, *parts) if found[1] else parts
    plan = BucketPlan(found[2], parts, bool(found[1]))
    if min(parts) < 1:
        raise ValueError(f"buckets {text!r}: a street has at least 1 bucket")
    if parts[0] > 169:
        raise ValueError(f"buckets {text!r}: there are only 169 different hands before the flop")
    if max(parts) > STRENGTHS:
        raise ValueError(
            f"buckets {text!r}: {max(parts):,} are more than the {STRENGTHS:,} different strengths"
        )
    if plan.counts[-1] > MAX_BUCKETS or (plan.recall and plan.counts[2] * STRENGTHS > _MAX_CELLS):
        raise ValueError(
            f"buckets {text!r}: {plan.counts[-1]:,} on the river are too many"
            f" (at most {MAX_BUCKETS:,}, and {_MAX_CELLS // STRENGTHS:,} on the turn)"
        )
    return plan


def make_buckets(
    text: str, *, rng: np.random.Generator | None = None, report: Report | None = None
) -> Buckets:
    """Make the buckets that a text asks for; see the module for what it may say.

    The strength tables are built first where they are missing. Then it takes a minute or two.

    Parameters
    ----------
    text
        Such as ``ehs2:10,10,10,10``.
    rng
        For k-means; the same seed gives the same buckets.
    report
        Is told about the strength tables if they must be built, then about the buckets.
    """
    plan = parse_buckets(text)
    report = reporter(report)
    tables = strength_tables(report)
    meter = Meter(report, "the buckets", _seconds(plan))
    maker = _Maker(plan, tables, rng or np.random.default_rng(0), meter)
    for street in range(len(STREETS)):
        maker.add(street)
    return Buckets(str(plan), tuple(maker.groups), tuple(maker.shares))


def cached_buckets(text: str, *, report: Report | None = None, verify: bool = False) -> Buckets:
    """Give buckets from the cache folder; make them the first time.

    `report` is as for `make_buckets`, `verify` as for `load_buckets`.
    """
    plan = parse_buckets(text)
    digest = hashlib.sha256(f"{BUCKETS_FORMAT} {plan} {tables_path().name}".encode()).hexdigest()
    path = cache_folder() / "buckets" / f"{digest[:16]}.safetensors"
    if not path.is_file():
        _build(plan, path, reporter(report))
    try:
        return load_buckets(path, verify=verify)
    except ValueError as error:
        raise ValueError(f"{error}; remove it, and it is made again") from None


def _build(plan: BucketPlan, path: Path, report: Report) -> None:
    """Make buckets and write them to the cache folder; nothing if somebody else does it now."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with one_builder(path, report):
        if not path.is_file():
            missing = 0 if tables_path().is_file() else ROOM
            check_room(path.parent, plan.file_bytes + missing, f"the buckets {plan}")
            make_buckets(str(plan), report=report).save(path)
            try:
                load_buckets(path, verify=True)
            except ValueError:
                path.unlink()  # nobody looks so closely again
                raise


def open_buckets(
    source: str | Path, *, report: Report | None = None, verify: bool = False
) -> Buckets:
    """Buckets by the name of a file, or by their text."""
    path = Path(source)
    if path.is_file() or path.suffix == ".safetensors":
        return load_buckets(path, verify=verify)
    return cached_buckets(str(source), report=report, verify=verify)


def nested_parts(counts: Counts, parts: int) -> Values:
    """Part each row of counts by value into parts of equal numbers.

    A value belongs where the middle of its deals lies. Shape as `counts`: the part of each value.

    Examples
    --------
    >>> nested_parts(np.array([[1, 1, 1, 1], [0, 8, 1, 1], [0, 0, 0, 0]]), 2)
    array([[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 1, 1]], dtype=uint16)
    """
    weights = counts.astype(np.float64)
    weights[weights.sum(axis=1) == 0] = 1  # nothing is known: as if all values were alike
    ends = np.cumsum(weights, axis=1)
    middle = (ends - weights / 2) / ends[:, -1:]
    return np.minimum((middle * parts).astype(np.uint16), np.uint16(parts - 1))


def count_deals(
    street: int,
    look_up: GroupLookUp,
    groups_before: int,
    values: int,
    value_of: Values | None = None,
    tick: Tick | None = None,
) -> Counts:
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
        Is told how the work goes on.
    """
    boards, multiplicities = board_orbits(size=min(BOARD_CARDS[street], 4))
    cards = all_combos().hands.cards

    ends = np.linspace(0, len(boards), _PARTS + 1).astype(int)
    left = iter([slice(*both) for both in pairwise(ends)])

    def count(counts: Counts) -> Counts:
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
    threads = os.cpu_count() or 1
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
    groups: list[StreetGroups] = field(default_factory=list)
    shares: list[npt.NDArray[np.float64]] = field(default_factory=list)

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
            _, ranks = np.unique(self.tables.squares[0], return_inverse=True)
            counts = np.bincount(ranks, combos).astype(np.int64)
            values = nested_parts(counts[None], parts)[0][ranks]
        self._append(parts, values, None, np.bincount(values, combos, parts))

    def _add_nested(self, street: int) -> None:
        parts, before = self.plan.parts[street], self.groups[-1].groups
        values = self._levels(street)
        n_values = STRENGTHS if street == 3 else LEVELS
        counts = self._count(street, values, before, n_values)
        steps = nested_parts(counts, parts)
        next_group = (np.arange(before)[:, None] * parts + steps).astype(np.int32)
        deals = np.bincount(next_group.ravel(), counts.ravel(), before * parts)
        self._append(before * parts, values, next_group, deals)

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
        values: Values,
        next_group: npt.NDArray[np.int32] | None,
        deals: npt.NDArray[np.generic],
    ) -> None:
        self.groups.append(StreetGroups(groups, values, "hand", next_group))
        self.shares.append(np.asarray(deals / deals.sum(), np.float64))

    def _levels(self, street: int) -> Values:
        """Values of a street by number: finely quantised expected squared hand strength."""
        if street == 3:
            return self.tables.river
        top = RUN_OUTS[street] * (STRENGTHS - 1) ** 2 + 1
        squares = self.tables.squares[street]
        # 45 bits are enough for the product; block by block, to save memory.
        values = np.empty(len(squares), np.uint16)
        for first in range(0, len(squares), 1 << 20):
            block = squares[first : first + (1 << 20)].astype(np.uint64)
            values[first : first + (1 << 20)] = block * np.uint64(LEVELS) // np.uint64(top)
        return values

    def _count(self, street: int, values: Values, before: int, n_values: int) -> Counts:
        streets = [*self.groups, StreetGroups(n_values, values, "hand")]
        look_up = Buckets("", _padded(streets), ()).look_up
        value_of = np.arange(STRENGTHS, dtype=np.uint16) if street == 3 else None
        tick = self.meter.ticks(_COUNTING[street])
        return count_deals(street, look_up, before, n_values, value_of, tick)

    def _cluster(self, street: int) -> Values:
        tick = self.meter.ticks(_CLUSTERING[street])
        return cluster_street(street, self.plan.parts[street], self.rng, tick)


def _seconds(plan: BucketPlan) -> float:
    """About how long it takes to make some buckets."""
    clustered = _CLUSTERING if plan.kind == "kmeans" else ()
    return sum(_COUNTING) + sum(clustered[int(plan.classes) :])


def _padded(groups: Sequence[StreetGroups]) -> tuple[StreetGroups, ...]:
    """Groups for all streets: kernels look at none of the later ones."""
    return (*groups, *(groups[-1] for _ in range(len(STREETS) - len(groups))))

"""The plan of buckets that a text describes, before any are made.

``ehs2:10,10,10,10``
    Nested percentiles of expected squared hand strength with perfect recall: ten buckets before
    the flop; on the flop each of them is parted in ten, each of those in ten on the turn, and so
    on (10, 100, 1,000 and 10,000 buckets).
``ehs2-flat:5,5,5,5``
    Percentiles of all hands of the street; what was before is forgotten.
``ehs-flat:5,5,5,5``
    The same by expected hand strength, the chance to win, without the square.
``kmeans:8,50,50,50``
    k-means on histograms of river strength with the earth mover's distance; what was before is
    forgotten.
``169/…``
    The 169 classes of starting hands before the flop, then the numbers of three streets:
    ``169/ehs2:6,6,6``, ``169/kmeans:200,200,200``.

Percentiles have equal numbers of deals: every hand and board counts as often as it is dealt, and
inside a bucket the hands of one value stay together, in the part where the middle of them lies.
A value on flop and turn is one of 4,096 steps of expected (squared) hand strength; on the river
it is the strength itself, of 1,980. With many small parts some come out uneven, and few are empty.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import prod

from pokerlab.holdem.limit.strength.strength_kernels import STRENGTHS
from pokerlab.holdem.limit.strength.tables import hand_indexers
from pokerlab.runtime.errors import shorten

LEVELS = 4096
"""Steps of expected (squared) hand strength on flop and turn."""
MAX_BUCKETS = 1_000_000
_MAX_CELLS = 100_000_000
"""Entries of the largest table from (bucket before, value) to bucket: 400 MB."""
_KINDS = ("ehs2", "ehs2-flat", "ehs-flat", "kmeans")
_FORMS = "ehs2:10,10,10,10, ehs2-flat:5,5,5,5, kmeans:8,50,50,50, 169/ehs2:6,6,6"


@dataclass(frozen=True)
class BucketPlan:
    """The buckets that a text describes.

    Attributes
    ----------
    kind
        ``ehs2``, ``ehs2-flat``, ``ehs-flat`` or ``kmeans``.
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
        """Whether a bucket determines the buckets of earlier streets (perfect recall)."""
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
    shown = repr(shorten(text))
    found = re.fullmatch(r"(169/)?([a-z][a-z0-9-]*):([0-9,]+)", re.sub(r"\s", "", text).lower())
    if not found or found[2] not in _KINDS:
        raise ValueError(f"buckets {shown} are not known; write them as {_FORMS}")
    words = found[3].split(",")
    streets = 3 if found[1] else 4
    if len(words) != streets or not all(words):
        what = f"{found[1] or ''}{found[2]} has {streets} streets"
        given = "1 number" if len(words) == 1 else f"{len(words)} numbers"
        raise ValueError(f"buckets {shown}: {given}, but {what}")
    parts = tuple(int(word[:9]) for word in words)
    parts = (169, *parts) if found[1] else parts
    plan = BucketPlan(found[2], parts, bool(found[1]))
    if min(parts) < 1:
        raise ValueError(f"buckets {shown}: a street has at least 1 bucket")
    if parts[0] > 169:
        raise ValueError(f"buckets {shown}: there are only 169 different hands before the flop")
    if max(parts) > STRENGTHS:
        raise ValueError(
            f"buckets {shown}: {max(parts):,} are more than the {STRENGTHS:,} different strengths"
        )
    if plan.counts[-1] > MAX_BUCKETS or (plan.recall and plan.counts[2] * STRENGTHS > _MAX_CELLS):
        raise ValueError(
            f"buckets {shown}: {plan.counts[-1]:,} on the river are too many"
            f" (at most {MAX_BUCKETS:,}, and {_MAX_CELLS // STRENGTHS:,} on the turn)"
        )
    return plan

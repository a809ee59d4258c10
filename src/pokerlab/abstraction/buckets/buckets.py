"""`Buckets`: groups of hold'em hands by strength on each street, in memory and on disk."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from pokerlab.abstraction.buckets.bucket_kernels import find_buckets
from pokerlab.abstraction.strength.tables import BOARD_CARDS, STREETS, hand_indexers
from pokerlab.arrays import AnyArray, Bytes, Floats, Int32s
from pokerlab.cards.codes import Cards, format_cards, to_cards
from pokerlab.cards.equities.strength import parse_board
from pokerlab.errors import damage_named
from pokerlab.files.checked_once import check_once
from pokerlab.files.hashes import check_hash, digest
from pokerlab.files.reader import Expected, Metadata, Schema, read_checked
from pokerlab.files.tensor_files import write_hashed
from pokerlab.files.tensor_map import Tensors
from pokerlab.files.versions import check_version
from pokerlab.groups.group_kernels import GroupLookUp, group_on_street
from pokerlab.groups.street_groups import StreetGroups, look_up_groups

BUCKETS_FORMAT = "pokerlab buckets 2"
"""What the metadata of a bucket file call it; the number is the version."""
_DIGEST = re.compile("[0-9a-f]{64}")
_MAX_COUNT = 1_000_000
"""Buckets of a street in any file."""


@dataclass(frozen=True, eq=False)
class Buckets:
    """Buckets for the four streets of hold'em.

    Attributes
    ----------
    name
        The text from which they are made, such as ``ehs2:10,10,10,10``.
    groups
        For each street, how hand and board lead to a bucket; what a `TableStrategy` takes.
    shares
        For each street, the share of all deals that each bucket has.
    """

    name: str
    groups: tuple[StreetGroups, ...]
    shares: tuple[Floats, ...]

    @property
    def counts(self) -> tuple[int, ...]:
        """How many buckets each street has."""
        return tuple(street.groups for street in self.groups)

    @property
    def recall(self) -> bool:
        """Whether a bucket determines the buckets of earlier streets (perfect recall)."""
        return all(street.next_group is not None for street in self.groups[1:])

    @cached_property
    def look_up(self) -> GroupLookUp:
        """The tables for kernels."""
        seen = [2 + cards for cards in BOARD_CARDS]
        return look_up_groups(self.groups, range(52), seen, hand_indexers())

    @cached_property
    def digest(self) -> str:
        """A SHA-256 of all that decides the bucket of a hand."""
        return digest(" ".join(self._digests))

    def bucket(self, street: int, hole: Cards, board: Cards = (), before: int = 0) -> int:
        """The bucket of a hand on one street.

        Parameters
        ----------
        street
            0 to 3.
        hole, board
            The private cards; the public cards of this and the earlier streets.
        before
            The bucket on the street before; it counts where there is perfect recall.
        """
        hand, known = to_cards(hole), parse_board(board)
        if len(hand) != 2:
            raise ValueError(f"a hand has 2 cards, {format_cards(hand)!r} has {len(hand)}")
        if not 0 <= street < len(STREETS) or len(known) != BOARD_CARDS[street]:
            raise ValueError(
                f"street {street} and a board of {len(known)} cards do not belong together"
            )
        if street and not 0 <= before < self.counts[street - 1]:
            raise ValueError(
                f"{before} is not a bucket of the {STREETS[street - 1]}:"
                f" it has {self.counts[street - 1]}"
            )
        cards = np.array(to_cards([*hand, *known]), np.uint8)
        return group_on_street(self.look_up, street, cards, before)

    def sequence(self, hole: Cards, board: Cards = ()) -> tuple[int, ...]:
        """The buckets of a hand on all streets so far; board cards in the order of dealing."""
        known = parse_board(board)
        found: list[int] = []
        for street in range(BOARD_CARDS.index(len(known)) + 1):
            before = found[-1] if found else 0
            found.append(self.bucket(street, hole, known[: BOARD_CARDS[street]], before))
        return tuple(found)

    def of_deals(self, deals: Bytes) -> Int32s:
        """The buckets of many deals (n, 7): hand, flop, turn, river; shape (n, 4)."""
        found = np.empty((len(deals), len(STREETS)), np.int32)
        find_buckets(self.look_up, deals, found)
        return found

    def save(self, path: str | Path) -> None:
        """Write the buckets to one safetensors file."""
        tensors, metadata = self._contents()
        write_hashed(path, tensors, metadata)

    @property
    def _digests(self) -> list[str]:
        return [street.digest for street in self.groups]

    def _contents(self) -> tuple[dict[str, AnyArray], dict[str, str]]:
        tensors: dict[str, AnyArray] = {}
        for street, groups in enumerate(self.groups):
            tensors[f"values_{street}"] = groups.values
            tensors[f"shares_{street}"] = self.shares[street]
            if groups.next_group is not None:
                # A bucket is that of the street before and a step; the steps are small.
                steps = groups.groups // len(groups.next_group)
                tensors[f"steps_{street}"] = (groups.next_group % steps).astype(np.uint16)
        metadata = {
            "format": BUCKETS_FORMAT,
            "name": self.name,
            "counts": str(list(self.counts)),
            "digests": " ".join(self._digests),
        }
        return tensors, metadata


def load_buckets(path: str | Path, *, verify: bool = False) -> Buckets:
    """Read a file of buckets.

    Everything is compared with the hash that was written with it: the first time that this
    file is opened, and when it has changed since (see `pokerlab.files.checked_once`).

    Parameters
    ----------
    path
        The file.
    verify
        Whether to compare it in any case.
    """
    path = Path(path)
    check_version(path, BUCKETS_FORMAT, "buckets", "build them again with `pokerlab buckets build`")
    tensors, metadata = read_checked(path, BUCKETS_FORMAT, _schema, values=False)
    with damage_named(path):
        counts = _counts(metadata)
        digests = metadata.text("digests").split(" ")
        if len(digests) != len(STREETS) or not all(map(_DIGEST.fullmatch, digests)):
            raise ValueError("it has no digest for each street")

        def check() -> None:
            check_hash(tensors, metadata.entries)
            _check_values(tensors, counts)

        check_once(path, check, always=verify)
        groups = _groups(tensors, counts, digests)
    shares = tuple(np.array(tensors[f"shares_{street}"]) for street in range(len(STREETS)))
    return Buckets(metadata.text("name"), groups, shares)


def _counts(metadata: Metadata) -> list[int]:
    written = metadata.numbers("counts", len(STREETS), 1, _MAX_COUNT)
    counts = [int(count) for count in written]
    if counts != list(written):
        raise ValueError("counts are not whole numbers")
    return counts


def _schema(metadata: Metadata) -> Schema:
    counts = _counts(metadata)
    metadata.text("name")
    schema = {}
    for street, (count, indexer) in enumerate(zip(counts, hand_indexers(), strict=True)):
        schema[f"values_{street}"] = Expected(np.uint16, (indexer.size,))
        schema[f"shares_{street}"] = Expected(np.float64, (count,), 0.0, 1.0)
        if street:
            schema[f"steps_{street}"] = Expected(
                np.uint16, (counts[street - 1], None), optional=True
            )
    return schema


def _check_values(tensors: Tensors, counts: Sequence[int]) -> None:
    """Refuse numbers by which a look-up would go astray."""
    for street, count in enumerate(counts):
        values, steps = tensors[f"values_{street}"], tensors.get(f"steps_{street}")
        fault = Expected(np.float64, (count,), 0.0, 1.0).fault(tensors[f"shares_{street}"])
        if fault:
            raise ValueError(f"tensor 'shares_{street}' {fault}")
        n_values = count
        if steps is not None:
            n_values = steps.shape[1]
            each = count // counts[street - 1]
            if count % counts[street - 1] or steps.max(initial=0) >= each:
                raise ValueError(f"the steps to the {STREETS[street]} do not fit the buckets")
        if values.max() >= n_values:
            raise ValueError(f"a value of the {STREETS[street]} is not one of {n_values}")


def _groups(
    tensors: Tensors, counts: Sequence[int], digests: Sequence[str]
) -> tuple[StreetGroups, ...]:
    groups = []
    for street, count in enumerate(counts):
        next_group = None
        if f"steps_{street}" in tensors:
            steps = np.asarray(tensors[f"steps_{street}"])
            before = np.arange(len(steps))[:, None]
            next_group = (before * (count // len(steps)) + steps).astype(np.int32)
        values = np.asarray(tensors[f"values_{street}"])
        groups.append(StreetGroups(count, values, "hand", next_group).known_by(digests[street]))
    return tuple(groups)


def random_deals(count: int, rng: np.random.Generator) -> Bytes:
    """Deal `count` hands, each with a whole board: shape (count, 7).

    Examples
    --------
    >>> random_deals(2, np.random.default_rng(0)).shape
    (2, 7)
    """
    deals = np.empty((count, 7), np.uint8)
    for first in range(0, count, 100_000):
        part = rng.random((min(100_000, count - first), 52), np.float32)
        deals[first : first + len(part)] = np.argsort(part, axis=1)[:, :7]
    return deals

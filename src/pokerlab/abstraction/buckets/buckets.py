"""`Buckets`: which hands of hold'em are treated alike on each street, in memory and on disk."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pokerlab.abstraction.buckets.bucket_kernels import find_buckets
from pokerlab.abstraction.strength.tables import BOARD_CARDS, STREETS, hand_indexers
from pokerlab.cards.codes import Cards, format_cards, to_cards
from pokerlab.cards.equities.strength import parse_board
from pokerlab.files.hashes import content_hash
from pokerlab.files.reader import Metadata
from pokerlab.files.tensor_files import write_hashed
from pokerlab.files.tensor_map import map_tensors
from pokerlab.files.versions import check_version
from pokerlab.groups.group_kernels import GroupLookUp, group_on_street
from pokerlab.groups.street_groups import StreetGroups, look_up_groups

__all__ = ["BUCKETS_FORMAT", "Buckets", "load_buckets", "random_deals"]

BUCKETS_FORMAT = "pokerlab buckets 2"
"""What the metadata of a bucket file call it; the number is the version."""
_DIGEST = re.compile("[0-9a-f]{64}")


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
    shares: tuple[npt.NDArray[np.float64], ...]

    @property
    def counts(self) -> tuple[int, ...]:
        """How many buckets each street has."""
        return tuple(street.groups for street in self.groups)

    @property
    def recall(self) -> bool:
        """Whether a bucket tells those of the streets before."""
        return all(street.next_group is not None for street in self.groups[1:])

    @cached_property
    def look_up(self) -> GroupLookUp:
        """What kernels take."""
        seen = [2 + cards for cards in BOARD_CARDS]
        return look_up_groups(self.groups, range(52), seen, hand_indexers())

    @cached_property
    def digest(self) -> str:
        """A SHA-256 of all that decides the bucket of a hand."""
        return hashlib.sha256(" ".join(self._digests).encode()).hexdigest()

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

    def of_deals(self, deals: npt.NDArray[np.uint8]) -> npt.NDArray[np.int32]:
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

    def _contents(self) -> tuple[dict[str, npt.NDArray[Any]], dict[str, str]]:
        tensors: dict[str, npt.NDArray[Any]] = {}
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
    """Open a file of buckets; the big tables stay on disk until they are looked at.

    Parameters
    ----------
    path
        The file.
    verify
        Whether to read all of it and compare with the hash that was written with it.
    """
    path = Path(path)
    check_version(path, BUCKETS_FORMAT, "buckets", "build them again with `pokerlab buckets build`")
    tensors, entries = map_tensors(path, BUCKETS_FORMAT)
    metadata = Metadata(entries)
    try:
        counts = [int(count) for count in metadata.numbers("counts")]
        groups = _groups(tensors, counts, metadata.text("digests").split(" "))
        shares = tuple(np.array(tensors[f"shares_{street}"]) for street in range(len(STREETS)))
        buckets = Buckets(metadata.text("name"), groups, shares)
        if verify and content_hash(tensors, entries) != metadata.text("hash"):
            raise ValueError("its contents are not those that were written")
    except KeyError as error:
        raise ValueError(f"{str(path)!r} is damaged: there is no {error}") from None
    except ValueError as error:
        raise ValueError(f"{str(path)!r} is damaged: {error}") from None
    return buckets


def _groups(
    tensors: dict[str, npt.NDArray[Any]], counts: Sequence[int], digests: Sequence[str]
) -> tuple[StreetGroups, ...]:
    if len(counts) != len(STREETS):
        raise ValueError(f"it has buckets for {len(counts)} streets, not {len(STREETS)}")
    if len(digests) != len(STREETS) or not all(map(_DIGEST.fullmatch, digests)):
        raise ValueError("it has no digest for each street")
    groups = []
    for street, (count, indexer) in enumerate(zip(counts, hand_indexers(), strict=True)):
        values = np.asarray(tensors[f"values_{street}"])
        if values.shape != (indexer.size,) or values.dtype != np.uint16:
            raise ValueError(f"the values of the {STREETS[street]} do not fit the hands there")
        next_group = None
        if f"steps_{street}" in tensors:
            steps = np.asarray(tensors[f"steps_{street}"])
            before = counts[street - 1]
            if street == 0 or len(steps) != before or count % before:
                raise ValueError(f"the steps to the {STREETS[street]} do not fit the buckets")
            next_group = (np.arange(before)[:, None] * (count // before) + steps).astype(np.int32)
        groups.append(StreetGroups(count, values, "hand", next_group).known_by(digests[street]))
    return tuple(groups)


def random_deals(count: int, rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    """Deal a hand and a whole board so many times: shape (count, 7).

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

"""Buckets of Rhode Island hold'em: by strength, and by the view of the opponent.

The opponent's view of a hand (from the post-flop thesis, where it is of one board): its strength,
and the strengths of all hands that the opponent can hold. Hands whose views are equal on the last
street are *identical*, whatever the board is; before, hands whose views come equally often. With
one private card, the opponent's hands are all but one of those of the board: the view is the
strength of a hand and a fingerprint of its board.

============================ ======================================================================
``strength``, ``view``       identical hands are one bucket; what was before is forgotten
``strength-recall``, …       the same within the bucket of the street before
``ehs-flat:50,90``           percentiles of expected strength on flop and turn
``ehs2-flat:50,90``          of its expected square
``ehs2:4,4``                 of the square, within the bucket of the street before
``kmeans:50,90``             by the earth mover's distance of histograms of strength on the turn
``view:50,90``               the same for views: of the hand's own strength and the opponent's
============================ ======================================================================

Before the flop every rank is a bucket.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pokerlab.engine.groups.clustering import cluster_rows, cumulated
from pokerlab.holdem.limit.buckets.making import nested_parts
from pokerlab.runtime.arrays import Floats, Int64s, Singles
from pokerlab.studies.rhode_island.boards import RhodeIslandBoards


@dataclass(frozen=True, eq=False)
class BoardBuckets:
    """The bucket of every hand on every board.

    Attributes
    ----------
    classes
        By street: boards × hands. Hands that cannot be held are in the first bucket.
    """

    classes: tuple[Int64s, Int64s, Int64s]

    @property
    def counts(self) -> tuple[int, ...]:
        """How many there are by street."""
        return tuple(int(each.max()) + 1 for each in self.classes)


def make_board_buckets(boards: RhodeIslandBoards, text: str, seed: int = 0) -> BoardBuckets:
    """Make the buckets that a text describes; the seed is for k-means.

    Examples
    --------
    >>> boards = RhodeIslandBoards.of(3, 4, 1)
    >>> for text in ("strength", "view", "view-recall", "ehs2:2,2", "view:5,9"):
    ...     print(text, make_board_buckets(boards, text).counts)
    strength (3, 11, 8)
    view (3, 11, 10)
    view-recall (3, 11, 47)
    ehs2:2,2 (3, 6, 12)
    view:5,9 (3, 5, 9)
    """
    kind, _, numbers = text.partition(":")
    hands = _Hands(boards)
    ranks = np.arange(boards.ranks)[None]
    start = np.tile(np.repeat(ranks, 2, axis=1), (boards.ranks, 1))
    if not numbers:
        measure, _, recall = kind.partition("-")
        flop, turn = hands.identical(measure == "view")
        if recall:
            flop = hands.numbered(1, [*_pairs(start, flop)])
            turn = hands.numbered(2, [*_pairs(hands.before(flop), turn)])
        return BoardBuckets((ranks, flop, turn))
    parts = [int(number) for number in numbers.split(",")]
    if kind in ("kmeans", "view"):
        rng = np.random.default_rng(seed)
        rows = [hands.rows(street, view=kind == "view") for street in (1, 2)]
        found = [
            hands.clusters(street, each, count, rng)
            for street, each, count in zip((1, 2), rows, parts, strict=True)
        ]
        return BoardBuckets((ranks, found[0], found[1]))
    power = 1 if kind == "ehs-flat" else 2
    flop = hands.percentiles(1, power, start * (kind == "ehs2"), parts[0])
    turn = hands.percentiles(2, power, hands.before(flop) * (kind == "ehs2"), parts[1])
    return BoardBuckets((ranks, flop, turn))


@dataclass(frozen=True, eq=False)
class _Hands:
    """What is known of all hands on all boards."""

    boards: RhodeIslandBoards

    @property
    def levels(self) -> int:
        """Different strengths on the turn: half wins of as many hands as the opponent can hold."""
        return 2 * (self.boards.ranks * self.boards.suits - 3) + 1

    @cached_property
    def weights(self) -> dict[int, Floats]:
        """By street, boards × hands: how likely they are."""
        return {street: self.boards.weights[street].sum(axis=2) for street in (1, 2)}

    @cached_property
    def level(self) -> Int64s:
        """Boards × hands of the turn: strength in half wins."""
        weight = np.maximum(self.weights[2], 1e-300)
        strength = 0.5 + 0.5 * self.boards.showdowns.sum(axis=2) / weight
        found = np.rint(strength * (self.levels - 1)).astype(np.int64)
        return np.where(self.weights[2] > 0, found, 0)

    @cached_property
    def opposing(self) -> Floats:
        """Boards × hands × levels of the turn: the share of opposing hands with a strength."""
        shares = self.boards.weights[2] / np.maximum(self.weights[2], 1e-300)[:, :, None]
        places = np.eye(self.levels)[self.level]
        return np.asarray(np.einsum("bho,bol->bhl", shares, places))

    def before(self, flop: Int64s) -> Int64s:
        """What hands of the turn were in on the flop."""
        return np.repeat(flop, len(self.level) // len(flop), axis=0)

    def identical(self, view: bool) -> tuple[Int64s, Int64s]:
        """Numbers of identical hands on flop and turn."""
        labels: list[Hashable] = []
        cards = self.levels // 2
        for board, hand in np.ndindex(self.level.shape):
            own = int(self.level[board, hand])
            counts = np.rint(self.opposing[board, hand] * cards).astype(np.int64)
            labels.append((own, counts.tobytes()) if view else own)
        turn = self.numbered(2, labels)
        # How often each number comes after a flop, for each hand.
        flops, hands = self.weights[1].shape
        after = len(turn) // flops
        whole = np.repeat(self.weights[1], after, axis=0)
        shares = (self.weights[2] / np.maximum(whole, 1e-300)).round(9)
        labels = []
        for flop, hand in np.ndindex(flops, hands):
            here = slice(flop * after, (flop + 1) * after)
            often = np.bincount(turn[here, hand], shares[here, hand], int(turn.max()) + 1)
            labels.append(often.round(6).tobytes())
        return self.numbered(1, labels), turn

    def numbered(self, street: int, labels: list[Hashable]) -> Int64s:
        """Number labels of hands that can be held, in the order of boards and hands."""
        names: dict[Hashable, int] = {}
        possible = self.weights[street].ravel() > 0
        found = [
            names.setdefault(label, len(names)) if can else 0
            for label, can in zip(labels, possible, strict=True)
        ]
        return np.array(found, np.int64).reshape(self.weights[street].shape)

    def mean(self, street: int, values: Floats) -> Floats:
        """Values of the turn (boards × hands × …) as they are, or their means on the flop."""
        if street == 2:
            return values
        flops = len(self.weights[1])
        weight = self.weights[2].reshape((*self.weights[2].shape, *[1] * (values.ndim - 2)))
        total = (values * weight).reshape(flops, -1, *values.shape[1:]).sum(axis=1)
        parted = np.maximum(self.weights[1], 1e-300)
        return np.asarray(total / parted.reshape((*parted.shape, *[1] * (values.ndim - 2))))

    def rows(self, street: int, *, view: bool) -> Singles:
        """Cumulated histograms of strength, and in a view those of the opponent's, by hand."""
        own = self.mean(street, np.eye(self.levels)[self.level])
        parts = [own, self.mean(street, self.opposing)] if view else [own]
        flat = [part.reshape(-1, self.levels) for part in parts]
        possible = self.weights[street].ravel() > 0
        return np.concatenate([cumulated(part[possible]) for part in flat], axis=1)

    def clusters(self, street: int, rows: Singles, count: int, rng: np.random.Generator) -> Int64s:
        """Buckets by k-means of rows."""
        weights = self.weights[street]
        possible = weights.ravel() > 0
        centres = cluster_rows(rows, weights.ravel()[possible], count, rng)
        found = np.zeros(weights.size, np.int64)
        found[possible] = [int(np.abs(row[:, None] - centres).sum(axis=0).argmin()) for row in rows]
        return found.reshape(weights.shape)

    def percentiles(self, street: int, power: int, before: Int64s, parts: int) -> Int64s:
        """Equal shares of hands by expected strength to a power, within buckets before."""
        value = self.mean(street, (self.level / (self.levels - 1)) ** power)
        _, places = np.unique(value.round(9), return_inverse=True)
        places = places.reshape(value.shape)
        counts = np.zeros((int(before.max()) + 1, int(places.max()) + 1))
        np.add.at(counts, (before, places), self.weights[street] / self.weights[street].sum())
        part = nested_parts((counts * 1e12).astype(np.int64), parts)[before, places]
        return self.numbered(street, [*_pairs(before, part.astype(np.int64))])


def _pairs(first: Int64s, second: Int64s) -> Iterator[tuple[int, int]]:
    return zip(first.ravel().tolist(), second.ravel().tolist(), strict=True)

"""`BucketPairs`: chance in a game of buckets, as how often pairs of buckets meet and who wins."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from pokerlab.runtime.arrays import Floats, Int64s


class BucketPairs:
    """The part of a `BucketGame` that is chance, where a bucket tells all the earlier ones.

    Attributes
    ----------
    before
        For each later street (buckets,): the bucket on the street before.
    pairs
        (buckets, buckets) of the last street: the probability of each pair; symmetric, sums to 1.
    margin
        (buckets, buckets): the probability of the pair and that the first wins, minus that of
        the pair and that the first loses; antisymmetric.
    """

    before: tuple[Int64s, ...]
    pairs: Floats
    margin: Floats

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """How many buckets each street has."""
        return (*(int(each.max()) + 1 for each in self.before), len(self.pairs))

    def begin(self, player: int) -> Floats:
        """Ones: how likely buckets are is in the matrices."""
        return np.ones(self.counts[0])

    def onward(self, street: int, reach: Floats) -> Floats:
        """A bucket is reached as the one before it was."""
        return np.asarray(reach[:, self.before[street]])

    def back(self, street: int, value: Floats) -> Floats:
        """A bucket is worth what all that follow it are."""
        return np.asarray(value @ self._follows[street].T)

    def unblocked(self, street: int, reach: Floats) -> Floats:
        """The weight of an opponent with this reach that each bucket leaves unblocked."""
        return np.asarray(reach @ self._pairs[street])

    def win_margins(self, reach: Floats) -> Floats:
        """How much more often each bucket wins than loses against an opponent's reach."""
        return np.asarray(reach @ self.margin.T)

    @cached_property
    def _follows(self) -> tuple[Floats, ...]:
        """(buckets before, buckets): 1 where the second follows the first."""
        return tuple(
            (np.arange(count)[:, None] == each).astype(np.float64)
            for count, each in zip(self.counts, self.before, strict=False)
        )

    @cached_property
    def _pairs(self) -> tuple[Floats, ...]:
        """The probabilities of pairs on each street."""
        found = [self.pairs]
        for follows in reversed(self._follows):
            found.append(follows @ found[-1] @ follows.T)
        return tuple(reversed(found))

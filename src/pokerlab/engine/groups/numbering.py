"""Exact numbers for rows of integers: equal rows have the same number, others never."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

import numpy as np

from pokerlab.engine.groups.numbering_kernels import fingerprint_rows, number_keys, same_rows
from pokerlab.runtime.arrays import Int32s, Uint64s


def number_exactly(
    fingerprint: Callable[[int], Uint64s], same: Callable[[Int32s, Int32s], bool]
) -> tuple[Int32s, int]:
    """Number things by their fingerprints, with collisions excluded by comparison.

    Parameters
    ----------
    fingerprint
        Gives the fingerprints of all things for a seed.
    same
        Takes the first thing of each number and the number of each thing, and says whether all
        things equal the first one of their number. If not, two fingerprints have collided, which
        happens about once in 10^8 flops, and the next seed is tried.

    Returns
    -------
    The number of each thing, and how many numbers there are.
    """
    for seed in count():
        keys = fingerprint(seed)
        firsts, numbers = np.empty(keys.size, np.int32), np.empty(keys.size, np.int32)
        found = number_keys(keys, firsts, numbers)
        if same(firsts[:found], numbers):
            return numbers, found
    raise AssertionError("unreachable")


def number_rows(rows: Int32s) -> tuple[Int32s, int]:
    """Number rows of integers; also how many different ones there are.

    Examples
    --------
    >>> number_rows(np.array([[1, 2], [2, 1], [1, 2]], np.int32))
    (array([0, 1, 0], dtype=int32), 2)
    """

    def fingerprint(seed: int) -> Uint64s:
        keys = np.empty(len(rows), np.uint64)
        fingerprint_rows(rows, random_numbers(seed, rows.shape[1]), keys)
        return keys

    return number_exactly(fingerprint, lambda firsts, numbers: same_rows(rows, firsts, numbers))


def random_numbers(seed: int, count: int) -> Uint64s:
    """Numbers of 64 bits to make fingerprints with."""
    return np.random.default_rng(seed).integers(0, 2**64, count, np.uint64)

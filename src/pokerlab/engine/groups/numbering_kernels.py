"""Numbers for keys and for rows of integers, so that equal ones have the same number.

Rows are found by a fingerprint of 64 bits in a table of open addresses, and compared with the first
row of that number afterwards: the numbers are exact, or `same_rows` says that they are not. A row
costs one pass for the fingerprint, one look-up that misses the cache, and one pass to compare.
"""

from __future__ import annotations

import numpy as np

from pokerlab.cards.random_kernels import mix_bits
from pokerlab.runtime.arrays import Bools, Int16s, Int32s, Uint64s
from pokerlab.runtime.jit import kernel


@kernel(makes_arrays=False)
def fingerprint_rows(rows: Int32s, random: Uint64s, keys: Uint64s) -> None:
    """Write a fingerprint of each of `rows` (n, k) to `keys`: a sum with `random` factors (k)."""
    for row in range(rows.shape[0]):
        key = np.uint64(0)
        for place in range(rows.shape[1]):
            key += np.uint64(rows[row, place]) * random[place]
        keys[row] = key


@kernel
def number_keys(keys: Uint64s, firsts: Int32s, numbers: Int32s) -> int:
    """Number different keys in the order in which they appear; return how many there are.

    `numbers` takes the number of each key, `firsts` (as long) the place of the first key of each
    number.
    """
    size = 64
    while size < 2 * keys.size:
        size *= 2
    slots = np.full(size, -1, np.int32)
    last = np.uint64(size - 1)
    count = 0
    for place in range(keys.size):
        slot = mix_bits(keys[place]) & last
        while slots[slot] >= 0 and keys[firsts[slots[slot]]] != keys[place]:
            slot = (slot + np.uint64(1)) & last
        if slots[slot] < 0:
            slots[slot] = count
            firsts[count] = place
            count += 1
        numbers[place] = slots[slot]
    return count


@kernel(makes_arrays=False)
def same_rows(rows: Int32s, firsts: Int32s, numbers: Int32s) -> bool:
    """Whether every row equals the first row that has its number."""
    for row in range(rows.shape[0]):
        first = firsts[numbers[row]]
        for place in range(rows.shape[1]):
            if rows[row, place] != rows[first, place]:
                return False
    return True


@kernel
def dense_labels(numbers: Int32s, wanted: Bools, most: int, labels: Int16s) -> int:
    """Number the values of the wanted hands from 0, in the order in which they appear.

    `numbers` (hands) are from 0 to `most` − 1, −1 for hands that are impossible; other hands have
    the label −1. Returns how many labels there are.
    """
    label_of = np.full(most, -1, np.int16)
    count = 0
    for hand in range(numbers.size):
        labels[hand] = -1
        number = numbers[hand]
        if number >= 0 and wanted[hand]:
            if label_of[number] < 0:
                label_of[number] = count
                count += 1
            labels[hand] = label_of[number]
    return count

"""Sets of cards up to a group of suit permutations, in compiled loops.

A set of cards stands for its orbit under the group when its 52-bit mask is the largest;
`extend_orbits` finds these sets one card at a time. A set and a card to add cost at most one OR
and one comparison for each permutation (24 at most), on 8-byte masks that stay in cache; a set that
is found costs a byte a card and 8 for its multiplicity.
"""

from __future__ import annotations

import numpy as np

from pokerlab.runtime.arrays import Bytes, Int64s
from pokerlab.runtime.jit import kernel


@kernel
def count_below(sets: Bytes, deck: Bytes) -> int:
    """Count the pairs of a set (cards in falling order) and a card of `deck` below all of it."""
    pairs = 0
    size = sets.shape[1]
    for row in range(len(sets)):
        for card in deck:
            if size == 0 or card < sets[row, size - 1]:
                pairs += 1
    return pairs


@kernel
def extend_orbits(
    sets: Bytes, deck: Bytes, moved: Int64s, extended: Bytes, multiplicities: Int64s
) -> int:
    """Write all sets with one card more that stand for their orbit, and the sizes of the orbits.

    A set stands for its orbit when its 52-bit mask is the largest. Taking away its lowest card
    leaves a set of which the same is true, so it is enough to extend the sets that were found
    for one card less.

    Parameters
    ----------
    sets : (n, k)
        The sets of k cards that stand for their orbits, cards in falling order.
    deck : (cards,)
        The cards to add.
    moved : (group, 52)
        The bit of the image of each card under each permutation of the group.
    extended, multiplicities : (room, k + 1) and (room,)
        Filled from the start; `count_below` gives a room that is large enough.

    Returns
    -------
    The number of sets written.
    """
    found = 0
    size = sets.shape[1]
    group = len(moved)
    images = np.empty(group, np.int64)
    for row in range(len(sets)):
        mask = 0
        lowest = 52
        images[:] = 0
        for place in range(size):
            lowest = sets[row, place]
            mask |= 1 << lowest
            for element in range(group):
                images[element] |= moved[element, lowest]
        for card in deck:
            if card >= lowest:
                continue
            candidate = mask | (1 << np.int64(card))
            fixed_by = 0
            is_largest = True
            for element in range(group):
                image = images[element] | moved[element, card]
                if image > candidate:
                    is_largest = False
                    break
                fixed_by += image == candidate
            if is_largest:
                for place in range(size):
                    extended[found, place] = sets[row, place]
                extended[found, size] = card
                multiplicities[found] = group // fixed_by
                found += 1
    return found

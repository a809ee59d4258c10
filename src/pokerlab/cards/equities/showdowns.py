"""Run showdown kernels over all boards of a situation: symmetry, threads, sums by combo.

What `equity` and `hand_strength` share. Boards that differ only by suits that neither the known
cards nor the ranges tell apart are dealt once; the sums of the combos are then averaged over
the symmetries, which gives exactly what all boards would have given.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from pokerlab.arrays import Bytes, Floats, Indices, Int64s, Uint64s
from pokerlab.cards.codes import COMBO_CARDS, N_COMBOS
from pokerlab.cards.equities.showdown_kernels import Hands
from pokerlab.cards.evaluator import tables as evaluator_tables
from pokerlab.cards.isomorphism.suits import board_orbits, permute_combos
from pokerlab.machine import core_count

# The sums do not depend on the number of threads: the parts are always these, in this order.
_PARTS = 32

COMBO_MASKS: Uint64s = (np.uint64(1) << COMBO_CARDS.astype(np.uint64)).sum(axis=1, dtype=np.uint64)
"""The cards of every combo as 52 bits."""


def select_hands(combos: Indices, opposing: Floats) -> Hands:
    """The arrays of some combos for the kernels; `opposing` has all 1,326 opposing weights."""
    tables = evaluator_tables.load()
    return Hands(
        cards=COMBO_CARDS[combos],
        masks=COMBO_MASKS[combos],
        keys=tables.combo_key[combos],
        bits=tables.combo_bit[combos],
        opposing=np.ascontiguousarray(opposing[combos], dtype=np.float64),
    )


def sum_over_boards(
    add: Callable[[Bytes, Int64s], Floats],
    board: tuple[int, ...],
    dead: tuple[int, ...],
    group: Bytes,
) -> Floats:
    """Sum what `add` gives for parts of the boards up to `group`, in as many threads as cores."""
    boards, multiplicities = board_orbits(board, group, dead)
    if len(boards) == 1:  # threads would take longer to start
        return add(boards, multiplicities)
    parts = np.linspace(0, len(boards), min(_PARTS, len(boards)) + 1).astype(int)
    with ThreadPoolExecutor(core_count()) as threads:
        sums = threads.map(
            lambda first, last: add(boards[first:last], multiplicities[first:last]),
            parts[:-1],
            parts[1:],
        )
        return np.asarray(np.sum(list(sums), axis=0))


def average_over_group(by_combo: Floats, group: Bytes) -> Floats:
    """Average arrays (…, 1326) over the images of each combo."""
    total = np.zeros((*by_combo.shape[:-1], N_COMBOS))
    for permutation in group:
        total += by_combo[..., permute_combos(permutation)]
    return total / len(group)

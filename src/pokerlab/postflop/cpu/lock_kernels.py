"""Locked decisions: fixed probabilities in the place of what has been learned.

Locked probabilities are −1 for hands that are free. Bytes moved for each hand and action of a
locked node: the probability is read, the strategy weight read and written; nodes that are free
cost nothing.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from pokerlab.jit import kernel
from pokerlab.vector_kernels import choose, load, load_as, splat, store

Rows: TypeAlias = npt.NDArray[np.floating[Any]]
Storage: TypeAlias = npt.NDArray[Any]
Starts: TypeAlias = npt.NDArray[np.int64]


@kernel(inline="always", makes_arrays=False)
def impose_lock(
    weights: Storage, place: int, locked: Rows, start: int, hands: int, actions: int
) -> None:
    """Put locked probabilities in the place of the strategy weights; −1 leaves a hand free."""
    for number in range(0, actions * hands, 16):
        free = splat(locked.dtype.type(0)) - load(locked, start + number)
        now = load(weights, place + number)
        share = load_as(locked, start + number, now)
        store(weights, place + number, choose(free, now, share))


@kernel(inline="always", makes_arrays=False)
def impose_locked_values(
    values: Rows,
    target: int,
    starts: Starts,
    factors: Rows,
    edge: int,
    locked: Rows,
    start: int,
    hands: int,
    actions: int,
) -> None:
    """Write the value of the locked strategy for the hands that are locked."""
    zero = splat(values.dtype.type(0))
    for hand in range(0, hands, 16):
        mean = zero
        for action in range(actions):
            value = load(values, starts[edge + action] + hand) * splat(factors[edge + action])
            mean = mean + value * load_as(locked, start + action * hands + hand, zero)
        free = zero - load_as(locked, start + hand, zero)
        store(values, target + hand, choose(free, load(values, target + hand), mean))

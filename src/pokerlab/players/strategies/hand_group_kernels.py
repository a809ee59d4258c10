"""The buckets of all hands on a board, in one call."""

from __future__ import annotations

from typing import Any

import numpy as np

from pokerlab.holdem.limit.buckets.look_up_kernels import buckets_of_cards
from pokerlab.runtime.arrays import Bytes, Int64s
from pokerlab.runtime.jit import kernel


@kernel
def last_buckets(cards: Bytes, look_up: Any, streets: int, found: Int64s) -> None:
    """Write the bucket of each row of `cards` (hands, cards) on its last street into `found`."""
    groups = np.zeros(streets, np.int64)
    for hand in range(cards.shape[0]):
        buckets_of_cards(cards[hand], look_up, groups)
        found[hand] = groups[streets - 1]

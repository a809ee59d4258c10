"""How the cards of eight hands lie in a register of 64 bytes."""

from __future__ import annotations

from functools import cache

import numpy as np

from pokerlab.cards.evaluator import tables as evaluator_tables
from pokerlab.cards.evaluator.batch_kernels import HandLayout

_BYTES_OF_A_KEY = [0, 1, 2, 3, 6, 7]


@cache
def hand_layout(size: int) -> HandLayout:
    """The layout of hands of five, six or seven cards.

    Examples
    --------
    >>> layout = hand_layout(7)
    >>> layout.places[8:16].tolist(), layout.padding[8:16].tolist()
    ([7, 8, 9, 10, 11, 12, 13, 63], [0, 0, 0, 0, 0, 0, 0, 255])
    """
    hand, byte = np.divmod(np.arange(64), 8)
    held = byte < size
    # Padding must differ from all cards and among itself, and its low six bits be no card's.
    keys = evaluator_tables.load().card_key.view(np.uint8).reshape(64, 8)
    return HandLayout(
        np.ascontiguousarray(keys[:, _BYTES_OF_A_KEY].T).ravel(),
        np.where(held, size * hand + byte, 63).astype(np.uint8),
        np.where(held, 0, 255 + size - byte).astype(np.uint8),
    )

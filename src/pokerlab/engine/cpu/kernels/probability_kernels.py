"""From what strategies are proportional to, to the probabilities that are saved.

Bytes moved for each hand and action: two numbers of storage are read twice (the second time from
the cache) and two bytes are written.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pokerlab.runtime.arrays import AnyArray, Int64s, Uint16s
from pokerlab.runtime.jit import kernel
from pokerlab.runtime.vector_kernels import choose, choose_above, load_as, positive, splat, store


@kernel(makes_arrays=False)
def write_probabilities(
    rows: AnyArray,
    spare: AnyArray,
    first: Int64s,
    actions: Int64s,
    smallest: Any,
    out: Uint16s,
) -> None:
    """Normalise strategy weights to probabilities (float16).

    Where `rows` have nothing for a hand `spare` is taken, and equal shares where that has nothing
    either. `first` tells where the boards begin, `actions` how many each node has; a share of
    less than `smallest` is none.
    """
    zero, one, least = splat(np.float32(0)), splat(np.float32(1)), splat(smallest)
    for board in range(first.size - 1):
        place = first[board]
        slots = 0
        for count in actions:
            slots += count
        hands = (first[board + 1] - place) // max(slots, 1)
        for count in actions:
            equal = splat(np.float32(1.0) / np.float32(count))
            for hand in range(0, hands, 16):
                total, spare_total = zero, zero
                for here in range(place + hand, place + hand + count * hands, hands):
                    total = total + positive(load_as(rows, here, zero))
                    spare_total = spare_total + positive(load_as(spare, here, zero))
                whole = choose(total, total, one)
                spare_whole = choose(spare_total, spare_total, one)
                for here in range(place + hand, place + hand + count * hands, hands):
                    share = positive(load_as(spare, here, zero)) / spare_whole
                    share = choose(spare_total, share, equal)
                    share = choose(total, positive(load_as(rows, here, zero)) / whole, share)
                    store(out, here, choose_above(share, least, share, zero))
            place += count * hands

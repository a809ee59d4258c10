"""The plain mean of strategies, added up outside of an engine.

Bytes moved for each hand and action: a weight is read twice (the second time from the cache), a sum
is read and written once.
"""

from __future__ import annotations

from pokerlab.runtime.arrays import Int64s, Reals
from pokerlab.runtime.jit import kernel


@kernel(makes_arrays=False)
def add_strategy(weights: Reals, first: Int64s, actions: Int64s, sums: Reals) -> None:
    """Add to `sums` the strategies that `weights` are proportional to.

    Both are ``[board][action][row]``: `first` tells where the boards begin, `actions` how many each
    node has. Where no weight of a row is positive, all actions get equal shares.
    """
    slots = 0
    for count in actions:
        slots += count
    for board in range(first.size - 1):
        place = first[board]
        row = (first[board + 1] - place) // max(slots, 1)
        for count in actions:
            for hand in range(place, place + row):
                total = weights[hand] * 0
                for here in range(hand, hand + count * row, row):
                    total += max(weights[here], weights[here] * 0)
                for here in range(hand, hand + count * row, row):
                    if total > 0:
                        sums[here] += max(weights[here], weights[here] * 0) / total
                    else:
                        sums[here] += 1 / count
            place += count * row

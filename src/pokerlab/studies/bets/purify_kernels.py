"""The compiled loop that makes strategies pure."""

from __future__ import annotations

from pokerlab.runtime.arrays import Int64s, Uint16s
from pokerlab.runtime.jit import kernel

_ONE = 0x3C00
"""1 as an IEEE half."""


@kernel
def purify(shares: Uint16s, first: Int64s, rows: Int64s, actions: Int64s, pure: Uint16s) -> None:
    """Write 1 for the most likely action of each hand at each node, the first of several.

    Shares are IEEE halves that are not negative, whose bits have the order of the numbers; `pure`
    holds zeros. Storage is as in `pokerlab.engine.tables.layout`: where boards begin, the length of
    their rows, and the actions of each node.
    """
    for board in range(rows.size):
        row = rows[board]
        place = first[board]
        for node in range(actions.size):
            for hand in range(row):
                best = place + hand
                for action in range(1, actions[node]):
                    here = place + action * row + hand
                    if shares[here] > shares[best]:
                        best = here
                pure[best] = _ONE
            place += actions[node] * row

"""Iterations of a rule with an update of its own on sequences: the loop that it is compiled into.

The same passes as in `cfr_kernels`, with a call of the update in place of regret matching. The
function is an argument, so Numba compiles the loop again for each update, and LLVM may inline it;
machine code with somebody else's function in it is not kept on disk.
"""

from __future__ import annotations

from typing import Any

from pokerlab.runtime.arrays import Floats, Int64s
from pokerlab.solvers.cfr.cfr_kernels import Indices, evaluate, follow, restricted_value
from pokerlab.solvers.local_rule import compile_each_time


@compile_each_time
def iterate_locally(
    update: Any,
    steps: Floats,
    averages: Floats,
    alternating: bool,
    first: Int64s,
    offset: Indices,
    parent: Indices,
    row: Indices,
    coefficient: Floats,
    others: Indices,
    memory: Floats,
    strategy: Floats,
    total: Floats,
    reach: Floats,
    played: Floats,
    value: Floats,
    held: Floats,
    free: Floats,
) -> None:
    """Run an iteration for each row of `steps`.

    `averages` has the factor of the sums for each iteration; `memory` is [numbers, slots]; other
    arrays are those of `cfr_kernels.iterate`.
    """
    players = len(first) - 1
    for step in range(len(steps)):
        for player in range(players):
            here, end = first[player], first[player + 1]
            value[len(strategy) + player] = 0.0
            evaluate(offset[here], offset[end], players - 1, row, coefficient, others, reach, value)
            if len(total) > 0:
                for slot in range(offset[here], offset[end]):
                    total[slot] = total[slot] * averages[step] + reach[slot]
            for infoset in range(end - 1, here - 1, -1):
                start, stop = offset[infoset], offset[infoset + 1]
                before = parent[infoset]
                expected = 0.0
                for slot in range(start, stop):
                    expected += strategy[slot] * value[slot]
                update(
                    memory[:, start:stop],
                    strategy[start:stop],
                    value[start:stop],
                    reach[before],
                    steps[step],
                )
                value[before] += restricted_value(infoset, start, stop, expected, value, held, free)
            if alternating or player == players - 1:
                follow(
                    here if alternating else first[0],
                    end,
                    offset,
                    parent,
                    strategy,
                    False,
                    0.0,
                    reach,
                    played,
                    held,
                    free,
                )

"""How fast is a flop with all hands for both players on many threads, in 32 and in 16 bits?

Td9d6h, pot 200, stacks 900, bets and raises of 50%, 100% and all-in: 10.6 GB in 32 bits, so the
benchmark runs where 24 GB and eight cores or more are.

Floor. An iteration moves five times what is kept for one kind of number (`benchmarks.postflop`),
26.5 GB, in 16 bits half of that. The ratio is the time of these bytes at the speed of a copy of 256
MB on as many threads to that of an iteration.

Measured 2026-11-18 on a Xeon with sixteen cores, sixteen threads, copies at 78.9 GB/s, 16 bits: 216
ms (ratio 0.78); 298 (0.56) just before, by the engine whose 36 turns were shared out whole, so that
threads waited a quarter of the time, and that multiplied margins by hands which reach nothing. 32
bits were not measured. On 2026-11-19, copies at 107 GB/s, 16 bits: 172 and 188 ms (ratios of 0.72
and 0.66), 188 just before.
"""

from __future__ import annotations

from time import perf_counter

from benchmarks.common import Row
from benchmarks.postflop import copy_speed
from pokerlab.holdem.spots import PostflopSolver, Spot
from pokerlab.runtime.machine import core_count, free_memory

SIZES = "50%, 100%, a"


def run() -> list[Row]:
    """An iteration in each precision, where the machine is large enough."""
    threads = core_count()
    if threads < 8 or (free_memory() or 0) < 24e9:
        return [Row("wide flop", 0, "", note="not run: it takes eight cores and 24 GB")]
    spot = Spot("Td9d6h", "any", "any", pot=200, stack=900, bet=SIZES, raise_=SIZES)
    speed = copy_speed(threads)
    rows = [Row(f"copy of 256 MB, {threads} threads", speed / 1e9, "GB/s")]
    for bits in (32, 16):
        solver = PostflopSolver(spot, precision=bits)
        solver.iterate(2)
        best = float("inf")
        for _ in range(8):
            began = perf_counter()
            solver.iterate(1)
            best = min(best, perf_counter() - began)
        floor = 2.5 * solver.nbytes / speed
        name = f"wide flop, {bits} bits, {threads} threads"
        rows.append(Row(name, 1e3 * best, "ms an iteration", "its bytes", floor / best))
        del solver
    return rows

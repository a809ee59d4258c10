"""How fast is a post-flop solve, and how much memory does it take?

Spots: S1 is a flop (Td9d6h, pot 200, stacks 900, three bet sizes), S2 its turn Qc, S3 its river
2s; they are the files of ``examples/spots``.

Floor. An iteration reads each regret twice and writes it once, and reads and writes each sum of
strategies once: five times the tables that are kept for one kind of number. S1 keeps 626 MB in
float32 (313 MB of regrets, 313 MB of sums), so 1.56 GB move through memory, 0.08 s at 20 GB/s;
in 16 bits half of that. S2 (11 MB) and S3 (45 kB) live in the caches. Arithmetic: about 150 ns a
leaf and board for the sweep, 160 lanes on each of 1,429 river boards of S1 and for each player:
0.07 s on one core.

Calibration in the same run: copying 256 MB (bytes read plus bytes written), on as many threads as
the solve uses, and the sweep of one block of 32 leaves over 200 × 250 hands. The ratios are
iterations in the time that the floor's bytes would take (1 is the floor).

Peer. The native solvers that people use are not Python packages and cannot be measured here; the
figures of the issue for this kind of machine with 2 threads: postflop-solver (Rust) S1 425 to 720
ms an iteration, 81 s to 0.5% of the pot, S2 6 to 7.5 ms, S3 0.035 ms.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from time import perf_counter

import numpy as np

from benchmarks.common import Row, best_seconds
from pokerlab.postflop import PostflopSolver, Spot
from pokerlab.solvers import run as run_solver

SPOTS = Path(__file__).parent.parent / "examples" / "spots"


def copy_speed() -> float:
    """Bytes a second, read plus written, of a large copy on one thread."""
    source = np.ones(64_000_000, np.float32)
    target = np.empty_like(source)
    seconds = best_seconds({"copy": lambda: np.copyto(target, source)})["copy"]
    return 2 * source.nbytes / seconds


def run() -> list[Row]:
    bandwidth = copy_speed()
    rows = [Row("copy of 256 MB, one thread", bandwidth / 1e9, "GB/s")]
    for name, iterations, goals in (
        ("s3-river", 2000, (0.5, 0.1)),
        ("s2-turn", 100, (0.5, 0.1)),
        ("s1-flop", 5, (0.5, 0.1)),
    ):
        spot = Spot.from_file(SPOTS / f"{name}.toml")
        start = perf_counter()
        solver = PostflopSolver(spot)
        prepared = perf_counter() - start
        moved = 2.5 * solver.nbytes
        seconds = best_seconds({name: partial(solver.iterate, iterations)}, turns=3)[name]
        each = seconds / iterations
        rows.append(Row(f"{name}: preparation", prepared, "s"))
        rows.append(Row(f"{name}: tables", solver.nbytes / 1e6, "MB"))
        rows.append(
            Row(
                f"{name}: an iteration, {solver.threads} threads",
                each * 1e3,
                "ms",
                "moving the bytes at copy speed",
                moved / bandwidth / each,
            )
        )
        fresh = PostflopSolver(spot)
        for goal in goals:
            reached = run_solver(fresh, target=goal / 100 * spot.pot, seconds=120)
            note = "" if reached.stopped == "target" else f"stopped by {reached.stopped}"
            rows.append(
                Row(
                    f"{name}: to {goal}% of the pot",
                    reached.seconds,
                    f"s, {reached.iterations} iterations",
                    note=note,
                )
            )
    return rows

"""How fast is a post-flop solve, and how much memory does it take?

Spots: S1 is a flop (Td9d6h, pot 200, stacks 900, three bet sizes), S2 its turn Qc, S3 its river
2s; they are the files of ``examples/spots``.

Floor. An iteration reads each regret twice and writes it once, and reads and writes each sum of
strategies once: five times the tables that are kept for one kind of number. S1 keeps 626 MB in
float32 (313 MB of regrets, 313 MB of sums), so 1.56 GB move through memory, 0.08 s at 20 GB/s;
in 16 bits half of that. S2 (11 MB) and S3 (45 kB) live in the caches. Arithmetic: about 100 ns a
lane and board for the sweep, 128 lanes on each of 1,429 river boards of S1 and for each player:
0.04 s on one core.

Calibration in the same run: copying 256 MB (bytes read plus bytes written), on as many threads as
the solve uses. The ratio is the time that the floor's bytes would take at that speed to the time
of an iteration: 1 is the floor.

Times to a target include the measurements of exploitability on the way, not the compilation of
kernels, which is done before.

Peer. The native solver that people use, postflop-solver (Rust), is no Python package. Build a
program that takes S1, S2 or S3 and a number of iterations and prints one line of JSON with
``ms_per_iteration``, put its path into ``POKERLAB_PEER``, and it is measured in the same run.
"""

from __future__ import annotations

import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.common import Row, best_seconds
from pokerlab.postflop import PostflopSolver, Spot
from pokerlab.solvers import run as run_solver

SPOTS = Path(__file__).parent.parent / "examples" / "spots"


def copy_speed(threads: int) -> float:
    """Bytes a second, read plus written, of a large copy."""
    source = np.ones(64_000_000, np.float32)
    target = np.empty_like(source)
    parts = list(zip(np.array_split(target, threads), np.array_split(source, threads), strict=True))
    with ThreadPoolExecutor(threads) as pool:
        seconds = best_seconds({"copy": lambda: list(pool.map(lambda p: np.copyto(*p), parts))})
    return 2 * source.nbytes / seconds["copy"]


def peer_seconds(name: str, iterations: int) -> float | None:
    """Seconds of an iteration of the native solver, where there is one."""
    program = os.environ.get("POKERLAB_PEER")
    if not program:
        return None
    printed = subprocess.run(
        [program, name[:2].upper(), str(iterations)],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"RAYON_NUM_THREADS": str(os.cpu_count() or 1)},
    ).stdout
    return float(json.loads(printed)["ms_per_iteration"]) / 1e3


def run() -> list[Row]:
    threads = os.cpu_count() or 1
    bandwidth = copy_speed(threads)
    rows = [Row(f"copy of 256 MB, {threads} threads", bandwidth / 1e9, "GB/s")]
    for name, iterations, goals in (
        ("s3-river", 2000, (0.5, 0.1)),
        ("s2-turn", 100, (0.5, 0.1)),
        ("s1-flop", 5, (0.5, 0.1)),
    ):
        spot = Spot.from_file(SPOTS / f"{name}.toml")
        solver = PostflopSolver(spot)
        moved = 2.5 * solver.nbytes
        seconds = best_seconds({name: partial(solver.iterate, iterations)}, turns=3)[name]
        each = seconds / iterations
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
        peer = peer_seconds(name, iterations)
        if peer is not None:
            rows.append(Row(f"{name}: the same, Rust", peer * 1e3, "ms", "times ours", peer / each))
        fresh = PostflopSolver(spot)
        spent = 0.0
        for goal in goals:
            reached = run_solver(fresh, target=goal / 100 * spot.pot, seconds=120, spacing=8)
            spent += reached.seconds + reached.measuring
            note = "" if reached.stopped == "target" else f"stopped by {reached.stopped}"
            rows.append(
                Row(
                    f"{name}: to {goal}% of the pot",
                    spent,
                    f"s, {reached.iterations} iterations",
                    note=note,
                )
            )
    return rows

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
``ms_per_iteration`` and ``cpu_ms_per_iteration``, and that, with two more arguments ``to`` and
``0.5,0.1``, solves to these percents of the pot, measuring every ten iterations, and prints
``to``: a list of iterations and seconds. Put its path into ``POKERLAB_PEER``, and it is measured in
the same run: on all cores by the clock, and on one by processor time, which counts on a machine
that others use too.

Last measured (2026-11-17) on a Xeon with sixteen cores and 2 MB of second-level cache each.
Processor time of an iteration on one thread, ours and the peer's in turn: S3 2.9 to 7.1 times the
peer (median of eight rounds 4.2), S2 5.2 to 9.9 (5.8; in three runs of this benchmark 7.7 to 8.5),
S1 5.2 to 7.5 (7.3). The goals were 4, 6 and 8. Seconds to 0.1% of the pot on 2, 8 and 16 threads,
before nodes asked for what the next ones need: S1 9.9, 8.2 and 6.1 times, S2 8.3, 6.9 and 4.0, S3
2.6, 1.9 and 1.3. An older Xeon with 1 MB: S3 2.9 to 5.2, S2 4.4 to 5.5, S1 5.0 to 6.5.

What bounds S1 on one thread: S2, with about the same hands and 1/47 of the leaves, takes 2.0 to 2.4
ms, so the work of S1 would take about 100 ms if its tables were in the caches; and touching the
tables alone (`touch_tables`, also a row of the table below) takes 58 to 90 ms. The two overlap only
where the processor has asked for what comes: by itself it hardly does beyond a page of 4 kB, and
asking a page ahead is worth 0.87 of the time on one thread, 0.82 on sixteen (2, 6 and 8 kB ahead,
and into the first-level cache, are worse by 1 to 3%). On eight and sixteen threads an iteration
moves its bytes at 1.0 to 1.1 times the speed of a copy: that is the floor. By the cycle counter, S2
spends 49% in the leaves, 23% in splitting reach, 19% in learning and 9% between streets. Leaves are
not far from what the ports of a processor allow: an own hand takes 16 loads for 16 showdowns, 8
cycles, and 5.4 ns, 13 cycles of 2.5 GHz, were measured.

ARM64 (2026-11-18, a Neoverse N1 with two cores of 2.5 GHz, which others used too; processor time
on one thread, before and after in turn). Sixteen lanes are four registers of 32. Counted in what
LLVM emits for it, before and after columns of four: instructions for a hand and sixteen leaves, and
among them registers that are put aside or taken back, 57 and 12, then 46 and 0 for an opposing
hand; 95 and 15, then 80 and 2 for an own one at showdowns; 57 and 19, then 42 and 0 at folds (37
before the places of the next hands were read early, which is 13% faster). Nodes of two and
three actions have 13.6 and 21.3 instructions a hand (16.5 and 26.4 before two numbers in a word
were written out), and put aside or take back 0.3 and 1.6. In a cycle this processor computes two
registers (but shifts one), stores one, in place of a computation, loads two, and begins four
instructions; divisions take 6 cycles, while others go on. Floor, by registers that are computed or
stored, in cycles: for four hands 64 (opposing), 88 (showdowns) and 48 (folds), for sixteen hands
100 and about 155 (nodes of two and three actions). Measured for each loop alone, its data in the
first level: 79 to 89, 117 to 130, 59 (68 before) and, for two actions, 116; nodes in S3, by samples
of the clock: 123 (133 before) and 183 (214 before). In these loops alone, where the rows of sums
lie and whether one waits for another makes no difference.

Shares of S2: nodes that learn 32%, opposing hands 15, showdowns 12, folds 9, reach 15, all the
rest 17; of S3 30, 16, 20, 11, 13 and 10.
To gather sixteen numbers takes 5.9 instead of 14.2 ns. Asking 6 kB ahead, for the first level: 2%
better than 4 kB for the second on S2 and S1; 1 kB for the first is 4 to 6% worse, 8 kB for the
second is as good as 4. An iteration of S3, S2 and S1 took 0.028, 7.0 and 375 ms in the quietest
runs, 0.029, 7.3 and 384 in the last, on a busy machine (before: 0.030, 7.3 to 7.5 and 400). The
peer was not measured again: by its 0.063, 23.3 and 1,335 ms of another day that is 2.2, 3.2 to 3.3
and 3.5 to 3.6 times. The goals are 2.5, 4 and 4. Tried there without gain: asking for the reach of
a block before its sweep (2% slower), pages of 2 MB, the work of a node in line with the walk (S3
alone, one run), places of the other two loops read early (1 and 3% of these loops alone).

Tried without gain: sums only every other iteration, which saves 6% and costs 38% more iterations to
0.1% (58% to 0.02%, ten rivers and nine turns), since strategies swing from one iteration to the
next; leaving out vectors of hands that reach nothing, 37 to 41% of all (branches cost what they
save), and subtrees that nobody reaches (1% of the nodes of S1); quotients from reciprocals, exact
to the bit; hands that cross from board to board in transposed blocks (2% on S1); asking for sums
while leaves are evaluated (6% slower); batches of half or twice the size.
"""

from __future__ import annotations

import json
import os
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from benchmarks.common import Row, best_seconds
from pokerlab.engine.cpu.workspaces import aligned
from pokerlab.holdem.spots import PostflopSolver, Spot
from pokerlab.runtime.jit import kernel
from pokerlab.runtime.machine import core_count
from pokerlab.runtime.vector_kernels import LANES, load, splat, store
from pokerlab.solvers import run as run_solver

Tables: TypeAlias = tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]

SPOTS = Path(__file__).parent.parent / "examples" / "spots"


def copy_speed(threads: int) -> float:
    """Bytes a second, read plus written, of a large copy."""
    source = np.ones(64_000_000, np.float32)
    target = np.empty_like(source)
    parts = list(zip(np.array_split(target, threads), np.array_split(source, threads), strict=True))
    with ThreadPoolExecutor(threads) as pool:
        seconds = best_seconds({"copy": lambda: list(pool.map(lambda p: np.copyto(*p), parts))})
    return 2 * source.nbytes / seconds["copy"]


@kernel
def touch_tables(weights: Tables, sums: Tables, block: int) -> None:
    """Read and write what an iteration does, block by block, and compute next to nothing.

    Each walk reads the weights of one player, and reads and writes weights and sums of the other.
    """
    for hero in range(2):
        size = weights[hero].size
        for start in range(0, size, block):
            stop = min(start + block, size)
            total = splat(np.float32(0))
            for place in range(start, stop, LANES):
                total = total + load(weights[1 - hero], place)
            for place in range(start, stop, LANES):
                store(weights[hero], place, load(weights[hero], place) + total)
            for place in range(start, stop, LANES):
                store(sums[hero], place, load(sums[hero], place) + total)


def touching_seconds(nbytes: int) -> float:
    """The same for tables of a size, on one thread: no engine that keeps them can be faster."""
    tables = [aligned(nbytes // 16 // LANES * LANES, np.float32) for _ in range(4)]
    weights, sums = (tables[0], tables[1]), (tables[2], tables[3])
    jobs = {"touch": lambda: touch_tables(weights, sums, 16_384)}
    return best_seconds(jobs, turns=3, clock=time.process_time)["touch"]


def ask_peer(name: str, threads: int, *arguments: str) -> dict[str, Any]:
    """What the native solver says of a spot; nothing where there is none."""
    program = os.environ.get("POKERLAB_PEER")
    if not program:
        return {}
    printed = subprocess.run(
        [program, name[:2].upper(), *arguments],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"RAYON_NUM_THREADS": str(threads)},
    ).stdout
    return dict(json.loads(printed))


def peer_seconds(name: str, iterations: int, threads: int, key: str) -> float | None:
    """Seconds of an iteration of the native solver, where there is one that says so."""
    milliseconds = ask_peer(name, threads, str(iterations)).get(key)
    return None if milliseconds is None else float(milliseconds) / 1e3


def peer_course(name: str, goals: tuple[float, ...], threads: int) -> list[list[float]]:
    """Iterations and seconds to the goals of the native solver; nothing where it does not say."""
    return list(ask_peer(name, threads, "5000", "to", ",".join(map(str, goals))).get("to", ()))


def measure_one_core(name: str, spot: Spot, iterations: int) -> list[Row]:
    """Processor time of an iteration on one thread."""
    solver = PostflopSolver(spot, threads=1)
    solver.iterate(2)
    spent = []
    for _ in range(3):
        before = time.process_time()
        solver.iterate(iterations)
        spent.append(time.process_time() - before)
    each = min(spent) / iterations
    touching = touching_seconds(solver.nbytes)
    what = f"{name}: an iteration, processor time, one thread"
    rows = [Row(what, each * 1e3, "ms", "touching the tables alone", touching / each)]
    peer = peer_seconds(name, iterations, 1, "cpu_ms_per_iteration")
    if peer is not None:
        rows.append(Row(f"{name}: the same, Rust", peer * 1e3, "ms", "times ours", peer / each))
    return rows


def run() -> list[Row]:
    threads = core_count()
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
        peer = peer_seconds(name, iterations, threads, "ms_per_iteration")
        if peer is not None:
            rows.append(Row(f"{name}: the same, Rust", peer * 1e3, "ms", "times ours", peer / each))
        rows += measure_one_core(name, spot, iterations)
        fresh = PostflopSolver(spot)
        spent = 0.0
        course = peer_course(name, goals, threads)
        for place, goal in enumerate(goals):
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
            if course:
                count, seconds = course[place][:2]
                what, unit = f"{name}: the same, Rust", f"s, {count:.0f} iterations"
                rows.append(Row(what, seconds, unit, "times ours", seconds / spent))
    return rows

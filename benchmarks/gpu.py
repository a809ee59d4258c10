"""How fast is a solve on a GPU, and how far from what the GPU could do?

Spots: *full* is Td9d6h with all hands for both players (pot 200, stack 900, bets 50%, 100% and
all-in, raises 100% and all-in; suits merged, 0.87e9 entries); *S1* is the flop of
``examples/spots`` with narrow ranges (0.078e9 entries); *thesis* is QhJh2c with all hands, pot 2,
stack 49, bets and raises of half the pot and all-in, at most four bets (3,595,530 nodes; 2.29e9
entries with suits merged).

Floor by bytes. An iteration reads each regret twice and writes it once, and reads and writes each
sum of strategies once: five numbers an entry. At the copy speed of an H200, 4.3 TB/s:

====== ========== ======== ======== ==========
spot   entries    32 bits  16 bits  to reach
====== ========== ======== ======== ==========
full   0.867e9    4.0 ms   2.0 ms   7 / 6 ms
S1     0.078e9    0.36 ms  0.18 ms  1.8 / 1.5
thesis 2.292e9    10.7 ms  5.3 ms   25 ms
====== ========== ======== ======== ==========

Floor by shared memory, an estimate. Rows of hands stay in shared memory: for each entry of the
river about six numbers go in or out there (split reach, read it at a leaf through sums by strength
and by card, write a value, add it up at the node), 24 bytes, whatever the bits. 132
multiprocessors of 128 bytes a cycle at 1.8 GHz move 30 TB/s, so 0.7 ms for *full*; conflicts of
banks and barriers come on top.

The copy speed of the GPU is measured in the same run, and the ratio of an iteration is the time
that its bytes take at that speed to the time it takes: 1 is the floor. The processor's engine runs
S1 beside it. Times to a target include the measurements on the way, not the compilation of kernels.

The whole command is measured in a process of its own, and its parts in this one. *Many flops* are
147 of the 1,755 flops, evenly taken, with the ranges and the betting of S1, each to 0.3% of the
pot: several processes feed the GPU, and ``nvidia-smi`` says for which part of the time it had a
kernel to run. All 1,755 are reckoned from that.

*Best responses* are those of `pokerlab exploitability` to a bot that plays all lines of limit
hold'em, on 25 of the 1,755 flops, evenly taken; all are reckoned from that. Floor by bytes: for
each of 2,554,656 rivers, 567 lines and 1,081 hands, and for each hero, a reach is read and a value
written and read (12 bytes): 3.8e13 in all, 9 s at 4.3 TB/s where the strategy's tables stay in the
cache. Floor by shared memory, which counts: 10 numbers for each of 9 showdowns and 6 for each of 4
folds, 456 bytes, 48 s at 30 TB/s.
"""

from __future__ import annotations

import gc
import subprocess
import sys
import tempfile
from functools import partial
from itertools import pairwise
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks.common import Row, best_seconds, peer
from benchmarks.postflop import SPOTS
from pokerlab.arena.simulation.opponents import TableOpponent
from pokerlab.cards.flops import all_flops
from pokerlab.holdem.batches import BatchQuestion, plan_batch, run_batch
from pokerlab.holdem.limit.best_response.gpu_response import GpuResponse
from pokerlab.holdem.spots import PostflopSolver, Spot
from pokerlab.holdem.spots.answer.solution import make_solution
from pokerlab.holdem.spots.solver import SPACING
from pokerlab.runtime.gpu.machine import CudaMachine
from pokerlab.runtime.machine import core_count
from pokerlab.solvers import run as run_solver

FULL = Spot("Td9d6h", "random", "random", pot=200, stack=900, bet="50%, 100%, a", raise_="100%, a")
THESIS = Spot(
    "QhJh2c", "random", "random", pot=2, stack=49, bet="50%, a", raise_="50%, a", max_bets=4
)
NARROW = Spot.from_file(SPOTS / "s1-flop.toml")

REACH = {
    ("full", 32): 7.0,
    ("full", 16): 6.0,
    ("S1", 32): 1.8,
    ("S1", 16): 1.5,
    ("thesis", 32): 25.0,
    ("thesis", 16): 25.0,
}
"""Milliseconds of an iteration on an H200."""

GOALS = {"full": {0.5: 1.0, 0.1: 2.2}, "S1": {0.1: 0.4}, "thesis": {0.5: None}}
"""Percent of the pot, and the seconds to reach it in on an H200."""

RESPONSE_FLOOR = 2 * 456 * 2_554_656 * 567 * 1_081 / 30e12
"""Seconds that shared memory takes for the best responses of both heroes on all rivers."""


def copy_speed(machine: CudaMachine) -> float:
    """Bytes a second, read plus written, of a copy of 4 GB on the GPU."""
    source = machine.zeros(1 << 30, np.float32)
    target = machine.zeros(1 << 30, np.float32)

    def copy() -> None:
        target[...] = source
        machine.synchronize()

    return 2 * source.nbytes / best_seconds({"copy": copy})["copy"]


def iteration_row(name: str, solver: PostflopSolver, bandwidth: float) -> Row:
    seconds = best_seconds({name: partial(solver.iterate, 10)}, turns=3)[name] / 10
    reach = REACH.get((name, solver.precision))
    return Row(
        f"{name}, {solver.precision} bits: an iteration",
        1e3 * seconds,
        "ms",
        "moving the bytes at copy speed",
        2.5 * solver.nbytes / bandwidth / seconds,
        "" if reach is None else f"to reach: {reach:g} ms on an H200",
    )


def goal_rows(name: str, spot: Spot, precision: int) -> list[Row]:
    solver, rows, spent = PostflopSolver(spot, precision=precision, device="gpu"), [], 0.0
    solver.exploitability()  # compiles its kernels
    for goal, limit in GOALS.get(name, {}).items():
        reached = run_solver(solver, target=goal / 100 * spot.pot, seconds=60, spacing=8)
        spent += reached.seconds + reached.measuring
        note = "" if limit is None else f"to reach: {limit:g} s on an H200"
        if reached.stopped != "target":
            note = f"stopped by {reached.stopped}"
        unit = f"s, {reached.iterations} iterations"
        rows.append(Row(f"{name}, {precision} bits: to {goal}% of the pot", spent, unit, note=note))
    return rows


def command_row() -> Row:
    """The whole command in a process of its own, all kernels compiled before."""
    with tempfile.TemporaryDirectory() as folder:
        spot, answer = Path(folder) / "full.toml", Path(folder) / "full.safetensors"
        spot.write_text(FULL.to_toml(), encoding="utf-8")
        command: list[Any] = [sys.executable, "-m", "pokerlab.cli.main", "solve", spot]
        command += ["--device", "gpu", "--target", "0.5%", "--json", "-o", answer]
        taken = []
        for _ in range(3):
            start = perf_counter()
            subprocess.run(command, check=True, capture_output=True)
            taken.append(perf_counter() - start)
            answer.unlink()
    note = "to reach: 8 s"
    return Row("full: the whole command to 0.5%, warm", min(taken[1:]), "s", note=note)


def part_rows() -> list[Row]:
    """The parts of the same solve, in this process."""
    with tempfile.TemporaryDirectory() as folder:
        marks = [perf_counter()]
        solver = PostflopSolver(FULL, device="gpu")
        marks.append(perf_counter())
        reached = run_solver(solver, target=0.005 * FULL.pot, spacing=SPACING)
        marks.append(perf_counter())
        solver.certify()
        marks.append(perf_counter())
        solution = make_solution(solver, 0.0, reached.stopped, reached.history, lambda _: None)
        marks.append(perf_counter())
        solution.save(Path(folder) / "full.safetensors")
        marks.append(perf_counter())
    names = (
        "boards, tables, programs",
        "to 0.5%",
        "the certificate in float64, its kernels loaded first",
        "the certificate again, and strategies as probabilities to the host",
        "hash and file",
    )
    took = [end - start for start, end in pairwise(marks)]
    return [Row(f"  of it, {name}", each, "s") for name, each in zip(names, took, strict=True)]


def flop_rows(workers: int = 10) -> list[Row]:
    """Flops an hour where several processes feed the GPU, and how busy it is."""
    boards = {flop.name: flop.weight for flop in all_flops()[::12]}
    question = BatchQuestion.of(NARROW, boards, target="0.3%", keep="root", precision=16)
    command = ["nvidia-smi", "--query-gpu=utilization.gpu", "--format=csv,noheader,nounits"]
    with tempfile.TemporaryDirectory() as folder:
        warm_up = BatchQuestion.of(
            NARROW, dict(list(boards.items())[:workers]), target="0.3%", keep="root", precision=16
        )
        for asked, name in ((warm_up, "first"), (question, "all")):
            watch = subprocess.Popen([*command, "-lms", "100"], stdout=subprocess.PIPE, text=True)
            start = perf_counter()
            plan = plan_batch(asked, workers=workers, device="gpu")
            done = run_batch(asked, Path(folder) / name, plan)
            seconds = perf_counter() - start
            watch.terminate()
            busy = np.array([float(line) for line in watch.communicate()[0].split()])
    each = seconds / len(boards)
    title = f"many flops, {workers} processes"
    note = f"{done.solved} of {len(boards)} solved; to reach: 15 minutes, 90%"
    return [
        Row(f"{title}: a flop to 0.3%", each, "s"),
        Row(f"{title}: all 1,755, reckoned", 1755 * each / 60, "minutes", note=note),
        Row(f"{title}: the GPU is busy", float(busy.mean()), "% of the time"),
    ]


def response_row(machine: CudaMachine) -> Row:
    """Exact best responses of limit hold'em, both heroes, on some flops."""
    opponent = TableOpponent("random:1,2,1", "holdem.limit.2p")
    response = GpuResponse(machine, *opponent.load(), threads=core_count())
    count = len(response.boards.cards)
    numbers = range(0, count, 73)
    list(response.boards_values(numbers[:1]))  # compiles the kernels
    start = perf_counter()
    list(response.boards_values(numbers))
    seconds = (perf_counter() - start) / len(numbers) * count
    return Row(
        f"best responses of limit hold'em: all {count:,} flops, reckoned",
        seconds,
        "s",
        "moving the numbers of leaves through shared memory",
        RESPONSE_FLOOR / seconds,
        "to reach: 600 s on an H200",
    )


def run() -> list[Row]:
    try:
        machine = CudaMachine()
    except ValueError as error:
        print(f"gpu: nothing measured ({error})", file=sys.stderr)
        return []
    bandwidth = copy_speed(machine)
    rows = [Row(f"copy of 4 GB, {machine.name}", bandwidth / 1e12, "TB/s")]
    for name, spot, all_bits in (
        ("full", FULL, (32, 16)),
        ("S1", NARROW, (32, 16)),
        ("thesis", THESIS, (32, 16)),
    ):
        for bits in all_bits:
            rows.append(
                iteration_row(name, PostflopSolver(spot, precision=bits, device="gpu"), bandwidth)
            )
            gc.collect()
        rows += goal_rows(name, spot, all_bits[0])
        gc.collect()
    solver = PostflopSolver(NARROW)
    seconds = best_seconds({"cpu": partial(solver.iterate, 3)}, turns=2)["cpu"] / 3
    own = next(row.value for row in rows if row.claim.startswith("S1, 32 bits"))
    rows.append(
        Row(
            f"S1, 32 bits: an iteration, processor, {solver.threads} threads",
            1e3 * seconds,
            "ms",
            "times the GPU",
            1e3 * seconds / own,
        )
    )
    rows.append(response_row(machine))
    gc.collect()
    rows.append(command_row())
    rows += part_rows()
    gc.collect()
    peer("cupy").get_default_memory_pool().free_all_blocks()  # other processes want it now
    return [*rows, *flop_rows()]

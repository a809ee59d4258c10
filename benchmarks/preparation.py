"""How long does a solve prepare before its first iteration, and how long does it take to end?

Preparation is all between the text of a spot and the first iteration: ranges, the betting tree,
boards up to suits, the order of the hands on each of them, programs, tables for all-ins, storage.
The spots are those of `benchmarks.postflop` and ``full``: all hands on both sides of the same flop,
bets of 50%, 100% and all-in, in 16 bits, whose storage (4.75 GB) nobody touches before the first
iteration. The end is the certificate in float64 and what is shown of the first street, of S1 after
one iteration; its floor is four walks in float64.

Floor of the preparation, for ``full``: 1,176 hands on 1,429 rivers (1.6 million evaluations) are
sorted; for all-ins 1,176 hands on 2,904 run-outs (3.4 million evaluations, 7 ms at 500 million a
second) are compared in pairs, each pair once: 2 billion pairs, two comparisons of 16-bit numbers
and two additions each, at best 16 pairs a cycle: 0.04 s; and 140 MB are written to memory that is
new, 0.05 s.

Calibration in the same run: as many additions of 16-bit numbers by NumPy, on arrays in the cache,
and as many bytes written once to fresh memory. The ratio is the time of both to that of the
preparation. (A turn or a river has little of either: its milliseconds are Python's.) Processor
time of all threads, because the machine may be shared; the note has the clock. Kernels are loaded
before.

Before the tables for all-ins were compared in 16 bits, and while a new solver walked over the whole
tree once, ``full`` took 3.2 s of processor time, S1 0.19 s and S2 15 ms. Now, on 16 November 2026
and beside other work: 0.28 s, 0.06 s, 8 ms, and 2.4 ms for S3.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from math import comb
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.common import Row
from pokerlab.cards.isomorphism import run_outs
from pokerlab.games.betting_trees.builder import build_tree
from pokerlab.holdem.spots import PostflopSolver, Spot
from pokerlab.holdem.spots.answer.solution import make_solution

SPOTS = Path(__file__).parent.parent / "examples" / "spots"


def full_spot() -> Spot:
    """All hands on both sides of a flop."""
    return Spot("Td9d6h", "random", "random", pot=200, stack=900, bet="50%, 100%, a")


def prepare(make: Callable[[], Spot], precision: int) -> PostflopSolver:
    """Make a solver without what is kept of spots before."""
    build_tree.cache_clear()
    run_outs._deal.cache_clear()
    return PostflopSolver(make(), precision=precision)


def shortest(job: Callable[[], object], turns: int) -> tuple[float, float]:
    """Processor time and time on the clock of a job, each the shortest."""
    job()
    spent = []
    for _ in range(turns):
        start = time.process_time(), time.perf_counter()
        job()
        spent.append((time.process_time() - start[0], time.perf_counter() - start[1]))
    return min(used for used, _ in spent), min(clock for _, clock in spent)


def arrays(tables: Any) -> Iterator[np.ndarray]:
    """All arrays of nested tuples."""
    if isinstance(tables, np.ndarray):
        yield tables
    elif isinstance(tables, tuple):
        for each in tables:
            yield from arrays(each)


def table_bytes(solver: PostflopSolver) -> int:
    """The tables of boards and all-ins; what both players share counts once."""
    boards = solver.boards
    margins = tuple(boards.win_margins(level) for level in range(len(boards.cards) - 1))
    found = {each.ctypes.data: each.nbytes for each in arrays((boards.tables, margins))}
    return sum(found.values())


def pairs_compared(solver: PostflopSolver) -> int:
    """How many pairs of hands are compared for all-ins, on all run-outs."""
    boards = solver.boards
    first, second = (len(combos) for combos in boards.combos)
    same = np.array_equal(*boards.combos)
    run_outs = sum(
        len(cards) * comb(52 - cards.shape[1], 5 - cards.shape[1]) for cards in boards.cards[:-1]
    )
    return run_outs * first * second // (1 + same)


def write_fresh(size: int) -> None:
    np.zeros(size, np.uint8)[:] = 1


def addition_seconds() -> float:
    """Processor time that NumPy takes to add two numbers of 16 bits, among many."""
    numbers = np.arange(16384, dtype=np.int16)
    found = np.empty_like(numbers)

    def add() -> None:
        for _ in range(2_000):
            np.add(numbers, numbers, out=found)

    return shortest(add, 7)[0] / (2_000 * numbers.size)


def run() -> list[Row]:
    adding = addition_seconds()
    rows = [Row("NumPy adds numbers of 16 bits", 1e-9 / adding, "billion/s")]
    for name, precision, turns in (
        ("s3-river", 32, 50),
        ("s2-turn", 32, 20),
        ("s1-flop", 32, 10),
        ("full", 16, 5),
    ):

        def make(name: str = name) -> Spot:
            return full_spot() if name == "full" else Spot.from_file(SPOTS / f"{name}.toml")

        solver = prepare(make, precision)
        size = table_bytes(solver)
        counting = 4 * pairs_compared(solver) * adding
        writing, _ = shortest(lambda size=size: write_fresh(size), turns)
        used, clock = shortest(lambda bits=precision: prepare(make, bits), turns)
        rows.append(
            Row(
                f"{name}: preparation, processor time",
                1e3 * used,
                "ms",
                "adding as often, writing as much",
                (counting + writing) / used,
                note=f"{1e3 * clock:.1f} ms on the clock, tables of {size / 1e6:.1f} MB",
            )
        )
    solver = PostflopSolver(Spot.from_file(SPOTS / "s1-flop.toml"))
    solver.iterate(1)
    exact = solver._exact_walker
    held = exact.hold(solver.storage)
    walking, _ = shortest(lambda: exact.values(held, 0, average=True), 3)
    used, clock = shortest(lambda: make_solution(solver, 0.0, "iterations"), 3)
    note = f"{clock:.2f} s on the clock"
    peer = "four walks in float64"
    rows.append(Row("s1-flop: the end, processor time", used, "s", peer, 4 * walking / used, note))
    return rows

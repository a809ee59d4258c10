"""How long does a deep flop take on a subset of its run-outs?

A single-raised pot 200 big blinds deep with all hands on Ks7h2d (pot 10, stacks 195; flop 66%, turn
75%, river 100%, one raise of 100%), to 0.5% of the pot on 12 turns and 10 rivers after each, from
the spot to the certified answer. Goals: 5 s on two cores, 1.5 s on sixteen.

Floor. An iteration reads and writes five times what is kept for one kind of number, as
`benchmarks.postflop` says: 149 MB of regrets, so 0.75 GB, 0.04 s at 20 GB/s. Corrections of
check-downs and all-ins come on top: for each player, the flop and twelve turns two matrices of
1,184² halves, 2.8 MB each, for 21 and 11 rows of reach on a turn, of which a quarter to a half are
not zero: 0.3 to 0.5 billion multiplications with additions, some 0.01 s on two cores of 2.5 GHz
that do sixteen of them in a cycle, and 0.14 GB. All 2,352 rivers would be twenty times as much.

The calibration is copying 256 MB on as many threads; the ratio of an iteration is the time of the
floor's bytes at that speed to that of the iteration. The ratio of a solve is the goal to what was
measured.

Last measured (2026-11-19) on a Xeon with sixteen cores that others use too, by a script with the
source of before beside it, two threads and sixteen: preparation 0.53 and 0.25 s, an iteration 54
and 9.6 ms (at 29.6 and 107 GB/s ratios of 0.46 and 0.73), to 0.5% in 94 iterations 6.4 and 1.3 s;
before 7.5 and 1.6 s. In 16 bits, not a row here, 5.2 and 3.8 s (two runs) and 1.5 s; before 5.8,
4.7 and 1.5 s. What was tried without gain: see docs/measurements/runouts.md.
"""

from __future__ import annotations

from time import perf_counter

from benchmarks.common import Row
from benchmarks.postflop import copy_speed
from pokerlab.holdem.spots import PostflopSolver, Spot, solve_spot
from pokerlab.runtime.machine import core_count

GOALS = {2: 5.0, 16: 1.5}
"""Seconds, by the number of threads."""


def deep_flop(board: str = "Ks7h2d", runouts: str | None = "12x10") -> Spot:
    """The spot."""
    return Spot(
        board,
        "any",
        "any",
        pot=10,
        stack=195,
        bet="flop: 66%; turn: 75%; river: 100%",
        raise_="100%",
        max_bets=2,
        add_allin=1.5,
        runouts=runouts,
    )


def rows(threads: int) -> list[Row]:
    """A solve, its preparation and its iterations on some threads."""
    # Compiles, on another flop: the choice of the cards is kept for the next solve of the same one.
    solve_spot(deep_flop("Jd6c4h"), iterations=1, threads=threads, device="cpu")
    began = perf_counter()
    solver = PostflopSolver(deep_flop("Qs8h3d"), threads=threads)
    solver.iterate(1)
    prepared = perf_counter() - began
    best = float("inf")
    for _ in range(5):
        began = perf_counter()
        solver.iterate(1)
        best = min(best, perf_counter() - began)
    floor = 2.5 * solver.nbytes / copy_speed(threads)
    began = perf_counter()
    found = solve_spot(deep_flop(), target="0.5%", threads=threads, device="cpu")
    took = perf_counter() - began
    name = f"deep flop on 12x10, {threads} threads"
    return [
        Row(f"{name}: preparation", prepared, "s", "the solve", took / prepared),
        Row(f"{name}: iteration", 1e3 * best, "ms", "its bytes", floor / best),
        Row(
            f"{name}: to 0.5%",
            took,
            "s",
            f"goal of {GOALS[threads]} s",
            GOALS[threads] / took,
            f"{found.iterations} iterations, {found.seconds:.2f} s of them",
        ),
    ]


def run() -> list[Row]:
    """Two threads, and sixteen where there are as many cores."""
    return [row for threads in GOALS if threads <= core_count() for row in rows(threads)]

"""How long does a solve take, and how soon does it iterate, when its kernels are compiled?

Each job is a process of its own; the jobs take turns, and the best of each counts. Processor time
is what counts; the time on the clock is noted, and is the same on a quiet machine.

Floor: ``import numba``, which brings NumPy and LLVM: two thirds of what a river takes from
beginning to end. Before kernels were loaded without Numba's compiler (which needs SciPy and all of
Numba's array functions), before commands were imported one by one and without Pydantic, and before
the last search for garbage was left out, a river took 3.5 times as long as ``import numba``.

Last measured on 2026-11-16: 0.34 s ``import numba``; 0.52 s a river whole, 1.5 times; 0.55 s until
a flop iterates, 1.6 to 1.7 times; at a quiet moment on the clock too.

The ratios are to ``import numba``, so less is better.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter

from benchmarks.common import Row, best_seconds

SPOTS = Path(__file__).parent.parent / "examples" / "spots"

UNTIL_IT_ITERATES = """
import sys
from pokerlab.cli.start import main
from pokerlab.holdem.spots.solver import PostflopSolver

def leave(solver, iterations):
    raise SystemExit

PostflopSolver.iterate = leave
main()
"""


def processor_time() -> float:
    """Of all processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run() -> list[Row]:
    river, flop = SPOTS / "s3-river.toml", SPOTS / "s1-flop.toml"
    programs: dict[str, list[str]] = {
        "python -c pass": ["-c", "pass"],
        "import numba": ["-c", "import numba"],
        "S3 (river), whole": ["-m", "pokerlab", "solve", str(river), "--device", "cpu"],
        "S1 (flop), until it iterates": ["-c", UNTIL_IT_ITERATES, "solve", str(flop)],
    }
    clocks = dict.fromkeys(programs, float("inf"))

    def call(name: str) -> None:
        start = perf_counter()
        command = [sys.executable, *programs[name]]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        clocks[name] = min(clocks[name], perf_counter() - start)

    jobs: dict[str, Callable[[], object]] = {name: partial(call, name) for name in programs}
    best = best_seconds(jobs, turns=9, clock=processor_time)
    return [
        Row(
            f"warm start: {name}, processor time",
            seconds,
            "s",
            "import numba",
            seconds / best["import numba"],
            note=f"{clocks[name]:.2f} s on the clock",
        )
        for name, seconds in best.items()
    ]

"""How long does the first solve take, when nothing has been compiled?

Each spot is solved to 0.5% of the pot by the command line in a process of its own: with an empty
folder for machine code, and once more with what the first process left there. Processor time, of
which nearly all is compiling, is what counts: the time on the clock depends on who else is busy.

Floor: compiling each kernel once. When streets were passed to kernels as five hundred numbers, and
every walk had kernels of its own, a first solve took twice as long for S2 and half as long again
for S3 (both versions run at the same time).

The ratio is the processor time of the cold start to that of the warm one.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from benchmarks.common import Row

SPOTS = Path(__file__).parent.parent / "examples" / "spots"


def solve_seconds(name: str, cache: str) -> tuple[float, float]:
    """Processor time and time on the clock of a solve by the command line."""
    command = [sys.executable, "-m", "pokerlab.cli.main", "solve", str(SPOTS / f"{name}.toml")]
    options = ["--target", "0.5%", "--device", "cpu", "--json"]
    environment = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = perf_counter()
    subprocess.run(
        [*command, *options],
        check=True,
        capture_output=True,
        env=environment | {"POKERLAB_CACHE": cache},
    )
    seconds = perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return used, seconds


def run() -> list[Row]:
    rows = []
    for name in ("s3-river", "s2-turn", "s1-flop"):
        with tempfile.TemporaryDirectory() as cache:
            cold, cold_clock = solve_seconds(name, cache)
            warm, warm_clock = solve_seconds(name, cache)
        note = f"{cold_clock:.1f} s on the clock"
        rows.append(Row(f"{name}: cold, processor time", cold, "s", "warm", cold / warm, note=note))
        note = f"{warm_clock:.1f} s on the clock"
        rows.append(Row(f"{name}: warm, processor time", warm, "s", note=note))
    return rows

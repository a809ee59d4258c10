"""How many flops an hour does a batch solve, and how much of its time is not iterations?

Spots: *S1* is the flop of ``examples/spots`` on other boards (0.04 to 0.16e9 entries), to 0.5% of
the pot, kept root-only. *Raised* is a single-raised pot of 100 big blinds (bets 33% and 75%, raises
60% and all-in; 2.7e9 entries, 11 GB in 16 bits): it runs where ``POKERLAB_RAISED`` is set to a
number of flops, as it takes minutes for each on two cores.

Floor. Iterations and measurements of a solve are what `benchmarks.postflop` measures; everything
else (processes that start, tables of boards, the certificate in float64, files) should be below a
tenth of the time. The ratio of a row on time outside is its part of the whole.

Last measured on 2026-11-16 on two quiet cores: 210 flops of S1 an hour by one process of two
threads, 8.6% of the time outside iterations; 232 by two processes of a thread, 14%. Raised: 3.3
flops an hour, 2.2% of the time outside iterations.

One process with all threads is measured beside a process of one thread for each core: a solve
itself scales with threads, and what is not iterations runs on one thread, so several processes
hide it.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from time import perf_counter

from benchmarks.common import Row
from pokerlab.holdem.batches import BatchQuestion, plan_batch, run_batch
from pokerlab.holdem.spots import Spot
from pokerlab.runtime.machine import core_count

FLOPS = ("AsKh7d", "9s8h7d", "QsQh5d", "Js7s3h")
RAISED = Spot(
    "AsKh7d",
    "99-77, 66-22:0.5, AQs-A8s:0.5, A7s-A2s, KQs, KJs-K9s, Q9s+, Q8s:0.5, J9s+, T8s+, 97s+, 86s+,"
    " 75s+, 64s+, 54s, AJo:0.3, KQo:0.6, KTo+:0.5, QTo+, Q9o:0.5",
    "22+, A2s+, K7s+, Q8s+, J8s+, T8s+, 97s+, 87s, 76s, 65s, A9o+, KTo+, QTo+, JTo",
    pot=55,
    stack=975,
    bet="33%, 75%",
    raise_="60%, a",
    big_blind=10,
)
SPOTS = Path(__file__).parents[1] / "examples" / "spots"


def measure(name: str, question: BatchQuestion, workers: int, threads: int) -> tuple[float, float]:
    """Flops an hour on the processor, and the part of the time that is not iterations."""
    with tempfile.TemporaryDirectory() as folder:
        plan = plan_batch(question, workers=workers, threads=threads, device="cpu")
        began = perf_counter()
        done = run_batch(question, Path(folder) / name, plan)
        wall = perf_counter() - began
        solving = sum(row.seconds for row in done.batch.rows())
    return 3600 * done.solved / wall, 1 - solving / (workers * wall)


def run() -> list[Row]:
    cores = core_count()
    narrow = Spot.from_file(SPOTS / "s1-flop.toml")
    boards = dict.fromkeys(FLOPS, 1.0)
    cases = {"S1": BatchQuestion.of(narrow, boards, keep="root", target="0.5%")}
    if wanted := int(os.environ.get("POKERLAB_RAISED", "0")):
        boards = dict.fromkeys(FLOPS[:wanted], 1.0)
        cases["raised"] = BatchQuestion.of(RAISED, boards, keep="root", target="0.5%", precision=16)
    rows = []
    for name, question in cases.items():
        together, outside = measure(name, question, 1, cores)
        how = f"{name}, one process of {cores} threads"
        rows.append(Row(f"{how}", together, "flops an hour"))
        rows.append(Row(f"{how}: time outside iterations", 100 * outside, "%", "all", outside))
        if name == "raised":
            continue  # two at a time do not fit into the memory of most machines
        apart, outside = measure(name, question, cores, 1)
        how = f"{name}, {cores} processes of a thread"
        rows.append(Row(how, apart, "flops an hour", "one process", apart / together))
        rows.append(Row(f"{how}: time outside iterations", 100 * outside, "%", "all", outside))
    return rows

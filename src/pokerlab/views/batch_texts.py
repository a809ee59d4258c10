"""The cost of a batch, in words, for the command line and the pages."""

from __future__ import annotations

from pokerlab.batches.plan import BatchPlan
from pokerlab.machine import size_text


def plan_text(plan: BatchPlan) -> str:
    """The number of boards, how many at a time, and their memory.

    Examples
    --------
    >>> plan_text(BatchPlan(("AsKh7d", "6s5s2s"), (), "cpu", 1, 2, 3_000_000, 40_000))
    '2 boards, one after the other with 2 threads each; up to 3.0 MB of memory each, 40 kB of ...'
    """
    at_a_time = f"{plan.workers} at a time" if plan.workers > 1 else "one after the other"
    if plan.workers == 0:
        at_a_time = "one on each processor of the cluster"
    threads = "a thread" if plan.threads == 1 else f"{plan.threads} threads"
    where = "on the GPU" if plan.device == "gpu" else f"with {threads} each"
    if plan.at_once > 1:
        at_a_time = f"{plan.workers * plan.at_once} at a time"
    return (
        f"{len(plan.boards):,} boards, {at_a_time} {where}; up to {size_text(plan.peak_bytes)} of "
        f"memory each, {size_text(plan.file_bytes)} of files in all"
    )

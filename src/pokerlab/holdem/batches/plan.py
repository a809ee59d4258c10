"""The cost of a batch, counted before it starts: memory, files, and boards at a time.

Boards of a kind (suits, pairs, menus) have games of nearly one size, so one of each is counted.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pokerlab.engine.counts import street_boards, table_entries
from pokerlab.engine.device import choose_device, free_card_bytes
from pokerlab.holdem.batches.question import BatchQuestion
from pokerlab.holdem.spots.cost import SolveCost, estimate_cost, gpu_memory, merges_suits
from pokerlab.holdem.spots.question.spot import Spot
from pokerlab.holdem.spots.solving import parse_target
from pokerlab.runtime.machine import core_count, free_memory, size_text

_SPARE = 1.05
"""Boards of a kind differ by the hands that their cards block."""

_THREADS = {3: 4, 4: 2, 5: 1}
"""Threads that a solve makes good use of, by the cards of its board. On two cores, a process of two
threads solved a quarter more flops than two processes of a thread (`benchmarks.batch`)."""

_SHARED_CARD_WORKERS = 10
"""Processes that feed one card: while one prepares or saves, the others compute."""

_CONTEXT_BYTES = 700_000_000
"""What a process takes on a GPU before it has any table."""

_ENTRIES_AT_ONCE = 50_000_000
"""Of the boards that a worker solves together on a GPU; larger ones fill it alone."""

_WORTH_A_PROCESS = 10.0
"""Seconds that a batch must take before other processes, which load all kernels, save any."""

_FILE_BYTES = 20_000
"""Of a file beside its numbers: the ranges, the history, a row of the table."""

_DECISION_BYTES = 8_000
"""At most, of a decision of the first street in the file for reports."""


@dataclass(frozen=True)
class BatchPlan:
    """How a batch is going to be solved.

    Attributes
    ----------
    boards
        Those to solve, of which some may be solved already.
    impossible
        Boards that leave a player no hand: nothing is to be solved there.
    device, workers, threads
        Where, how many boards at a time (0: one for each processor of a cluster), and the threads
        of each.
    peak_bytes
        Memory of a worker at most.
    file_bytes
        Of all solutions together.
    at_once
        Boards that a worker solves together: small ones, on a GPU.
    seconds
        How long all of it is likely to take on this machine's processors, at best and on a busy
        machine; None where it is solved elsewhere.
    """

    boards: tuple[str, ...]
    impossible: tuple[str, ...]
    device: str
    workers: int
    threads: int
    peak_bytes: int
    file_bytes: int
    at_once: int = 1
    seconds: tuple[float, float] | None = None


def plan_batch(
    question: BatchQuestion,
    *,
    workers: int | None = None,
    threads: int | None = None,
    device: str = "auto",
    cluster: bool = False,
) -> BatchPlan:
    """Count a batch and choose how many boards are solved at a time.

    Parameters
    ----------
    question
        The batch.
    workers
        Boards at a time; by default as many as memory, or the GPU, has room for and threads can
        be shared out to. A batch of some seconds is solved in this process.
    threads
        Threads of each; by default the processors are shared out.
    device
        ``auto``, ``cpu`` or ``gpu``.
    cluster
        Whether it is solved on a Ray cluster, whose memory nobody can count from here: by default
        with a worker of one thread for each of its processors, and without GPUs.

    Raises
    ------
    ValueError
        Where not even one board fits, or not as many as asked for.

    Examples
    --------
    >>> spot = Spot("QhJh2c4d7h", "AA", "QQ, AJs", pot=100, stack=80)
    >>> plan = plan_batch(BatchQuestion.of(spot, {"QhJh2c4d7h": 1.0, "AsAhAdAcKh": 1.0}))
    >>> plan.boards, plan.impossible, plan.device
    (('QhJh2c4d7h',), ('AsAhAdAcKh',), 'cpu')
    """
    possible, impossible = _split(question)
    examples: dict[object, tuple[str, int]] = {}
    for board in possible:
        first, count = examples.get(kind := question.kind(board), (board, 0))
        examples[kind] = first, count + 1
    costs = [
        (_cost(question, spot := question.spot(board)), spot, count)
        for board, count in examples.values()
    ]
    largest, spot, _ = max(costs, key=lambda each: each[0].peak_bytes)
    at_once = 1
    if question.seconds is None and not cluster:  # a time is for each board alone
        at_once = max(1, min(_ENTRIES_AT_ONCE // largest.entries, len(possible)))
    needs = gpu_memory(spot, largest, isomorphism=question.isomorphism).times(at_once)
    grouped = question.groups is not None
    if cluster:
        chosen = "cpu" if device == "auto" else device
    else:
        chosen = choose_device(device, needs, grouped=grouped)
    if chosen == "cpu":
        at_once = 1
    alone = replace(largest, on_gpu=chosen == "gpu")
    peak = int(_SPARE * (alone.peak_bytes + (at_once - 1) * alone.answer_bytes))
    size = sum(count * _file_bytes(question, spot, cost) for cost, spot, count in costs)
    if cluster:
        return BatchPlan(possible, impossible, chosen, workers or 0, threads or 1, peak, size)
    cores = core_count()
    room = free_memory()
    limit = max(cores // _THREADS[len(spot.board)], 1)
    if chosen == "gpu":
        limit = min(cores, _SHARED_CARD_WORKERS)
    if sum(count * cost.seconds()[0] for cost, _, count in costs) < _WORTH_A_PROCESS:
        limit = 1
    fit = room // peak
    if chosen == "gpu":
        fit = min(fit, free_card_bytes() // int(_SPARE * needs.nbytes + _CONTEXT_BYTES))
    if fit < (workers or 1):
        raise ValueError(
            f"memory: a board needs about {size_text(peak)} and {size_text(room)} are free, so "
            f"{fit} fit at a time; ask for fewer workers, offer fewer bet sizes, narrow the "
            "ranges, or use --precision 16 or --groups view"
        )
    at_a_time = workers or max(1, min(limit, fit, len(possible)))
    return BatchPlan(
        possible,
        impossible,
        chosen,
        at_a_time,
        threads or max(1, cores // at_a_time),
        peak,
        size,
        min(at_once, -(-len(possible) // at_a_time)),
        _seconds(question, costs) if chosen == "cpu" else None,
    )


def _seconds(
    question: BatchQuestion, costs: Sequence[tuple[SolveCost, Spot, int]]
) -> tuple[float, float]:
    """How long all boards take one after the other, with all processors."""
    low = high = 0.0
    for cost, spot, count in costs:
        chips = parse_target(question.target, spot.pot)
        each = cost.seconds(100 * chips / spot.pot) if chips else cost.seconds()
        if question.seconds is not None:
            each = min(each[0], question.seconds), min(each[1], question.seconds)
        low, high = low + count * each[0], high + count * each[1]
    return low, high


def check_disk(plan: BatchPlan, folder: Path, *, there: int = 0) -> None:
    """`ValueError` if the solutions do not fit on the disk; `there` bytes of them are on it."""
    existing = folder.resolve()
    while not existing.exists():
        existing = existing.parent
    free = shutil.disk_usage(existing).free
    if plan.file_bytes - there > free:
        raise ValueError(
            f"{folder}: the solutions need up to {size_text(plan.file_bytes - there)}, and "
            f"{size_text(free)} are free on this disk; use --partial or --root-only, or name "
            "another folder"
        )


def _split(question: BatchQuestion) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The boards on which both players can hold a hand, and the others."""
    possible, impossible = [], []
    failure = None
    for board in question.boards:
        try:
            question.spot(board)
        except ValueError as error:
            if not str(error).startswith(("oop", "ip")):
                raise ValueError(f"{board}: {error}") from None
            failure = error
            impossible.append(board)
        else:
            possible.append(board)
    if not possible:
        raise ValueError(f"no board leaves both players a hand: {failure}")
    return tuple(possible), tuple(impossible)


def _cost(question: BatchQuestion, spot: Spot) -> SolveCost:
    return estimate_cost(
        spot,
        question.rule,
        precision=question.precision,
        isomorphism=question.isomorphism,
        groups=question.groups,
    )


def _file_bytes(question: BatchQuestion, spot: Spot, cost: SolveCost) -> int:
    """The size of a board's files: at most, where hands are in groups and not all is kept."""
    beside = _FILE_BYTES + _DECISION_BYTES * spot.tree.streets[0].nodes
    if question.keep == "full":
        return cost.answer_bytes + beside
    isomorphism = merges_suits(spot, isomorphism=question.isomorphism)
    boards = street_boards(spot, isomorphism=isomorphism)
    streets = len(boards)
    kept = 1 if question.keep == "root" else max(streets - 1, 1)
    entries = table_entries(spot.tree, boards, spot.ranges)
    total = 2 * sum(map(sum, entries[:kept])) + beside
    if kept < streets:
        hands = sum(hands.count for hands in spot.ranges)
        total += 4 * len(boards[kept - 1]) * spot.tree.streets[kept].roots * hands
    return total

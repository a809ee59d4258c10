"""Threads that share work inside of a kernel: every item is done once, in its phase."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt
import pytest

from pokerlab.jit import kernel
from pokerlab.postflop.cpu.sharing_kernels import (
    dismiss_helpers,
    finish_item,
    make_counters,
    open_phase,
    phase_and_item,
    stop_helpers,
    take_item,
    wait_for_helpers,
    wait_for_item,
)

Counts = npt.NDArray[np.int64]


@kernel(makes_arrays=False)
def share(
    counters: Counts, items: tuple[int, int], phases: int, done: Counts, seen: Counts, thread: int
) -> None:
    """Count in `done` how often each item of a phase was done, and in `seen` what a phase left."""
    if thread > 0:
        while True:
            taken = wait_for_item(counters, items, thread)
            if taken < 0:
                return
            phase, item = phase_and_item(taken)
            done[phase, item] += 1
            finish_item(counters)
    for phase in range(1, phases + 1):
        open_phase(counters, phase)
        taken = take_item(counters, items, thread)
        while taken >= 0:
            done[phase, phase_and_item(taken)[1]] += 1
            finish_item(counters)
            taken = take_item(counters, items, thread)
        wait_for_helpers(counters, items[1 - phase % 2])
        for item in range(done.shape[1]):
            seen[phase] += done[phase, item]
    stop_helpers(counters)


@pytest.mark.parametrize(("threads", "helpers"), [(1, 0), (2, 1), (5, 4), (5, 2), (4, 0)])
@pytest.mark.parametrize("items", [(7, 3), (1, 0), (50, 1)])
def test_every_item_is_done_once_in_its_phase(
    threads: int, helpers: int, items: tuple[int, int]
) -> None:
    phases = 300
    counters = make_counters(threads)
    done, seen = np.zeros((phases + 1, max(items)), np.int64), np.zeros(phases + 1, np.int64)
    # Helpers that never come leave their shares to others.
    with ThreadPoolExecutor(threads) as pool:
        others = [
            pool.submit(share, counters, items, phases, done, seen, thread)
            for thread in range(1, helpers + 1)
        ]
        share(counters, items, phases, done, seen, 0)
        for other in others:
            other.result()
    for phase in range(1, phases + 1):
        here = items[1 - phase % 2]
        assert done[phase].tolist() == [1] * here + [0] * (max(items) - here)
        assert seen[phase] == here


def test_who_comes_late_goes_home() -> None:
    counters, nothing = make_counters(2), np.zeros((2, 1), np.int64)
    dismiss_helpers(counters)
    share(counters, (1, 1), 1, nothing, nothing[:, 0].copy(), 1)
    assert not nothing.any()

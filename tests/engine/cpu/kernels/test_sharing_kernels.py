"""Threads that share work inside of a kernel: every item is done once, in its phase."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt
import pytest

from pokerlab.engine.cpu.kernels.sharing_kernels import (
    dismiss_helpers,
    end_order,
    finish_item,
    give_order,
    join_order,
    leave_order,
    make_counters,
    open_phase,
    phase_and_item,
    take_item,
    wait_for_helpers,
    wait_for_item,
)
from pokerlab.runtime.jit import kernel

Counts = npt.NDArray[np.int64]


@kernel(makes_arrays=False)
def share(
    counters: Counts,
    items: tuple[int, ...],
    orders: int,
    phases: int,
    done: Counts,
    seen: Counts,
    thread: int,
) -> int:
    """Count in `done` how often each item of a phase was done, and in `seen` what a phase left.

    An order is its own number, from 1 on. Gives how many a helper has joined.
    """
    joined = 0
    if thread > 0:
        order = join_order(counters)
        while order != 0:
            joined += 1
            taken = wait_for_item(counters, items, thread)
            while taken >= 0:
                phase, item = phase_and_item(taken)
                done[order, phase, item] += 1
                finish_item(counters)
                taken = wait_for_item(counters, items, thread)
            leave_order(counters)
            order = join_order(counters)
        return joined
    for order in range(1, orders + 1):
        give_order(counters, order)
        for phase in range(1, phases + 1):
            open_phase(counters, phase)
            taken = take_item(counters, items, thread)
            while taken >= 0:
                done[order, phase, phase_and_item(taken)[1]] += 1
                finish_item(counters)
                taken = take_item(counters, items, thread)
            wait_for_helpers(counters, items[(phase - 1) % len(items)])
            for item in range(done.shape[2]):
                seen[order, phase] += done[order, phase, item]
        end_order(counters)
    return joined


@pytest.mark.parametrize(("threads", "helpers"), [(1, 0), (2, 1), (5, 4), (5, 2), (4, 0)])
@pytest.mark.parametrize("items", [(7, 3), (1, 0), (50, 1), (0, 9, 2, 4)])
def test_every_item_is_done_once_in_its_phase(
    threads: int, helpers: int, items: tuple[int, ...]
) -> None:
    orders, phases = 50, 8
    counters = make_counters(threads)
    done = np.zeros((orders + 1, phases + 1, max(items)), np.int64)
    seen = np.zeros((orders + 1, phases + 1), np.int64)
    # Helpers that never come leave their shares to others.
    with ThreadPoolExecutor(threads) as pool:
        others = [
            pool.submit(share, counters, items, orders, phases, done, seen, thread)
            for thread in range(1, helpers + 1)
        ]
        share(counters, items, orders, phases, done, seen, 0)
        dismiss_helpers(counters)
        for other in others:
            assert other.result() <= orders
    for phase in range(1, phases + 1):
        here = items[(phase - 1) % len(items)]
        assert (done[1:, phase] == [1] * here + [0] * (max(items) - here)).all()
        assert (seen[1:, phase] == here).all()


def test_who_is_dismissed_goes_home() -> None:
    counters, nothing = make_counters(2), np.zeros((2, 2, 1), np.int64)
    dismiss_helpers(counters)
    assert share(counters, (1, 1), 1, 1, nothing, nothing[:, :, 0].copy(), 1) == 0
    assert not nothing.any()


def test_a_helper_stays_for_the_next_order_but_not_for_long() -> None:
    counters, items, phases = make_counters(2), (3, 3), 2
    done, seen = np.zeros((2, 3, 3), np.int64), np.zeros((2, 3), np.int64)
    calls = 20
    with ThreadPoolExecutor(1) as pool:
        helper = pool.submit(share, counters, items, 1, phases, done, seen, 1)
        for _ in range(calls):
            share(counters, items, 1, phases, done, seen, 0)
        # Nobody sends it home, but there are no more orders.
        assert helper.result(timeout=60) <= calls
    assert (done[1, 1:] == calls).all()

"""Subsets of run-outs on the GPU, against the processor's engine."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.engine.gpu.test_walker import Pair, assert_equal_values, machine

from pokerlab.engine.gpu.joined_walker import JoinedWalker, WalkedGame
from pokerlab.engine.gpu.walker import GpuWalker
from pokerlab.holdem.spots import Spot
from pokerlab.runtime.gpu.machine import Machine

__all__ = ["machine"]

SUBSET = Spot(
    "AhKhQh", "88, 76s", "99, T9s:0.5", pot=100, stack=150, bet="50%", raise_="", runouts="4x3"
)


@pytest.mark.slow
def test_iterations_on_a_subset_are_those_of_the_processor(machine: Machine) -> None:
    pair = Pair(machine, SUBSET)
    pair.iterate(2)
    pair.assert_close(1e-5)


@pytest.mark.slow
def test_best_responses_on_a_subset_are_those_of_the_processor(machine: Machine) -> None:
    pair = Pair(machine, SUBSET)
    exact = GpuWalker(machine, SUBSET, pair.cpu.boards, np.float64)
    for hero in range(2):
        expected = pair.cpu._exact_walker.best_values(pair.cpu.storage, hero, average=True)
        found = exact.best_values(pair.storage, hero, average=True)
        assert_equal_values(expected, found, 1e-12)


@pytest.mark.slow
def test_trees_on_the_same_boards_share_memory_and_change_nothing(machine: Machine) -> None:
    smaller = replace(SUBSET, bet="a")
    pair = Pair(machine, smaller)
    boards = pair.cpu.boards
    larger = JoinedWalker(machine, [WalkedGame(SUBSET, boards)], np.float32)
    beside = JoinedWalker(machine, [WalkedGame(smaller, boards)], np.float32, beside=larger)
    first, second = larger._subsets[0], beside._subsets[0]
    assert first is not None
    assert second is not None
    assert second._missed is first._missed
    for hero in range(2):
        expected = pair.gpu.best_values(pair.storage, hero, average=True)
        found = beside.values_each(pair.storage, hero, average=True, best=True)[0, 0]
        np.testing.assert_array_equal(found, expected)

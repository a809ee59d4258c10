"""Best responses on a GPU, which is emulated, against the processor.

With ``POKERLAB_GPU=1`` the same tests run on a GPU.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace

import numpy as np
import pytest
from tests.holdem.limit.best_response.games import (
    bucketed,
    by_suits,
    grouped,
    one_bucket,
    random_chances,
    remembered,
    short_holdem,
)
from tests.runtime.gpu.emulation import EmulatedMachine, find_compiler

from pokerlab.holdem.limit.best_response import exploitability, gpu_response
from pokerlab.holdem.limit.best_response.exploitability import best_responses
from pokerlab.holdem.limit.best_response.gpu_response import GpuResponse
from pokerlab.holdem.limit.best_response.public_response import PublicResponse
from pokerlab.runtime.gpu.machine import CudaMachine, Machine


@pytest.fixture(scope="module")
def machine() -> Machine:
    if os.environ.get("POKERLAB_GPU") == "1":
        return CudaMachine()
    if find_compiler() is None:
        pytest.skip("no C++ compiler for the emulation of a GPU: pip install ziglang")
    return EmulatedMachine()


def make_game(raises):
    game = short_holdem((3, 1, 1), ranks="TJQKA", suits="hsd")
    first, *later = game.streets
    game = replace(game, streets=(first, *(replace(each, max_raises=raises) for each in later)))
    classes = by_suits(game, 0, 7)
    return grouped(game, classes, remembered(7), remembered(7), remembered(7))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("raises", "dtype", "within"), [(1, np.float64, 1e-12), (2, np.float32, 2e-6)]
)
def test_values_are_those_of_the_processor(machine, raises, dtype, within):
    game = make_game(raises)
    probabilities = random_chances(game)
    card = GpuResponse(machine, game, probabilities, dtype=dtype)
    processor = PublicResponse(game, probabilities, dtype=np.float64)
    expected = processor.board_values(5)
    assert np.abs(expected).max() > 1.0
    for _ in range(2):  # the second time with the programs of the first
        np.testing.assert_allclose(
            card.board_values(5), expected, rtol=0, atol=within * np.abs(expected).max()
        )


@pytest.mark.slow
def test_boards_come_in_order_whatever_is_under_way(machine):
    game = grouped(short_holdem((3,), ranks="TJQKA"), *[one_bucket()] * 2)
    probabilities = random_chances(game)
    card = GpuResponse(machine, game, probabilities, threads=2)
    processor = PublicResponse(game, probabilities, dtype=np.float64)
    numbers = [1, 7, 4, 0, 3, 2]
    for number, found in zip(numbers, card.boards_values(numbers), strict=True):
        expected = processor.board_values(number)
        np.testing.assert_allclose(found, expected, rtol=0, atol=2e-6 * np.abs(expected).max())


@dataclass(frozen=True)
class Opponent:
    """A player at random, whom processes find by themselves."""

    def load(self):
        game = grouped(short_holdem((3,), ranks="TJQKA"), *[one_bucket()] * 2)
        return game, random_chances(game)


@pytest.mark.slow
def test_a_run_that_was_broken_off_goes_on_to_the_values_of_the_processor(
    machine, tmp_path, monkeypatch
):
    monkeypatch.setattr("pokerlab.runtime.gpu.machine.CudaMachine", lambda: machine)
    monkeypatch.setattr(gpu_response.GpuResponse, "boards_at_once", 2)
    work, asked = exploitability._work_together, []

    def interrupted(tasks):
        asked.append([task.number for task in tasks])
        if len(asked) == 2:
            raise KeyboardInterrupt
        return work(tasks)

    monkeypatch.setattr(exploitability, "_work_together", interrupted)
    sample = {"boards": 4, "seed": 1}
    with pytest.raises(KeyboardInterrupt):
        best_responses(Opponent(), **sample, folder=tmp_path, device="gpu")
    told = []
    found = best_responses(Opponent(), **sample, folder=tmp_path, device="auto", report=told.append)
    assert [len(numbers) for numbers in asked] == [2, 2, 2]
    assert asked[1] == asked[2] != asked[0]
    assert [(each.done, each.known, each.total) for each in told] == [(4, 2, 4)]
    expected = best_responses(Opponent(), **sample, device="cpu")
    assert (found.device, expected.device) == ("gpu", "cpu")
    for name in ("values", "low", "errors", "low_errors"):
        assert getattr(found, name) == pytest.approx(getattr(expected, name), rel=1e-5)


def test_what_is_refused_in_one_line(machine, monkeypatch):
    game = bucketed("leduc")
    with pytest.raises(ValueError, match="the GPU does games like hold'em, not leduc; use"):
        GpuResponse(machine, game, random_chances(game))
    game = make_game(1)
    with monkeypatch.context() as patch:
        patch.setattr(type(machine), "free_bytes", lambda machine: 1_000_000)
        with pytest.raises(ValueError, match=r"needs about .* on the GPU, and 1.0 MB are free"):
            GpuResponse(machine, game, random_chances(game))
    monkeypatch.setattr(gpu_response, "MOST_BUCKETS", 6)
    with pytest.raises(ValueError, match="takes at most 6 buckets a street, not 7; use"):
        GpuResponse(machine, game, random_chances(game))

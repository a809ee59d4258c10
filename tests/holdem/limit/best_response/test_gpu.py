"""Turns and rivers on a GPU, which is emulated, against the processor.

With ``POKERLAB_GPU=1`` the same tests run on a GPU.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace

import numpy as np
import pytest
from tests.holdem.limit.best_response.games import (
    by_suits,
    grouped,
    one_bucket,
    random_chances,
    remembered,
    short_holdem,
)
from tests.runtime.gpu.emulation import EmulatedMachine, find_compiler

from pokerlab.holdem.limit.best_response import exploitability
from pokerlab.holdem.limit.best_response.boards import FlopBoards
from pokerlab.holdem.limit.best_response.exploitability import best_responses
from pokerlab.holdem.limit.best_response.gpu import gpu_best_response
from pokerlab.holdem.limit.best_response.gpu.gpu_best_response import GpuBestResponse
from pokerlab.holdem.limit.best_response.gpu.gpu_lines import CardTuning, turn_lanes
from pokerlab.holdem.limit.best_response.gpu.prepared_turns import join_flops, prepare_flop
from pokerlab.holdem.limit.best_response.public_walk import PublicWalk
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


def flops_of(walk, numbers):
    """Some flops, with the reach of a villain at random."""
    flops = [walk.boards.chosen(walk.first_board, walk.first_boards, number) for number in numbers]
    rng = np.random.default_rng(1)
    reach = []
    for flop in flops:
        pair = []
        for hero in range(2):
            lines = walk.lines[hero][2]
            found = rng.random((len(flop.hands), lines.width)).astype(walk.dtype)
            found[:, lines.lines :] = 0.0
            found = walk.boards.symmetrised(flop, found).astype(walk.dtype)
            pair.append(found)
        reach.append(tuple(pair))
    return flops, reach


def test_packed_boards_are_those_of_the_processor():
    game = make_game(2)
    boards = FlopBoards(game)
    flops = boards.following(boards.empty, 1)
    flop = boards.chosen(boards.empty, flops, 5)
    batch = join_flops([prepare_flop(boards, flop, 2)], np.float32)
    turns = boards.following(flop, 2)
    assert [*batch.turns, len(batch.order)] == [0, len(turns), len(turns)]
    for number in range(len(turns)):
        turn = boards.chosen(flop, turns, number)
        hands, rivers = boards.hands[turn.hands], boards.following(turn, 3)
        left = np.setdiff1d(game.game.deck, turn.cards)
        assert left[batch.cards[number] & 63].tolist() == hands[:, 1].tolist()
        assert left[batch.cards[number] >> 6].tolist() == hands[:, 0].tolist()
        assert turn.hands.tolist() == flop.hands[batch.places[number] >= 0].tolist()
        here = slice(batch.rivers[number], batch.rivers[number + 1])
        assert batch.river_weights[here].tolist() == rivers.weight.tolist()
        for river, words, groups in zip(
            range(len(rivers)), batch.river_words[here], batch.river_groups[here], strict=True
        ):
            order, ends = rivers.order[river], rivers.tie_end[river].tolist()
            left = np.setdiff1d(game.game.deck, [*turn.cards, *rivers.cards[river]])
            assert (words >> 12 & 2047).tolist() == order.tolist()
            assert left[words & 63].tolist() == hands[order, 1].tolist()
            assert left[words >> 6 & 63].tolist() == hands[order, 0].tolist()
            places = range(len(order))
            assert (words >> 23 & 1).tolist() == [ends[place] == place + 1 for place in places]
            assert (words >> 24 & 1).tolist() == [ends.count(ends[place]) == 1 for place in places]
            assert (words >> 25 << 16 | groups).tolist() == rivers.group[river].tolist()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("raises", "dtype", "within", "each", "sets"),
    [(2, np.float64, 1e-12, 1, 9), (4, np.float32, 2e-6, 2, 3)],
)
def test_turns_and_rivers_are_as_on_the_processor(machine, raises, dtype, within, each, sets):
    game = make_game(raises)
    probabilities = random_chances(game)
    card = GpuBestResponse(
        machine,
        game,
        probabilities,
        dtype=dtype,
        tuning=CardTuning(lanes=32, each=each, ahead=3, sets=sets),
    )
    processor = PublicWalk(game, probabilities, dtype=np.float64)
    flops, reach = flops_of(card, [0, 5, 9])
    found = card.deal_together([card.prepare(flop) for flop in flops], reach)
    for flop, each, pair in zip(flops, reach, found, strict=True):
        expected = processor.deal(2, flop, tuple(part.astype(np.float64) for part in each))
        for mine, its in zip(expected, pair, strict=True):
            assert np.abs(mine).max() > 1.0
            np.testing.assert_allclose(its, mine, rtol=0, atol=within * np.abs(mine).max())


@pytest.mark.slow
def test_flops_come_in_order_whatever_is_under_way(machine):
    game = make_game(2)
    probabilities = random_chances(game)
    card = GpuBestResponse(machine, game, probabilities, threads=2)
    processor = PublicWalk(game, probabilities, dtype=np.float64)
    flops = [card.boards.chosen(card.first_board, card.first_boards, number) for number in (1, 7)]
    reach = card.send(0, card.first_board, card.start())
    found = list(card.play_flops(flops, reach))
    for flop, pair in zip(flops, found, strict=True):
        entered = tuple(each[flop.hands].astype(np.float64) for each in reach)
        for its, mine in zip(pair, processor.play(1, flop, entered), strict=True):
            np.testing.assert_allclose(its, mine, rtol=0, atol=2e-6 * np.abs(mine).max())


@dataclass(frozen=True)
class Opponent:
    """One who plays all lines, and is found by himself."""

    raises: int = 2

    def load(self):
        game = make_game(self.raises)
        return game, random_chances(game)


@pytest.mark.slow
def test_a_run_that_was_broken_off_goes_on_to_the_values_of_the_processor(
    machine, tmp_path, monkeypatch
):
    monkeypatch.setattr("pokerlab.runtime.gpu.machine.CudaMachine", lambda: machine)
    monkeypatch.setattr(gpu_best_response, "_FLOPS_AT_ONCE", 1)
    monkeypatch.setattr(gpu_best_response, "_BATCHES_AT_ONCE", 2)
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


def test_blocks_share_all_lines_of_the_turn():
    for width in range(16, 1025, 16):
        lanes = turn_lanes(width, 1_500, 100_000)
        assert width % lanes == 0
        assert lanes >= 16
    with pytest.raises(ValueError, match=r"too much betting for the GPU \(1040 lines"):
        turn_lanes(1040, 1_500, 100_000)
    with pytest.raises(ValueError, match="too much betting for the GPU"):
        turn_lanes(64, 1_500, 1_000)


def test_other_games_are_refused_in_one_line(machine):
    game = grouped(short_holdem((2, 1)), *[one_bucket()] * 3)
    with pytest.raises(ValueError, match="the GPU does games like hold'em, not short"):
        GpuBestResponse(machine, game, random_chances(game))
    game = make_game(2)
    with pytest.raises(ValueError, match="rivers only, and this strategy never reaches them"):
        GpuBestResponse(machine, game, np.tile([1.0, 0.0, 0.0], (game.rows, 1)))

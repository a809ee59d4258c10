"""Prize money on the kernels of the GPU, against the processor's engine; see `test_walker`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.engine.gpu.test_together import Together, card, launched
from tests.engine.gpu.test_walker import Pair, assert_equal_values, machine
from tests.holdem.spots.test_prizes import PRIZES
from tests.runtime.gpu.emulation import EmulatedMachine

from pokerlab.engine.gpu.walker import GpuWalker
from pokerlab.holdem.spots import PostflopSolver, Spot, solve_spot, solve_together
from pokerlab.holdem.spots.checks.verify import verify
from pokerlab.runtime.gpu.machine import Kernel, Machine, Options

__all__ = ["card", "machine"]

RIVER = PRIZES["river, many ties"]
SLOW = [pytest.mark.slow]


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if name.startswith("river") else SLOW) for name in PRIZES],
)
def test_walks_are_those_of_the_processor(machine: Machine, name: str) -> None:
    pair = Pair(machine, PRIZES[name])
    exact = GpuWalker(machine, PRIZES[name], pair.cpu.boards, np.float64)
    for hero in range(2):
        for kind in ("values", "best_values"):
            for mine, its, error in (
                (pair.cpu._walker, pair.gpu, 2e-6),
                (pair.cpu._exact_walker, exact, 1e-13),
            ):
                expected = getattr(mine, kind)(pair.cpu.storage, hero, average=True)
                found = getattr(its, kind)(pair.storage, hero, average=True)
                assert_equal_values(expected, found, error)
    pair.iterate(2)
    pair.assert_close(5e-6)


@pytest.mark.parametrize(
    ("precision", "options", "error"),
    [
        pytest.param(16, {}, 1e-3, id="16 bits", marks=SLOW),
        pytest.param(32, {"groups": "strength"}, 5e-6, id="groups", marks=SLOW),
        pytest.param(
            32,
            {"locks": {"": {"x": "30%", "a": "20%"}, "x": {"x": "9c9d", "weight": 0.5}}},
            5e-6,
            id="locks",
            marks=SLOW,
        ),
    ],
)
def test_all_that_a_solve_may_ask_for(
    machine: Machine, precision: int, options: dict[str, Any], error: float
) -> None:
    pair = Pair(machine, RIVER, precision=precision, **options)
    pair.iterate(2)
    pair.assert_close(error)
    if options.get("groups"):
        for hero in range(2):
            expected, found = (
                walker.best_values(storage, hero, average=True, by_group=True)
                for walker, storage in (
                    (pair.cpu._walker, pair.cpu.storage),
                    (pair.gpu, pair.storage),
                )
            )
            assert_equal_values(expected, found)


WIDE = replace(
    RIVER,
    oop="22+, A2s+, K9s+, QTs+, JTs, T9s, 98s:0.4, A9o+",
    ip="22+, A2s+, K8s+, Q9s+, JTs, T9s:0.7, 87s, ATo+, KJo+",
    bet="30%, 70%, a",
    raise_="60%, a",
)


@pytest.mark.slow
@pytest.mark.parametrize("kilobytes", [227, 27])
def test_wide_ranges_find_their_sums_and_little_room_their_rows(kilobytes: int) -> None:
    """Lists of a card go over several lanes; rows leave shared memory and come back."""
    emulated = EmulatedMachine(kilobytes * 1024)
    pair = Pair(emulated, WIDE)
    if kilobytes == 27:
        assert pair.gpu.levels[0].programs.spilled > 0
    pair.iterate(2)
    pair.assert_close(5e-6)


def test_chips_have_the_kernels_and_the_programs_of_before(machine: Machine) -> None:
    """With one prize nothing of ties is compiled or asked for."""
    chips = replace(RIVER, payouts=(), others=())
    one_prize = replace(chips, payouts=[100], others=[77])
    walkers = [
        GpuWalker(machine, spot, PostflopSolver(spot, threads=1).boards, np.float64)
        for spot in (chips, one_prize, RIVER)
    ]
    levels = [walker.levels[0] for walker in walkers]
    assert "TIES" not in levels[0].options() | levels[1].options()
    assert levels[2].options()["TIES"] == 1
    for key, found in levels[0].programs.lists.items():
        assert found.words.tobytes() == levels[1].programs.lists[key].words.tobytes()
    assert levels[0].programs.factors.tobytes() == levels[1].programs.factors.tobytes()


class TileMachine(EmulatedMachine):
    """Multiplies halves as tensor cores do, the opponent's margins with the sign changed."""

    tensor_cores = True

    def kernel(self, name: str, options: Options, threads: int, shared: int = 0) -> Kernel:
        if not name.startswith("evaluate_all_ins_"):
            return super().kernel(name, options, threads, shared)

        def launch(grid: Sequence[int], arguments: Sequence[Any]) -> None:
            reach, margins, values, *lengths, scale = arguments
            all_ins, opposing, own = map(int, lengths)
            boards = margins.size // (opposing * own)
            halves = reach.view(np.float16)[: boards * all_ins * 2 * opposing]
            summed = halves.reshape(boards, all_ins, 2, opposing).astype(np.float32).sum(axis=2)
            counted = margins.view(np.float16).reshape(boards, own, opposing).astype(np.float32)
            found = np.einsum("bao,bho->bah", summed, counted) * np.float32(scale / 2048)
            values[: found.size] = found.ravel()

        return launch


@pytest.mark.slow
def test_all_ins_of_tensor_cores_count_ties() -> None:
    for name in ("turn, all-ins that tie", "turn, the last three with bounties"):
        pair = Pair(TileMachine(), PRIZES[name])
        assert pair.gpu.levels[0].halved_all_ins
        for hero in range(2):
            expected = pair.cpu._walker.best_values(pair.cpu.storage, hero, average=True)
            found = pair.gpu.best_values(pair.storage, hero, average=True)
            assert_equal_values(expected, found, 5e-6)


RIVERS = [
    RIVER,
    replace(RIVER, board="9h8s2c4d7h"),
    replace(RIVER, board="KsKd7d6d2h", oop="22+, A9s+", ip="22+, KTs+:0.5"),
]


@pytest.mark.slow
def test_several_boards_in_one_launch(machine: Machine) -> None:
    joined = Together(machine, RIVERS)
    joined.iterate()
    joined.assert_equal()
    turns = [PRIZES["turn, all-ins that tie"]]
    turns.append(replace(turns[0], board="KsQs7s4s", oop="AA, 88, 76s:0.2", ip="QQ, AJs, 99"))
    joined = Together(machine, turns)
    joined.iterate()
    joined.assert_equal()


@pytest.mark.slow
def test_subsets_of_run_outs(machine: Machine) -> None:
    spot = Spot(
        "AhKhQh", "88, 76s", "99, T9s:0.5, 8d7d", pot=100, stack=(150, 220), bet="50%", raise_="",
        runouts="4x3", payouts="50, 30, 20", others=[90], bounty=5,
    )  # fmt: skip
    pair = Pair(machine, spot)
    exact = GpuWalker(machine, spot, pair.cpu.boards, np.float64)
    for hero in range(2):
        expected = pair.cpu._exact_walker.best_values(pair.cpu.storage, hero, average=True)
        found = exact.best_values(pair.storage, hero, average=True)
        assert_equal_values(expected, found, 1e-12)
    pair.iterate(2)
    pair.assert_close(1e-5)


def test_prizes_are_not_launched_with_others() -> None:
    chips = replace(RIVER, payouts=(), others=())
    one_prize = replace(chips, payouts=[100])
    other = replace(RIVER, payouts="60, 30, 10")
    assert launched([RIVER, chips, other, RIVERS[1], one_prize]) == [[0, 3], [1, 4], [2]]


@pytest.mark.slow
@pytest.mark.usefixtures("card")
def test_certificates_of_both_players_are_those_of_the_processor() -> None:
    found = solve_together(RIVERS[:2], target="0.5%", device="gpu")
    found.append(solve_spot(PRIZES["turn, all-ins that tie"], target="0.5%", device="gpu"))
    for solution in found:
        assert solution.stopped == "target"
        certified = PostflopSolver(solution.spot, precision=64, threads=1).certify(solution.storage)
        assert solution.values == pytest.approx(certified.values, rel=1e-9)
        assert solution.best_values == pytest.approx(certified.best_values, rel=1e-9)
        assert verify(solution).ok

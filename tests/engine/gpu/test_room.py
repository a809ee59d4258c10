"""Where there is little room: in shared memory, and in half-precision storage."""

from __future__ import annotations

import numpy as np
import pytest
from tests.runtime.gpu.emulation import EmulatedMachine, find_compiler

from pokerlab.engine.gpu.level import Level, Tuning
from pokerlab.engine.gpu.walker import GpuWalker
from pokerlab.engine.tables.payoffs import make_payoffs
from pokerlab.engine.walker import deal_boards
from pokerlab.holdem.spots import Spot
from pokerlab.holdem.spots.solver import PostflopSolver

pytestmark = pytest.mark.skipif(
    find_compiler() is None, reason="no C++ compiler for the emulation of a GPU"
)


@pytest.mark.parametrize(
    ("kilobytes", "real", "blocks"),
    [(227, np.float32, 3), (227, np.float64, 2), (99, np.float64, 1)],
)
def test_full_ranges_find_room_before_the_river(
    kilobytes: int, real: type[np.floating], blocks: int
) -> None:
    spot = Spot("Td9d6hQc", "random", "random", pot=200, stack=900, bet="50%, a", raise_="100%, a")
    boards = deal_boards(spot, isomorphism=True)
    payoffs, turn = make_payoffs(spot, boards), spot.tree.streets[0]
    machine = EmulatedMachine(kilobytes * 1024)
    level = Level(machine, turn, 0, [boards], payoffs, np.dtype(real), None, Tuning())
    assert level.blocks == blocks
    assert level.shared_bytes <= machine.shared_bytes


def test_halves_stay_finite_and_are_never_denormal() -> None:
    spot = Spot("QhJh2c4d7h", "AA, KQs", "QQ, AJs", pot=100, stack=100, bet="a", raise_="")
    cpu = PostflopSolver(spot, "cfr", precision=16, threads=1)
    card = GpuWalker(EmulatedMachine(), spot, cpu.boards, np.float32)
    storage = card.make_storage(cpu.layout, np.uint16, regrets=False, sums=True)
    large = np.float16(65504).view(np.uint16)
    for mine, its in zip(cpu.storage, storage, strict=True):
        for player in range(2):
            mine.strategy_weights[player][:] = large
            card.write(its.strategy_weights[player], mine.strategy_weights[player])
    cpu._walker.iterate(cpu.storage, cpu.rule, 1, 3)
    card.iterate(storage, cpu.rule, 1, 3)
    for player in range(2):
        expected, found = (
            each[0].strategy_weights[player].view(np.float16) for each in (cpu.storage, storage)
        )
        hands = cpu.boards.tables[0].hands[player]
        real = np.tile(hands.order != cpu.boards.widths[player] - 1, cpu.layout.at(0, player).slots)
        assert np.isfinite(found).all()
        assert found[real].max() == 65504
        np.testing.assert_allclose(found[real], expected[real], rtol=2e-3)
    for array in (*storage[0].strategy_weights, *storage[0].sums):
        exponent = (array >> 10) & 31
        assert ((exponent > 0) | (array & 0x7FFF == 0)).all()

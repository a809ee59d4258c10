"""A batch on a GPU, which is emulated: planned for its memory, solved on it, and kept the same."""

from __future__ import annotations

import pytest
from tests.runtime.gpu.emulation import EmulatedMachine, find_compiler

from pokerlab.holdem.batches import BatchQuestion, plan_batch, run_batch
from pokerlab.holdem.spots import Spot

SPOT = Spot("QhJh2c4d7h", "AA:0.5, KQs, 88", "QQ, AJs, 99", pot=100, stack=80, bet="a", raise_="a")
BOARDS = {"QhJh2c4d7h": 2.0, "QsJs2c4d7h": 1.0, "Kc9d5s5h2c": 3.0}


@pytest.fixture
def card(monkeypatch):
    if find_compiler() is None:
        pytest.skip("no C++ compiler for the emulation of a GPU: pip install ziglang")
    monkeypatch.setattr("pokerlab.runtime.gpu.machine.CudaMachine", EmulatedMachine)


@pytest.mark.slow
@pytest.mark.parametrize("together", [True, False])
def test_a_batch_on_a_card(tmp_path, card, together):
    settings = {"target": "2%"} if together else {"iterations": 30, "seconds": 1000.0}
    question = BatchQuestion.of(SPOT, BOARDS, **settings)
    plan = plan_batch(question, workers=1, device="gpu")
    assert (plan.device, plan.at_once) == ("gpu", 3 if together else 1)
    done = run_batch(question, tmp_path / "card", plan)
    assert (done.solved, done.failed) == (3, {})
    alone = run_batch(question, tmp_path / "processor", plan_batch(question, device="cpu"))
    for row, other in zip(done.batch.rows(), alone.batch.rows(), strict=True):
        assert row.board == other.board and row.deals == other.deals
        assert row.ev == pytest.approx(other.ev, abs=2.0)
        assert row.equity == other.equity
        assert row.percent <= 2 or not together

"""A batch on a local Ray cluster of two workers, one of which is killed in the middle."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pokerlab.holdem.batches import BatchQuestion, plan_batch, run_batch, solving
from pokerlab.holdem.spots import Spot

pytestmark = pytest.mark.slow

SPOT = Spot("QhJh2c4d7h", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80)
BOARDS = {f"QhJh2c4d{card}": 1.0 for card in ("7h", "7s", "8s", "9c", "3d", "Kd", "5s", "6c")}


def killed_once(job, really=solving._solve_board):
    """What a worker does; the one that gets a certain board first dies of it."""
    mark = Path(job.folder).with_suffix(".killed")
    if job.board == "QhJh2c4d9c" and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), 9)
    return really(job)


def always_killed(job):
    os.kill(os.getpid(), 9)


@pytest.fixture
def cluster():
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield "local"
    ray.shutdown()


def test_a_killed_worker_costs_its_board_alone(tmp_path, monkeypatch, cluster):
    monkeypatch.setattr(solving, "_solve_board", killed_once)
    question = BatchQuestion.of(SPOT, BOARDS, target="1%")
    plan = plan_batch(question, cluster=True)
    assert (plan.workers, plan.threads) == (0, 1)
    done = run_batch(question, tmp_path / "batch", plan, ray=cluster)
    assert (tmp_path / "batch.killed").exists()
    assert (done.solved, done.failed) == (8, {})
    assert [row.board for row in done.batch.rows()] == list(BOARDS)
    # And one line where that never ends.
    monkeypatch.setattr(solving, "_solve_board", always_killed)
    with pytest.raises(ValueError, match="workers of the cluster are killed again and again"):
        run_batch(question, tmp_path / "other", plan, ray=cluster)

"""The study of bets, boards and starts on tiny games, from tasks to the report."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pokerlab.engine.tables.layout import PlayerLayout
from pokerlab.holdem.spots import Spot
from pokerlab.holdem.spots.coarse.lifting import ANSWERS
from pokerlab.studies.abstraction.solves import FlopGame
from pokerlab.studies.bets.appendix import AppendixTask
from pokerlab.studies.bets.boards import BoardTask
from pokerlab.studies.bets.findings import FindingTask, purified
from pokerlab.studies.bets.games import BetGame
from pokerlab.studies.bets.hands import HandsTask
from pokerlab.studies.bets.menus import MenuTask
from pokerlab.studies.bets.plan import PARTS, BetsPlan, BetsTask, task_key
from pokerlab.studies.bets.report import bets_study
from pokerlab.studies.bets.results import weighted_mean
from pokerlab.studies.bets.starts import UNIFORM, StartTask, carry_flop, nearest_flop

HANDS = "AA, KK, AJs, KTs, 76s"
RIVER = BetGame("QhJs5cQd2h", 6, 20, "50%, a", "a", HANDS)
TURN = BetGame("QhJs5cQd", 6, 12, "a", "", HANDS)
FLOP = BetGame("QhJhTh", 2, 4, "a", "", "AA, KhJh, AcAd, 99")


@pytest.fixture(scope="module")
def tasks() -> list[BetsTask]:
    appendix = FlopGame("QsTh7h", "KhJh, AcAs, AcAd, 99", 40, "100%, a", "a", max_bets=1)
    return [
        MenuTask(RIVER, "25%, 50%, 100%, a", "a", ANSWERS, 0.5),
        BoardTask(TURN, 40),
        HandsTask(TURN, "", 40),
        HandsTask(TURN, "rank/river", 40),
        StartTask(TURN, UNIFORM, TURN, (8,), 2.0),
        StartTask(TURN, "other ranges", replace(TURN, hands="AA, KK, AJs"), (8,), 2.0),
        StartTask(replace(TURN, bet="50%, a"), "fewer sizes", TURN, (8,), 2.0),
        FindingTask(FLOP, 1.0, 3.0, 2, 1),
        FindingTask(replace(FLOP, board="9s8s7s"), 2.0, 3.0, 2, 1),
        AppendixTask(appendix, "dcfr", 400.0, 30),
    ]


@pytest.mark.slow
def test_tasks_are_kept_and_reported(tasks: list[BetsTask], tmp_path: Path) -> None:
    study = bets_study(BetsPlan(), tmp_path / "tasks", tasks[:-1], "cpu", 1)
    report = study.make_report(study.do())
    files = {path.name for path in report.write(tmp_path)}
    wanted = {"menus", "boards", "abstractions", "findings", "flops", "verdicts"}
    assert {f"{name}.csv" for name in wanted} | {"menus.svg", "findings.svg"} <= files
    answers = {verdict.answer for verdict in report.verdicts}
    assert answers <= {"holds", "does not hold", "cannot be told"} and len(report.verdicts) > 10
    assert study.waiting() == []
    json.dumps(report.to_json([]), allow_nan=False)


@pytest.mark.slow
def test_a_trial_judges_nothing(tasks: list[BetsTask], tmp_path: Path) -> None:
    study = bets_study(BetsPlan(quick=True), tmp_path, tasks[-1:], "cpu", 1)
    report = study.make_report(study.do())
    assert report.verdicts == () and "Nothing is judged" in report.notes[-1]
    assert all(row[1] != row[1] for row in report.results[0].rows)  # no number of the thesis


def test_the_plan_has_every_part_once() -> None:
    plan = BetsPlan()
    every = plan.tasks()
    assert len({task_key(task) for task in every}) == len(every)
    assert sum(len(plan.tasks([part])) for part in PARTS) == len(every)
    assert len(plan.tasks(["findings"])) == 25
    by_street = [plan.tasks(PARTS, [street]) for street in ("flop", "turn", "river")]
    assert sum(map(len, by_street)) == len(every)
    assert 0 < len(BetsPlan(quick=True).tasks()) < len(every)


def test_every_game_of_the_plan_is_a_spot() -> None:
    for task in BetsPlan().tasks():
        spot = task.game.spot
        assert isinstance(spot, Spot) and spot.tree.streets[0].nodes > 1


def test_the_nearest_flop_carries_cards() -> None:
    assert nearest_flop("KsJs7h") == "KsJsTh"
    cards = carry_flop("9s4h2h", nearest_flop("9s4h2h"))
    assert sorted(cards) == list(range(52))


def test_a_pure_strategy_takes_the_likeliest_action() -> None:
    rng = np.random.default_rng(1)
    actions = np.array([2, 3])
    layout = PlayerLayout(
        0, np.array([0, 2]), actions, actions, np.array([4, 2]), np.array([0, 20, 30])
    )
    shares = rng.random(30).astype(np.float16)
    found = purified(shares, layout)
    for board in range(2):
        for node in range(2):
            rows, pure = (layout.node(each, board, node) for each in (shares, found))
            assert np.array_equal(pure.argmax(axis=0), rows.argmax(axis=0))
            assert np.array_equal(pure.sum(axis=0), np.ones(rows.shape[1]))


def test_means_over_flops_are_weighted() -> None:
    measure, spread = weighted_mean([1.0, 3.0, 5.0], [1.0, 1.0, 2.0])
    assert measure.value == pytest.approx(3.5) and 0 < measure.error < spread
    assert np.isnan(weighted_mean([1.0], [3.0])[0].error)

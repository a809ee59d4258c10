"""The study of recall, on Leduc: its tasks are kept, and its verdicts follow the numbers."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pokerlab.arena.simulation.opponents import TableOpponent
from pokerlab.games import load_betting_game
from pokerlab.holdem.limit.best_response.exploitability import best_responses, jackknife_error
from pokerlab.holdem.limit.sampling.bucketed_game import planned_rows
from pokerlab.studies.recall.study import (
    REMEMBERS,
    SAME_COUNTS,
    SAME_ROWS,
    RecallPlan,
    difference,
    exploitability_of,
    make_recall_report,
    recall_plan,
    recall_study,
)


@pytest.fixture(scope="module")
def plan(tmp_path_factory):
    folder = tmp_path_factory.mktemp("recall")
    kinds = {REMEMBERS: ["none"], SAME_COUNTS: ["each"], SAME_ROWS: ["each"]}
    return RecallPlan("leduc", kinds, (2_000,), 4, threads=1, device="cpu", folder=str(folder))


@pytest.fixture(scope="module")
def done(plan, tmp_path_factory):
    return recall_study(plan, tmp_path_factory.mktemp("tasks")).do()


def test_numbers_are_those_of_the_command(plan, done):
    (file,) = Path(plan.folder).glob("*each*.safetensors")
    found = best_responses(TableOpponent(str(file), ""), boards=plan.flops, seed=plan.seed)
    measured = exploitability_of(done[plan.task("each", 2_000)])
    assert measured.value == pytest.approx(found.mean * load_betting_game("leduc").mbb)


def test_errors_of_differences_are_of_the_same_flops(plan, done):
    one, other = (done[plan.task(text, 2_000)] for text in ("none", "each"))
    assert not one["exact"] and len(one["left_out"][0]) == plan.flops
    for kept in (one, other):
        for left_out, error in zip(kept["left_out"], kept["most_errors"], strict=True):
            assert jackknife_error(np.array(left_out)) == pytest.approx(error)
    apart = difference(one, other)
    assert apart.value == pytest.approx(
        exploitability_of(one).value - exploitability_of(other).value
    )
    assert difference(one, one) == (0.0, 0.0)
    before = {key: value for key, value in other.items() if key != "left_out"}
    unpaired = exploitability_of(one) - exploitability_of(other)
    assert difference(one, before) == unpaired and apart.error != unpaired.error


def test_verdicts_follow_the_numbers(plan, done):
    report = make_recall_report(plan, done)
    assert {each.answer for each in report.verdicts} == {"holds"}  # to see cards is better
    worse = {
        task: kept | {"most": [9e9, 9e9]} if task.buckets == "each" else kept
        for task, kept in done.items()
    }
    assert {each.answer for each in make_recall_report(plan, worse).verdicts} == {"does not hold"}
    assert make_recall_report(replace(plan, trial="little"), done).verdicts == ()


@pytest.mark.parametrize("quick", [False, True])
def test_kinds_are_of_equal_size(tmp_path, quick):
    plan = recall_plan(tmp_path, quick=quick)
    rows = {
        kind: [planned_rows(load_betting_game(plan.game), text) for text in texts]
        for kind, texts in plan.buckets.items()
    }
    (size,) = rows[REMEMBERS]
    assert set(rows[SAME_COUNTS]) == {size}
    assert all(0.99 * size <= each <= size for each in rows[SAME_ROWS])

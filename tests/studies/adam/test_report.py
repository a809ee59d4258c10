from pathlib import Path

import numpy as np
import pytest

from pokerlab.studies.adam.report import AdamPlan, make_report
from pokerlab.studies.adam.tasks import ADAM, TABLE, MaskTask, checked_task, together


def made_up(plan, won):
    done = {
        task: {"mbb": won.get((task.player, task.opponent), 0.0), "stderr": 10.0}
        | {"hands": task.hands, "seconds": 1.0}
        for pair in plan.pairs
        for task in plan.parts(*pair)
    }
    done[plan.masks] = {"general": [[0.5] * 3] * 4, "masked": [[0.25, 0.5, 0.75]] * 4}
    return {task: checked_task(kept) for task, kept in done.items()}


def test_verdicts_follow_the_matches():
    plan = AdamPlan(Path(), 4_000, "169/ehs-flat:9,9,9", 1)
    won = {(ADAM, bot): 500.0 for bot in ("caller", "raiser", "random", "fair")}
    report = make_report(plan, made_up(plan, {**won, (ADAM, TABLE): -100.0}))
    answers = {each.conclusion: each.answer for each in report.verdicts}
    assert answers["Adam beats bots that know no solution"] == "holds"
    assert answers["and against that solution itself"] == "does not hold"
    assert answers["Adam plays 50 hands a second on one core"] == "holds"
    nearer = "masked matrices are nearer to those of a board than general ones"
    assert answers[nearer] == "does not hold"  # not on the river


def test_the_plan_has_the_buckets_of_the_seminar():
    plan = AdamPlan.of(Path())
    assert (plan.buckets, plan.hands) == ("169/ehs-flat:265,265,265", 100_000)
    assert len(plan.parts(ADAM, TABLE)) == 100
    keys = {task.key for task in plan.tasks}
    assert len(keys) == len(plan.tasks) and isinstance(plan.tasks[0], MaskTask)


@pytest.mark.parametrize("hands", [2, 998, 1_002, 1_500, 12_346])
def test_every_hand_that_is_asked_for_is_played(hands):
    sizes = [part.hands for part in AdamPlan.of(Path(), hands).parts(ADAM, TABLE)]
    assert sum(sizes) == hands
    assert max(sizes) <= 1_000 and max(sizes) - min(sizes) in (0, 2)
    assert all(size % 2 == 0 for size in sizes)


def test_odd_hands_are_refused_before_anything_is_trained():
    with pytest.raises(ValueError, match="hands: 1501 hands cannot be shared"):
        AdamPlan.of(Path(), 1_501)


def test_parts_add_up_by_their_hands():
    one = {"hands": 300, "mbb": 10.0, "stderr": 4.0}
    other = {"hands": 100, "mbb": 50.0, "stderr": 12.0}
    measure = together([one, other])
    assert measure.value == pytest.approx(20.0)
    assert measure.error == pytest.approx(np.hypot(3.0, 3.0))


def test_a_trial_judges_nothing():
    plan = AdamPlan(Path(), 2_000, "169/ehs-flat:9,9,9", 1, quick=True)
    assert make_report(plan, made_up(plan, {})).verdicts == ()

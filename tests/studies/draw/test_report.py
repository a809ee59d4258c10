import pytest

from pokerlab.studies.draw.report import DrawPlan, make_draw_report
from pokerlab.studies.draw.tasks import (
    CRITERIA,
    CriteriaTask,
    EvaluatorTask,
    FreezeOutTask,
    SmallGameTask,
    checked_task,
    share_won,
)

COUNTED = {
    "hands": 2_598_960,
    "classes": 7462,
    "different": 0,
    "step_hands": [5148, 1_312_740, 1_281_072],
    "step_classes": [1287, 1287, 4888],
    "products": 4888,
    "last_rank": 12,
    "discards": [1, 5, 10, 10, 5, 1],
    "replacements": [1, 47, 1081, 16215, 178365, 1533939],
}


def made_up(task):
    if isinstance(task, EvaluatorTask):
        return COUNTED
    if isinstance(task, CriteriaTask):
        shares = {name: [0.0, 0.1, 0.1, 0.5, 0.3, 0.0] for name in CRITERIA}
        kinds = {"pair": [0.4, 0.1, 0.001]}
        own = {"hands": 9, "rounds": 3, "differ": 0.1, "lost": 0.001, "most_lost": 0.1}
        return {**own, "thrown": shares, "kinds": kinds}
    if isinstance(task, SmallGameTask):
        losses = {"ruled": [0.2, 0.3], "lost": [1.0] * len(task.bases)}
        own = {"nodes": 1, "infosets": 1, "value": -0.1, "cfr_exploitability": 0.001}
        own |= {"cfr_value": -0.1001, "lp_exploitability": 1e-12}
        return {**own, **dict.fromkeys(CRITERIA, losses)}
    assert isinstance(task, FreezeOutTask)
    return {"won": task.count * 0.6, "count": task.count, "hands": 1}


def test_verdicts_follow_the_numbers():
    plan = DrawPlan()
    done = {task: checked_task(made_up(task)) for task in plan.tasks}
    answers = {each.conclusion: each.answer for each in make_draw_report(plan, done).verdicts}
    assert answers["there are 2,598,960 hands of 7,462 classes"] == "holds"
    assert answers["two operations settle 2,574 (classes)"] == "holds"
    assert answers["read as hands, the AND settles 1,287"] == "does not hold"
    rank = "the bits of the rank run from 0 for a two to 13 for an ace"
    assert answers[rank] == "does not hold"
    chips = "the table of stakes has a row for every number of chips"
    assert answers[chips] == "does not hold"
    done[EvaluatorTask()] = {**COUNTED, "different": 1}
    answers = {each.conclusion: each.answer for each in make_draw_report(plan, done).verdicts}
    assert answers["the evaluator by bit patterns gives the class of every hand"] == "does not hold"


@pytest.mark.parametrize(
    "wrong", [{"cfr_value": -0.102}, {"cfr_exploitability": 0.011}, {"lp_exploitability": 1e-3}]
)
def test_cfr_and_the_linear_program_agree_only_if_values_and_ends_do(wrong):
    plan = DrawPlan()
    done = {task: made_up(task) for task in plan.tasks}
    agree = "six cards: CFR and the linear program agree"

    def answer():
        report = make_draw_report(plan, done)
        return next(each.answer for each in report.verdicts if each.conclusion == agree)

    assert answer() == "holds"
    done[plan.small[0]] = {**done[plan.small[0]], **wrong}
    assert answer() == "does not hold"


def test_discards_that_did_not_settle_are_said():
    plan = DrawPlan()
    done = {task: made_up(task) for task in plan.tasks}
    titles = [table.title for table in make_draw_report(plan, done).tables]
    assert any("settled after 3 rounds" in title for title in titles)
    done[plan.criteria] = {**done[plan.criteria], "rounds": None}
    titles = [table.title for table in make_draw_report(plan, done).tables]
    assert any("discards still changed after 6 rounds" in title for title in titles)


def test_a_trial_judges_nothing():
    plan = DrawPlan(quick=True)
    report = make_draw_report(plan, {task: made_up(task) for task in plan.tasks})
    assert report.verdicts == () and report.notes[-1].endswith("Nothing is judged by it.")


def test_shares_of_freeze_outs_have_errors():
    assert share_won([{"won": 1, "count": 1}, {"won": 0, "count": 1}]) == (
        0.5,
        pytest.approx(0.3536, abs=1e-4),
    )


def test_other_data_are_no_result():
    with pytest.raises(ValueError, match="not what is kept of a task"):
        checked_task({"verdict": "holds"})

from dataclasses import replace

import pytest

from pokerlab.studies.regret.report import RegretPlan, make_regret_report, regret_study
from pokerlab.studies.regret.tasks import GamesTask, MatricesTask


class FewIterations(RegretPlan):
    iterations = 64


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    plan = FewIterations()
    return plan, regret_study(plan, tmp_path_factory.mktemp("regret")).do()


def test_claims_that_need_no_iterations_are_judged(done):
    report = make_regret_report(*done)
    answers = {each.conclusion: each.answer for each in report.verdicts}
    assert answers["the best strategy of rock, paper, scissors is a third each"] == "holds"
    assert answers["always rock is an error that is not dominated"] == "holds"
    assert answers["the strategies of the last round are one too"] == "does not hold"
    last = "u(σᵗ) in the regret is what the player wins in an equilibrium"
    assert answers[last] == "does not hold"
    assert len(report.results) == 5 and set(report.pictures) == {"bounds.svg"}


def test_another_result_changes_the_verdict(done):
    plan, found = done
    wrong = {**found[plan.games], "pure": {"rps": [], "seminar1": [["X", "w", "y"]]}}
    report = make_regret_report(plan, {**found, plan.games: wrong})
    answer = next(each.answer for each in report.verdicts if each.source == "example 1")
    assert answer == "does not hold"


def test_a_trial_judges_nothing(done):
    plan, found = done
    trial = replace(plan, quick=True)
    assert trial.quick and make_regret_report(trial, found).verdicts == ()


def test_sizes_of_limit_holdem():
    found = MatricesTask().run()
    assert found["betting"] == [8, 70, 630, 5670]  # 6,378 decisions
    assert found["classes"] == [1608, 1608]  # two straights to the six
    assert found["states"] == pytest.approx(17.5, abs=0.01)


def test_keys_tell_tasks_apart():
    assert GamesTask(1).key != GamesTask(2).key

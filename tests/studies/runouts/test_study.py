import pytest

from pokerlab.studies.runouts.study import (
    ALL,
    GOAL,
    RunOutTask,
    make_run_out_report,
    read_plan,
    run_out_study,
)


def kept(lost, error=0.02, pot=55):
    """What a task keeps that loses some percent of the pot for each player."""
    half = pot / 2 - lost * pot / 100
    return {"values": [half, half], "errors": [error, error]}


def results(by_subset, error=0.02):
    flops = read_plan(quick=False)["flops"]
    done = {RunOutTask(flop, ALL): kept(0.0) for flop in flops}
    for runouts, lost in by_subset.items():
        for number, flop in enumerate(flops):
            done[RunOutTask(flop, runouts)] = kept(lost + 0.001 * number, error)
    return done


def answers(by_subset, error=0.02):
    report = make_run_out_report(results(by_subset, error))
    return {each.conclusion: each.answer for each in report.verdicts}


def test_all_flops_and_subsets_are_planned(tmp_path):
    study = run_out_study(tmp_path)
    assert len(study.tasks) == 80
    assert len({task.key for task in study.tasks}) == 80
    assert {task.runouts for task in study.tasks} == {"6x6", "12x10", "16x16", ALL}


def test_a_cheap_subset_meets_the_goal():
    found = answers({"6x6": 0.8, GOAL: 0.2, "16x16": 0.1})
    assert list(found.values()) == ["holds"] * 4


def test_a_dear_subset_does_not():
    found = answers({"6x6": 0.5, GOAL: 0.7, "16x16": 0.1})
    assert found[f"{GOAL} costs at most 0.5% of the pot on average"] == "does not hold"
    assert found[f"{GOAL} costs at most 0.5% of the pot on every flop"] == "does not hold"
    assert found["12x10 costs less than 6x6"] == "does not hold"


def test_differences_within_the_errors_of_the_solves_cannot_be_told():
    # 0.055 chips of a pot of 55 are 0.1%: each flop is known to 0.1, a difference to 0.2.
    found = answers({"6x6": 0.75, GOAL: 0.45, "16x16": 0.3}, error=0.055)
    assert found[f"{GOAL} costs at most 0.5% of the pot on average"] == "cannot be told"
    assert found["12x10 costs less than 6x6"] == "holds"
    assert found["16x16 costs less than 12x10"] == "cannot be told"


def test_nothing_can_be_told_without_results():
    assert set(answers({}).values()) == {"cannot be told"}


def test_the_table_has_the_losses_of_both_players():
    report = make_run_out_report(results({GOAL: 0.25}))
    (row,) = report.results[0].shown
    assert row[:2] == ("12x10", "20")
    assert float(row[2]) == pytest.approx(0.2595, abs=1e-3)
    assert "prices.svg" in report.pictures


@pytest.mark.slow
def test_a_quick_run_judges_nothing(tmp_path):
    study = run_out_study(tmp_path, quick=True, device="cpu", threads=2)
    report = study.make_report(study.do())
    assert study.waiting() == []
    assert report.verdicts == ()
    assert "A trial: one flop" in report.summary()

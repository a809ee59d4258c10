import pytest

from pokerlab.studies.resolving.study import GADGETS, SAFE, resolving_study


@pytest.mark.slow
def test_what_is_claimed_is_judged(tmp_path):
    study = resolving_study(tmp_path)
    small = [task for task in study.tasks if task.iterations in (0, 1000)]
    done = {task: task.run() for task in small if task.game != "leduc"}
    report = study.make_report(done)
    answers = {each.conclusion: each.answer for each in report.verdicts}
    for gadget in SAFE:
        conclusion = f"{gadget} with exact values never makes a strategy easier to exploit"
        assert answers[conclusion] == "holds"
    assert answers["Without a gadget the coin toss gets worse"] == "holds"
    assert answers["Without a gadget every strategy gets better"] == "does not hold"
    assert len(report.results[0].rows) == 2 * len(done)


@pytest.mark.slow
def test_a_quick_run_judges_nothing(tmp_path):
    study = resolving_study(tmp_path, quick=True)
    done = study.do()
    assert study.waiting() == []
    (kept,) = done.values()
    assert set(kept["after"]["exact"]) == set(GADGETS)
    report = study.make_report(done)
    assert report.verdicts == ()
    assert "A trial: one strategy" in report.summary()

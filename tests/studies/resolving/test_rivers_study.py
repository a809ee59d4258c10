import pytest

from pokerlab.studies.resolving.rivers_study import GADGETS, RiversTask, rivers_study


def test_verdicts_follow_the_numbers(tmp_path):
    study = rivers_study(tmp_path)
    done = {task: {"before": 0.5, "after": 0.4, "solves": 1} for task in study.tasks}
    report = study.make_report(done)
    answers = [each.answer for each in report.verdicts]
    assert answers[:4] == ["holds"] * 4
    assert set(answers[4:]) == {"cannot be told"}
    worse = {
        task: {**kept, "after": 0.9} if task.kind == "unsafe" else kept
        for task, kept in done.items()
    }
    answers = {each.conclusion: each.answer for each in study.make_report(worse).verdicts}
    assert answers["Without a gadget no turn gets easier to exploit"] == "does not hold"
    assert answers["combined is harder to exploit than no gadget"] == "holds"
    assert len(report.results[0].rows) * len(GADGETS) == len(study.tasks)


@pytest.mark.slow
def test_a_quick_run_judges_nothing(tmp_path):
    study = rivers_study(tmp_path, quick=True)
    done = study.do()
    assert done[study.tasks[0]]["solves"] > 200
    assert study.tasks == [RiversTask("Ks7h2d5c", "0.5%", "unsafe", "response")]
    assert study.make_report(done).verdicts == ()

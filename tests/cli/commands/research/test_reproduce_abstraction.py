"""The whole of chapter 7 in its quick form."""

import pytest


@pytest.mark.slow
def test_the_quick_form_writes_everything_and_goes_on(run, tmp_path):
    first = run("reproduce", "abstraction", "--quick", "-o", tmp_path, "--json")
    assert first.code == 0, first.err
    answers = {each["conclusion"]: each["answer"] for each in first.json["verdicts"]}
    # What is counted does not depend on how long anything is solved.
    assert answers["Table 2 is the tree of 50% and all-in"] == "holds"
    assert answers["Table 3 is a mean over eight flops"] == "does not hold"
    for name in ("summary.md", "figure-17.svg", "figure-21.svg", "cost.csv", "table-08.csv"):
        assert (tmp_path / name).stat().st_size > 200, name

    tasks = {path: path.stat().st_mtime_ns for path in (tmp_path / "tasks").glob("*.json")}
    (tmp_path / "summary.md").unlink()
    again = run("reproduce", "abstraction", "--quick", "-o", tmp_path)
    assert again.code == 0, again.err
    assert (tmp_path / "summary.md").exists()
    assert tasks == {path: path.stat().st_mtime_ns for path in tasks}
    assert all(len(line) <= 80 for line in again.out.split("\n"))

"""`pokerlab pushfold`: what it prints, and what it refuses."""

import pytest


def test_json(run):
    found = run("pushfold", "--stacks", "10,10", "--json").json
    small, big = found["players"]
    assert (small["position"], big["position"]) == ("SB", "BB")
    assert small["push"] == pytest.approx(0.585, abs=0.01)
    assert big["push"] is None
    assert big["call"]["SB"] == pytest.approx(0.373, abs=0.01)
    assert big["hands"]["SB"]["AA"] == 1
    assert max(found["gains"]) <= 1e-4
    assert found["unit"] == "big blinds"


def test_tables_and_charts(run):
    outcome = run("pushfold", "-s", "8,12", "-p", "60,40", "--others", "5", "--chart", "bb:sb")
    assert outcome.code == 0
    assert "of the prizes" in outcome.out
    assert "AKs" in outcome.out
    assert max(map(len, outcome.out.splitlines())) <= 80


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["-s", "10"], "1 given"),
        (["-s", "10,[x]"], "stacks: '[x]'"),
        (["-s", "10,1"], "BB has 1"),
        (["-s", "10,10", "--chart", "CO"], "chart: 'CO' is not a decision here: SB, BB:SB"),
        (["-s", "10,10", "-p", "3,2,1"], "3 prizes for 2"),
        (["-s", "10,10", "--others", "3"], "others: needs payouts"),
    ],
)
def test_bad_input_is_one_line(run, arguments, words):
    outcome = run("pushfold", *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert words in outcome.err
    assert outcome.err.count("\n") == 1

"""`pokerlab icm`: what it prints, and what it refuses."""

import pytest


def test_json(run):
    found = run("icm", "5000,3000,2000", "--payouts", "50,30,20", "--json").json
    assert [round(each, 4) for each in found["equities"]] == [0.3839, 0.3275, 0.2886]
    assert found["deals"]["chips"] == [40, 32, 28]
    assert run("icm", "5000", "3000", "2000", "-p", "50%, 30%, 20%", "--json").json == found


def test_table(run):
    outcome = run("icm", "5000,3000,2000", "--payouts", "50,30,20")
    assert outcome.code == 0
    assert "38.39" in outcome.out
    assert "chip chop" in outcome.out
    assert max(map(len, outcome.out.splitlines())) <= 80


def test_bounties(run):
    found = run("icm", "60,40", "-p", "70,30", "--bounties", "10", "--json").json
    assert found["pool"] == 120
    assert found["bounties"] == [12, 8]


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["5000", "-p", "50"], "at least two"),
        (["5000,x", "-p", "50"], "stacks: 'x'"),
        (["5,5", "-p", "[red]"], "payouts: '[red]'"),
        (["5,5", "-p", ""], "no prize"),
        (["5,5", "-p", "3,2,1"], "3 prizes"),
        (["5,5", "-p", "3", "--bounties", "1,2,3"], "bounties"),
    ],
)
def test_bad_input_is_one_line(run, arguments, words):
    outcome = run("icm", *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert words in outcome.err
    assert outcome.err.count("\n") == 1

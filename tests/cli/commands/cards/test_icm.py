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


def test_large_numbers_fit_a_terminal(run):
    stacks = ",".join(str(100_000_000 + number) for number in range(9))
    outcome = run("icm", stacks, "--payouts", "5000000,3000000,2000000,1000000")
    assert max(map(len, outcome.out.splitlines())) <= 80
    assert "…" not in outcome.out and "1,222,222" in outcome.out


def test_a_large_field_is_told_in_seconds(run):
    """The chances of all places would take minutes."""
    stacks, payouts = (",".join(map(str, range(most, 0, -1))) for most in (300, 150))
    found = run("icm", stacks, "--payouts", payouts, "--json").json
    assert len(found["equities"]) == 300 and {len(each) for each in found["places"]} == {20}
    first, sizes = [each[0] for each in found["places"]], range(300, 0, -1)
    assert first == pytest.approx([each / sum(sizes) for each in sizes])


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

import pytest


def test_push_or_fold(run):
    outcome = run("preflop", "--stack", "10", "--json")
    found = outcome.json
    assert found["value"] == pytest.approx(-0.045371, abs=1e-6)
    assert found["exploitability"]["bb"] < 1e-9
    assert list(found["lines"]) == ["", "a"]
    first = found["lines"][""]
    assert (first["player"], first["actions"]) == ("sb", ["f", "a"])
    assert first["frequencies"] == pytest.approx([0.4172, 0.5828], abs=1e-4)
    assert first["hands"]["A2o"]["strategy"] == pytest.approx([0, 1])
    assert first["hands"]["72o"]["ev"][0] == pytest.approx(-0.5)
    shown = run("preflop", "--stack", "10")
    assert "push or fold" in shown.out
    assert "big blind after a" in shown.out
    assert max(map(len, shown.out.splitlines())) <= 80


def test_a_tree_with_raises(run):
    learning = ["--rule", "dcfr", "--target", "0.01"]
    outcome = run("preflop", "--stack", "3", "--raises", "2x, a; a", "--line", "c/r2", *learning)
    assert "nobody bets after the flop" in outcome.out
    assert "small blind after c/r2" in outcome.out


def test_a_chart(run):
    found = run("preflop", "--stack", "1.6", "--chart", "--json").json
    assert found["stacks"] == [1.1, 1.2, 1.3, 1.4, 1.5, 1.6]
    assert (found["push"]["32o"], found["push"]["52o"], found["push"]["AA"]) == (1.4, 1.5, 1.6)
    shown = run("preflop", "--stack", "1.6", "--chart").out
    assert shown.splitlines()[14].split()[-2:] == ["1.4", "1.6+"]
    assert max(map(len, shown.splitlines())) <= 80


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--stack", "1"], "stack: 1.0 is not a number of big blinds above 1"),
        (["--stack", "nan"], "from 1 to 1,000"),
        (["--stack", "10", "--line", "r3"], "no line 'r3' before the flop"),
        (["--stack", "10", "--raises", "2"], "raises: '2' is not a size"),
        (["--stack", "10", "--rule", "fp"], "takes rules of regret"),
        (["--stack", "10", "--rule", "x"], "unknown rule 'x'"),
        (["--stack", "10", "--no-limp"], "--no-limp goes with --raises"),
        (["--stack", "1", "--chart"], "begins at 1.1"),
        (["--stack", "2", "--chart", "--line", "a"], "--chart is of push or fold"),
    ],
)
def test_bad_words_are_one_line(run, arguments, said):
    outcome = run("preflop", *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.count("\n") == 1
    assert said in outcome.err


def test_ranges_are_written_for_spots(run, folder):
    outcome = run("preflop", "--stack", "10", "--raises", "a", "-o", "ranges.toml", "--json")
    assert outcome.json["file"] == "ranges.toml"
    spot = ["--board", "QhJh2c4d7h", "--bet", "50%", "--raise", "a", "--iterations", "1"]
    story = ["--preflop", "SB limp, BB check", "--ranges", "ranges.toml"]
    lines = run("solve", *spot, *story).out.splitlines()
    assert lines[0] == "Q♥ J♥ 2♣ 4♦ 7♥, pot 2, stacks 9"
    outcome = run("solve", *spot, "--preflop", "SB raise 3, BB call", "--ranges", "ranges.toml")
    assert outcome.err.startswith(
        "pokerlab: preflop: no range for 'SB raise 3, BB call'; there are"
    )

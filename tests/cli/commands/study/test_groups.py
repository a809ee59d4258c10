import pytest


def test_counts_by_street(run):
    outcome = run("groups", "9c7c9h4d6c", "--measure", "strength", "--identity", "global", "--json")
    assert outcome.json == {
        "measure": "strength",
        "identity": "global",
        "streets": {"river": {"boards": 1, "mean": 228.0, "min": 228, "max": 228}},
    }
    outcome = run("groups", "KsKd7c7s", "-m", "rank")
    assert [line.split()[0] for line in outcome.out.splitlines()] == [
        "rank/river",
        "street",
        "turn",
        "river",
    ]


def test_hands_that_go_together(run):
    arguments = ["groups", "QhJh2c4d7h", "--range", "QQ+, AK", "--show"]
    outcome = run(*arguments)
    assert outcome.code == 0
    assert "95.45%       3  QQ" in outcome.out
    assert "37.12%       3  AhKs, AhKd, AhKc" in outcome.out
    assert max(map(len, outcome.out.splitlines())) <= 80
    groups = run(*arguments, "--json").json["groups"]
    assert groups[1] == {
        "hands": "QQ",
        "combos": 3,
        "strength": pytest.approx(0.95455, abs=1e-5),
    }
    assert len(groups) == 9


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["QhJh"], "hands are grouped on a board of 3, 4 or 5 cards, 'QhJh' has 2"),
        (["QhJhQh"], "card Qh stands twice"),
        (["QhJh2x"], "'x' is not a suit"),
        (["QhJh2c", "-m", "colour"], "no measure 'colour'; there are rank, strength"),
        (["QhJh2c", "-i", "turn"], "no identity 'turn'; there are river"),
        (["QhJh2c", "-r", "QhQd"], "the range 'QhQd' has no hand left on QhJh2c"),
        (["QhJh2c", "-r", "77x"], "77x"),
        (["QhJh2c", "--threads", "0"], "from 1 to 1,024"),
    ],
)
def test_bad_words_are_one_line(run, arguments, said):
    outcome = run("groups", *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.count("\n") == 1
    assert said in outcome.err

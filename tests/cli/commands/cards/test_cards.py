import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pokerlab.cards import Range


def test_evaluate(run):
    outcome = run("evaluate", "TsTdKh5c4c3d2s")
    assert outcome.code == 0
    assert "pair of tens, K 5 4 kickers" in outcome.out
    assert "class 4,300 of 7,462" in outcome.out
    assert run("evaluate", "As", "Ks", "Qs", "Js", "Ts", "--json").json == {
        "class": 1,
        "category": "straight flush",
        "name": "royal flush",
    }


def test_equity(run):
    result = run("equity", "AsAd", "random", "--board", "4h5h6h", "--json").json
    assert result["equities"] == pytest.approx([0.60105, 0.39895], abs=5e-6)
    assert result["error"] == 0.0
    assert "exact" in run("equity", "AsAd", "random", "-b", "4h5h6h").out


def test_sampled_equity_is_decided_by_the_seed(run):
    def sample(seed):
        return run("equity", "AA", "KK", "--samples", 1000, "--seed", seed, "--json").json

    assert sample(1) == sample(1) != sample(2)
    assert sample(1)["error"] > 0
    assert "standard error" in run("equity", "AA", "KK", "--samples", 1000).out


def test_range(run):
    outcome = run("range", "AKs, AKo, 77+")
    assert outcome.code == 0
    assert "77+,AK" in outcome.out
    result = run("range", "AA:0.5", "--dead", "As", "--json").json
    assert Range(result["range"]) == Range("AhAd:0.5,AhAc:0.5,AdAc:0.5")
    assert result["combos"] == 1.5
    assert result["weights"] == {"AdAc": 0.5, "AhAc": 0.5, "AhAd": 0.5}


BAD = [
    (["evaluate", "AsKsQsJs"], "a hand has 5, 6 or 7 cards"),
    (["evaluate", "AsAsQsJsTs"], "card As stands twice"),
    (["evaluate", "AsKsQsJsXx"], "'X' is not a rank"),
    (["equity", "AsAdKhKc", "QQ"], "AsAdKhKc"),
    (["equity", "AsAd", "AsKs"], "players 1 and 2 both hold As"),
    (["equity", "AA", "KK", "--board", "2c3d4h5s6c7d"], "a board has 0, 3, 4 or 5 cards"),
    (["equity", "AA", "KK", "--dead", "As9"], "'9' at the end has no suit"),
    (["range", "AKx"], "AKx"),
    (["range", "AA:1.5"], "1.5"),
    (["range", "77-AKs"], "77-AKs"),
]


@pytest.mark.parametrize("as_json", [[], ["--json"]])
@pytest.mark.parametrize(("arguments", "message"), BAD)
def test_bad_input_is_one_line_and_exit_code_2(run, arguments, message, as_json):
    outcome = run(*arguments, *as_json)
    assert outcome.code == 2
    assert outcome.out == ""
    assert outcome.err.count("\n") == 1
    assert message in outcome.err


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from(["evaluate", "range", "equity"]),
    st.text(st.sampled_from("AKQJT98765432cdhs+-:%.,[]/ox randomtp\n♠♥\x00é"), max_size=20),
)
def test_any_text_works_or_is_one_line(run, command, text):
    # An argument that begins with a dash is an option, and that is tested elsewhere.
    text = text.lstrip("-")
    rest = ["AhAd", "--board", "2c7d9hJsQc"] if command == "equity" else []
    outcome = run(command, text, *rest, "--json")
    if outcome.code == 0:
        assert outcome.json
        assert outcome.err == ""
    else:
        assert outcome.code == 2
        assert outcome.out == ""
        assert outcome.err.count("\n") == 1

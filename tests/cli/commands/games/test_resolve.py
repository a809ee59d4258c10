import json

import pytest


@pytest.fixture(scope="module")
def strategy(tmp_path_factory):
    from pokerlab.solvers import solve

    path = tmp_path_factory.mktemp("resolve") / "leduc.st"
    solve("leduc", "cfr", iterations=20).save(path)
    return path


def test_a_strategy_gets_harder_to_exploit_and_can_be_played(run, strategy, tmp_path):
    better = tmp_path / "better.st"
    found = json.loads(run("resolve", "leduc", str(strategy), "-o", str(better), "--json").out)
    assert found["gadget"] == "maxmargin"
    assert found["subgames"] == 30
    assert found["after"] < found["before"]
    assert found["margin"] >= 0
    shown = json.loads(run("best-response", str(better), "--json").out)
    assert shown["best"] < found["before"] * 2
    said = run("resolve", "leduc", str(strategy), "--gadget", "unsafe", "--values", "strategy").out
    assert "30 subgames from street 2 on solved again by unsafe, values strategy" in said


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["kuhn"], "this is a strategy of leduc, not of kuhn"),
        (["leduc", "--gadget", "[safe]"], "no gadget '[safe]' (it is unsafe, resolve"),
        (["leduc", "--values", "much"], "cannot be worth 'much'"),
        (["leduc", "--from", "3"], "no street 3 in leduc, which has 2"),
        (["leduc", "--from", "1"], "must be 2 or more, got '1'"),
    ],
)
def test_bad_input_is_one_line(run, strategy, words, line):
    game, *options = words
    refused = run("resolve", game, str(strategy), *options)
    assert refused.code
    assert line in refused.err
    assert refused.err.count("\n") == 1

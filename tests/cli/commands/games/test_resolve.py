import json
from dataclasses import replace

import pytest

from pokerlab.games import load_betting_game, write_toml


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
    responses = [
        run("best-response", better, "--player", seat, "--json").json["best"] for seat in (0, 1)
    ]
    assert sum(responses) / 2 == pytest.approx(found["after"])
    said = run("resolve", "leduc", str(strategy), "--gadget", "unsafe", "--values", "strategy").out
    assert "30 subgames from street 2 on solved again by unsafe, values strategy" in said


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["kuhn"], "is a solution of leduc, not of kuhn"),
        (["leduc.toml"], "is a solution of leduc, but of other rules than this game has now"),
        (["holdem.limit.2p"], "too many to write out"),
        (["leduc", "--gadget", 500 * "x"], "xxx...' (it is unsafe, resolve"),
        (["leduc", "--gadget", "[safe]"], "no gadget '[safe]' (it is unsafe, resolve"),
        (["leduc", "--values", "much"], "cannot be worth 'much'"),
        (["leduc", "--from", "3"], "no street 3 in leduc, which has 2"),
        (["leduc", "--from", "1"], "must be 2 or more, got '1'"),
    ],
)
def test_bad_input_is_one_line(run, strategy, folder, words, line):
    rules = write_toml(replace(load_betting_game("leduc"), ante=2))
    (folder / "leduc.toml").write_text(rules)
    game, *options = words
    refused = run("resolve", game, str(strategy), *options)
    assert refused.code
    assert line in refused.err
    assert refused.err.count("\n") == 1

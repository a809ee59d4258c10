"""`pokerlab pushfold`: what it prints, and what it refuses."""

from dataclasses import replace

import numpy as np
import pytest

from pokerlab.holdem import pushfold


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


def test_hands_ahead_go_on_from_a_file(run, tmp_path):
    file = tmp_path / "hands.jsonl"
    arguments = ("pushfold", "-s", "4,6", "--ahead", "2", "--resume", str(file), "--json")
    found = run(*arguments).json
    assert found["ahead"] == 2
    assert found["players"][0]["value"] != run("pushfold", "-s", "4,6", "--json").json["players"][0]
    known = file.read_text()
    assert run(*arguments).json == found and file.read_text() == known


def test_bounties_widen_calls(run):
    def called(*more):
        found = run("pushfold", "-s", "8,8", "-p", "60,40", "--others", "5", *more, "--json").json
        return found["players"][1]["call"]["SB"]

    assert called() < called("--bounties", "10", "--progressive") < called("--bounties", "10")


def test_a_decision_that_is_never_met(run, monkeypatch):
    def never(*settings, **more):
        found = solve_ahead(*settings, **more)
        return replace(found, reach=np.array([1.0, 0.0]))

    solve_ahead = pushfold.solve_ahead
    monkeypatch.setattr(pushfold, "solve_ahead", never)
    found = run("pushfold", "-s", "8,8", "--json").json
    assert found["players"][1]["call"] == {"SB": None}
    assert found["players"][1]["hands"] == {"SB": None}
    outcome = run("pushfold", "-s", "8,8", "--chart", "BB:SB")
    assert "never met" in outcome.out and "play never comes here" in outcome.out


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["-s", "10"], "1 given"),
        (["-s", "10,[x]"], "stacks: '[x]'"),
        (["-s", "0.2,5,0.5,1", "--ante", "0.3"], "CO, SB, BB have no more than they post"),
        (["-s", "10,10", "--bounties", "3"], "bounties: needs payouts"),
        (["-s", "10,10", "--progressive"], "progressive: needs bounties"),
        (["-s", "10,10", "--resume", "file"], "--resume needs --ahead"),
        (["-s", "9,9,9,9,9", "--ahead", "1"], "ahead: 5 players"),
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

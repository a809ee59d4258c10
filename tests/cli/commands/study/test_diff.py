"""Two solutions of a spot, compared."""

from __future__ import annotations

import pytest
from tests.cli.spot_files import options, refused

from pokerlab.holdem.spots import Spot, load_postflop, solve_spot


@pytest.fixture(scope="module")
def other_sizes(tmp_path_factory):
    """The same river with another bet size."""
    file = tmp_path_factory.mktemp("other") / "other.safetensors"
    spot = Spot("QhJh2c4d7h", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80, bet="30%")
    solve_spot(spot, iterations=200).save(file)
    return file


def test_what_changed(run, river, other_sizes):
    found = run("diff", river, other_sizes, "x", "--json").json
    # Of the ten hands those that do the same in both are not listed.
    assert 5 <= found["hands"] == len(found["changes"]) <= 10
    assert 0 < found["exceeding"] <= found["hands"]
    assert found["epsilon"] == pytest.approx(
        sum(load_postflop(file).exploitability.chips for file in (river, other_sizes))
    )
    change = found["changes"][0]
    assert (change["line"], change["player"], change["seat"]) == ("x", "ip", 1)
    assert change["actions"] == ["x", "b50", "a", "b30"]
    assert change["ev_change"] == pytest.approx(change["evs"][1] - change["evs"][0])
    assert abs(change["ev_change"]) > found["epsilon"]
    assert change["exceeds"] is True
    shown = run("diff", river, other_sizes, "x", "--top", 2)
    count = found["hands"]
    assert f"{count} hands changed, " in shown.out
    assert "! more than both exploitabilities together" in shown.out
    assert shown.out.endswith(f"{count - 2} more hands; --all lists them\n")
    assert len(run("diff", river, other_sizes, "x", "--all").out.splitlines()) > count + 2


def test_made_hands_of_both_solutions(run, river, other_sizes):
    found = run("diff", river, other_sizes, "x", "--by", "made", "--json").json
    line = found["lines"][0]
    assert found["by"] == "made"
    assert list(line["classes"]) == ["lower-flush", "set", "second-pair", "nothing"]
    text = run("diff", river, other_sizes, "x", "--by", "made").out
    rows = [row.split() for row in text.splitlines()]
    assert ["made", "share", "x", "b50", "a", "b30", "EV", "change"] in rows
    old, new = line["classes"]["set"]["evs"]
    assert ["set", "30%"] in [row[:2] for row in rows]
    assert [f"{new:.2f}", f"{new - old:+.2f}"] in [row[-2:] for row in rows]
    some = run("diff", river, other_sizes, "x", "--hands", "set", "--json").json["changes"]
    assert {change["hand"][0] for change in some} == {"Q"}
    refused(run("diff", river, other_sizes, "--by", "made"), "--by made: name the line")


def test_frequencies_by_class_of_both_solutions(run, river, other_sizes):
    found = run("diff", river, other_sizes, "x", "--json").json["lines"]
    assert [each["line"] for each in found] == ["x"]
    line = found[0]
    assert (line["player"], line["actions"]) == ("ip", ["x", "b50", "a", "b30"])
    for side, file in enumerate((river, other_sizes)):
        shown = run("show", file, "x", "--json").json
        played = dict(zip(line["actions"], line["frequencies"][side], strict=True))
        assert [played[action] for action in shown["actions"]] == pytest.approx(
            shown["frequencies"]
        )
    assert line["change"] == pytest.approx(
        [new - old for old, new in zip(*line["frequencies"], strict=True)]
    )
    assert set(line["classes"]) == {"QQ", "AJs", "T9s"}
    assert line["classes"]["QQ"]["combos"] == [3, 3]
    text = run("diff", river, other_sizes, "x").out
    rows = [row.split() for row in text.splitlines()]
    assert ["action", "before", "after", "change"] in rows
    assert ["class", "combos", "x", "b50", "a", "b30"] in rows
    assert any(row[0] == "b50" and row[2] == "0.0%" for row in rows if len(row) == 4)
    assert all(len(row) <= 80 for row in text.splitlines()[2:])
    street = run("diff", river, other_sizes)
    assert ["line", "player", "combos", "plays"] in [row.split() for row in street.out.splitlines()]


def test_nothing_changed(run, river):
    outcome = run("diff", river, river, "--json")
    assert (outcome.json["hands"], outcome.json["changes"]) == (0, [])
    assert "0 hands changed, " in run("diff", river, river).out


def test_what_cannot_be_compared(run, river, folder):
    run("solve", "kuhn", "--rule", "lp", "-o", "kuhn.safetensors")
    run("solve", *options(pot=120), "--iterations", 1, "-o", "larger.safetensors")
    refused(run("diff", river, "kuhn.safetensors"), "is a solution of kuhn: diff compares")
    refused(run("diff", river, "larger.safetensors"), "different spots: pot 100 and 120")
    refused(run("diff", river, "missing"), "there is no file 'missing'")
    refused(run("diff", river, river, "x/x"), "line 'x/x': nobody decides here")


def test_a_decision_that_a_solution_never_reaches(run, river, tmp_path):
    """It comes last, says so, and is never shown as the uniform play that nobody trained."""
    spot = load_postflop(river).spot
    file = tmp_path / "bets.safetensors"
    solve_spot(spot, iterations=50, locks=["x: b50=100%"]).save(file)
    assert load_postflop(file).at("x/b50").reached and not load_postflop(file).at("x/a").reached
    found = run("diff", river, file, "--json").json
    lines = {each["line"]: each for each in found["lines"]}
    assert (lines["x"]["reached"], lines["x/a"]["reached"]) == ([True, True], [True, False])
    assert lines["x/a"]["frequencies"][1] == [0, 0]
    assert {tuple(part["frequencies"][1]) for part in lines["x/a"]["classes"].values()} == {(0, 0)}
    assert "x/a" not in {change["line"] for change in found["changes"]}
    rows = [row.split() for row in run("diff", river, file).out.splitlines()]
    head = rows.index(["line", "player", "combos", "plays"])
    plays = {row[0]: " ".join(row[3:]) for row in rows[head + 1 : head + 1 + len(lines)]}
    assert plays["x/a"] == "never reached after"
    unreached = ["never reached" in each for each in plays.values()]
    assert unreached == sorted(unreached)
    alone = run("diff", river, file, "x/a").out
    assert "never reached after" in alone and "50%" not in alone
    shown = run("show", file, "x/a")
    assert "never reached: no hand of ip arrives here" in shown.out and "50" not in shown.out[40:]
    data = run("show", file, "x/a", "--json").json
    assert data["reached"] is False and data["frequencies"] == [0, 0]
    assert run("show", file, "x/b50", "--json").json["reached"] is True
    written = run("show", file, "x/a", "--csv", tmp_path / "hands.csv")
    assert written.code == 0 and written.err.startswith("never reached: no hand of ip")

"""Simple solutions on the command line."""

from __future__ import annotations

import io

import pytest
from tests.cli.spot_files import options, refused

from pokerlab.holdem.spots import Spot, load_postflop, solve_spot
from pokerlab.holdem.spots.real_game import RealGame


def test_a_solution_is_made_simple(run, river, tmp_path):
    file = tmp_path / "simple.safetensors"
    found = run("simplify", river, "--step", "50%", "-o", file, "--json").json
    saved, full = load_postflop(file), load_postflop(river)
    assert found["file"] == str(file)
    assert found["exploitability"]["chips"] == pytest.approx(saved.exploitability.chips)
    loss = found["loss"]
    assert loss["chips"] == pytest.approx(loss["oop"] + loss["ip"])
    grown = saved.exploitability.chips - full.exploitability.chips
    assert loss["chips"] == pytest.approx(2 * grown, abs=1e-6)
    assert loss["percent"] == pytest.approx(100 * loss["chips"] / full.spot.pot)
    assert found["simple"] == found["decisions"] == len(found["lines"])
    assert saved.stopped == "simplified"
    assert run("verify", file, "--json").json["ok"] is True
    assert run("show", file, "x").code == 0
    changed = run("diff", river, file, "--json").json
    assert {share for each in changed["changes"] for share in each["strategies"][1]} <= {0, 0.5, 1}


def test_what_it_prints(run, river):
    text = run("simplify", river, "--step", "100%", "--top", 2).out
    assert text.startswith("all 8 decisions are simple: 100%, by hand\n")
    assert "oop  loses" in text and "6 more decisions; --all lists them" in text
    bound = run("simplify", river, "--step", "100%", "--loss", "0.2%", "--max-actions", 1).out
    assert " of 8 decisions are simple: 100%, at most 1 action, by hand" in bound
    assert "left as they were:" in bound


def test_an_interrupted_search_goes_on(run, river, tmp_path, monkeypatch):
    file = tmp_path / "measured.jsonl"
    words = ["simplify", river, "--step", "100%", "--loss", "0.2%", "--resume", file]
    measure, left = RealGame.best_value, [5]

    def interrupted(self, *settings):
        left[0] -= 1
        if not left[0]:
            raise KeyboardInterrupt
        return measure(self, *settings)

    monkeypatch.setattr(RealGame, "best_value", interrupted)
    outcome = run(*words)
    assert outcome.code == 130
    assert f"what was solved is in {file}; the same command goes on" in outcome.err
    assert len(file.read_text().splitlines()) == 4
    monkeypatch.setattr(RealGame, "best_value", measure)
    resumed, plain = run(*words, "--json").json, run(*words[:-2], "--json").json
    assert resumed.pop("responses") < plain.pop("responses")
    assert resumed == plain


def test_rules_are_printed_and_saved(run, river, tmp_path, monkeypatch):
    file = tmp_path / "rules.safetensors"
    found = run("simplify", river, "--rules", "x", "--loss", "1%", "-o", file, "--json").json
    assert found["actions"] == ["x", "b50", "a"] and found["player"] == "ip"
    assert found["rules"][-1]["conditions"] == [[]]
    assert sum(rule["share"] for rule in found["rules"]) == pytest.approx(1)
    assert sum(found["rules"][0]["play"].values()) == pytest.approx(1)
    assert found["loss"]["oop"] == 0
    assert run("verify", file, "--json").json["ok"] is True
    text = run("simplify", river, "--rules", "x", "--loss", "1%").out
    assert "ip chooses x, b50, a" in text and "1. " in text
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 8))
    drilled = run("practise", file, "--hands", 1, "--seed", 1, "--log", tmp_path / "log.jsonl")
    assert drilled.code == 0 and "the solution has " in drilled.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--step", "30%"], "step: 30% does not divide 100%"),
        (["--by", "suit"], "by: 'suit' is not one of hand, class, made"),
        (["--player", "bb"], "player: 'bb' is not one of oop, ip"),
        (["--rules", "x", "--by", "made"], "--by and --rules: give one or the other"),
        (["--most-rules", "3"], "--most-rules needs --rules"),
        (["--rules", "q"], "line 'q'"),
        (["--loss", "[red]"], "loss: '[red]' is not 0.5% (of the pot)"),
        (["-o", "/no/where.safetensors"], "there is no folder"),
    ],
)
def test_bad_input_is_one_line(run, river, words, message):
    refused(run("simplify", river, *words), message)


def test_other_files_are_refused(run, river, tmp_path):
    refused(run("simplify", river, "-o", river), "this file is read by the command")
    assert run("solve", "kuhn", "--iterations", "2", "-o", tmp_path / "kuhn.safetensors").code == 0
    refused(
        run("simplify", tmp_path / "kuhn.safetensors"),
        "is a solution of kuhn: simplify takes solutions of spots",
    )


def test_diff_says_where_the_loss_comes_from(run, river, tmp_path):
    file = tmp_path / "simple.safetensors"
    made = run("simplify", river, "--step", "50%", "-o", file, "--json").json
    found = run("diff", river, file, "--losses", "--json").json
    given = {(each["line"], each["player"]): each["given"] for each in made["lines"]}
    for each in found["rows"]:
        expected = given[each["line"], each["player"]]
        assert each["chips"] == pytest.approx(expected, abs=1e-6)
    by_class = run("diff", river, file, "x", "--losses", "--json").json
    assert by_class["by"] == "class"
    total = sum(each["chips"] for each in by_class["rows"])
    assert total == pytest.approx(given["x", "ip"], abs=1e-3)
    text = run("diff", river, file, "x", "--losses", "--by", "made").out
    assert "of the pot" in text and "ip  gives" in text
    refused(run("diff", river, file, "--losses", "--hands", "AA"), "--losses and --hands")
    other = tmp_path / "other.safetensors"
    run("solve", *options(bet="30%"), "--iterations", "5", "-o", other)
    refused(run("diff", river, other, "--losses"), "of one spot, with the same menus")


@pytest.mark.parametrize("given", [{}, {"big_blind": 10}])
def test_mbb_only_where_a_big_blind_was_given(run, tmp_path, given):
    file = tmp_path / "small.safetensors"
    spot = Spot("QhJh2c4d7h", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80, bet="a", **given)
    solve_spot(spot, iterations=20).save(file)
    text = run("simplify", file).out
    assert (" mbb" in text) is bool(given)
    heads = [line.split()[-1] for line in text.splitlines() if line.startswith("line")]
    assert heads == [("mbb" if given else "pot")]
    assert max(map(len, text.splitlines())) <= 80
    for each in run("simplify", file, "--json").json["lines"]:
        assert each["given_mbb"] == pytest.approx(1000 * each["given"] / given.get("big_blind", 1))

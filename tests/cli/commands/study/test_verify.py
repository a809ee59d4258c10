"""Solutions of spots, checked again."""

from __future__ import annotations

import pytest
from tests.cli.spot_files import refused

from pokerlab.holdem.spots import load_postflop


def test_a_saved_solution_is_verified(run, river):
    found = run("verify", river, "--json").json
    solution = load_postflop(river)
    assert found["ok"] is True
    assert found["exploitability"]["chips"] == pytest.approx(
        solution.exploitability.chips, abs=0.01
    )
    assert found["bounds"] == pytest.approx(solution.best_values, abs=0.01)
    for value, (low, high) in zip(found["values"], found["intervals"], strict=True):
        assert low <= value <= high
    shown = run("verify", river)
    assert shown.code == 0
    text = " ".join(shown.out.split())
    assert "% of the pot: ok" in text
    assert "oop takes 36.6" in text


def test_a_changed_solution_is_found(run, river, folder):
    whole = bytearray(river.read_bytes())
    whole[-1] ^= 4  # a probability of 1 becomes a half
    (folder / "changed").write_bytes(whole)
    refused(run("verify", "changed", "--json"), "is damaged: its ")
    renamed = river.read_bytes().replace(b"dcfr(1.3,0.5,3,0.1)", b"dcfr(1.3,0.5,4,0.1)")
    (folder / "renamed").write_bytes(renamed)
    refused(run("verify", "renamed"), "is damaged: its ")


def test_a_subset_of_run_outs_says_so(run, folder):
    file = folder / "flop.safetensors"
    spot = ("--board", "QsJh2h", "--oop", "AA, QQ", "--ip", "KK, AQs", "--pot", 100, "--stack", 80)
    menu = ("--bet", "a", "--raise", "", "--runouts", "4x3", "--iterations", 10)
    solved = run("solve", *spot, *menu, "-o", file, "--json").json
    assert solved["runouts"] == "4x3"
    found = run("verify", file, "--json").json
    assert (found["ok"], found["runouts"], found["all_runouts"]) == (True, "4x3", None)
    assert "(on 4x3 run-outs, not on all)" in " ".join(run("verify", file).out.split())
    assert run("report", file, "x/x", "--json").json["runouts"] == "4x3"


@pytest.mark.slow
def test_a_subset_is_priced_over_all_run_outs(run, folder):
    file = folder / "flop.safetensors"
    spot = ("--board", "QsJh2h", "--oop", "AA, QQ", "--ip", "KK, AQs", "--pot", 100, "--stack", 80)
    menu = ("--bet", "a", "--raise", "", "--runouts", "4x3", "--iterations", 10)
    run("solve", *spot, *menu, "-o", file)
    shown = run("verify", file, "--all-runouts", "--json").json["all_runouts"]
    assert shown["error"]["percent"] <= 0.1
    assert -0.2 <= shown["exploitability"]["percent"] <= 5
    text = " ".join(run("verify", file, "--all-runouts").out.split())
    assert "over all run-outs: its flop strategy loses" in text


def test_run_outs_of_a_river_are_not_priced(run, river):
    refused(run("verify", river, "--all-runouts"), "is not the solution of a flop")


@pytest.mark.parametrize("words", [("--target", "1%"), ("--device", "cpu")])
def test_options_of_all_run_outs_need_it(run, river, words):
    refused(run("verify", river, *words), f"{words[0]} needs --all-runouts")

"""Few bet sizes on the command line."""

from __future__ import annotations

import pytest
from tests.cli.spot_files import options, refused

from pokerlab.holdem.spots import Spot

SHORT = ["--candidates", "30%, 60%, a", "--target", "0.5%", "--threads", "1"]


def test_a_spot_with_few_sizes_is_written(run, tmp_path):
    file = tmp_path / "few.toml"
    found = run("sizes", *options(stack=200), *SHORT, "--most", 1, "-o", file, "--json").json
    assert found["file"] == str(file)
    menus = found["menus"]
    assert set(menus) == {"oop", "ip"} and set(menus["oop"]) == {"river"}
    spot = Spot.from_toml(file.read_text())
    assert str(spot.bet) == found["bet"]
    assert f"oop river: {menus['oop']['river']}" in found["bet"] or menus["oop"] == menus["ip"]
    assert found["loss"]["bounds"][0] <= found["loss"]["chips"] <= found["loss"]["bounds"][1] + 1e-9
    assert found["loss"]["percent"] == pytest.approx(found["loss"]["chips"])  # of a pot of 100
    assert len(found["tried"]) == 6
    assert all(each["loss"] >= 0 for each in found["tried"])
    assert run("solve", file, "--iterations", "2", "--json").code == 0


def test_what_it_prints(run):
    text = run("sizes", *options(stack=200), *SHORT, "--all", "--player", "ip").out
    assert text.startswith("candidates 30%, 60%, a; losses against all of them\n")
    assert "ip river" in text and "oop river  " not in text
    assert "spots were solved" in text and "tried:" in text and "--bet '" in text
    assert max(map(len, text.splitlines())) <= 80


def test_raises_are_chosen(run, tmp_path):
    file = tmp_path / "few.toml"
    words = [*options(stack=200, bet="50%"), *SHORT, "--most", 1, "--kind", "raise", "-o", file]
    found = run("sizes", *words, "--json").json
    assert (found["kind"], found["donk"]) == ("raise", None)
    assert str(Spot.from_toml(file.read_text()).raise_) == found["raise"]
    text = run("sizes", *words[:-2]).out
    assert "ip river raise" in text and "--raise '" in text


def test_answers_are_compared(run):
    words = [*options(stack=200, bet="30%, a"), "--against", "60%", "--target", "0.5%"]
    found = run("sizes", *words, "--json").json
    assert [each["answer"] for each in found["losses"][:4]] == [
        "nearest",
        "linear",
        "pseudo-harmonic",
        "solve again",
    ]
    text = run("sizes", *words, "--player", "ip").out
    assert "pseudo-harmonic" in text and "oop" not in text.split("answer")[1]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--candidates", "[b]"], "candidates: '[b]' is not a size"),
        (["--streets", "flop"], "streets: 'flop' is not one of river"),
        (["--kind", "[call]"], "kind: '[call]' is not one of bet, raise, donk"),
        (["--kind", "donk"], "kind: nobody can donk there"),
        (["--rake", "0.05"], "losses are measured without rake"),
        (["--against", "50%"], "no new bet"),
        (["--against", "60%", "--most", "1"], "--most and --against: give one or the other"),
        (["--flops", "25", "--boards", "QhJh2c"], "--flops and --boards: give one or the other"),
        (["--resume", "/no/where"], "there is no folder"),
    ],
)
def test_bad_input_is_one_line(run, words, message):
    refused(run("sizes", *options(), *words), message)

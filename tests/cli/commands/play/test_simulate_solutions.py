"""`pokerlab simulate` with solutions of spots."""

import csv
import os
import signal
from contextlib import contextmanager
from dataclasses import replace

import pytest

from pokerlab.holdem.spots import Spot, load_postflop, simulate_match, simulate_solution, solve_spot

SPOT = Spot("QhJh2c4d7h", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80)


@pytest.fixture(scope="module")
def rough(tmp_path_factory):
    """Another solution of the spot of `river`, far from equilibrium."""
    file = tmp_path_factory.mktemp("rough") / "rough.safetensors"
    solve_spot(SPOT, iterations=2).save(file)
    return file


def test_two_solutions(run, river, rough):
    outcome = run("simulate", river, rough, "--hands", "20000", "--seed", "3", "--json")
    assert outcome.code == 0, outcome.err
    pair = load_postflop(river), load_postflop(rough)
    result = simulate_match(*pair, 20_000, 3, names=("river", "rough"))
    assert outcome.json["results"] == result.to_json()["results"]
    assert (outcome.json["hands"], outcome.json["seed"]) == (20_000, 3)
    assert outcome.json["seconds"] > 0
    assert outcome.json["curve"] is None


def test_two_solutions_for_people(run, river, rough):
    outcome = run("simulate", river, rough, "--hands", "20000", "--threads", "1")
    assert outcome.code == 0, outcome.err
    assert "river against rough, each deal in both seats: 20,000 hands, seed 0" in outcome.out
    for word in ("oop + ip", "exact", "at least", "% of pot", "± error"):
        assert word in outcome.out
    assert max(map(len, outcome.out.splitlines())) <= 80


@pytest.mark.parametrize("line", ["", "x"])
def test_a_solution_against_itself(run, river, line):
    arguments = [line] if line else []
    outcome = run("simulate", river, *arguments, "--hands", "20000", "--seed", "2", "--json")
    assert outcome.code == 0, outcome.err
    played = simulate_solution(load_postflop(river), 20_000, 2, line)
    assert outcome.json["line"] == line
    assert outcome.json["hands"] == 20_000
    assert outcome.json["players"]["ip"]["mean"] == played.mean[1]
    assert outcome.json["players"]["oop"]["expected"] == played.expected[0]
    assert abs(outcome.json["players"]["oop"]["z"]) < 4


def test_a_solution_against_itself_for_people(run, river):
    outcome = run("simulate", river, "x", "--hands", "20000")
    assert "plays itself after x: 20,000 hands" in " ".join(outcome.out.split())
    assert "computed" in outcome.out
    assert max(map(len, outcome.out.splitlines())) <= 80


def test_mbb_are_shown_where_there_is_a_big_blind(run, river, rough, tmp_path):
    files = []
    for number, file in enumerate((river, rough)):
        solution = load_postflop(file)
        files.append(tmp_path / f"{number}.safetensors")
        replace(solution, spot=replace(solution.spot, big_blind=2)).save(files[-1])
    for known, pair in ((False, (river, rough)), (True, files)):
        assert ("mbb a hand" in run("simulate", *pair, "--hands", "2000").out) == known
        assert ("mbb" in run("simulate", pair[0], "--hands", "2000").out) == known


@pytest.mark.parametrize("kind", ["csv", "svg", "png"])
def test_a_win_curve(run, folder, river, rough, kind):
    file = f"curve.{kind}"
    outcome = run("simulate", river, rough, "--hands", "20000", "--curve", file, "--json")
    assert outcome.code == 0, outcome.err
    assert outcome.json["curve"] == file
    content = (folder / file).read_bytes()
    if kind == "csv":
        rows = list(csv.reader(content.decode().splitlines()))
        assert rows[0] == ["hands", "river oop", "river ip", "river oop + ip"]
        assert len(rows) == 501
        assert rows[-1][0] == "20000"
        won = outcome.json["results"]["river"]
        last = [won[seat]["chips"] * 10_000 for seat in ("oop", "ip", "sum")]
        assert [float(cell) for cell in rows[-1][1:]] == pytest.approx(last)
    else:
        assert content.startswith({"svg": b"<?xml", "png": b"\x89PNG"}[kind])


def test_a_file_against_itself(run, river):
    outcome = run("simulate", river, river, "--hands", "100", "--json")
    assert len(set(outcome.json["profiles"])) == 2
    assert outcome.json["results"][str(river)]["sum"]["chips"] == 0


def test_files_are_told_from_lines_and_games_by_what_they_hold(run, folder, river):
    (folder / "x").write_text("no solution", encoding="utf-8")
    (folder / "kuhn").write_text("no solution", encoding="utf-8")
    (folder / "copy").write_bytes(river.read_bytes())
    assert run("simulate", "copy", "x", "--hands", "100", "--json").json["line"] == "x"
    assert run("simulate", river, "copy", "--hands", "100", "--json").json["profiles"][1] == "copy"
    assert run("simulate", "kuhn", "caller", "raiser", "--hands", "100").code == 0


def test_bad_input_is_one_line(run, folder, river, rough):
    other = folder / "other.safetensors"
    solve_spot(Spot("QhJh2c4d7h", "AA, KQs", "QQ, AJs", pot=90, stack=80), iterations=1).save(other)
    partial = folder / "partial.safetensors"
    turn = Spot("QhJh2c4d", "AA", "QQ, KK", pot=100, stack=80, bet="a", raise_="")
    solve_spot(turn, iterations=1).without_river().save(partial)
    assert run("solve", "kuhn", "--iterations", "5", "-o", "kuhn.safetensors").code == 0
    for arguments, words in (
        (["missing.safetensors"], "there is no file 'missing.safetensors'"),
        ([river, "missing.safetensors"], "there is no file 'missing.safetensors'"),
        ([river, other], "different spots: pot 100 and 90"),
        ([partial], "partial.safetensors holds no strategies of the river"),
        ([partial, partial], "holds no strategies of the river"),
        (["kuhn.safetensors"], "is a solution of kuhn, not of a spot"),
        ([river, "kuhn.safetensors"], "is a solution of kuhn, not of a spot"),
        ([river, "x/b7"], "line 'x/b7': token 2"),
        ([river, "x/b50"], "line 'x/b50': no pair of hands arrives here: nothing can be dealt"),
        ([river, "é" * 200], "token 1"),
        ([river, "x/" * 4000], "token 4001"),
        (["é" * 200, "caller"], "no game"),
        ([river, "x", "b50"], "b50: a solution plays itself, or one other"),
        ([river, rough, "--hands", "3"], "hands: 3 is not an even number"),
        ([river, "--hands", "1"], "hands: 1 is not a number of hands"),
        (
            [river, rough, "--duplicate"],
            "--duplicate applies only to games, not to",
        ),
        ([river, "--curve", "a.csv"], "--curve a.csv: name a second solution"),
        (
            ["kuhn", "caller", "raiser", "--curve", "a.csv"],
            "--curve applies only to solutions",
        ),
        ([river, rough, "--curve", "a.txt"], "a win curve is a .csv, .svg, .png file"),
        ([river, rough, "--curve", rough], "is read by the command"),
        (["kuhn"], "kuhn: name the strategies that play"),
    ):
        outcome = run("simulate", *arguments)
        assert (outcome.code, outcome.out) == (2, ""), (arguments, outcome)
        assert outcome.err.count("\n") == 1
        assert words in outcome.err, outcome.err
    assert not list(folder.glob("a.*"))


@pytest.mark.parametrize("second", [True, False])
def test_ctrl_c_shows_what_has_been_played(run, river, rough, monkeypatch, second):
    @contextmanager
    def interrupting(*_, **__):
        yield lambda count: os.kill(os.getpid(), signal.SIGINT)

    command = "pokerlab.cli.commands.play.simulate_solutions.counting_progress"
    monkeypatch.setattr(command, interrupting)
    others = [rough] if second else []
    outcome = run("simulate", river, *others, "--hands", "1000000000", "--json")
    assert outcome.code == 130
    assert outcome.err.startswith("interrupted; ")
    assert "of 1,000,000,000 hands are counted" in outcome.err
    assert 0 < outcome.json["hands"] < 1_000_000_000

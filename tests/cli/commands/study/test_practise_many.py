"""`practise` with several files, programmes, bounds, time, what is due, and progress."""

import io
import json
import shutil

import pytest
from tests.players.bots.nolimit.small_menus import SMALL

from pokerlab.holdem.spots import Spot, solve_spot
from pokerlab.players.bots.nolimit import street


@pytest.fixture(scope="module")
def solved(tmp_path_factory):
    file = tmp_path_factory.mktemp("trained") / "river.safetensors"
    ranges = "AA, KQs, JTs, 98s", "QQ, AJs, T9s, 55"
    spot = Spot("QhJh2c4d7h", *ranges, pot=100, stack=150, big_blind=2)
    solve_spot(spot, target="0.05%").save(file)
    return file


@pytest.fixture
def folder(solved, tmp_path):
    """Two solutions, and a file that is none."""
    place = tmp_path / "spots"
    place.mkdir()
    for name in ("one", "two"):
        shutil.copy(solved, place / f"{name}.safetensors")
    (place / "zero.safetensors").write_text("no solution")
    return place


@pytest.fixture
def practise(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")

    def call(typed, *arguments):
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
        return run("practise", *arguments)

    return call


def test_a_folder_in_turn(practise, folder):
    found = practise(["1"] * 30, folder, "--hands", 6, "--seed", 2, "--weights", "2,1", "--json")
    assert found.code == 0, found.err
    assert "left out: " in found.err and "hand 2, two.safetensors, you are" in found.err
    assert found.json["hands"] == 6 and found.json["log"] is None
    kept = {path.name: path.read_text() for path in folder.glob("*.jsonl")}
    assert {name: text.count('"result"') for name, text in kept.items()} == {
        "one.training.jsonl": 4,
        "two.training.jsonl": 2,
    }
    assert set(found.json["logs"]) == {str(folder / name) for name in kept}
    one = practise(["1"] * 30, folder, "--hands", 4, "--log", folder / "all.jsonl", "--json")
    assert one.json["log"] == str(folder / "all.jsonl")


def test_a_programme(practise, folder):
    file = folder / "evening.programme.json"
    asked = ("--close", "3%", "--seat", "oop", "--seconds", 30, "--hands", 1)
    assert practise(["1"] * 9, folder / "two.safetensors", *asked, "--save", file).code == 0
    saved = json.loads(file.read_text())
    assert (saved["close"], saved["seconds"], saved["seat"]) == (3.0, 30.0, "oop")
    assert saved["sources"] == [{"file": "two.safetensors", "weight": 1}]
    again = practise(["1"] * 9, file, "--hands", 2, "--json")
    assert again.code == 0 and again.json["hands"] == 2
    assert again.json["seconds"] is not None  # it has a time limit, so it is measured
    assert "the solution" in again.err


def test_due_and_progress(practise, folder):
    place = (folder / "one.safetensors", "--line", "a", "--seat", "ip", "--seed", 1)
    wrong = practise(["f"] * 30, *place, "--hands", 8, "--json").json
    due = practise(["c"] * 60, folder, "--due", "--json")
    assert " due today" in due.err and "all that was due today has been played" in due.err
    assert 0 < due.json["hands"] <= wrong["mistakes"]
    assert practise([], folder, "--due").err == "pokerlab: nothing is due today\n"
    shown = practise([], folder, "--progress")
    assert shown.code == 0 and "1 day in a row; 0 due today" in " ".join(shown.out.split())
    assert max(len(line) for line in shown.out.splitlines()) <= 80
    data = practise([], folder, "--progress", "--json").json
    assert data["total"]["decisions"] == wrong["decisions"] + due.json["decisions"]
    assert data["due"] == {"one": 0} and set(data["kinds"]) == {"against a bet"}
    empty = practise([], folder / "two.safetensors", "--progress")
    assert empty.out == "nothing has been played yet\n"


def test_due_of_a_solution_made_anew(practise, folder):
    """One of two sources has nothing left that can be dealt: it is named, and the other goes on."""
    place = (folder / "two.safetensors", "--line", "a", "--seat", "ip", "--seed", 1)
    assert practise(["f"] * 30, *place, "--hands", 6).code == 0
    text = (folder / "two.training.jsonl").read_text()
    (folder / "one.training.jsonl").write_text(text.replace('"line": "a"', '"line": "b77"'))
    due = practise(["c"] * 60, folder, "--due", "--json")
    assert due.code == 0, due.err
    told = " ".join(due.err.split())
    assert "one.safetensors is left out: none of the decisions that are due can be played" in told
    assert due.json["hands"] > 0 and "all that was due today has been played" in told
    assert practise([], folder, "--due").err == "pokerlab: nothing is due today\n"


def test_progress_of_a_programme_and_of_two_files_of_one_name(practise, folder):
    other = folder / "more"
    other.mkdir()
    shutil.copy(folder / "one.safetensors", other / "one.safetensors")
    for hands, file in ((2, folder / "one.safetensors"), (3, other / "one.safetensors")):
        typed = ["f"] * 9
        assert practise(typed, file, "--line", "a", "--seat", "ip", "--hands", hands).code == 0
    both = practise(
        [], folder / "one.safetensors", other / "one.safetensors", "--progress", "--json"
    )
    assert {name: each["decisions"] for name, each in both.json["sources"].items()} == {
        "one": 2,
        str(other / "one.training.jsonl"): 3,
    }
    file = folder / "evening.programme.json"
    sources = [{"file": "one.safetensors", "weight": 1}, {"bot": "nolimit", "weight": 1}]
    file.write_text(json.dumps({"format": "pokerlab programme 1", "sources": sources}))
    assert practise([], file, "--progress", "--json").json["sources"].keys() == {"one"}


def test_what_cannot_begin_saves_nothing(practise, folder):
    file = folder / "evening.programme.json"
    one = folder / "one.safetensors"
    for arguments in (
        ("--street", "turn"),
        ("--against", "nolimit", "--stack", "nan"),
        ("--against", "nolimit", "--stack", "nanbb"),
    ):
        assert practise([], one, *arguments, "--save", file).code == 2, arguments
        assert not file.exists()


def test_too_slow(practise, folder, monkeypatch):
    ticks = iter(range(0, 10_000, 7))
    monkeypatch.setattr("pokerlab.cli.shared.drill_play.monotonic", lambda: next(ticks))
    place = (folder / "one.safetensors", "--seat", "oop", "--hands", 2, "--seconds", 5, "--seed", 1)
    found = practise(["1"] * 9, *place)
    assert found.code == 0, found.err
    assert "7.0 s, of 5" in found.out and "the time was over" in found.out
    assert "2 too slow" in found.out
    data = practise([], folder / "one.safetensors", "--progress", "--json").json
    assert (data["total"]["slow"], data["total"]["decisions"], data["due"]) == (2, 0, {"one": 2})


def test_in_turn_with_nolimit(practise, folder, monkeypatch):
    monkeypatch.setattr(street, "LADDERS", SMALL)
    against = ("--against", "nolimit:iterations=3,threads=1", "--stack", "20bb", "--seed", 3)
    typed = ["1", *["c"] * 8, "q", *["q"] * 5]
    found = practise(typed, folder / "one.safetensors", *against, "--seat", "oop", "--json")
    assert found.code == 0, found.err
    assert "this hand lost" in found.err and "you leave the table" in found.err
    assert '"nolimit"' in (folder / "nolimit.training.jsonl").read_text()
    assert found.json["hands"] == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--close", "much"], "--close 'much': it is not a percentage"),
        (["--close", "-1"], "close: -1.0 must be from 0 to 100"),
        (["--close", "1%", "--clear", "2%"], "no gap is both"),
        (["--seconds", "0"], "must be from 1 to 600"),
        (["--weights", "1,2"], "there are 1 sources"),
        (["--weights", "0"], "whole numbers from 1 to 100"),
        (["--due", "--mistakes"], "choose mistakes or what is due"),
        (["--due", "--due-first"], "--due-first: --due already"),
        (["--save", "x.json"], "the name must end in .programme.json"),
        (["--against", "fair"], "only nolimit says what hands were worth"),
        (["--against", "nolimit", "--mistakes"], "--against: whole hands do not come back"),
    ],
)
def test_bad_input_is_one_line(practise, folder, arguments, message):
    outcome = practise([], folder / "one.safetensors", *arguments)
    assert outcome.code == 2 and message in " ".join(outcome.err.split())
    assert outcome.err.count("\n") == 1


def test_files_that_cannot_be(practise, folder):
    one = folder / "one.safetensors"
    assert "a file is named twice" in practise([], one, one).err
    assert "--line x: it is for one solution" in practise([], folder, "--line", "x").err
    bad = folder / "bad.programme.json"
    bad.write_text("{")
    assert "bad.programme.json' is damaged" in practise([], bad).err
    assert "a programme says itself" in practise([], bad, "--weights", "1").err
    assert "name files, a folder, or --log" in practise([], "--progress").err
    (folder / "one.training.jsonl").write_text("{}\n")
    assert "line 1" in practise([], folder).err
    outside = folder.parent / "no"
    outside.mkdir()
    save = practise([], folder, "--save", outside / "a.programme.json")
    assert "is not below" in save.err and not list(outside.iterdir())

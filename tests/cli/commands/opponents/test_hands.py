"""`pokerlab hands`, and statistics and models of folders and texts of sites."""

import shutil
from pathlib import Path

import pytest
from tests.histories import NIGHT as A_NIGHT

from pokerlab.cli.commands.opponents import statistics
from pokerlab.holdem.spots import Spot

DATA = Path(__file__).parents[3] / "data" / "histories"
NIGHT = """variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [2000, 2000]
actions = ['d dh p1 8s7s', 'd dh p2 AdKd', 'p2 cbr 250', 'p1 cc', 'd db Kh7d2c', 'p1 cc',\
 'p2 cbr 250', 'p1 cc', 'd db 2s', 'p1 cc', 'p2 cc', 'd db 9h', 'p1 cbr 1500', 'p2 f']
players = ['ann', 'bob [x]']
hand = 4711
"""


@pytest.fixture
def folder(tmp_path):
    for name in ("online.phhs", "pluribus.phhs"):
        shutil.copy(DATA / name, tmp_path / name)
    (tmp_path / "broken.phhs").write_text("[1]\nvariant = 'NT'\n[2]\nvariant = 'FB'\n")
    return tmp_path


def test_statistics_of_a_folder(run, folder):
    data = run("statistics", folder, "--json", "--top", 3).json
    assert data["hands"] == 18 and len(data["players"]) == 3 and data["unit"] == "big blinds"
    assert data["other_games"] == {"badugi (FB)": 1}
    assert sum(data["left_out"].values()) == 1
    text = run("statistics", folder).out
    assert "18 hands of" in text and "passed over: 1 hand, badugi (FB)" in text
    assert "broken.phhs: hand 1: antes: nothing is not a list of amounts" in text
    assert "more players; --all lists them" in text
    pool = run("statistics", folder, "--players", "pool", "--json").json["players"]
    assert list(pool) == ["pool"] and pool["pool"]["hands"] > 60
    one = run("statistics", folder, "--player", "Pluribus", "--json").json["players"]
    assert list(one) == ["Pluribus"] and one["Pluribus"]["hands"] == 6
    some = run("statistics", folder, "--stakes", "50/100", "--seats", "6", "--json").json
    assert some["stakes"] == {"50/100": 6}


def test_one_bad_hand_leaves_the_others_alone(run, folder, monkeypatch):
    """Our rules cannot play every online hand; what can be known is counted all the same."""
    data = run("statistics", folder / "online.phhs", "--json").json
    assert data["hands"] == 12 and not data["left_out"]
    strict = run("statistics", folder / "pluribus.phhs", "--json").json
    assert strict["unit"] == "chips" and strict["players"]["Pluribus"]["hands"] == 6
    monkeypatch.setattr(statistics, "_MOST_AS_A_WHOLE", 1000)  # too large for our rules
    large = run("statistics", folder / "pluribus.phhs", "--json").json
    assert large["unit"] == "big blinds" and large["players"]["Pluribus"]["hands"] == 6


def test_a_model_of_all_players_and_its_locks(run, folder, tmp_path):
    out, keep = tmp_path / "pool.toml", tmp_path / "keep.jsonl"
    words = ("model", folder, "--players", "pool", "--keep", keep, "-o", out)
    first = run(*words, "--json").json
    assert first["player"] == "pool" and sum(line["observations"] for line in first["lines"]) > 9
    assert run(*words, "--json").json == first
    spot = Spot("Ks7d2c4h9h", "AA, KQs", "QQ, AJs", pot=5, stack=20)
    (tmp_path / "spot.toml").write_text(spot.to_toml())
    locks = run("lock-from", out, tmp_path / "spot.toml", "--player", "oop", "--uniform", "--json")
    assert locks.code == 0, locks.err
    assert locks.json["locks"][0]["observations"] > 0
    outcome = run("model", folder)
    assert outcome.code == 2 and outcome.err.count("\n") == 1
    assert "(--player), for example" in outcome.err and "--players pool" in outcome.err


def test_texts_of_sites(run):
    pytest.importorskip("pokerkit")
    found = run("statistics", DATA / "stars.txt", "--json").json
    assert found["hands"] == 3 and found["players"]["ann"]["hands"] == 3
    assert found["examples"][0].startswith("stars.txt: hand 3: hand 1003: ")
    assert run("model", DATA / "stars.txt", "--player", "ann", "--json").json["hands"] == 3


def test_a_list_of_hands(run, folder):
    data = run("hands", folder, "--json", "--all").json
    assert data["count"] == 18 == len(data["hands"]) and data["left_out"] == 2
    row = data["hands"][0]
    assert set(row) >= {"file", "hand", "players", "blinds", "pot", "kind", "board", "cards"}
    some = run("hands", folder, "--player", "Pluribus", "--flop", "--json").json
    assert 0 < some["count"] < 6
    assert all("Pluribus" in each["players"] and each["board"] for each in some["hands"])
    text = run("hands", folder, "--top", 2).out
    assert "16 more hands; --all lists them" in text
    assert max(map(len, text.splitlines()[:4])) <= 80


def test_a_hand_as_a_spot_and_judged(run, tmp_path):
    """The river of a hand, solved with ranges that are said; every decision of it judged."""
    night, spot = tmp_path / "night.phh", tmp_path / "spot.toml"
    night.write_text(NIGHT)
    data = run("hands", night, "--hand", 1, "-o", spot, "--json").json
    assert data["note"].startswith("ranges: the charts of two players, 20 big blinds, line r2")
    made = Spot.from_file(spot)
    assert (made.pot, made.effective_stack, made.aggressor) == (500, 1750, "ip")
    assert run("hands", night, "--hand", "#4711", "--json").json["hand"] == 1
    said = run("hands", night, "--hand", 1, "--oop", "87s", "--ip", "AK", "--json").json
    assert (said["spot"]["oop"], said["spot"]["ip"]) == ("87s", "AK")
    river = Spot("Kh7d2c2s9h", "87s, 66, QJs", "AK, QQ", pot=1000, stack=1500, bet="a", raise_="")
    (tmp_path / "river.toml").write_text(river.to_toml())
    solution = tmp_path / "river.safetensors"
    assert run("solve", tmp_path / "river.toml", "--target", "0.1%", "-o", solution).code == 0
    words = ("hands", night, "--hand", 1, "--against", solution)
    found = run(*words, "--keep-mistakes", "--json").json
    assert [each["player"] for each in found["decisions"]] == ["ann", "bob [x]"]
    assert [each["action"] for each in found["decisions"]] == ["a", "f"]
    assert all(each["loss"] >= 0 for each in found["decisions"]) and found["not_judged"] == ""
    text = run(*words).out
    assert "bob [x]" in text and "% of pot lost" in text
    log = solution.with_name("river.training.jsonl")
    assert log.exists() and log.read_text().count("\n") == 2


def test_hostile_names_stay_on_their_lines(run, tmp_path):
    night = tmp_path / "night.phh"
    night.write_text(NIGHT.replace("'bob [x]'", '"bob\\n\\u001b[31m[bold]x"'))
    for words in (("--hand", 1), ("--player", "ann"), ()):
        text = run("hands", night, *words).out
        assert "\x1b" not in text and text.isascii() and "\n\\x1b" not in text
    words = run("hands", night, "--hand", 1).out
    assert "  SB   bob\\n\\x1b[31m[bold]x  AdKd  2000 chips\n" in words
    assert "\x1b" not in run("statistics", night).out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["hands", "online.phhs", "--hand", "99"], "has no such hand (it has 12)"),
        (["hands", "online.phhs", "--hand", "x"], "--hand x: must be a place in the file"),
        (["hands", ".", "--hand", "1"], "name one file, there are 3"),
        (["hands", "broken.phhs", "--hand", "2"], "cannot be read: badugi (FB) is not hold'em"),
        (["hands", "online.phhs", "-o", "x.toml"], "--output: it is for the spot of one hand"),
        (["hands", "online.phhs", "--oop", "AA"], "--oop needs --hand"),
        (["hands", "nothing.phh"], "nothing.phh: there is no such file"),
        (["statistics", ".", "--stakes", "x"], "stakes 'x': must be blinds as in 0.5/1"),
        (["statistics", ".", "--seats", "1"], "seats '1': must be a number of players"),
        (["statistics", ".", "--pot", "big"], "pot 'big': there are unraised, single-raised"),
        (["statistics", ".", "--players", "all"], "--players all: there is pool"),
        (["statistics", ".", "--reduce", "all-in"], "--reduce: it is for one log"),
        (["statistics", ".", "--player", "zed"], "--player zed: no such name in ."),
        (["statistics", "broken.phhs", "--players", "pool"], "there are no hands of hold'em"),
        (["model", ".", "--players", "pool", "--shown-only"], "--shown-only: it is not for"),
        (["model", "empty"], "there are no histories in this folder"),
    ],
)
def test_bad_input_is_one_line(run, folder, monkeypatch, words, said):
    monkeypatch.chdir(folder)
    (folder / "empty").mkdir()
    outcome = run(*words)
    assert outcome.code == 2
    assert said in outcome.err
    assert outcome.err.count("\n") == 1


def test_a_night_is_judged(run, tmp_path):
    night, keep, kept = (tmp_path / name for name in ("night.phhs", "found.jsonl", "kept"))
    night.write_text(A_NIGHT, encoding="utf-8")
    words = ("hands", night, "--judge", "--street", "river")
    before = run(*words, "--dry-run", "--json").json
    assert (before["player"], before["to_judge"], before["looked_at"]) == ("ann", 2, 5)
    assert sum(before["passed"].values()) == 3 and before["expected_range"][1] < 10
    words = (*words, "--keep", keep, "--solutions", kept, "--keep-mistakes")
    found = run(*words, "--json").json
    assert found["judged"] == 2 and found["decisions"] == 3 and found["lost"] > 0
    losses = {each["number"]: each["loss_bb"] for each in found["worst"]}
    assert found["worst"][0]["grade"] == "blunder" and losses["4711"] > 1
    solution = kept / found["worst"][0]["solution"]
    assert solution.is_file() and solution.with_suffix(".training.jsonl").is_file()
    again = run(*words)
    assert f"ann lost {found['lost']:.2f} bb in 2 hands" in again.out and "blunder" in again.out
    assert len(keep.read_text(encoding="utf-8").splitlines()) == 2
    for more, error in (
        (("--player", "zoe"), "no hand can be judged"),
        (("--seats", "6"), "no hand can be judged"),
        (("--street", "attic"), "street"),
        (("--runouts", "x"), "runouts"),
    ):
        assert error in run("hands", night, "--judge", *more).err
    assert "--judge" in run("hands", night, "--target", "2%").err
    assert "--hand" in run("hands", night, "--judge", "--hand", "1").err


def test_whose_night_it_was_must_be_known(run, folder):
    error = run("hands", folder / "pluribus.phhs", "--judge").err
    assert "whose decisions?" in error and "--player" in error

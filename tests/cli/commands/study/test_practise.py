"""`practise` at a terminal of 80 columns, fed by a file."""

import io
import json
from dataclasses import replace

import pytest
from tests.players.bots.nolimit.small_menus import SMALL

from pokerlab.holdem.batches import Batch, BatchQuestion
from pokerlab.holdem.batches.rows import make_row
from pokerlab.holdem.spots import Spot, load_postflop, solve_spot
from pokerlab.players.bots.nolimit import street


@pytest.fixture(scope="module")
def solved(tmp_path_factory):
    file = tmp_path_factory.mktemp("trained") / "river.safetensors"
    ranges = "AA, KQs, JTs, 98s", "QQ, AJs, T9s, 55"
    spot = Spot("QhJh2c4d7h", *ranges, pot=100, stack=150, big_blind=2)
    solve_spot(spot, target="0.05%").save(file)
    return file


@pytest.fixture
def sit(run, monkeypatch, tmp_path, solved):
    """Train with these lines as what a person types; results in a file of their own."""
    monkeypatch.setenv("COLUMNS", "80")

    def call(typed, *arguments):
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
        return run("practise", solved, "--log", tmp_path / "log.jsonl", *arguments)

    return call


def test_a_session(sit, tmp_path):
    outcome = sit(["1"] * 12, "--seat", "oop", "--seed", 1, "--hands", 3)
    assert outcome.code == 0, outcome.err
    text = outcome.out
    assert "hand 3, you are out of position" in text
    assert "1 check, 2 bet 50, 3 all-in 150; q leaves" in text
    assert "river  Q♥ J♥ 2♣ 4♦ 7♥  pot 100" in text
    assert "frequency" in text and "of the pot" in text
    assert "the solution has " in text and "by street: river" in text
    assert max(len(line) for line in text.splitlines()) <= 80
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert sum("result" in line for line in lines) == 3
    assert {line["source"] for line in lines} == {"river.safetensors"}


def test_losses_are_in_chips_where_no_big_blind_is_known(run, monkeypatch, tmp_path, solved):
    solution = load_postflop(solved)
    fields = {name: each for name, each in solution.spot.fields().items() if name != "big_blind"}
    unknown = tmp_path / "unknown.safetensors"
    replace(solution, spot=Spot.from_fields(fields)).save(unknown)
    place = ("--line", "a", "--seat", "ip", "--hands", 2, "--log", tmp_path / "log.jsonl")
    for file, unit in ((solved, "bb"), (unknown, "chips")):
        monkeypatch.setattr("sys.stdin", io.StringIO("f\n" * 5))
        shown = " ".join(run("practise", file, *place).out.split())
        assert f"loss in {unit}" in shown and f" {unit} a hand" in shown


def test_json_and_the_same_seed(sit):
    typed = ["1"] * 30
    first, second = (
        sit(typed, "--hands", 4, "--seed", 5, "--seat", "ip", "--json") for _ in range(2)
    )
    assert "you hold" in first.err and first.json == second.json
    data = first.json
    assert data["hands"] == 4 and data["seed"] == 5 and sum(data["grades"].values()) >= 4
    assert set(data) >= {"decisions", "loss_percent", "loss_bb", "worst", "mistakes", "log"}


def test_mistakes_again(sit):
    place = ("--line", "a", "--seat", "ip", "--seed", 1)
    blunders = sit(["f"] * 30, *place, "--hands", 8, "--json").json
    assert blunders["mistakes"] > 0
    again = sit(["c"] * 30, "--mistakes", "--seed", 2, "--json")
    assert "to play again" in again.err and "all mistakes have been played well" in again.err
    assert again.json["mistakes"] == 0 and again.json["hands"] <= blunders["mistakes"]
    assert sit([], "--mistakes").err == "pokerlab: there is no mistake to play again\n"


def test_nonsense_leaving_and_the_end_of_input(sit):
    for typed in (["what", "", "b60", "q"], []):
        outcome = sit(typed, "--seat", "oop", "--seed", 2)
        assert outcome.code == 0, outcome.err
        assert "you leave the table" in outcome.out and "no decision was made" in outcome.out
    assert "'b60' is not possible here: 1 check" in sit(["b60"], "--seat", "oop").out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--seat", "button"], "seat: 'button' must be one of oop, ip"),
        (["--street", "turn"], "street: river.safetensors begins on the river, not before"),
        (["--line", "x/b3"], "line 'x/b3': token 2, 'b3': not possible here"),
        (["--line", "x/x"], "line 'x/x': the hand is over here"),
    ],
)
def test_bad_input_is_one_line(sit, arguments, message):
    outcome = sit([], *arguments)
    assert outcome.code == 2 and outcome.err.startswith(f"pokerlab: {message}")
    assert outcome.err.count("\n") == 1


def test_other_files(run, tmp_path):
    (tmp_path / "notes.safetensors").write_text("no solution")
    outcome = run("practise", tmp_path / "notes.safetensors")
    assert outcome.code == 2 and "notes.safetensors" in outcome.err
    assert "this folder holds no batch" in run("practise", tmp_path).err


def test_results_are_beside_the_solution(run, solved, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 5))
    assert run("practise", solved, "--hands", 1).code == 0
    assert solved.with_name("river.training.jsonl").is_file()


def test_a_folder_deals_its_boards(run, solved, tmp_path, monkeypatch):
    solution = load_postflop(solved)
    boards = {"QhJh2c4d7h": 1.0, "QhJh2c4d7s": 1.0}
    batch = Batch.begin(tmp_path / "rivers", BatchQuestion.of(solution.spot, boards))
    path = batch.solution_path("QhJh2c4d7h")
    solution.save(path)
    row = make_row(solution, "QhJh2c4d7h", 1.0, 1.0, path.stat().st_size)
    batch.store.add("QhJh2c4d7h", row)
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 9))
    outcome = run("practise", tmp_path / "rivers", "--hands", 2, "--json")
    assert outcome.json["hands"] == 2
    assert outcome.err.startswith("1 of 2 boards are not solved\n")
    assert (tmp_path / "rivers" / "training.jsonl").is_file()


def test_its_former_name_still_works(run, solved, tmp_path):
    words = (solved, "--log", tmp_path / "log.jsonl", "--hands", "x")
    assert run("train-hands", *words).err == run("practise", *words).err
    assert "train-hands" not in run("--help").out


def test_whole_hands_against_nolimit(run, monkeypatch, tmp_path):
    monkeypatch.setattr(street, "LADDERS", SMALL)
    log = tmp_path / "hands.jsonl"
    typed = ["c"] * 9 + ["why", "q"]
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
    against = ["--against", "nolimit:iterations=3,threads=1", "--stack", "20bb", "--seed", "3"]
    outcome = run("practise", *against, "--log", str(log), "--json")
    assert outcome.code == 0, outcome.err
    assert "this hand lost" in outcome.err and "bb a hand" in outcome.err
    assert "pre-flop" in outcome.err and "the same" in outcome.err
    found = outcome.json
    assert found["hands"] == 1 and found["decisions"] >= 3 and found["loss_bb_hand"] >= 0
    assert found["log"] == str(log) and "flop" in found["streets"]
    assert len(log.read_text().splitlines()) == found["decisions"] + found["hands"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name a solution or a batch to practise on"),
        (["x.safetensors", "--against", "nolimit"], "there is no such file"),
        (["--against", "fair"], "only nolimit says what hands were worth"),
        (["--against", "nolimit", "--street", "turn"], "--street: it is for solutions"),
        (["x.safetensors", "--stack", "20bb"], "it is for hands --against nolimit"),
    ],
)
def test_whole_hands_that_cannot_be(run, arguments, message):
    outcome = run("practise", *arguments)
    assert outcome.code == 2
    assert message in " ".join(outcome.err.split())

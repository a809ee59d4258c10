import json

import pytest
from safetensors import safe_open
from safetensors.numpy import save_file

from pokerlab.runtime.files.hashes import content_hash
from pokerlab.solvers import exploitability, load_solution
from pokerlab.solvers.solution import as_tree

KUHN = """
players = 2
betting = "limit"
ranks = "JQK"
suits = "s"
showdown = "high-card"
ante = 1
[[streets]]
hole = 1
bet = 1
max_raises = 1
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder to work in, so that whatever a command writes is seen."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def solved(run, *arguments):
    outcome = run("solve", *arguments, "--json")
    assert outcome.code == 0, outcome.err
    assert outcome.err == ""
    return outcome.json


def test_solve_leduc(run):
    result = solved(run, "leduc", "--rule", "dcfr", "--iterations", 100)
    assert result["iterations"] == 100
    assert result["seconds"] > 0
    assert 0 < result["exploitability"] < 0.02
    assert result["nash_conv"] == pytest.approx(2 * result["exploitability"], abs=1e-12)
    assert sum(result["values"]) == pytest.approx(0, abs=1e-12)
    assert abs(result["values"][0] + 0.0856064240780514) <= result["nash_conv"]
    assert result["game"] == "leduc"
    assert result["rule"] == "dcfr(1.5,0,2)"
    assert result["stopped"] == "iterations"
    assert result["file"] is None


def test_the_strategy_of_a_game_is_in_the_json(run, folder):
    result = solved(run, "kuhn", "--rule", "lp", "-o", "kuhn.safetensors")
    assert result["strategy"]["Ks:r"] == {"f": 0.0, "c": 1.0}
    assert result["strategy"] == run("show", "kuhn.safetensors", "--json").json["strategy"]
    assert len(solved(run, "leduc", "--iterations", 1)["strategy"]) == 936


def test_a_long_strategy_is_left_out_of_the_json(run, monkeypatch):
    monkeypatch.setattr("pokerlab.cli.commands.study.solve._MOST_IN_JSON", 11)
    assert solved(run, "kuhn", "--iterations", 1)["strategy"] is None


def test_a_game_that_is_too_large_says_what_solves_it(run):
    train = "too many to write out: by a rough estimate"
    for command in (["solve"], ["game", "value"]):
        error = run(*command, "holdem.limit.2p")
        assert error.code == 2
        assert train in error.err
        assert error.err.endswith("train a strategy for it: pokerlab train holdem.limit.2p\n")
    error = run("solve", "holdem.nolimit.2p")
    assert error.err.endswith("solve a spot after the flop instead: pokerlab solve SPOT.toml\n")
    assert run("solve", "rhodeisland").err.endswith(" or more\n")


def test_a_value_of_zero_has_no_minus(run):
    out = run("game", "value", "rps").out
    assert "is worth +0.000000000000 to player 0, +0.000000000000 to player 1" in out


def test_solve_by_linear_program(run):
    result = solved(run, "kuhn", "--rule", "lp")
    assert result["values"] == pytest.approx([-1 / 18, 1 / 18], abs=1e-9)
    assert result["exploitability"] == pytest.approx(0, abs=1e-9)
    assert (result["rule"], result["stopped"]) == ("lp", "optimal")


@pytest.mark.parametrize(
    "rule", ["cfr", "cfr-return", "cfr+", "linear", "dcfr", "pcfr+", "cgh", "fp", "fp-naive"]
)
def test_every_rule_comes_near_the_value_of_kuhn(run, rule):
    result = solved(run, "kuhn", "--rule", rule, "--iterations", 300)
    assert result["iterations"] == 300
    assert result["exploitability"] < 0.03
    assert abs(result["values"][0] + 1 / 18) <= result["nash_conv"]


def test_numbers_of_a_rule(run):
    result = solved(run, "kuhn", "--rule", "dcfr(1, 0.5, 3)", "--iterations", 20)
    assert result["rule"] == "dcfr(1,0.5,3)"
    other = solved(run, "kuhn", "--rule", "dcfr", "--iterations", 20)
    assert result["exploitability"] != other["exploitability"]


def test_without_a_limit_there_are_a_thousand_iterations(run):
    assert solved(run, "kuhn")["iterations"] == 1000


def test_stops_at_the_target(run):
    result = solved(run, "leduc", "--target", 0.05)
    assert result["stopped"] == "target"
    assert 0.005 < result["exploitability"] <= 0.05
    assert result["iterations"] < 1000


def test_stops_after_some_seconds(run):
    result = solved(run, "leduc", "--seconds", 0.5)
    assert result["stopped"] == "seconds"
    assert result["iterations"] >= 1
    assert result["seconds"] > 0


def test_the_first_limit_counts(run):
    result = solved(run, "kuhn", "--iterations", 7, "--target", 1e-9, "--seconds", 60)
    assert (result["iterations"], result["stopped"]) == (7, "iterations")


@pytest.mark.parametrize("kind", ["external", "outcome", "public"])
def test_sampling_is_decided_by_the_seed(run, kind):
    def sample(seed):
        arguments = ("--rule", "cfr", "--sampling", kind, "--iterations", 2000, "--seed", seed)
        result = solved(run, "kuhn", *arguments)
        assert result["rule"] == f"cfr {kind}"
        assert result["exploitability"] < 0.2
        return result["exploitability"]

    assert sample(1) == sample(1)
    # In Kuhn poker no card is public, so that nothing is left to chance.
    assert (sample(1) == sample(2)) == (kind == "public")


def test_simultaneous_updates_differ_from_alternating_ones(run):
    alternating = solved(run, "kuhn", "--rule", "cfr", "--iterations", 100)
    together = solved(run, "kuhn", "--rule", "cfr", "--iterations", 100, "--simultaneous")
    assert together["exploitability"] < 0.1
    assert together["exploitability"] != alternating["exploitability"]


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("leduc", ["--rule", "dcfr"]),
        ("kuhn", ["--rule", "cfr", "--simultaneous"]),
        ("leduc", ["--rule", "cfr", "--sampling", "external", "--seed", 5]),
    ],
)
def test_a_resumed_solve_is_the_uninterrupted_one(run, folder, name, options):
    whole = solved(run, name, *options, "--iterations", 60, "-o", "whole.safetensors")
    half = solved(run, name, *options, "--iterations", 25, "--resume", "checkpoint")
    assert half["iterations"] == 25
    assert (folder / "checkpoint").is_file()
    resumed = ("--resume", "checkpoint", "-o", "resumed.safetensors")
    rest = solved(run, name, *options, "--iterations", 60, *resumed)
    assert rest["iterations"] == 60
    assert rest["seconds"] > half["seconds"]
    for key in ("exploitability", "values"):
        assert rest[key] == whole[key] != half[key]
    strategies = [load_solution(f"{part}.safetensors").strategy for part in ("whole", "resumed")]
    assert (strategies[0].array == strategies[1].array).all()


def test_a_checkpoint_of_another_solve_is_refused_and_kept(run, folder):
    solved(run, "kuhn", "--iterations", 5, "--resume", "checkpoint")
    before = (folder / "checkpoint").read_bytes()
    for arguments, message in [
        (["leduc"], "belongs to another solve: its game is kuhn, not leduc"),
        (["kuhn", "--rule", "cfr"], "its rule is dcfr(1.5,0,2), not cfr"),
        (["kuhn", "--simultaneous"], "its updates is alternating, not simultaneous"),
    ]:
        refused(run("solve", *arguments, "--resume", "checkpoint"), message)
    assert (folder / "checkpoint").read_bytes() == before


def test_a_saved_solution_is_verified(run, folder):
    result = solved(run, "kuhn", "--iterations", 200, "-o", "kuhn.safetensors")
    assert result["file"] == "kuhn.safetensors"
    assert [file.name for file in folder.iterdir()] == ["kuhn.safetensors"]
    saved = load_solution("kuhn.safetensors")
    assert exploitability(as_tree("kuhn"), saved.strategy) == pytest.approx(
        result["exploitability"], abs=1e-12
    )
    outcome = run("verify", "kuhn.safetensors", "--json")
    assert outcome.code == 0
    found = outcome.json
    assert found["ok"] is True
    assert found["game"] == "kuhn"
    assert found["exploitability"] == pytest.approx(result["exploitability"], abs=1e-12)
    assert found["claimed"] == result["exploitability"]
    assert found["values"] == pytest.approx(result["values"], abs=1e-12)
    # A best response is worth at least what the game is to that player.
    assert found["bounds"][0] >= -1 / 18
    assert found["bounds"][1] >= 1 / 18
    assert sum(found["bounds"]) == pytest.approx(result["nash_conv"], abs=1e-12)


def test_verify_for_people(run, folder):
    solved(run, "kuhn", "--rule", "lp", "-o", "kuhn.safetensors")
    outcome = run("verify", "kuhn.safetensors")
    assert outcome.code == 0
    assert outcome.err == ""
    assert outcome.out.startswith("kuhn.safetensors: kuhn, exploitability ")
    assert outcome.out.splitlines()[0].endswith(": ok")
    assert "player 0: value -0.055555556" in outcome.out
    assert "player 1: value +0.055555556" in outcome.out


def test_a_solution_of_three_players_is_verified(run, folder):
    solved(run, "kuhn.3p", "--iterations", 20, "-o", "three.safetensors")
    found = run("verify", "three.safetensors", "--json").json
    assert found["ok"] is True
    assert len(found["bounds"]) == len(found["values"]) == 3


def test_a_flipped_byte_is_found(run, folder):
    solved(run, "kuhn", "--iterations", 50, "-o", "kuhn.safetensors")
    content = bytearray((folder / "kuhn.safetensors").read_bytes())
    header = int.from_bytes(content[:8], "little")
    start, end = json.loads(content[8 : 8 + header])["strategy"]["data_offsets"]
    # The sixth byte of each number holds the upper part of its mantissa.
    for place in range(8 + header + start + 5, 8 + header + end, 8):
        content[place] ^= 0x10
        (folder / "flipped.safetensors").write_bytes(content)
        refused(run("verify", "flipped.safetensors"), "must be at least 0 and sum to 1")
        content[place] ^= 0x10


def test_a_strategy_that_was_exchanged_is_found(run, folder):
    solved(run, "kuhn", "--iterations", 50, "-o", "kuhn.safetensors")
    tensors, metadata = read("kuhn.safetensors")
    tensors["strategy"][:2] = tensors["strategy"][1::-1].copy()
    save_file(tensors, "changed.safetensors", metadata)
    refused(run("verify", "changed.safetensors"), "its content does not fit its hash")
    seal(tensors, metadata)
    outcome = run("verify", "changed.safetensors", "--json")
    assert outcome.code == 2
    assert outcome.json["ok"] is False
    assert outcome.json["exploitability"] > outcome.json["claimed"]
    assert outcome.err.count("\n") == 1
    assert "changed.safetensors does not hold: exploitability: " in outcome.err
    for_people = run("verify", "changed.safetensors")
    assert for_people.code == 2
    assert "does not hold" in " ".join(for_people.out.split())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"nash_conv": "0.0", "exploitability": "0.0"},
            "exploitability: 0 is claimed, 0.00",
        ),
        (
            {"values": "[5.0, -5.0]"},
            "value of player 0: 5 is claimed, -0.05",
        ),
        ({"values": "[1e308, -1e308]"}, "value of player 0: 1e+308 is claimed, -0.05"),
        ({"game": "leduc"}, "its rules are those of kuhn with 2 players, not of leduc with 2"),
        ({"game": "nonsense", "rules": ""}, "nonsense, which is not in the catalogue, and holds"),
        ({"digest": "0"}, "kuhn, but of other rules than this game has now"),
        ({"format": "pokerlab tree solution 99"}, "but pokerlab tree solution 99"),
    ],
)
def test_changed_metadata_are_found(run, folder, change, message):
    solved(run, "kuhn", "--iterations", 50, "-o", "kuhn.safetensors")
    tensors, metadata = read("kuhn.safetensors")
    seal(tensors, metadata | change)
    outcome = run("verify", "changed.safetensors")
    assert outcome.code == 2
    assert outcome.err.count("\n") == 1
    assert message in outcome.err


def test_what_is_no_solution_is_refused(run, folder):
    refused(run("verify", "missing.safetensors"), "there is no file 'missing.safetensors'")
    (folder / "text.safetensors").write_text("not a solution")
    refused(run("verify", "text.safetensors"), "is damaged or no safetensors file")
    solved(run, "kuhn", "--iterations", 5, "-o", "kuhn.safetensors", "--resume", "checkpoint")
    refused(run("verify", "checkpoint"), "but pokerlab checkpoint ")
    cut = (folder / "kuhn.safetensors").read_bytes()[:-10]
    (folder / "cut.safetensors").write_bytes(cut)
    refused(run("verify", "cut.safetensors"), "is damaged: tensor")
    refused(run("solve", "kuhn", "--resume", "kuhn.safetensors"), "is not a pokerlab checkpoint")


def test_the_strategy_of_a_small_game_is_shown_to_people(run, folder):
    outcome = run("solve", "kuhn", "--rule", "lp", "-o", "kuhn.safetensors")
    assert outcome.code == 0
    assert outcome.err == ""
    assert outcome.out.startswith("kuhn by lp: ")
    assert "values -0.055555556  +0.055555556" in outcome.out
    assert "saved to kuhn.safetensors" in outcome.out
    rows = [line.split() for line in outcome.out.splitlines()]
    # A line for each information set; all who play well fold J and call with K.
    assert sum(row[0] in ("0", "1") for row in rows) == 12
    assert ["1", "Js:r", "f", "1.0000", "c", "0.0000"] in rows
    assert ["1", "Ks:r", "f", "0.0000", "c", "1.0000"] in rows


def test_the_strategy_of_a_larger_game_is_not_printed(run):
    outcome = run("solve", "leduc", "--iterations", 10)
    assert outcome.out.startswith("leduc by dcfr(1.5,0,2): 10 iterations in ")
    assert "936 information sets" in outcome.out
    assert len(outcome.out.splitlines()) == 4


def test_a_game_file_is_solved(run, folder):
    (folder / "mine.toml").write_text(KUHN)
    result = solved(run, "mine.toml", "--rule", "lp")
    assert result["game"] == "mine"
    assert result["values"][0] == pytest.approx(-1 / 18, abs=1e-9)


def test_a_solution_of_a_game_file_is_verified(run, folder):
    (folder / "mine.toml").write_text(KUHN)
    solved(run, "mine.toml", "--iterations", 50, "-o", "mine.safetensors")
    (folder / "mine.toml").unlink()
    assert run("verify", "mine.safetensors", "--json").json["ok"] is True


@pytest.mark.parametrize(
    ("field", "fault", "message"),
    [
        ("bet = 1", "", "mine.toml: streets[0].bet: missing, a limit game needs a bet size"),
        ("ante = 1", "ante = 1\nblinds = [1]", "mine.toml: blinds: 1 given, 2 players need one"),
        ('"limit"', '"no-limit"', "mine.toml: stacks: missing, a no-limit game needs one for"),
    ],
)
def test_a_faulty_game_file_is_one_line(run, folder, field, fault, message):
    (folder / "mine.toml").write_text(KUHN.replace(field, fault))
    refused(run("solve", "mine.toml", "-o", "mine.safetensors"), message)
    assert [file.name for file in folder.iterdir()] == ["mine.toml"]


BAD = [
    (["kuhm"], "no game 'kuhm', did you mean kuhn"),
    (["missing.game"], "missing.game: cannot be read: No such file"),
    (["kuhn", "--rule", "magic"], "unknown rule 'magic'; known rules are cfr, cfr-return, cfr+"),
    (["kuhn", "--rule", "dcfr(fast)"], "'fast' is not a number; dcfr takes alpha, beta, gamma"),
    (["kuhn", "--rule", "dcfr(1,2,3,4,5)"], "has 5 numbers; dcfr takes alpha, beta, gamma"),
    (["kuhn.3p", "--rule", "lp"], "a linear program solves two-player games"),
    (["kuhn", "--iterations", "-1"], "'--iterations': must be 0 or more, got '-1'"),
    (["kuhn", "--iterations", "many"], "got 'many'"),
    (["kuhn", "--target", "-0.1"], "target is -0.1; it must be at least 0"),
    (["kuhn", "--target", "nan"], "target is nan; it must be at least 0"),
    (["kuhn", "--seconds", "-1"], "'--seconds': must be 0 or more, got '-1'"),
    (
        ["kuhn", "--rule", "cfr", "--sampling", "magic"],
        "unknown sampling 'magic'; it must be one of",
    ),
    (["kuhn", "--rule", "dcfr", "--sampling", "external"], "does not work with sampling (cfr, "),
    (["kuhn", "-o", "no/kuhn.safetensors"], "--output no/kuhn.safetensors: there is no folder no"),
    (["kuhn", "--resume", "no/checkpoint"], "--resume no/checkpoint: there is no folder no"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD)
def test_bad_input_is_one_line_and_nothing_is_written(run, folder, arguments, message):
    output = [] if "-o" in arguments else ["-o", "file.safetensors"]
    for as_json in ([], ["--json"]):
        refused(run("solve", *arguments, *output, *as_json), message)
    assert list(folder.iterdir()) == []


def test_an_interrupt_stops_cleanly(run, folder, interrupted):
    interrupted(after=10)
    arguments = ("--seconds", "600", "--resume", "checkpoint", "-o", "leduc.safetensors")
    outcome = run("solve", "leduc", *arguments, "--json")
    assert outcome.code == 130
    assert " iterations are saved to leduc.safetensors and kept in checkpoint, from " in outcome.err
    result = outcome.json
    assert result["stopped"] == "interrupted"
    assert result["iterations"] >= 10
    assert result["exploitability"] < 1
    # What had been reached is not lost.
    assert load_solution("leduc.safetensors").exploitability == result["exploitability"]
    assert sorted(file.name for file in folder.iterdir()) == ["checkpoint", "leduc.safetensors"]
    assert run("solve", "leduc", "--iterations", 1, "--resume", "checkpoint").code == 0


def test_the_measurements_are_in_the_json_and_in_a_picture(run, folder):
    result = solved(run, "kuhn", "--iterations", 50, "--plot", "kuhn.svg")
    history = result["history"]
    assert history[0].keys() == {"iteration", "seconds", "exploitability"}
    assert [point["iteration"] for point in history] == sorted(
        {point["iteration"] for point in history}
    )
    assert history[-1]["iteration"] == 50
    assert history[-1]["exploitability"] == result["exploitability"]
    text = (folder / "kuhn.svg").read_text(encoding="utf-8")
    assert "exploitability (chips a hand)" in text
    assert "dcfr(1.5,0,2)" in text
    refused(run("solve", "kuhn", "--plot", "kuhn.pdf"), "a picture is a .png or .svg file")
    refused(run("solve", "kuhn", "--plot", "no/kuhn.svg"), "there is no folder no")
    assert [file.name for file in folder.iterdir()] == ["kuhn.svg"]


def read(path):
    with safe_open(path, "numpy") as file:
        return {name: file.get_tensor(name).copy() for name in file.keys()}, file.metadata()  # noqa: SIM118


def seal(tensors, metadata):
    """Write a changed file as a program would that knows the hash."""
    metadata["hash"] = content_hash(tensors, metadata)
    save_file(tensors, "changed.safetensors", metadata)


def refused(outcome, message):
    assert outcome.code == 2
    assert outcome.out == ""
    assert outcome.err.startswith("pokerlab: ")
    assert outcome.err.count("\n") == 1
    assert message in outcome.err

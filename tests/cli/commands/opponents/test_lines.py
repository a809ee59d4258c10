"""`pokerlab model` of no-limit hold'em and `pokerlab lock-from`."""

import json

import pytest

from pokerlab.cli.main import main
from pokerlab.holdem.spots import Spot
from pokerlab.players.opponents import LineKey, LineModel


def call(*arguments):
    with pytest.raises(SystemExit) as stop:
        main([str(argument) for argument in arguments])
    assert stop.value.code == 0


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A match of no-limit hold'em, a model of one of its players, a spot and its solution."""
    folder = tmp_path_factory.mktemp("lines")
    log = folder / "night.phhs"
    call("match", "holdem.nolimit.2p", "caller", "random", "--hands", 60, "--seed", 1, "--log", log)
    call("model", log, "--player", "random", "-o", folder / "random.toml")
    facing = LineKey("river", "ip", "other", "medium")
    counts = {facing: {"fold": 27, "call": 3}}
    LineModel("bob", 40, counts, prior_weight=0).save(folder / "bob.toml")
    spot = Spot("QhJh2c4d7h", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=150, aggressor="oop")
    (folder / "river.toml").write_text(spot.to_toml())
    solve = ("solve", folder / "river.toml", "--target", "0.3%", "-o")
    call(*solve, folder / "river.safetensors")
    return folder


def test_what_a_player_does_by_line(run, folder):
    data = run("model", folder / "night.phhs", "--player", "random", "--json").json
    assert (data["player"], data["hands"]) == ("random", 60)
    first = data["lines"][0]
    assert first["observations"] == sum(first["counts"].values())
    assert sum(first["frequencies"].values()) == pytest.approx(1)
    assert first["observations"] == max(line["observations"] for line in data["lines"])
    backs = [each for each in data["summary"] if each["name"] == "check back"]
    bets = [each for each in data["summary"] if each["name"] == "bet after a check"]
    assert backs and len(backs) == len(bets)
    for back, bet in zip(backs, bets, strict=True):
        assert back["did"] + bet["did"] == back["could"] == bet["could"]
    text = run("model", folder / "night.phhs", "--player", "random", "--top", 2).out
    assert "random after the flop, 60 hands" in text
    assert "more; --all lists them" in text
    assert max(map(len, text.splitlines())) <= 80


def test_locks_from_a_model_and_a_solve_with_them(run, folder, tmp_path):
    out = tmp_path / "locked.toml"
    arguments = ("lock-from", folder / "bob.toml", folder / "river.safetensors", "--player", "ip")
    data = run(*arguments, "-o", out, "--json").json
    (lock,) = data["locks"]
    assert (lock["line"], lock["observations"], lock["weight"]) == ("b50", 30, 0.75)
    assert lock["frequencies"]["f"] == pytest.approx(0.9)
    assert set(lock["before"]) == {"f", "c", "a"}
    assert Spot.from_file(out).fields()["locks"]["b50"]["weight"] == 0.75
    free = json.loads(run("solve", folder / "river.toml", "--target", "0.2%", "--json").out)
    locked = json.loads(run("solve", out, "--target", "0.2%", "--json").out)
    assert locked["values"][0] > free["values"][0] + 0.5
    text = run(*arguments).out
    assert text.startswith("bob as ip, lines of the spot: 1\n")
    assert max(map(len, text.splitlines())) <= 80
    half = run(*arguments, "--p", "0.5", "--half-at", "30", "--json").json["locks"][0]
    assert half["weight"] == 0.25


def test_without_a_solution_all_hands_are_alike(run, folder, tmp_path):
    out = tmp_path / "locked.toml"
    arguments = ("lock-from", folder / "bob.toml", folder / "river.toml", "--player", "ip")
    assert run(*arguments, "--uniform", "-o", out).out.endswith(f"wrote {out}\n")
    locks = Spot.from_file(out).fields()["locks"]
    assert locks == {"b50": {"f": 0.9, "c": 0.1, "a": 0, "weight": 0.75}}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["model", "night.phhs"], "whose play? name the player: caller, random"),
        (["model", "night.phhs", "--player", "bob"], "player bob: the hands know caller, random"),
        (["model", "night.phhs", "--shown-only"], "prior and buckets are not for no-limit"),
        (
            ["lock-from", "bob.toml", "river.toml", "--player", "ip"],
            "river.toml: which hands do it is taken from a solution; name one, or give --uniform",
        ),
        (
            ["lock-from", "bob.toml", "river.safetensors", "--player", "oop"],
            "bob.toml: nothing was observed at the lines of oop in river.safetensors",
        ),
        (
            ["lock-from", "bob.toml", "river.safetensors", "--player", "me"],
            "--player me: there are oop and ip",
        ),
        (
            ["lock-from", "river.toml", "river.safetensors", "--player", "ip"],
            "river.toml: its format is None, not 'pokerlab line model 1'",
        ),
        (["lock-from", "bob.toml", "bob.toml", "--player", "ip", "--uniform"], "bob.toml"),
        (["lock-from", "bob.toml", "no.safetensors", "--player", "ip"], "no.safetensors"),
        (["lock-from", "bob.toml", "river.safetensors", "--player", "ip", "--p", "0"], "--p 0: "),
    ],
)
def test_bad_input_is_one_line(run, folder, monkeypatch, words, said):
    monkeypatch.chdir(folder)
    outcome = run(*words)
    assert outcome.code == 2
    assert said in outcome.err
    assert outcome.err.count("\n") == 1

import json

import pytest

from pokerlab.runtime.machine import size_text

SPOT = """
board = "QhJh2h4c"
oop = "AA, KQs, JTs:0.5"
ip = "QQ, AJs, T9s"
pot = 100
stack = 150
bet = "60%"
raise = "a"
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    from pokerlab.holdem.spots import Spot, solve_spot

    path = tmp_path_factory.mktemp("gadget")
    turn = solve_spot(Spot.from_toml(SPOT), target="0.3%", keep_values=True)
    turn.save(path / "turn.safetensors")
    return path


def test_a_river_is_solved_again_safely(run, folder):
    turn, gadget, river, file = (
        str(folder / name) for name in ("turn.safetensors", "a.gadget", "river.toml", "a.st")
    )
    words = ("gadget", turn, "x/x/7s", "--player", "ip", "--spot", river, "-o", gadget)
    told = json.loads(run(*words, "--json").out)
    assert told["hands"] == 1081
    assert told["pot"] == 100
    assert -0.005 < told["least"] < 0.005
    assert "are worth 0.00 to" in run(*words).out
    again = ("solve", river, "--gadget", gadget, "--gadget-kind", "reach-maxmargin", "-o", file)
    solved = json.loads(run(*again, "--json").out)["gadget"]
    assert (solved["kind"], solved["player"]) == ("reach-maxmargin", "ip")
    assert solved["margin"]["percent"] > -0.7
    checked = json.loads(run("verify", file, "--json").out)
    assert checked["ok"]
    assert checked["margin"]["chips"] == pytest.approx(solved["margin"]["chips"], abs=1e-3)
    said = run("solve", river, "--gadget", gadget, "--iterations", "9").out
    assert "gadget combined for the hands in position" in said
    assert "least margin" in said
    assert "least margin" in run("verify", file).out
    refused = run("solve", file, "--target", "0.1%")
    assert "start: a solve with a gadget cannot be continued" in refused.err


def test_keep_values_of_a_partial_solution(run, folder, tmp_path):
    spot, file = tmp_path / "turn.toml", tmp_path / "turn.safetensors"
    spot.write_text(SPOT)
    options = ("--partial", "--keep-values", "--iterations", "5", "-o", str(file))
    assert run("solve", str(spot), *options).code == 0
    told = run("gadget", str(file), "b60/c/7s", "--player", "oop")
    assert "1,081 hands of oop" in told.out
    refused = run("gadget", str(file), "b60/c/7s", "--player", "oop", "--kind", "reach-resolve")
    assert "needs all streets of the solution" in refused.err


def test_memory_is_that_of_all_hands_and_offers_no_groups(run, tmp_path):
    from pokerlab.holdem.spots import Gadget

    spot, gadget = tmp_path / "turn.toml", tmp_path / "turn.gadget"
    spot.write_text(SPOT)
    Gadget("ip", [50.0] * 1326).save(gadget)
    asked = ("solve", str(spot), "--dry-run", "--json", "--memory")
    plain = json.loads(run(*asked, "1GB").out)["memory"]
    wide = json.loads(run(*asked, "1GB", "--gadget", str(gadget)).out)["memory"]
    assert wide["peak_bytes"] > plain["peak_bytes"]
    solved = run(
        "solve", str(spot), "--memory", "1GB", "--gadget", str(gadget), "--iterations", "1"
    )
    assert f"fit: {size_text(wide['peak_bytes'])}" in solved.out + solved.err
    few = f"{wide['peak_bytes'] // 2}B"
    refused = run("solve", str(spot), "--memory", few, "--gadget", str(gadget)).err
    assert "even 16 bits, each hand on its own, need" in refused
    keep = ("--keep-values", "-o", str(tmp_path / "turn.safetensors"))
    assert "even 16 bits, each hand" in run("solve", str(spot), "--memory", "1MB", *keep).err


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["x/x", "--player", "ip"], "no street begins there; name the card"),
        (["x/x/7s", "--player", "bob"], "gadget: 'bob' is not a player, oop or ip"),
        (["x/x/7s", "--player", "ip", "--kind", "safe"], "no gadget 'safe'"),
        (["x/x/7s", "--player", "ip", "--values", "much"], "'much' are not response or average"),
    ],
)
def test_bad_input_is_one_line(run, folder, words, line):
    refused = run("gadget", str(folder / "turn.safetensors"), *words)
    assert refused.code
    assert line in refused.err
    assert refused.err.count("\n") == 1


def test_files_of_other_spots_are_refused(run, folder, tmp_path):
    turn, gadget = folder / "turn.safetensors", tmp_path / "b.gadget"
    run("gadget", str(turn), "x/x/7s", "--player", "ip", "-o", str(gadget))
    spot = tmp_path / "turn.toml"
    spot.write_text(SPOT)
    assert "not of QhJh2h4c" in run("solve", str(spot), "--gadget", str(gadget)).err
    assert "--gadget-kind needs --gadget" in run("solve", str(spot), "--gadget-kind", "resolve").err
    assert "is not a" in run("solve", str(spot), "--gadget", str(turn)).err

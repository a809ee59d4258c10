"""Commands for spots that pay prizes: in which unit they tell losses, and what they refuse."""

import io

import pytest
from tests.holdem.spots.test_prizes import PRIZES

from pokerlab.holdem.spots import solve_spot

RIVER = PRIZES["river, many ties"]


@pytest.fixture(scope="module")
def prized(tmp_path_factory):
    """The file of a solved river that pays prizes, and that of its spot."""
    folder = tmp_path_factory.mktemp("prizes")
    solve_spot(RIVER, target="0.1%").save(folder / "river.safetensors")
    (folder / "river.toml").write_text(RIVER.to_toml())
    return folder / "river.safetensors", folder / "river.toml"


def test_a_simple_strategy_gives_to_the_opponent(run, prized, tmp_path):
    saved, simple = prized[0], tmp_path / "simple.safetensors"
    outcome = run("simplify", saved, "--step", "50%", "-o", simple, "--top", "1")
    assert outcome.code == 0
    assert "oop  gives" in outcome.out
    assert "% of the prizes" in outcome.out
    assert "what the player loses against the opponent's best response" in outcome.out
    assert "chips against the best response" in run("diff", saved, simple, "--losses").out
    assert run("verify", simple).code == 0


def test_sizes_tell_their_unit(run, prized):
    outcome = run("sizes", prized[1], "--candidates", "30%, 90%", "--most", "1")
    assert outcome.code == 0
    assert "in chips that are worth the same" in " ".join(outcome.out.split())
    assert "who answers gives" in run("sizes", prized[1], "--against", "60%").out


def test_a_drill_counts_in_prizes(run, prized, monkeypatch, tmp_path):
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 12))
    log = tmp_path / "log.jsonl"
    outcome = run("practise", prized[0], "--hands", "2", "--seed", "3", "--log", log)
    assert outcome.code == 0
    assert "% of the prizes" in outcome.out
    assert log.exists()


@pytest.mark.parametrize("command", ["play", "verify"])
def test_what_counts_chips_alone_is_one_line(run, prized, command):
    more = ["--all-runouts"] if command == "verify" else []
    outcome = run(command, prized[0], *more)
    assert (outcome.code, outcome.out) == (2, "")
    assert len(outcome.err.strip().splitlines()) <= 2

"""Matches on a spot: their logs are read again, and mbb mean the same everywhere."""

from __future__ import annotations

import pytest

from pokerlab.arena.logs.replay import read_log
from pokerlab.arena.person_words import read_action
from pokerlab.games import split_betting
from pokerlab.holdem.spots import Spot
from pokerlab.players.strategies import SpotGame

SPOT = """
board = "QhJh2c4d"
oop = "AA, KQs"
ip = "QQ, AJs"
stack = 80
pot = {pot}
big_blind = {big_blind}
"""


@pytest.fixture(params=[(100, 1), (101, 2), (5.5, 0.5)], ids=str)
def log(request, run, tmp_path):
    pot, big_blind = request.param
    spot, path = tmp_path / "spot.toml", tmp_path / "night.log"
    spot.write_text(SPOT.format(pot=pot, big_blind=big_blind))
    match = run("match", spot, "caller", "random", "--hands", 60, "--log", path, "--json")
    assert match.code == 0, match.err
    return path, match.json, pot, big_blind


def test_statistics_and_the_match_count_the_same_mbb(run, log):
    path, match, _, big_blind = log
    for name, chips in match["scores"].items():
        assert match["mbb_per_hand"][name] == pytest.approx(1000 * chips / big_blind / 60)
    printed = run("statistics", path)
    assert printed.code == 0, printed.err
    for name, mbb in match["mbb_per_hand"].items():
        assert any(
            row.split()[:3] == [name, "60", f"{mbb:+,.1f}"] for row in printed.out.split("\n")
        )


def test_a_log_counts_bets_and_results_in_one_unit(log):
    path, match, pot, _ = log
    hands = list(read_log(path))
    assert len(hands) == 60
    won = sum(hand.payoffs[hand.players.index("caller")] for hand in hands)
    assert won == pytest.approx(match["scores"]["caller"])
    rows = [row.split(":") for row in path.read_text().split("\n") if row.startswith("STATE")]
    ante = hands[0].game.ante
    assert 2 * ante == pot * hands[0].game.unit
    for _, _, betting, _, amounts, _ in rows:
        sizes = [int(action[1:]) for action in split_betting(betting) if action[0] == "r"]
        lost = [abs(float(amount)) for amount in amounts.split("|")]
        # Who loses a showdown loses what he has put in: the ante, or the last size that was called.
        if "f" not in betting and lost[0]:
            assert lost == [max(sizes, default=ante)] * 2


def test_a_log_is_replayed(run, log):
    path, _, pot, _ = log
    shown = run("replay", path, "--hand", 3)
    assert shown.code == 0, shown.err
    assert f"{pot / 2 + 80:g} chips" in shown.out
    again = run("replay", path, "--against", "folder", "--json")
    assert again.code == 0, again.err


def test_a_person_bets_fractions_of_chips():
    spot = Spot("QhJh2c4d", "AA, KQs", "QQ, AJs", pot=5.5, stack=80)
    view = SpotGame.of(spot).replay("")
    assert [read_action(view, text) for text in ("2.75", "1.15", "0.29", "50%")] == [
        "r1100",
        "r780",
        "r608",
        "r1100",
    ]
    with pytest.raises(ValueError, match=r"1\.001 is not a whole number of chips"):
        read_action(view, "1.001")

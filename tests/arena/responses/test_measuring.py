"""Many hands: the same whoever plays them, kept in a folder, summed up."""

import json

import numpy as np
import pytest

from pokerlab.arena.responses.local_best_response import LocalHand
from pokerlab.arena.responses.measuring import (
    LocalResponsePlan,
    LocalResponseResult,
    local_best_response,
    play_local_responses,
)
from pokerlab.games import load_game


def test_more_hands_begin_with_the_same_ones(tmp_path):
    short = local_best_response("leduc", "random:1,2,1", 26, 3, folder=tmp_path / "kept")
    assert sorted(file.name for file in (tmp_path / "kept").glob("*-*.json")) == [
        "0-20.json",
        "20-26.json",
    ]
    longer = local_best_response("leduc", "random:1,2,1", 60, 3)
    assert longer.hands[:26] == short.hands
    again = local_best_response("leduc", "random:1,2,1", 60, 3, folder=tmp_path / "kept")
    assert again.hands == longer.hands
    with pytest.raises(ValueError, match="was begun with seed 3, not 4"):
        local_best_response("leduc", "random:1,2,1", 60, 4, folder=tmp_path / "kept")


def test_a_damaged_block_is_played_again(tmp_path):
    first = local_best_response("leduc", "fair", 20, folder=tmp_path)
    (tmp_path / "0-20.json").write_text("[[1.0, 0, false]]")
    assert local_best_response("leduc", "fair", 20, folder=tmp_path).hands == first.hands
    assert len(json.loads((tmp_path / "0-20.json").read_text())) == 20


def test_sums():
    hands = [LocalHand(4.0, 0, False, False, 4.0), LocalHand(-2.0, 1, True, True, -2.0)] * 2
    hands[2] = LocalHand(8.0, 0, False, False, 8.0)
    found = LocalResponseResult(LocalResponsePlan("leduc", "fair"), 6, tuple(hands), 1000.0)
    assert found.mbb == 2000.0
    assert found.stderr == pytest.approx(np.std([1000, 3000], ddof=1) / np.sqrt(2))
    assert found.seats == (6000.0, -2000.0)
    assert [tuple(row) for row in found.ends()] == [
        (0, False, 2, 3000.0),
        (1, True, 2, -1000.0),
    ]
    data = found.to_json()
    assert data["estimated_hands"] == 2
    assert data["samples"] == 3
    assert data["hands"] == 4
    assert data["planned_hands"] == 6
    one = LocalResponseResult(found.plan, 2, tuple(hands[:2]), 1.0)
    assert one.to_json()["stderr"] is None


def test_hands_count_up_to_the_first_that_is_missing():
    hand = LocalHand(1.0, 0, False, False, 1.0)
    plan, game = LocalResponsePlan("leduc", "fair"), load_game("leduc")
    blocks = {40: [hand] * 20, 0: [hand] * 20, 20: [hand] * 20, 80: [hand] * 20}
    assert len(LocalResponseResult.of(plan, game, 100, blocks).hands) == 60
    with pytest.raises(ValueError, match="the first hands were not finished"):
        LocalResponseResult.of(plan, game, 100, {20: [hand] * 20})


def test_refusals(tmp_path):
    for hands in (0, 3):
        with pytest.raises(ValueError, match=f"hands: {hands} must be an even number from 2 on"):
            list(play_local_responses(LocalResponsePlan("leduc", "fair"), hands))
    with pytest.raises(ValueError, match="streets: leduc has streets 1 to 2, not 3"):
        LocalResponsePlan("leduc", "fair", streets=(2,)).check()
    with pytest.raises(ValueError, match="among: 0 must be 1 or more"):
        LocalResponsePlan("leduc", "fair", among=0).check()
    bot = tmp_path / "bad.py"
    bot.write_text(
        "from pokerlab.players.bots import Caller\n"
        "class Bad(Caller):\n"
        "    def hand_strategy(self, view):\n"
        "        return 1 / 0\n"
    )
    with pytest.raises(ValueError, match=r"hand 0: bad\.py:4: ZeroDivisionError"):
        local_best_response("leduc", f"{bot}:Bad", 20)

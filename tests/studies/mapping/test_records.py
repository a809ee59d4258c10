import json

import numpy as np
import pytest

from pokerlab.arena.hands import PlayedHand
from pokerlab.games import load_game
from pokerlab.studies.mapping import records as mapping_records
from pokerlab.studies.mapping.records import ActionCounts, Record, play_record

BOTS = ("raiser", "caller", "random")


@pytest.mark.parametrize("counted", [False, True])
def test_round_trip(counted):
    record = play_record(BOTS, 24, 3, counted=counted)
    again = Record.from_json(json.loads(json.dumps(record.to_json())))
    assert again.result == record.result
    assert again.won.tolist() == pytest.approx(record.won.tolist())
    assert (again.counts is None) is not counted
    if counted:
        assert (again.counts.streets == record.counts.streets).all()
        assert (again.counts.classes == record.counts.classes).all()


@pytest.mark.parametrize(("bots", "deals"), [(BOTS, 10), (("random", "fair", "fair"), 20)])
def test_deals_give_the_result_of_the_match(bots, deals):
    record = play_record(bots, 60, 5)
    assert len(record.won) == deals
    error = record.won.std(ddof=1) / np.sqrt(deals)
    assert record.won.mean() == pytest.approx(record.result.mbb_per_hand[0])
    assert error == pytest.approx(record.result.stderr[0])


def test_counts():
    game = load_game("holdem.limit.3p")
    deal = game.make_deal(["AsAd", "7h2c", "KsKd"], "2d3d4h5s6c")
    counts = ActionCounts.none()
    # The button raises, the small blind raises again, the big blind folds, the button calls.
    hand = PlayedHand(game, 0, deal, ("ann", "bob", "cid"), "rrfc/rf", (0.0, 0.0, 0.0))
    counts.add(hand, "ann")
    assert counts.streets[1, 0].tolist() == [0, 0, 1]
    assert counts.streets[0, 1].tolist() == [0, 0, 1]
    counts.add(hand, "cid")
    assert counts.streets[:, :2].tolist() == [[[0, 1, 0], [1, 0, 1]], [[0, 0, 2], [0, 0, 0]]]
    assert counts.classes.sum() == 2  # the call of the button was among two
    assert counts.classes[0].tolist() == [0, 0, 1]
    # A free check in the big blind says nothing about folds.
    free = PlayedHand(game, 0, deal, ("ann", "bob", "cid"), "ccc/ccc/ccc/ccc", (0.0, 0.0, 0.0))
    before = counts.classes.sum()
    counts.add(free, "bob")
    assert counts.classes.sum() == before
    assert counts.streets[1, 0].tolist() == [0, 1, 2]


def test_streets_have_names():
    assert len(mapping_records.STREETS) == len(load_game(mapping_records.GAME).streets)

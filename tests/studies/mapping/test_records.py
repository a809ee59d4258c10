import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.arena.hands import PlayedHand
from pokerlab.arena.results import MatchPlan, MatchResult
from pokerlab.games import load_game
from pokerlab.studies.mapping import records as mapping_records
from pokerlab.studies.mapping.records import ActionCounts, Record, compared, play_record
from pokerlab.studies.reporting.measure import Measure, mean_of, share, slope

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


numbers = st.floats(-1000, 1000)


def record(won, seed=1):
    plan = MatchPlan("holdem.limit.3p", ("a", "b", "b"), 3 * len(won), seed, duplicate=True)
    nothing = (0.0, 0.0, 0.0)
    result = MatchResult(
        plan, ("a", "b", "b#2"), plan.hands, nothing, nothing, nothing, (0, 0, 0), ("", "", ""), 0.0
    )
    return Record(result, np.array(won, float))


@given(st.lists(numbers, min_size=2, max_size=20), numbers)
def test_what_the_cards_give_to_both_cancels_out(won, more):
    first, second = record(np.add(won, more)), record(won)
    difference = compared([first], [second])
    assert difference.value == pytest.approx(more, abs=1e-6)
    assert difference.error == pytest.approx(0.0, abs=1e-6)


def test_comparison_deal_by_deal():
    first, second, third = record([3, 5, 4]), record([1, 1, 1]), record([3, 3, 3])
    assert compared([first]) == Measure(4.0, pytest.approx(1 / math.sqrt(3)))
    assert compared([first], [second, third]).value == pytest.approx(2.0)
    loss = compared([], [first])
    assert loss == Measure(-4.0, pytest.approx(1 / math.sqrt(3)))


def test_other_cards_cannot_be_compared():
    with pytest.raises(ValueError, match="different cards"):
        compared([record([1, 2])], [record([1, 2], seed=2)])
    with pytest.raises(ValueError, match="different cards"):
        compared([record([1, 2])], [record([1, 2, 3])])


@given(st.lists(numbers, min_size=2, max_size=30))
def test_mean(values):
    measure = mean_of(values)
    assert measure.value == pytest.approx(np.mean(values), abs=1e-9)
    assert measure.error == pytest.approx(np.std(values, ddof=1) / math.sqrt(len(values)), abs=1e-9)


def test_nothing_has_no_mean():
    assert all(map(math.isnan, mean_of([])))
    assert all(map(math.isnan, share(0, 0)))
    assert share(0, 5) == Measure(0.0, 0.0)


def test_slope_against_numpy():
    rng = np.random.default_rng(1)
    places = np.arange(8)
    errors = rng.uniform(0.5, 2.0, 8)
    values = 3.0 - 0.7 * places + rng.normal(0, errors)
    found = slope(places, [Measure(*each) for each in zip(values, errors, strict=True)])
    expected, covariance = np.polyfit(places, values, 1, w=1 / errors, cov="unscaled")
    assert found.value == pytest.approx(expected[0])
    residuals = (values - np.polyval(expected, places)) / errors
    scatter = max((residuals**2).sum() / 6, 1.0)
    assert found.error == pytest.approx(math.sqrt(covariance[0, 0] * scatter))


def test_slope_needs_two_places():
    known, unknown = Measure(1.0, 0.1), Measure(2.0, math.nan)
    assert math.isnan(slope([0, 1], [known, unknown]).value)
    assert slope([0, 1, 2], [known, unknown, Measure(5.0, 0.1)]).value == pytest.approx(2.0)

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.arena.results import MatchPlan, MatchResult
from pokerlab.studies.mapping.measures import compared
from pokerlab.studies.mapping.records import Record
from pokerlab.studies.reporting.measure import Measure, mean_of, share, slope

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

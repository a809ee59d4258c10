"""Rounded probabilities: what they must be, and the kernels beside plain versions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.holdem.spots.simple.rounding import ALL_ACTIONS, Rounding
from pokerlab.holdem.spots.simple.rounding_kernels import follow_street, round_rows


def probabilities(actions: int, hands: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    rows = rng.dirichlet(np.full(actions, 0.4), hands).T
    return np.ascontiguousarray(rows, np.float32)


@given(
    st.integers(1, 6),
    st.integers(1, 30),
    st.sampled_from([1, 2, 3, 4, 5, 10, 20, 100, 300, 1000]),
    st.integers(1, 6),
    st.booleans(),
    st.integers(0, 2**31),
)
def test_what_is_rounded_is_simple(actions, hands, units, most, balanced, seed):
    rows = probabilities(actions, hands, seed)
    found = Rounding(units, most, "hand", balanced).round(rows)
    assert found.sum(axis=0) == pytest.approx(1)
    assert found * units == pytest.approx(np.round(found * units), abs=1e-4)
    assert ((found > 0).sum(axis=0) <= most).all()
    assert (found >= 0).all() and (found[rows == 0] == 0).all()
    if most >= actions:
        assert (abs(found - rows) < 1 / units + 1e-3).all()
    assert np.array_equal(Rounding(units, most, "hand", False).round(found), found)


@given(st.integers(2, 5), st.integers(1, 40), st.sampled_from([1, 2, 4]), st.integers(0, 2**31))
def test_a_balanced_range_takes_actions_as_often_as_before(actions, hands, units, seed):
    rows = probabilities(actions, hands, seed)
    found = Rounding(units).round(rows)
    # Two actions: the error of all hands together is never more than that of one.
    most = 1.01 / units if actions == 2 else actions / units
    assert abs((found - rows).sum(axis=1)).max() <= most


def plain_nearest(shares, units, most):
    """Largest remainders of the largest actions."""
    kept = sorted(range(len(shares)), key=lambda each: -shares[each])[:most]
    total = sum(shares[each] for each in kept)
    wanted = [shares[each] / total * units if each in kept else 0.0 for each in range(len(shares))]
    found = [int(each) for each in wanted]
    rest = sorted(range(len(shares)), key=lambda each: found[each] - wanted[each])
    for each in rest[: units - sum(found)]:
        found[each] += 1
    return [each / units for each in found]


@given(st.integers(2, 6), st.integers(1, 6), st.integers(0, 2**31))
def test_the_nearest_is_that_of_a_plain_version(actions, most, seed):
    rows = probabilities(actions, 7, seed)
    found = Rounding(7, most, "hand", False).round(rows)
    expected = [plain_nearest(row.astype(float), 7, most) for row in rows.T]
    assert pytest.approx(np.array(expected), abs=1e-6) == found.T


def test_groups_play_their_mean():
    rows = np.array([[1.0, 0.0, 0.5, 0.3], [0.0, 1.0, 0.5, 0.7]], np.float32)
    groups, weights = np.array([0, 0, 1, -1], np.int32), np.array([3.0, 1.0, 0.0, 1.0])
    found = np.empty_like(rows)
    round_rows(rows, weights, groups, 2, 0, ALL_ACTIONS, False, found)
    assert found[0] == pytest.approx([0.75, 0.75, 0.5, 0.3])


def test_reach_is_that_of_a_plain_version():
    rng = np.random.default_rng(5)
    rows, above = rng.random((4, 6)).astype(np.float32), rng.random((2, 6))
    before, slot = np.array([-1, 0, 1, -1, 3]), np.array([-1, 2, -1, -1, 0])
    roots = np.array([0, 0, 0, 1, 1])
    reach = np.zeros((5, 6))
    follow_street(rows, before, slot, roots, above, reach)
    expected = [above[0], above[0] * rows[2], above[0] * rows[2], above[1], above[1] * rows[0]]
    assert reach == pytest.approx(np.array(expected))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"step": "30%"}, "step: 30% does not divide 100%"),
        ({"step": "150%"}, "step: '150%' is not a step from 0% to 100%"),
        ({"step": "nan"}, "step: 'nan' is not a step"),
        ({"step": "0.05%"}, "step: 0.05% is below 0.1%"),
        ({"by": "suit"}, "by: 'suit' is not one of hand, class, made"),
        ({"max_actions": 0}, "max actions: 0 must be at least 1"),
    ],
)
def test_bad_settings_are_refused(settings, message):
    with pytest.raises(ValueError, match=message.replace("(", r"\(")):
        Rounding.of(**settings)

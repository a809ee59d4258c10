import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.bots.montecarlo.opponent_model import CALL, FOLD, RAISE, OpponentModel, standings


def test_frequencies_are_learned_by_street_and_price():
    model = OpponentModel()
    for _ in range(200):
        model.note(0, True, FOLD)
        model.note(1, True, RAISE)
        model.note(0, False, CALL)
    assert model.frequencies(0, True)[FOLD] > 0.95
    assert model.frequencies(1, True)[RAISE] > 0.95
    assert model.frequencies(0, False)[CALL] > 0.95
    assert model.frequencies(2, True) == pytest.approx((0.2, 0.5, 0.3))  # nothing seen


@given(
    st.lists(st.integers(0, 2), max_size=40),
    st.lists(st.floats(0, 0.9999), min_size=1, max_size=30),
)
def test_actions_of_each_hand_sum_to_one(actions, places):
    model = OpponentModel()
    for action in actions:
        model.note(0, True, action)
    standing = np.array(places)
    total = sum(model.likelihood(0, True, action, standing) for action in (FOLD, CALL, RAISE))
    np.testing.assert_allclose(total, 1.0)


def test_raises_tell_of_good_hands():
    model = OpponentModel()
    standing = np.linspace(0, 0.999, 1000)
    raised = model.likelihood(0, True, RAISE, standing)
    assert raised.mean() == pytest.approx(0.3, abs=0.01)  # as often as it raises
    assert (raised * standing).sum() / raised.sum() > 0.7
    folded = model.likelihood(0, True, FOLD, standing)
    assert (folded * standing).sum() / folded.sum() < 0.3


def test_trust_is_learned_from_hands_that_were_shown():
    honest, random = OpponentModel(), OpponentModel()
    rng = np.random.default_rng(1)
    for _ in range(300):
        honest.note_shown_raise(1, False, 0.9)
        random.note_shown_raise(1, False, rng.random())
    assert honest.trust > 0.95
    assert random.trust < 0.25


def test_standings():
    weights = np.array([0.0, 1.0, 1.0, 2.0])
    np.testing.assert_allclose(
        standings(weights, np.array([9, 1, 2, 3])), [1.0, 0.125, 0.375, 0.75]
    )
    np.testing.assert_allclose(standings(np.zeros(2), np.array([1, 2])), 0.5)

"""Strategies to lock: frequencies that come out as wanted, and texts that the solver takes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.holdem.spots.solved_spots import SPOTS, solved

from pokerlab.cards.ranges.blockers import unblocked_weights
from pokerlab.engine.locks import parse_locks
from pokerlab.holdem.spots.answer.locking import lock_actions, towards_frequencies


@given(st.sampled_from(["", "x", "b50"]), st.data())
def test_frequencies_come_out_as_wanted(line: str, data: st.DataObject) -> None:
    decision = solved("turn").decision(line)
    count = data.draw(st.integers(1, len(decision.actions) - 1))
    shares = data.draw(st.lists(st.floats(0.01, 1), min_size=count + 1, max_size=count + 1))
    wanted = dict(zip(decision.actions, np.array(shares) / sum(shares), strict=False))
    wanted = dict(list(wanted.items())[:count])
    changed = towards_frequencies(decision, wanted)
    seat = decision.player
    often = decision.weights[seat] * unblocked_weights(decision.weights[1 - seat])
    here = often > 0
    np.testing.assert_allclose(changed[:, here].sum(axis=0), 1, atol=1e-6)
    assert (changed[:, here] >= 0).all()
    found = changed[:, here] @ often[here] / often.sum()
    for action, share in wanted.items():
        assert found[decision.actions.index(action)] == pytest.approx(share, abs=2e-3)


def test_what_is_wanted_already_changes_nothing() -> None:
    decision = solved("turn").decision("x")
    now = dict(zip(decision.actions, decision.frequencies.tolist(), strict=True))
    changed = towards_frequencies(decision, now)
    arriving = decision.weights[decision.player] > 0
    np.testing.assert_allclose(changed[:, arriving], decision.strategy[:, arriving], atol=1e-3)


def test_a_lock_gives_the_strategy_back() -> None:
    decision = solved("turn").decision("x")
    texts = lock_actions(decision, decision.strategy)
    (lock,) = parse_locks(SPOTS["turn"], {"x": texts})
    arriving = decision.weights[decision.player] > 0
    np.testing.assert_allclose(lock.shares[:, arriving], decision.strategy[:, arriving], atol=2e-4)
    assert (lock.shares[:, ~arriving] == -1).all()


def test_hands_without_numbers_stay_free() -> None:
    decision = solved("turn").decision("x")
    strategy = np.full(decision.strategy.shape, np.nan)
    one = int(np.flatnonzero(decision.weights[decision.player] > 0)[0])
    strategy[:, one] = [0.5, 0.5, 0.0][: len(strategy)]
    (lock,) = parse_locks(SPOTS["turn"], {"x": lock_actions(decision, strategy)})
    assert np.flatnonzero(lock.shares[0] >= 0).tolist() == [one]


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({"b7": 0.5}, "action 'b7' is not possible here; possible: x"),
        ({"x": 1.5}, "x: 1.5 is not a frequency"),
        ({"x": 0.7, "b50": 0.7}, "sum to 1.4"),
    ],
)
def test_bad_wishes_are_named(wanted: dict[str, float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        towards_frequencies(solved("turn").decision("x"), wanted)


def test_bad_strategies_are_named() -> None:
    decision = solved("turn").decision("x")
    for strategy, message in (
        (decision.strategy[:1], "shape"),
        (np.full(decision.strategy.shape, np.nan), "needs a hand that arrives"),
        (0.5 * decision.strategy, "must sum to 1"),
    ):
        with pytest.raises(ValueError, match=message):
            lock_actions(decision, strategy)

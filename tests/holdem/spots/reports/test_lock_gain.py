"""What locks win: against closed forms, against `verify`, and where nothing can be told."""

from dataclasses import replace

import pytest

from pokerlab.holdem.spots import Spot, solve_spot
from pokerlab.holdem.spots.answer.locking import lock_actions
from pokerlab.holdem.spots.checks.verify import verify
from pokerlab.holdem.spots.reports.lock_gain import lock_gain, locked_players
from pokerlab.holdem.spots.simple.origins import losses_between, unlocked

RIVER = Spot("QhJh2c4d7h", "AA, KQs, 98s", "QQ, AJs, T9s", 100, 80, bet="a", raise_="")
TURN = Spot("QhJh2c4d", "AA, KQs, T9s", "KK, AJs", 60, 60, bet="a", raise_="")


@pytest.fixture(scope="module")
def free():
    return solve_spot(RIVER, target="0.05%", threads=1)


def test_who_folds_to_every_bet_gives_the_whole_pot(free):
    """Closed form: OOP bets everything, and IP never calls."""
    locked = solve_spot(RIVER, target="0.05%", threads=1, locks={"a": {"f": 1}})
    gain = lock_gain(free, locked)
    assert gain.winner == 0 and gain.told
    assert free.values[0] + gain.changes[0] == pytest.approx(100, abs=0.1)
    assert gain.changes[0] == pytest.approx(-gain.changes[1], abs=1e-6)
    assert [player.where for player in gain.locked] == ["after a"]


def test_numbers_are_those_of_independent_certificates(free):
    locked = solve_spot(RIVER, target="0.3%", threads=1, locks={"x": {"x": 1}, "": {"x": 0.7}})
    before, after = verify(free), verify(locked)
    gain = lock_gain(free, locked)
    for seat in range(2):
        change = after.values[seat] - before.values[seat]
        assert gain.changes[seat] == pytest.approx(change, abs=0.05)
        response = after.best_values[seat] - before.values[seat]
        assert gain.responses[seat] == pytest.approx(response, abs=0.05)
        assert gain.responses[seat] >= gain.changes[seat] - 1e-9
    assert gain.epsilon[1] == pytest.approx(after.exploitability.chips, abs=0.05)
    assert [player.seat for player in gain.locked] == [0, 1] and gain.winner == 1
    assert gain.locked[0].where == "at the first decision"


def test_a_lock_on_what_is_played_anyway_cannot_be_told(free):
    decision = free.decision("x")
    lock = lock_actions(decision, decision.strategy)
    gain = lock_gain(free, solve_spot(RIVER, target="0.05%", threads=1, locks={"x": lock}))
    assert not gain.told


def test_what_is_no_comparison_of_locks(free):
    with pytest.raises(ValueError, match="has no locks of its own"):
        lock_gain(free, free)
    other = solve_spot(replace(RIVER, pot=90), iterations=5, threads=1, locks={"x": {"x": 1}})
    with pytest.raises(ValueError, match="differ in more than their locks"):
        lock_gain(free, other)


def test_places_in_words():
    def where(locks):
        return locked_players(solve_spot(TURN, iterations=1, threads=1, locks=locks))[0].where

    assert where({"x/x": {"x": 1}}) == "after x/x, on all rivers"
    assert where({"x/x/5s": {"x": 1}, "x/x/6s": {"x": 1}}) == "after x/x, on 2 rivers"
    assert where({"": {"x": 1}, "x/x": {"x": 1}}) == "at 2 decisions on the turn and river"


def test_losses_of_a_locked_player_are_to_opponents_who_are_free():
    """Also where a lock on one card forbids to merge suits, and so the boards differ."""
    free = solve_spot(TURN, target="0.1%", threads=1)
    locked = solve_spot(TURN, target="0.1%", threads=1, locks={"x/x/5s": {"a": 1}, "x": {"x": 0}})
    assert free.isomorphism and not locked.isomorphism
    parts = losses_between(free, locked)
    before, after = verify(free), verify(unlocked(locked))
    for seat, origins in enumerate(parts):
        worse = after.best_values[1 - seat] - before.best_values[1 - seat]
        assert origins.total >= worse - 0.01
        assert origins.total > 0.1
    # The first decision of IP, which is locked, gives more than all others of that player.
    own = [nodes.copy() for nodes in parts[1].nodes]
    assert own[0].max() == max(nodes.max() for nodes in own)

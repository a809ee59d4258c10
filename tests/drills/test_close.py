"""Only close decisions: which are asked, and how often, by brute force over the whole river."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.drills.conftest import RIVER
from tests.drills.test_dealing import check_frequencies

from pokerlab.cards.codes import COMBO_CARDS
from pokerlab.drills import DrillSession, Setup, SolutionSource, open_log
from pokerlab.drills.setup import Closeness
from pokerlab.holdem.spots import solve_spot


def lines_of(solution):
    """Every line with a decision, by walking the actions of the decisions."""
    found, todo = [], [""]
    while todo:
        line = todo.pop()
        try:
            view = solution.at(line)
        except ValueError:
            continue
        found.append(view)
        todo += ["/".join(filter(None, (line, action))) for action in view.actions]
    return found


def close_chances(solution, player, low, high):
    """How often each decision of a player with a gap within bounds arrives, as shares of all."""
    chances = {}
    for view in lines_of(solution):
        if view.player != player or len(view.actions) < 2:
            continue
        own, other = view.weights[player], view.weights[1 - player]
        for combo in np.flatnonzero(own).tolist():
            best, second = sorted(view.action_ev[:, combo], reverse=True)[:2]
            gap = 100 * (best - second) / view.pot
            apart = ~np.isin(COMBO_CARDS, COMBO_CARDS[combo]).any(axis=1)
            if low < gap <= high:
                chances[view.line, combo] = own[combo] * other[apart].sum()
    total = sum(chances.values())
    return {key: chance / total for key, chance in chances.items()}


def asked_by(session, hands, seed=1):
    """The decisions that were asked while the person plays as the solution does."""
    rng, found = np.random.default_rng(seed), Counter()
    for _ in range(hands):
        hand = session.deal()
        while hand.decision is not None:
            found[hand.line, hand.combo] += 1
            row = hand.view.strategy[:, hand.combo]
            session.act(hand.view.actions[rng.choice(len(row), p=row / row.sum())])
    return found


@pytest.mark.parametrize(("seat", "player"), [("oop", 0), ("ip", 1)])
def test_close_decisions_come_as_often_as_they_arrive(river, seat, player):
    exact = max(0.1, river.exploitability.percent)
    chances = close_chances(river, player, exact, 3.0)
    assert len(chances) > 5
    session = DrillSession(SolutionSource(river, "river"), Setup(seat, close=3, seed=4))
    check_frequencies(asked_by(session, 250), chances)


def test_clear_decisions_and_equal_ones(river):
    session = DrillSession(SolutionSource(river, "river"), Setup("ip", clear=5, seed=2))
    asked = asked_by(session, 30)
    assert set(asked) <= set(close_chances(river, 1, 5 - 1e-9, 1e9))
    session = DrillSession(SolutionSource(river, "river"), Setup("ip", close=0.05, clear=0))
    asked = asked_by(session, 20)
    assert set(asked) <= set(close_chances(river, 1, -1e-9, 0.05))


def test_the_solution_plays_the_seat_elsewhere(river):
    """What it did in one's place is in the history, greyed like what lies before."""
    session = DrillSession(SolutionSource(river, "river"), Setup("oop", close=3, seed=5))
    own = []
    for _ in range(40):
        hand = session.deal()
        asked = []
        while hand.decision is not None:
            asked.append(hand.decision.line)
            session.act(hand.decision.actions[0])
        own += [event.before for event in hand.events if event.who == "you"]
        assert [each.line for each in hand.judgements] == asked
    assert True in own and False in own


def test_a_session_with_bounds_goes_on_after_a_restart(river, tmp_path):
    source, setup = SolutionSource(river, "river"), Setup(None, close=3, seconds=10, seed=5)
    log = open_log(tmp_path / "log.jsonl")
    session = DrillSession(source, setup, log)
    for _ in range(5):
        hand = session.deal()
        while hand.decision is not None:
            session.act(hand.decision.actions[-1])
    again = DrillSession.resume(source, session.state(), log)
    assert again.setup == setup and again.hand.events == hand.events
    assert again.deal().hand == session.deal().hand
    session.run_out_of_time()
    again = DrillSession.resume(source, session.state(), log)
    assert again.hand.result.late and again.hand.result == session.hand.result


def test_where_there_is_no_such_decision(monkeypatch):
    """One line, and it says what was looked for."""
    monkeypatch.setattr("pokerlab.drills.session._MAX_EMPTY", 20)
    monkeypatch.setattr("pokerlab.drills.session._MAX_SEARCH", 50)
    river = SolutionSource(solve_spot(replace(RIVER, bet="", donk=""), iterations=5), "river")
    with pytest.raises(ValueError, match="had anything to decide"):
        DrillSession(river, Setup("oop")).deal()
    spot = replace(RIVER, oop="AA", ip="55", bet="a", raise_="")
    found = DrillSession(
        SolutionSource(solve_spot(spot, target="0.01%"), "river"), Setup("ip", close=0.2)
    )
    with pytest.raises(ValueError, match=r"close: up to 0.1% of the pot count as no loss here"):
        DrillSession(found.source, Setup("ip", close=0.1)).deal()
    with pytest.raises(ValueError, match=r"close: none of [\d,]+ hands .* at most 0.2% of the pot"):
        found.deal()


@given(st.floats(0, 100), st.floats(0, 100), st.floats(0, 100), st.floats(0, 5))
def test_bounds(most, least, gap, exactness):
    if least > most:
        with pytest.raises(ValueError, match="no gap is both"):
            Closeness(most, least)
        return
    assert Closeness(most, least).fits(gap, exactness) == (least <= gap <= most)
    assert Closeness(most).fits(gap, exactness) == (max(0.1, exactness) < gap <= most)
    assert Closeness(least=least).fits(gap) == (gap >= least)
    assert Closeness().fits(gap) and not Closeness(most).fits(float("nan"))


@pytest.mark.parametrize(
    ("setup", "message"),
    [
        ({"close": -1}, "close: -1 must be from 0 to 100"),
        ({"close": True}, "close: True must be"),
        ({"clear": float("nan")}, "clear: nan must be"),
        ({"close": 1, "clear": 2}, "clear: 2 is above close, 1"),
        ({"seconds": 0}, "seconds: 0 must be from 1 to 600"),
        ({"seconds": "5"}, "seconds: '5' must be"),
        ({"due": "soon"}, "due: 'soon' must be only, first or empty"),
        ({"due": "only", "mistakes": True}, "choose mistakes or what is due"),
    ],
)
def test_setups_that_cannot_be(setup, message):
    with pytest.raises(ValueError, match=message):
        Setup(**setup)

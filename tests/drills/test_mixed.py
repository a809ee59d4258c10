"""Several sources in one session: turns by weight, results in each file, progress over all."""

import json
import multiprocessing
import time
from datetime import date

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.drills.clock import MovedClock

from pokerlab.drills import (
    DrillSession,
    MixedSession,
    MixedSource,
    PracticeProgress,
    Programme,
    ProgrammeSource,
    Setup,
    SolutionSource,
    open_log,
)
from pokerlab.drills.mixed import next_turn
from pokerlab.drills.progress import KINDS
from pokerlab.runtime.errors import DamagedFileError


@given(st.lists(st.integers(1, 9), min_size=1, max_size=6), st.integers(0, 200))
def test_turns_follow_the_weights(weights, hands):
    credit, counts, total = [0] * len(weights), [0] * len(weights), sum(weights)
    for dealt in range(1, hands + 1):
        counts[next_turn(weights, credit, range(len(weights)))] += 1
        for count, weight in zip(counts, weights, strict=True):
            assert abs(count - dealt * weight / total) < len(weights)
        if dealt % total == 0:
            assert counts == [dealt * weight // total for weight in weights]


def test_who_is_left_out_gets_no_credit():
    """After a stretch of one source alone, the others do not come all at once."""
    credit = [0, 0]
    assert [next_turn((1, 1), credit, [0]) for _ in range(9)] == [0] * 9
    assert sorted(next_turn((1, 1), credit, [0, 1]) for _ in range(4)) == [0, 0, 1, 1]


def best(hand):
    return hand.view.actions[int(np.argmax(hand.view.action_ev[:, hand.combo]))]


def worst(hand):
    return hand.view.actions[int(np.argmin(hand.view.action_ev[:, hand.combo]))]


def play(session, choose, hands):
    order = []
    for _ in range(hands):
        hand = session.deal()
        order.append((session.current, hand.player))
        while hand.decision is not None:
            session.act(choose(hand), 1.0)
    return order


@pytest.fixture
def parts(river, turn, tmp_path):
    """Two files, the second twice as often."""
    return [
        MixedSource(SolutionSource(river, "river"), open_log(tmp_path / "river.jsonl"), 1),
        MixedSource(SolutionSource(turn, "turn"), open_log(tmp_path / "turn.jsonl"), 2),
    ]


def test_each_hand_is_judged_and_kept_by_its_own_source(parts, river, turn, tmp_path):
    session = MixedSession(parts, Setup(seed=5), clock=MovedClock())
    order = play(session, worst, 12)
    assert session.counts == [4, 8] and {player for _, player in order} == {0, 1}
    for name, solution in (("river", river), ("turn", turn)):
        lines = (tmp_path / f"{name}.jsonl").read_text().splitlines()
        decisions = [json.loads(line) for line in lines if '"decision"' in line]
        assert {each["source"] for each in decisions} == {name}
        assert {each["session"] for each in decisions} == {session.name}
        for each in decisions:
            told = each["decision"]
            assert solution.at(told["line"]).actions == tuple(told["actions"])
    score = session.score
    one = [DrillSession(each.source, None, each.log, session.name).score for each in parts]
    assert score.decisions == sum(each.decisions for each in one)
    assert score.hands == 12 == sum(each.hands for each in one)
    assert [each.loss_percent for _, each in session.worst()] == sorted(
        (each.loss_percent for each in score.worst), reverse=True
    )
    assert {place for place, _ in session.mistakes()} == {0, 1}


def test_one_file_of_results_for_all(river, turn, tmp_path):
    log = open_log(tmp_path / "all.jsonl")
    parts = [
        MixedSource(SolutionSource(each, name), log) for each, name in ((river, "r"), (turn, "t"))
    ]
    session = MixedSession(parts, Setup("oop", seed=5))
    play(session, best, 8)
    assert session.score.hands == 8 and len(open_log(log.path).entries()) == len(log.entries())


def test_what_is_due_comes_first_then_new_hands_in_turn(parts):
    clock = MovedClock()
    play(MixedSession(parts[:1], Setup("oop", seed=3), clock=clock), worst, 8)
    session = MixedSession(parts, Setup(due="first"), clock=clock)
    due = session.left
    assert due > 2
    assert {place for place, _ in play(session, best, due)} == {0} and session.left == 0
    following = [place for place, _ in play(session, best, 6)]
    assert following.count(0) == 2 and following.count(1) == 4
    clock.forward(1)
    only = MixedSession(parts, Setup(due="only"), clock=clock)
    play(only, best, only.left)
    assert only.over and only.end == "all that was due today has been played"
    with pytest.raises(ValueError, match="nothing is due today"):
        MixedSession(parts, Setup(due="only"), clock=clock)


def test_it_goes_on_after_a_restart(parts):
    session = MixedSession(parts, Setup(seed=2), clock=MovedClock())
    play(session, best, 4)
    session.deal()
    state = json.loads(json.dumps(session.state()))
    again = MixedSession.resume(parts, state)
    assert (again.hand.hand, again.hand.player) == (session.hand.hand, session.hand.player)
    for each in (session, again):
        while each.hand.decision is not None:
            each.act(best(each.hand))
        each.deal()
    assert (again.current, again.hand.hand) == (session.current, session.hand.hand)
    for broken in ({}, {**state, "counts": [1]}, {**state, "current": 9}, {**state, "setup": 3}):
        with pytest.raises(ValueError, match="this is not the state of a session"):
            MixedSession.resume(parts, broken)


def test_a_source_without_such_a_decision_is_left_out(parts, monkeypatch):
    monkeypatch.setattr("pokerlab.drills.session._MAX_SEARCH", 50)
    session = MixedSession(parts, Setup("ip", close=95, clear=90))
    with pytest.raises(ValueError, match="close: none of 50 hands"):
        session.deal()
    assert session.over and len(session.ended) == 2
    session = MixedSession(parts, Setup("ip", seed=1))
    session.sessions[0].setup = session.sessions[0].setup.__class__("ip", close=95, clear=90)
    assert {place for place, _ in play(session, best, 3)} == {1}
    assert session.notes[-1].startswith("river is left out: close: none of 50 hands")
    with pytest.raises(ValueError, match="river: street: river begins on the river"):
        MixedSession(parts, Setup(street="turn"))
    with pytest.raises(ValueError, match="choose something to practise"):
        MixedSession([])
    with pytest.raises(ValueError, match="weight: 0 must be"):
        MixedSource(None, open_log(None), 0)


def test_whole_hands_come_in_turn(parts):
    whole = open_log(None)
    session = MixedSession([parts[0], MixedSource(None, whole)], Setup("oop", seed=1))
    judged = None
    for _ in range(4):
        hand = session.deal()
        assert (hand is None) == session.whole_hand
        if hand is None:
            session.add_whole_hand([judged], "cc/cc/cc/cc", 25.0)
        else:
            while hand.decision is not None:
                judged = session.act(worst(hand))
    assert session.counts == [2, 2] and len(whole.entries()) == 4
    assert session.score.hands == 4 and {each.source for each in whole.entries()} == {"nolimit"}
    session.deal()
    with pytest.raises(ValueError, match="it is not the turn of a whole hand"):
        session.add_whole_hand([], "cc", 0.0)


def add_results(path, name, river, hands):
    session = DrillSession(SolutionSource(river, "river"), Setup("oop"), open_log(path), name)
    for _ in range(hands):
        hand = session.deal()
        while hand.decision is not None:
            session.act(hand.decision.actions[0])


def test_two_sessions_at_once_on_one_file(river, tmp_path):
    """Two processes; nothing is lost, nothing counted twice."""
    path = tmp_path / "log.jsonl"
    context = multiprocessing.get_context("fork")
    both = [context.Process(target=add_results, args=(path, name, river, 6)) for name in ("a", "b")]
    for each in both:
        each.start()
    for each in both:
        each.join(60)
        assert each.exitcode == 0
    entries = open_log(path).entries()
    assert len(entries) == len(path.read_text().splitlines())
    for name in ("a", "b"):
        assert sum(each.won is not None and each.session == name for each in entries) == 6


def test_a_kill_in_the_middle(river, tmp_path):
    """What was shown is there, and the next session goes on with it."""
    path = tmp_path / "log.jsonl"
    context = multiprocessing.get_context("fork")
    killed = context.Process(target=add_results, args=(path, "a", river, 10**6))
    killed.start()
    end = time.monotonic() + 60
    while time.monotonic() < end and not (path.exists() and path.read_bytes().count(b"\n") > 5):
        time.sleep(0.01)
    killed.kill()
    killed.join(60)
    before = open_log(path).entries()
    assert len(before) > 5
    add_results(path, "b", river, 1)
    after = open_log(path).entries()
    assert after[: len(before)] == before and len(after) > len(before)


def test_progress_against_sums_by_hand(parts):
    clock = MovedClock("2026-11-10")
    made = []
    for days in (0, 1, 1, 3, 1):
        clock.forward(days)
        session = MixedSession(parts, Setup(seed=days), clock=clock)
        play(session, worst, 3)
        made += [
            (clock.now.date(), entry) for entry in session.entries() if entry.decision is not None
        ]
    logs = {part.source.name: part.log.entries() for part in parts}
    found = PracticeProgress.of(logs, clock.now.date())
    for day, tally in found.days.items():
        losses = [entry.decision.loss_percent for own, entry in made if own == day]
        assert tally.decisions == len(losses)
        assert tally.loss_percent == pytest.approx(np.mean(losses))
    assert list(found.days) == [date(2026, 11, day) for day in (10, 11, 12, 15, 16)]
    assert found.streak == 2 and found.undated.decisions == 0
    total = found.total.decisions
    for groups in (found.streets, found.kinds, found.sources):
        assert sum(each.decisions for each in groups.values()) == total
    assert set(found.kinds) <= set(KINDS) and set(found.sources) == {"river", "turn"}
    assert found.total.seconds == 1.0
    assert json.loads(json.dumps(found.to_json()))["days"]["2026-11-15"]["decisions"] > 0


def test_programmes_go_through_a_file(tmp_path):
    sources = (ProgrammeSource("a/river.safetensors", 3), ProgrammeSource("", 2, "nolimit", 50.0))
    programme = Programme(sources, Setup("ip", close=1, clear=0, seconds=10, due="first"))
    path = tmp_path / "evening.programme.json"
    programme.save(path)
    assert Programme.load(path) == programme
    data = programme.to_json()
    for wrong, message in (
        ({**data, "format": "x"}, "not a file of the format"),
        ({**data, "colour": 1}, "colour: unknown field"),
        ({**data, "sources": []}, "sources: 1 to"),
        ({**data, "sources": [{"file": "../x"}]}, "is not below the folder"),
        ({**data, "sources": [{"file": "/x"}]}, "is not below the folder"),
        ({**data, "sources": [{"file": r"C:\x"}]}, "is not below the folder"),
        ({**data, "sources": [{"file": r"a\..\x"}]}, "is not below the folder"),
        ({**data, "sources": [{"file": "x"}] * 2}, "one of them stands twice"),
        ({**data, "sources": [{"bot": "nolimit"}, {"bot": "nolimit:seconds=2"}]}, "stands twice"),
        ({**data, "sources": [{"file": "x", "weight": 0}]}, "weight 0 must be from 1"),
        ({**data, "sources": [{"file": "x", "bot": "nolimit"}]}, "must name a file or a bot"),
        ({**data, "sources": [{"bot": "nolimit", "stack": -5}]}, "stack -5"),
        ({**data, "seat": 3}, "seat: 3 is not a text"),
        ({**data, "close": "1%"}, "close: '1%' must be"),
    ):
        path.write_text(json.dumps(wrong))
        with pytest.raises(DamagedFileError, match=message):
            Programme.load(path)
    with pytest.raises(ValueError, match="there is no such file"):
        Programme.load(tmp_path / "no.programme.json")

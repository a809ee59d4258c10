"""Mistakes come back over days: against a plain model, with a clock that is moved."""

import json
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.drills.clock import MovedClock
from tests.drills.conftest import RIVER

from pokerlab.drills import (
    DrillScore,
    DrillSession,
    LogEntry,
    Setup,
    SolutionSource,
    default_log,
    open_log,
    own_log,
    repetitions,
)
from pokerlab.drills.judging import TOO_SLOW, Judgement
from pokerlab.drills.schedule import INTERVALS, due_positions, open_mistakes
from pokerlab.holdem.spots import solve_spot

OLD = Path(__file__).parents[1] / "data" / "practice.jsonl"
DECISION = Judgement.from_json(json.loads(OLD.read_text().splitlines()[0])["decision"])


def entry(grade, clock, session="a", hand="AsAd", number=0):
    action = "" if grade == TOO_SLOW else "x"
    decision = replace(DECISION, grade=grade, action=action, hand=hand, loss=5.0)
    return LogEntry(session, number, "s", decision.line, decision, at=clock())


def test_the_intervals():
    """Wrong: due at once; then after 1, 3, 7, 16 and 35 days, and then it is known."""
    clock = MovedClock()
    log = [entry("mistake", clock)]
    assert due_positions(log, "s", clock().date()) == [log[0].position]
    for number, days in enumerate(INTERVALS):
        log.append(entry("best", clock, f"session {number}"))
        assert due_positions(log, "s", clock().date()) == []
        clock.forward(days - 1)
        assert due_positions(log, "s", clock().date()) == []
        clock.forward(1)
        assert due_positions(log, "s", clock().date()) == [log[0].position]
    log.append(entry("good", clock, "last"))
    assert repetitions(log, "s") == [] and sum(INTERVALS) == 62


def test_a_good_answer_in_the_session_of_the_mistake_counts_not():
    clock = MovedClock()
    log = [entry("blunder", clock), entry("best", clock, number=1)]
    assert len(due_positions(log, "s", clock().date())) == 1
    assert open_mistakes(log, "s") == []  # "again only my mistakes" is another thing
    clock.forward(1)  # the same table, on another day
    log.append(entry("best", clock, number=2))
    assert due_positions(log, "s", clock().date()) == []
    log.append(entry(TOO_SLOW, clock, "b"))
    assert [each.box for each in repetitions(log, "s")] == [0]


def model(answers):
    """The same in words: (box, due day) of one decision after answers (day, session, well)."""
    box, due, missed = None, None, None
    for day, session, well in answers:
        if not well:
            box, due, missed = 0, day, (day, session)
        elif box is not None and day >= due and (day, session) != missed:
            if box == 5:
                box = None
            else:
                due, box = day + (1, 3, 7, 16, 35)[box], box + 1
    return None if box is None else (box, due)


@given(
    st.lists(st.tuples(st.integers(0, 20), st.integers(0, 2), st.booleans()), max_size=20),
    st.integers(0, 120),
)
def test_against_a_model(steps, later):
    day, answers, log, clock = 0, [], [], MovedClock()
    for number, (wait, session, well) in enumerate(steps):
        day += wait
        clock.forward(wait)
        answers.append((day, session, well))
        log.append(entry("good" if well else "mistake", clock, str(session), number=number))
    expected = model(answers)
    found = [(each.box, (each.due - date(2026, 11, 20)).days) for each in repetitions(log, "s")]
    assert found == ([] if expected is None else [expected])
    today = date(2026, 11, 20) + timedelta(days=day + later)
    waits = expected is not None and expected[1] <= day + later
    assert bool(due_positions(log, "s", today)) == waits
    assert repetitions(log, "other") == []


def test_a_clock_that_jumps():
    """Results of a wrong day are no reason to wait for that day, nor to ask each day until then."""
    clock = MovedClock("2031-05-01")  # the clock is five years fast
    log = [entry("mistake", clock)]
    known = [entry("mistake", clock, hand="KdQd"), entry("good", clock, "b", hand="KdQd")]
    clock = MovedClock()  # and is put right
    assert due_positions(log + known, "s", clock().date()) == [log[0].position, known[0].position]
    log.append(entry("good", clock, "c"))
    known.append(entry("good", clock, "c", hand="KdQd"))
    due = {each.position.hand: each.due for each in repetitions(log + known, "s")}
    assert due == {"AsAd": date(2026, 11, 21), "KdQd": date(2026, 11, 23)}
    # A clock that has lost its years asks all of them, once.
    lost = MovedClock("1970-01-01")
    assert len(due_positions(log + known, "s", lost().date())) == 2
    log.append(entry("good", lost, "d"))
    assert [each.due for each in repetitions(log, "s")] == [date(1970, 1, 4)]
    assert len(due_positions(log, "s", clock().date())) == 1


def test_a_traveller_has_the_days_of_the_place():
    """Answered in Auckland, then on the flight to Honolulu, where it is still the day before."""
    clock = MovedClock()
    log = [entry("mistake", clock)]
    clock.now = datetime.fromisoformat("2026-11-21T08:00:00+13:00")
    log.append(entry("good", clock, "b"))
    clock.now = datetime.fromisoformat("2026-11-20T13:00:00-10:00")  # four hours later
    assert due_positions(log, "s", clock().date()) == []
    log.append(entry("good", clock, "c"))  # played again by chance: too early to count
    assert [(each.box, each.due) for each in repetitions(log, "s")] == [(1, date(2026, 11, 22))]
    clock.forward(2)
    assert due_positions(log, "s", clock().date()) == [log[0].position]


def worst(hand):
    return hand.view.actions[int(np.argmin(hand.view.action_ev[:, hand.combo]))]


def best(hand):
    return hand.view.actions[int(np.argmax(hand.view.action_ev[:, hand.combo]))]


def play(session, choose, hands=10**6):
    while hands and not session.over:
        hands -= 1
        hand = session.deal()
        while hand.decision is not None:
            session.act(choose(hand), 2.5)


def test_sessions_over_days(source, tmp_path):
    """What went wrong is dealt again when it is due, alone or before new hands."""
    clock, path = MovedClock(), tmp_path / "log.jsonl"
    first = DrillSession(source, Setup("oop", seed=3), open_log(path), clock=clock)
    play(first, worst, 10)
    wrong = first.due()
    assert wrong and set(wrong) == set(first.mistakes())
    play(DrillSession(source, Setup(due="only"), open_log(path), clock=clock), best)
    with pytest.raises(ValueError, match="nothing is due today"):
        DrillSession(source, Setup(due="only"), open_log(path), clock=clock)
    clock.forward(1)
    again = DrillSession(source, Setup(due="first", seed=1), open_log(path), clock=clock)
    assert again.left == len(wrong)
    for place in wrong:
        hand = again.deal()
        assert (hand.hand, hand.line) in {(each.hand, each.line) for each in wrong}, place
        while hand.decision is not None:
            again.act(worst(hand))
        assert again.setup.due == "first"
    assert again.left == 0  # what went wrong once more comes back in the next session
    assert again.deal().decision is not None and not again.over
    assert set(wrong) <= set(again.due())
    assert json.loads(path.read_text().splitlines()[0])["at"] == "2026-11-20T12:00:00+01:00"


def test_what_cannot_be_dealt_again_waits_no_longer(source, tmp_path):
    """The solution is another one by now: that is noted once, and counted no more."""
    log, clock = open_log(tmp_path / "log.jsonl"), MovedClock()
    gone = replace(DECISION, line="b77", hand="KdQd", grade="blunder")
    log.add(LogEntry("old", 0, source.name, gone.line, gone, at=clock()))
    session = DrillSession(source, Setup(due="first"), log, clock=clock)
    assert session.left == 1
    assert session.deal().hand and session.left == 0 and session.due() == []
    kept = open_log(tmp_path / "log.jsonl").entries()
    assert kept[-1].gone is not None and kept[-1].gone.line == "b77"
    assert DrillScore.of(kept).decisions == 1
    with pytest.raises(ValueError, match="nothing is due today"):
        DrillSession(source, Setup(due="only"), log, clock=clock)


def test_a_solution_made_anew_may_leave_one_action():
    """It is no decision any more: given up, not dealt for ever."""
    spot = replace(RIVER, donk="", aggressor="ip", bet="50%")
    source = SolutionSource(solve_spot(spot, iterations=50), "s")
    clock, log = MovedClock(), open_log(None)
    log.add(entry("blunder", clock, hand="AsAd"))
    assert log.entries()[0].line == "" and source.solution.at().actions == ("x",)
    session = DrillSession(source, Setup(due="only"), log, clock=clock)
    with pytest.raises(ValueError, match="none of the decisions that are due can be played again"):
        session.deal()
    assert session.due() == []


def test_a_file_that_was_renamed_keeps_its_results(river, tmp_path):
    clock = MovedClock()
    old, new = tmp_path / "turn.safetensors", tmp_path / "pond.safetensors"
    first = DrillSession(SolutionSource(river, old.name), Setup("oop"), own_log(old), clock=clock)
    play(first, worst, 3)
    due = first.due()
    default_log(old).rename(default_log(new))
    again = DrillSession(SolutionSource(river, new.name), None, own_log(new), clock=clock)
    assert again.due() == due != []
    assert {each.source for each in again.log.entries()} == {new.name}
    assert {each.source for each in open_log(default_log(new)).entries()} == {old.name}


def test_time(source):
    """Nothing is invented where nothing was done, and the score says how long decisions took."""
    session = DrillSession(source, Setup("oop", seconds=5, seed=1))
    play(session, best, 2)
    hand = session.deal()
    judged = session.run_out_of_time()
    assert (judged.action, judged.grade, judged.loss) == ("", TOO_SLOW, 0.0) and judged.wrong
    assert hand.result.late and hand.decision is None and judged.frequency == 0
    score = session.score
    assert score.slow == 1 and score.seconds == 2.5 and score.hands == 2 == score.grades["best"]
    assert session.due() == [session.mistakes()[0]]
    with pytest.raises(ValueError, match="no hand is being played"):
        session.run_out_of_time()


def test_a_file_of_an_earlier_version(source, tmp_path):
    """It is read as ever, goes on, and its mistakes are due at once."""
    path = tmp_path / "practice.jsonl"
    path.write_bytes(OLD.read_bytes())
    before = open_log(path).entries()
    assert len(before) == 8 and {each.at for each in before} == {None}
    wrong = open_mistakes(before, "river.safetensors")
    assert [each.hand for each in wrong] == ["KdQd", "9c8c"]
    session = DrillSession(source, Setup(due="only"), open_log(path), clock=MovedClock())
    assert session.left == 2
    play(session, best)
    after = path.read_text().splitlines()
    assert after[:8] == OLD.read_text().splitlines() and len(after) > 8
    assert open_mistakes(open_log(path).entries(), "river.safetensors") == []
    assert [each.box for each in repetitions(open_log(path).entries(), source.name)] == [1, 1]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"at": "yesterday"}, "at is 'yesterday'"),
        ({"at": 5}, "at is 5"),
        ({"at": "2026-11-20T12:00:00"}, "at is"),
        ({"seconds": -1}, "seconds is -1"),
        ({"seconds": 10**400}, "seconds is"),
        ({"gone": {"board": 3}}, "gone is"),
    ],
)
def test_lines_that_are_damaged(tmp_path, change, message):
    line = json.loads(OLD.read_text().splitlines()[0])
    path = tmp_path / "log.jsonl"
    path.write_text(json.dumps({**line, **change}) + "\n")
    with pytest.raises(ValueError, match=message):
        open_log(path)

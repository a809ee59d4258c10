"""Mistakes come back over days: against a plain model, with a clock that is moved."""

import json
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.drills.clock import MovedClock

from pokerlab.drills import DrillScore, DrillSession, LogEntry, Setup, open_log, repetitions
from pokerlab.drills.judging import TOO_SLOW, Judgement
from pokerlab.drills.schedule import INTERVALS, due_positions, open_mistakes

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

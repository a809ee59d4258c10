import math
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.arena.results import MatchPlan, MatchResult
from pokerlab.arena.tournaments import Tournament
from pokerlab.studies.mapping.thesis import TOURNAMENT_BOTS
from pokerlab.studies.mapping.verdicts import _raise_bot, alike, together_above_zero
from pokerlab.studies.reporting.measure import Measure
from pokerlab.studies.reporting.report_table import read_rows
from pokerlab.studies.reporting.verdict import SIGMAS, Verdict, all_above_zero, verdict_table

measures = st.builds(Measure, st.floats(-100, 100), st.floats(0.01, 50))


@given(st.lists(measures, min_size=1, max_size=5))
def test_answers_follow_from_each_number(found):
    answer = all_above_zero(found)
    above = [each.value > SIGMAS * each.error for each in found]
    below = [each.value < -SIGMAS * each.error for each in found]
    assert (answer == "holds") is all(above)
    assert (answer == "does not hold") is any(below)


@given(st.lists(measures, min_size=1, max_size=5))
def test_the_opposite_never_holds_as_well(found):
    opposite = [Measure(-each.value, each.error) for each in found]
    assert not (all_above_zero(found) == "holds" == all_above_zero(opposite))


@given(measures, st.floats(0.1, 100))
def test_alike_looks_at_both_sides(difference, margin):
    mirrored = Measure(-difference.value, difference.error)
    assert alike(difference, margin) == alike(mirrored, margin)
    if alike(difference, margin) == "holds":
        assert abs(difference.value) < margin


@given(st.lists(measures, min_size=1, max_size=5), measures)
def test_together_is_no_weaker_and_no_stronger_than_its_parts_allow(found, together):
    answer = together_above_zero(found, together)
    one_below = any(each.value < -SIGMAS * each.error for each in (*found, together))
    assert (answer == "does not hold") is one_below
    assert (answer == "holds") is (not one_below and together.value > SIGMAS * together.error)


def test_what_is_not_known_cannot_be_told():
    unknown = Measure(math.nan, math.nan)
    assert all_above_zero([unknown]) == "cannot be told"
    assert all_above_zero([Measure(9.0, 1.0), unknown]) == "cannot be told"
    assert alike(unknown, 10.0) == "cannot be told"


def test_probabilities_need_a_margin():
    assert all_above_zero([Measure(0.04, 0.0)], 0.05) == "cannot be told"
    assert all_above_zero([Measure(0.06, 0.0)], 0.05) == "holds"
    assert all_above_zero([Measure(-0.06, 0.0)], 0.05) == "does not hold"


def tournament(scores):
    """The thesis's seven bots: what RaiseBot wins in each match, by pair; else nothing happens."""
    results = []
    for bots in combinations(TOURNAMENT_BOTS, 3):
        plan = MatchPlan("holdem.limit.3p", bots, 600, 1, duplicate=True)
        won = scores.get(tuple(bot for bot in bots if bot != "RaiseBot"), 0.0)
        mbb = [won if bot == "RaiseBot" else -won / 2 for bot in bots]
        if "RaiseBot" not in bots:
            mbb = [0.0, 0.0, 0.0]
        results.append(
            MatchResult(plan, bots, 600, (*mbb,), (*mbb,), (3.0,) * 3, (0,) * 3, ("",) * 3, 1.0)
        )
    return Tournament(TOURNAMENT_BOTS, tuple(results))


def raise_bot(scores):
    played = tournament(scores)
    totals = {bot: Measure(each.mbb_per_hand, each.stderr) for bot, each in played.scores().items()}
    return list(_raise_bot(played, totals, ("HBB1", "HBB2", "HBB3")))


def test_what_raise_bot_wins_is_computed():
    winning = {("HBB1", "HBB2"): 100.0, ("HBB1", "HBB3"): 200.0, ("HBB2", "HBB3"): 300.0}
    better, wins, second = raise_bot(winning)
    assert [better.answer, wins.answer, second.answer] == ["holds"] * 3
    assert wins.evidence["HBB1, HBB2"] == Measure(100.0, 3.0)
    assert second.evidence.keys() == {f"less {bot}" for bot in TOURNAMENT_BOTS} - {
        "less RaiseBot",
        "less ownbot",
    }
    # What the tournament of 6,000 hands showed: it loses less to them, and wins from two only.
    elsewhere = {("CallBot", "akuma"): -2084.0, ("akuma", "ownbot"): -2482.0}
    better, wins, second = raise_bot({**winning, **elsewhere, ("HBB1", "HBB2"): -410.0})
    assert [better.answer, wins.answer, second.answer] == [
        "holds",
        "does not hold",
        "does not hold",
    ]
    mean = (-2084.0 - 2482.0) / 3
    assert better.evidence["HBB1, HBB2"].value == pytest.approx(-410.0 - mean)
    assert better.evidence["HBB1, HBB2"].error == pytest.approx(math.hypot(3.0, math.sqrt(27) / 3))


def test_the_page_says_of_raise_bot_what_its_matches_say():
    docs = Path(__file__).parents[3] / "docs" / "mapping"
    cells = {}
    for row in read_rows((docs / "table-01.csv").read_text()):
        three = frozenset([*row["row"].split(", "), row["column"]])
        cells[three, row["column"]] = [float(row[name]) for name in ("chips", "mbb", "stderr")]
    results = []
    for bots in combinations(TOURNAMENT_BOTS, 3):
        plan = MatchPlan("holdem.limit.3p", bots, 6000, 1, duplicate=True)
        numbers = zip(*(cells[frozenset(bots), bot] for bot in bots), strict=True)
        results.append(MatchResult(plan, bots, 6000, *numbers, (0,) * 3, ("",) * 3, 1.0))
    played = Tournament(TOURNAMENT_BOTS, tuple(results))
    totals = {bot: Measure(each.mbb_per_hand, each.stderr) for bot, each in played.scores().items()}
    found = list(_raise_bot(played, totals, ("HBB1", "HBB2", "HBB3")))
    computed = verdict_table(found, "2 standard errors")
    written = [
        row
        for row in read_rows((docs / "verdicts.csv").read_text())
        if row["conclusion"].startswith("RaiseBot")
    ]
    numbers = ("value", "stderr")  # the tables have six digits, so the last one may differ
    for mine, theirs in zip(read_rows(computed.csv()), written, strict=True):
        assert [float(mine.pop(name)) for name in numbers] == pytest.approx(
            [float(theirs.pop(name)) for name in numbers], rel=1e-5
        )
        assert mine == theirs


def test_table():
    found = [
        Verdict(
            "a is better", "table 1", "holds", {"x": Measure(5.0, 1.0), "y": Measure(7.0, 2.0)}
        ),
        Verdict("b folds", "ours", "cannot be told", {"z": Measure(0.5, math.nan)}, "frequency"),
    ]
    table = verdict_table(found, "2 standard errors")
    rows = read_rows(table.csv())
    assert [row["evidence"] for row in rows] == ["x", "y", "z"]
    assert rows[0]["answer"] == "holds"
    assert (rows[1]["value"], rows[1]["stderr"]) == ("7", "2")
    assert rows[2]["stderr"] == ""
    assert table.shown[0][-1] == "x +5 ± 1; y +7 ± 2 mbb/g"
    assert table.shown[1][-1] == "z +0.500 frequency"

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.arena.results import MatchPlan, MatchResult
from pokerlab.arena.tournaments import Tournament
from pokerlab.studies.mapping.measures import Measure
from pokerlab.studies.mapping.table import read_rows
from pokerlab.studies.mapping.verdicts import (
    SIGMAS,
    Verdict,
    _against_mappings,
    alike,
    all_above_zero,
    together_above_zero,
    verdict_table,
)

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


def result(bots, first):
    """A match in which the first bot wins so much, and the others lose it."""
    plan = MatchPlan("holdem.limit.3p", bots, 600, 1, duplicate=True)
    scores = (first, -first / 2, -first / 2)
    return MatchResult(plan, bots, 600, scores, scores, (3.0, 3.0, 3.0), (0,) * 3, ("",) * 3, 1.0)


def test_matches_with_two_mappings_against_matches_without():
    bots = ("R", "m1", "m2", "a", "b")
    results = [
        result(("R", "m1", "m2"), 100.0),
        result(("R", "m1", "a"), 50.0),  # counts on neither side
        result(("R", "a", "b"), 20.0),
        result(("m1", "a", "b"), 70.0),
    ]
    found = _against_mappings(Tournament(bots, tuple(results)), "R", ("m1", "m2"))
    assert found == Measure(80.0, pytest.approx(math.hypot(3.0, 3.0)))


def test_table():
    found = [
        Verdict(
            "a is better", "table 1", "holds", {"x": Measure(5.0, 1.0), "y": Measure(7.0, 2.0)}
        ),
        Verdict("b folds", "ours", "cannot be told", {"z": Measure(0.5, math.nan)}, "frequency"),
    ]
    table = verdict_table(found)
    rows = read_rows(table.csv())
    assert [row["evidence"] for row in rows] == ["x", "y", "z"]
    assert rows[0]["answer"] == "holds"
    assert (rows[1]["value"], rows[1]["stderr"]) == ("7", "2")
    assert rows[2]["stderr"] == ""
    assert table.shown[0][-1] == "x +5 ± 1; y +7 ± 2 mbb/g"
    assert table.shown[1][-1] == "z +0.500 frequency"

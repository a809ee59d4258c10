"""Rules that run in turns end where they end alone."""

import threading

import pytest

from pokerlab.solvers import CfrSolver, as_tree, run_side_by_side

RULES = ["cfr", "cfr+", "dcfr(1.5,0,2)"]


def test_each_rule_stands_where_it_stands_alone():
    tree = as_tree("kuhn")
    points = list(run_side_by_side(tree, RULES, iterations=50))
    for rule in RULES:
        alone = CfrSolver(tree, rule)
        own = [point for point in points if point.rule == str(alone.rule)]
        assert [point.iteration for point in own] == sorted({point.iteration for point in own})
        assert own[0].iteration == 1
        assert own[-1].iteration == 50
        for point in own:
            alone.iterate(point.iteration - alone.iteration)
            assert point.exploitability == alone.exploitability()
        assert [point.seconds for point in own] == sorted(point.seconds for point in own)


def test_a_race_ends_when_told_and_when_its_time_is_over():
    stop = threading.Event()
    race = run_side_by_side("kuhn", RULES, iterations=10**9, stop=stop)
    first = next(race)
    stop.set()
    assert list(race) == []
    assert first.iteration == 1
    short = list(run_side_by_side("kuhn", RULES, iterations=10**9, seconds=0))
    assert [point.iteration for point in short] == [1, 1, 1]


def test_rules_are_named_once_and_must_be_rules():
    points = list(run_side_by_side("kuhn", ["cfr", "CFR"], iterations=1))
    assert [point.rule for point in points] == ["cfr"]
    for rules, iterations in (([], 5), (["cfr"], 0), (["no such rule"], 5)):
        with pytest.raises(ValueError, match=r"rule|iterations"):
            run_side_by_side("kuhn", rules, iterations=iterations)

from argparse import ArgumentTypeError
from types import SimpleNamespace

import pytest

from pokerlab.holdem.charts import DEPTHS, read_chart
from pokerlab.holdem.preflop import facts_of, solution_of
from pokerlab.studies.charts.__main__ import _read_seconds
from pokerlab.studies.charts.making import chart_menus, make_charts


def test_every_depth_has_menus():
    for depth in DEPTHS:
        rules, bets = chart_menus(depth)
        spots = bets.spots(rules, "Ks7h2d")
        assert rules.stack == depth
        assert len(spots) >= 6
        assert rules.tree.find("c/r3").kind.name == "NODE"


def test_charts_are_made_once(tmp_path, monkeypatch):
    """Rivers stand for flops."""
    rivers = [
        SimpleNamespace(cards=cards, weight=weight)
        for cards, weight in (("QhJh2c4d7h", 1.0), ("AsKd7c7h2s", 2.0))
    ]
    monkeypatch.setattr("pokerlab.studies.charts.making.parse_flops", lambda text: rivers)
    told = []
    asked = {"groups": None, "device": "cpu", "target": 0.3, "tell": told.append}
    (made,) = make_charts(tmp_path, {20: 60.0}, **asked)
    chart = read_chart(made)
    assert solution_of(chart).rules == chart_menus(20)[0]
    assert (facts_of(chart).stopped, facts_of(chart).flops) == ("target", 2)
    assert any("20 bb, iteration" in text for text in told)
    assert make_charts(tmp_path, {20: 60.0}, **asked) == []
    with pytest.raises(ValueError, match="25 is not a depth of the charts"):
        make_charts(tmp_path, {25: 1.0}, **asked)


@pytest.mark.parametrize("text", ["abc", "200", "20:x", "21:5", "20:0", "20:-1", ""])
def test_seconds_that_cannot_be_read_are_one_line(text):
    with pytest.raises(ArgumentTypeError, match=r"is not a depth \(20, 30, 50, 100, 200\) and its"):
        _read_seconds(text)

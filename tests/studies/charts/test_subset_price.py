import json
import sys
from types import SimpleNamespace

import pytest

from pokerlab.holdem.charts.shipped import chart_path
from pokerlab.holdem.preflop import PreparedFlops, save_preflop, solve_push_fold
from pokerlab.studies.charts import subset_price

RIVERS = [("QhJh2c4d7h", 1.0), ("AsKd7c7h2s", 2.0), ("9s9d4s2h3c", 1.0)]


def test_the_flops_of_the_chart_cost_nothing_and_others_cost_something(monkeypatch, capsys):
    """Rivers stand for flops; the first subset is the one that prices are measured from."""
    subsets = {"few": RIVERS[:2], "same": RIVERS[:2], "more": RIVERS}

    def parse(text):
        return [SimpleNamespace(cards=cards, weight=weight) for cards, weight in subsets[text]]

    monkeypatch.setattr(subset_price, "parse_flops", parse)
    file = str(chart_path(20))
    options = ["--flops", "few same more", "--runouts", "all", "--iterations", "20"]
    monkeypatch.setattr(sys, "argv", ["subset_price", file, *options, "--device", "cpu"])
    subset_price.main()
    few, same, more = map(json.loads, capsys.readouterr().out.splitlines())
    assert few["costs"] == same["costs"] == 0.0
    assert more["costs"] == pytest.approx(more["before_flop"] - few["before_flop"])
    assert abs(more["costs"]) > 1.0
    assert few["flop_solves"] == same["flop_solves"] > 0.0


def test_a_chart_without_bets_after_the_flop_is_refused(tmp_path):
    file = tmp_path / "pushes.safetensors"
    save_preflop(file, solve_push_fold(10))
    with pytest.raises(ValueError, match="nobody bets after the flop"):
        subset_price.measure_chart(file, PreparedFlops(RIVERS[:1]), RIVERS[:1], iterations=1)

"""Charts as files, those of the package, and lines that stand for others."""

import copy
from dataclasses import replace
from functools import reduce
from operator import getitem

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.cards.hand_classes import CLASS_SIZES
from pokerlab.holdem.charts import DEPTHS, read_chart, shipped_chart, shipped_depth, write_chart
from pokerlab.holdem.charts.chart import ChartDecision, PreflopChart
from pokerlab.holdem.charts.chart_file import round_strategy
from pokerlab.holdem.charts.shipped import chart_path
from pokerlab.holdem.preflop import (
    FlopBets,
    PreflopRules,
    facts_of,
    load_preflop,
    save_preflop,
    solution_of,
    solve_preflop,
    solve_push_fold,
)
from pokerlab.holdem.spots import Spot
from pokerlab.studies.charts.making import chart_menus

BOARDS = [("QhJh2c4d7h", 1.0), ("AsKd7c7h2s", 2.0)]


@pytest.fixture(scope="module")
def solved():
    rules = PreflopRules(30, "2.5x; a", limp_raises="3x; a")
    return solve_preflop(rules, BOARDS, FlopBets("75%", ""), iterations=10)


def test_a_solution_is_read_as_it_was(solved, tmp_path):
    file = tmp_path / "deep.safetensors"
    save_preflop(file, solved.solution, solved.facts)
    found, known = pl.load(file), solved.solution
    assert (repr(found), found.value) == (repr(known), pytest.approx(known.value, abs=1e-6))
    assert facts_of(found.chart) == solved.facts
    for line in known.decisions:
        one, other = found.at(line), known.at(line)
        assert (one.player, one.actions) == (other.player, other.actions)
        assert (one.strategy == other.strategy).all()
        np.testing.assert_allclose(one.ev, other.ev, rtol=1e-4, atol=1e-4)
    for place, line in enumerate(found.chart.flop_lines):
        for player in range(2):
            reach = found.chart.flop_reach[player, place]
            np.testing.assert_allclose(reach, found.chart.reach(line, player), atol=1e-6)
            rounded = known.range_after(line, player).weights.round(4)
            assert (found.chart.range_after(line, player).weights == rounded).all()
    again = tmp_path / "again.safetensors"
    write_chart(again, read_chart(file))
    assert (read_chart(again).strategy == found.chart.strategy).all()
    assert read_chart(again).facts == found.chart.facts
    assert len(file.read_bytes()) < 10**6


def test_what_was_read_is_saved_as_it_was(solved, tmp_path):
    """The flops are not in a file: values must not be computed again without them."""
    first, second = tmp_path / "first.safetensors", tmp_path / "second.safetensors"
    save_preflop(first, solved.solution, solved.facts)
    found = load_preflop(first)
    save_preflop(second, found)
    again = load_preflop(second)
    assert again.value == found.value
    for name in ("strategy", "values", "action_values", "flop_reach"):
        assert (getattr(again.chart, name) == getattr(found.chart, name)).all()
    assert again.chart.facts == found.chart.facts
    with pytest.raises(ValueError, match="not of all places"):
        found.place_values(0)


def test_a_file_has_the_exploitability_of_what_it_holds(tmp_path):
    file, exact = tmp_path / "pushes.safetensors", solve_push_fold(8.1)
    save_preflop(file, exact)
    found = load_preflop(file)
    assert exact.exploitability < 1e-9 < found.exploitability < 1e-3
    assert found.exploitability == found.game.exploitability(found.strategy)
    assert found.value == pytest.approx(found.game.values(found.strategy, 0).sum(), abs=1e-6)


def test_rounded_strategies_are_strategies():
    rng = np.random.default_rng(3)
    shares = rng.random((5, 4, 169)) ** 8
    shares[:, 2] = 0
    shares /= shares.sum(axis=1, keepdims=True)
    found = round_strategy(shares)
    assert (found.sum(axis=1) == 1).all()
    assert (found[:, 2] == 0).all()
    assert abs(found - shares).max() < 1 / 2048
    assert (found.astype(np.float16) == found).all()
    assert (round_strategy(found) == found).all()


def test_three_players_fit_into_a_file(tmp_path):
    """Nothing in the format knows how many there are; what shows two says so."""
    decisions = tuple(
        ChartDecision(line, player, ("f", "c", "a"))
        for line, player in (("", 0), ("f", 1), ("c", 1), ("c/c", 2))
    )
    strategy = np.zeros((4, 3, 169))
    strategy[:, 1] = 1.0
    numbers = np.zeros((3, 4, 169), np.float32)
    chart = PreflopChart(
        ("BTN", "SB", "BB"), (20.0, 15.0, 30.0), 0.5, 0.0, decisions, strategy, numbers,
        np.zeros((4, 3, 169), np.float32), ("c/c/c",), np.ones((3, 1, 169), np.float32), {},
    )  # fmt: skip
    file = tmp_path / "three.safetensors"
    write_chart(file, chart)
    found = read_chart(file)
    assert (found.players, found.stacks, found.decisions) == (
        chart.players,
        chart.stacks,
        decisions,
    )
    assert found.reach("c/c/c", 2).sum() == 169
    with pytest.raises(ValueError, match=r"three.safetensors.*it is for 3 players"):
        load_preflop(file)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"decisions": (ChartDecision("c", 0, ("f", "c")),)}, "no decision leads to 'c'"),
        ({"decisions": (ChartDecision("", 2, ("f", "a")),)}, "is not a decision"),
        ({"decisions": (ChartDecision("", 0, ("f", "b9")),)}, "is not a decision"),
        ({"flop_lines": ("c",)}, "flop_lines: no decision leads to 'c'"),
        ({"strategy": np.full((2, 2, 169), 0.25)}, "no probabilities at ''"),
        ({"stacks": (-1.0, 5.0)}, "stacks"),
        ({"players": ("SB",)}, "there are 1 players"),
    ],
)
def test_what_is_no_chart_is_one_line(tmp_path, change, said):
    file = tmp_path / "bad.safetensors"
    good = _push_fold_chart(tmp_path)
    write_chart(file, replace(good, **change))
    with pytest.raises(ValueError, match=r"bad\.safetensors") as refused:
        read_chart(file)
    assert said in str(refused.value)


def _push_fold_chart(folder):
    save_preflop(folder / "good.safetensors", solve_push_fold(10))
    return read_chart(folder / "good.safetensors")


def test_facts_of_other_rules_are_refused(tmp_path):
    good = _push_fold_chart(tmp_path)
    other = replace(good, facts=good.facts | {"rules": {"stack": 10, "raises": "2x"}})
    with pytest.raises(ValueError, match="its decisions are not those of its rules"):
        solution_of(other)
    with pytest.raises(ValueError, match="its stacks and blinds are not those of its rules"):
        solution_of(replace(good, ante=0.5))


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ((), {}, "rules is not a mapping"),
        (("method",), None, "method cannot be None"),
        (("exploitability",), float("nan"), "exploitability cannot be nan"),
        (("rules",), {"depth": 3.0}, "rules has an unknown field 'depth'"),
        (("rules",), {}, "a field of rules is missing"),
        (("rules", "raises"), 3.0, "rules, raises cannot be 3.0"),
        (("rules", "stack"), "deep", "rules, stack cannot be 'deep'"),
        (("rules", "limp"), 1.0, "rules, limp cannot be 1.0"),
        (("solve",), [], "solve is not a mapping"),
        (("solve", "flops"), 2.5, "solve, flops cannot be 2.5"),
        (("solve", "stopped"), None, "solve, stopped cannot be None"),
        (("solve", "parts"), None, "solve, parts is not a mapping"),
        (("solve", "parts", "subset"), "none", "solve, parts, subset cannot be 'none'"),
        (("solve", "bets", "max_bets"), True, "solve, bets, max_bets cannot be True"),
    ],
)
def test_bad_facts_are_one_line(solved, tmp_path, path, value, said):
    file = tmp_path / "bad.safetensors"
    save_preflop(file, solved.solution, solved.facts)
    chart = read_chart(file)
    facts = copy.deepcopy(dict(chart.facts))
    if path:
        inside = reduce(getitem, path[:-1], facts)
        inside[path[-1]] = value
    else:
        facts = value
    write_chart(file, replace(chart, facts=facts))
    with pytest.raises(ValueError, match=r"bad\.safetensors.*facts: ") as refused:
        load_preflop(file)
    assert said in str(refused.value)


def test_a_raise_stands_for_the_nearest(solved, tmp_path):
    save_preflop(tmp_path / "a.safetensors", solved.solution, solved.facts)
    chart = read_chart(tmp_path / "a.safetensors")
    assert chart.follow([("r", 2.0), ("c", None)]) == "r2.5/c"
    assert chart.follow([("r", 3.7), ("r", 29.0), ("c", None)]) == "r2.5/a/c"
    assert chart.follow([("c", None), ("r", 3.0), ("a", None)]) == "c/r3/a"
    with pytest.raises(ValueError, match=r"the charts have no r4 first; there: f, c, r2\.5"):
        chart.follow([("r", 4.0)])
    with pytest.raises(ValueError, match="the charts have no x after c/x; there: nothing"):
        chart.follow([("c", None), ("x", None), ("x", None)])


@pytest.mark.parametrize("depth", DEPTHS)
def test_charts_of_the_package(depth):
    chart = shipped_chart(depth)
    solution, facts = solution_of(chart), facts_of(chart)
    rules, bets = chart_menus(depth)
    assert (solution.rules, facts.bets, facts.flops) == (rules, bets, 49)
    assert chart_path(depth).stat().st_size < 10**6
    assert 0 < solution.exploitability == facts.parts.inside < (0.065 if depth < 100 else 0.0165)
    assert 0 < facts.parts.subset < 0.035
    assert -0.05 < solution.value < 0.2
    folded = solution.at("").frequencies[0]
    assert 0 < folded < 0.25
    # Values of both players at the first decision: what one wins the other loses.
    assert chart.values[:, 0].sum(dtype=float) == pytest.approx(0, abs=1e-4)
    # Aces are never folded to a raise, and win most.
    answer = solution.at(solution.at("").actions[2])
    assert answer.strategy[0, 0] == 0
    assert int(np.argmax(chart.values[0, 0] / CLASS_SIZES)) == 0


def test_stories_take_their_ranges_from_charts():
    spot = Spot.from_fields({"board": "Td9d6h", "preflop": "BTN raise 2.5, BB call"})
    chart = shipped_chart(100)
    assert (spot.pot, spot.stack, spot.aggressor) == (5, 97.5, "ip")
    assert spot.oop == chart.range_after("r2.5/c", 1)
    assert spot.ip == chart.range_after("r2.5/c", 0)
    deep = {"ranges": "190bb", "preflop": "SB raise 2.5, BB raise 9, SB call"}
    spot = Spot.from_fields({"board": "Td9d6h"} | deep)
    assert shipped_depth(190) == 200
    assert (spot.pot, spot.stack, spot.aggressor) == (18, 181, "oop")
    assert spot.oop == shipped_chart(200).range_after("r2.5/r10", 1)


def test_spot_files_may_name_charts(tmp_path):
    file = tmp_path / "spot.toml"
    file.write_text('board = "Td9d6h"\npreflop = "SB limp, BB check"\nranges = "20bb"\n')
    assert Spot.from_file(file).pot == 2

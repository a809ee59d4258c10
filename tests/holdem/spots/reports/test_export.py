"""Decisions as rows, files and range texts."""

from __future__ import annotations

import csv
import sys
from dataclasses import replace

import numpy as np
import pytest

from pokerlab.cards import COMBO_CARDS, Range, format_cards
from pokerlab.games.betting_trees import EdgeKind
from pokerlab.holdem.spots import Spot, solve_spot
from pokerlab.holdem.spots.reports.breakdown import breakdown
from pokerlab.holdem.spots.reports.export import (
    arriving_range,
    following_lines,
    hand_rows,
    range_totals,
    table_columns,
)
from pokerlab.runtime.files.columns import write_csv, write_parquet


@pytest.fixture(scope="module")
def solution():
    spot = Spot("QhJh2c4d7h", "AA, KQs:0.5, JTs", "QQ, AJs:0.25, T9s", pot=100, stack=80)
    return solve_spot(spot, iterations=100)


@pytest.fixture(scope="module", params=["", "x", "x/a"])
def view(solution, request):
    return solution.at(request.param)


def met(view, player, combo):
    """The weight of the opposing hands that share no card with a combo."""
    mine = set(COMBO_CARDS[combo].tolist())
    other = view.weights[1 - player]
    return sum(
        other[each]
        for each in np.flatnonzero(other).tolist()
        if mine.isdisjoint(COMBO_CARDS[each].tolist())
    )


@pytest.mark.parametrize("player", [0, 1])
def test_a_row_for_each_hand_that_arrives(view, player):
    rows = hand_rows(view, player)
    combos = np.flatnonzero(view.weights[player])[::-1].tolist()
    assert [row.name for row in rows] == [format_cards(COMBO_CARDS[each]) for each in combos]
    for row, combo in zip(rows, combos, strict=True):
        assert row.weight == view.weights[player][combo]
        assert row.ev == pytest.approx(view.ev[player][combo])
        assert row.equity == pytest.approx(view.equity[player][combo])
        if row.equity:
            assert row.realisation == pytest.approx(row.ev / (row.equity * view.pot))
        else:
            assert row.realisation is None
        if player == view.player:
            assert row.strategy == pytest.approx(view.strategy[:, combo].tolist())
        else:
            assert row.strategy == ()


def test_the_acting_player_is_the_default(view):
    assert hand_rows(view) == hand_rows(view, view.player)
    assert breakdown(view, "class") == breakdown(view, "class", view.player)


@pytest.mark.parametrize("player", [0, 1])
def test_a_class_is_the_mean_of_its_hands(view, player):
    rows = {row.name: row for row in breakdown(view, "class", player)}
    assert set(rows) == {"AA", "KQs", "JTs"} if player == 0 else {"QQ", "AJs", "T9s"}
    for name, row in rows.items():
        members = Range(name).indices.tolist()
        weights = view.weights[player][members]
        often = [
            weight * met(view, player, combo)
            for weight, combo in zip(weights, members, strict=True)
        ]
        known = [place for place, weight in enumerate(often) if weight > 0]
        assert row.weight == pytest.approx(weights.sum())
        for found, values in ((row.ev, view.ev), (row.equity, view.equity)):
            total = sum(often[place] * values[player][members[place]] for place in known)
            assert found == pytest.approx(total / sum(often))
        for number, share in enumerate(row.strategy):
            played = sum(
                weight * view.strategy[number][combo]
                for weight, combo in zip(weights, members, strict=True)
                if weight
            )
            assert share == pytest.approx(played / weights.sum())
        assert sum(row.strategy) == pytest.approx(1 if player == view.player else 0)


def test_totals_are_those_of_the_view(view):
    totals = [range_totals(view, player) for player in range(2)]
    for player, each in enumerate(totals):
        assert each.weight == pytest.approx(view.weights[player].sum())
        assert each.ev == pytest.approx(view.mean_ev(player))
        assert each.equity == pytest.approx(view.mean_equity(player))
        assert each.realisation == pytest.approx(each.ev / each.equity / view.pot)
    assert totals[0].ev + totals[1].ev == pytest.approx(view.pot, abs=0.01)  # there is no rake
    assert totals[0].equity + totals[1].equity == pytest.approx(1)


def test_where_a_decision_leads(solution):
    found = {each.action: each for each in following_lines(solution.spot, solution.at("x"))}
    assert {name: (each.line, each.kind, each.pot) for name, each in found.items()} == {
        "x": ("x/x", EdgeKind.SHOWDOWN, 100),
        "b50": ("x/b50", EdgeKind.NODE, 150),
        "a": ("x/a", EdgeKind.NODE, 180),
    }
    view = solution.at("x")
    assert [each.frequency for each in found.values()] == pytest.approx(view.frequencies.tolist())
    # Over all actions, the EV of those who take it is the EV of the range.
    mean = sum(each.frequency * each.ev for each in found.values())
    assert mean == pytest.approx(view.mean_ev(1))


def test_a_fold_takes_nothing(solution):
    found = {each.action: each for each in following_lines(solution.spot, solution.at("x/a"))}
    assert (found["f"].kind, found["f"].pot, found["f"].ev) == (EdgeKind.FOLD, 100, 0.0)
    assert (found["c"].kind, found["c"].pot) == (EdgeKind.SHOWDOWN, 260)
    first = following_lines(solution.spot, solution.at(""))
    assert [each.line for each in first] == ["x", "b50", "a"]


def test_lines_before_the_river_go_on_with_a_card(solution):
    spot = Spot("QhJh2c4d", "AA, KQs", "QQ, AJs", pot=100, stack=80, bet="a", raise_="")
    river = solution.at("x")
    view = replace(river, actions=("x", "a"), strategy=river.strategy[:2])
    found = {each.action: each for each in following_lines(spot, view)}
    assert (found["x"].line, found["x"].kind, found["x"].pot) == ("x/x", EdgeKind.NEXT_STREET, 100)
    assert (found["a"].line, found["a"].kind, found["a"].pot) == ("x/a", EdgeKind.NODE, 180)


def test_the_ranges_of_the_actions_add_up(view):
    whole = arriving_range(view, view.player).weights
    parts = [arriving_range(view, view.player, action).weights for action in view.actions]
    assert np.allclose(sum(parts), whole, atol=3e-3)
    there = view.weights[view.player]
    assert np.allclose(whole, np.where(there < 0.001, 0, there), atol=5e-5)


def test_a_range_text_reads_back(view):
    hands = arriving_range(view, 0)
    assert Range(hands.plain_text()) == hands
    assert all(round(weight, 4) == weight for weight in hands.weights.tolist())
    own = view.weights[0].copy()
    own[np.flatnonzero(own)[:2]] = 0.0001, 0.0012
    assert np.sort(arriving_range(replace(view, weights=(own, view.weights[1])), 0).weights)[
        -np.count_nonzero(own) :
    ][:2].tolist() == [0, 0.0012]


def test_only_the_player_who_acts_takes_an_action(solution):
    with pytest.raises(ValueError, match="action 'x': oop acts here, not ip"):
        arriving_range(solution.at(""), 1, "x")


def test_columns_fit_the_rows(view):
    columns = table_columns(view)
    rows = hand_rows(view)
    assert list(columns) == [
        *("hand", "class", "made", "draws", "weight", *view.actions, "ev", "equity", "realisation"),
        *(f"ev_{action}" for action in view.actions),
    ]
    for number, action in enumerate(view.actions):
        assert columns[f"ev_{action}"] == [row.action_ev[number] for row in rows]
    assert columns["hand"] == [row.name for row in rows]
    assert columns["ev"] == [row.ev for row in rows]
    for name, hand in zip(columns["class"], columns["hand"], strict=True):
        assert hand in Range(name)


def test_csv(view, tmp_path):
    write_csv(table_columns(view), tmp_path / "hands.csv")
    with (tmp_path / "hands.csv").open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    rows = hand_rows(view)
    assert [line["hand"] for line in lines] == [row.name for row in rows]
    for line, row in zip(lines, rows, strict=True):
        assert float(line["weight"]) == row.weight
        assert [float(line[action]) for action in view.actions] == list(row.strategy)
        assert line["realisation"] == ("" if row.realisation is None else repr(row.realisation))
    assert [file.name for file in tmp_path.iterdir()] == ["hands.csv"]


def test_parquet(view, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    write_parquet(table_columns(view), tmp_path / "hands.parquet")
    assert parquet.read_table(tmp_path / "hands.parquet").to_pydict() == table_columns(view)


def test_parquet_without_its_package(view, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ValueError, match="needs the package pyarrow: pip install pyarrow"):
        write_parquet(table_columns(view), tmp_path / "hands.parquet")
    assert list(tmp_path.iterdir()) == []


def test_nothing_arrives(solution):
    view = solution.at("x/a")
    nobody = replace(view, weights=(np.zeros(1326), view.weights[1]))
    assert hand_rows(nobody) == breakdown(nobody, "class") == breakdown(nobody, "made") == []
    assert range_totals(nobody, 0).ev is None
    assert range_totals(nobody, 1).ev is None  # no hand meets another one
    assert {row.ev for row in hand_rows(nobody, 1)} == {None}
    assert [each.ev for each in following_lines(solution.spot, nobody)] == [0.0, None]

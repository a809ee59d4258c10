"""Ranges at a decision, broken down by starting hand, made hand and draw."""

from __future__ import annotations

import numpy as np
import pytest
from tests.holdem.spots.solved_spots import solved

from pokerlab.cards import filter_hands
from pokerlab.cards.ranges.blockers import unblocked_weights
from pokerlab.holdem.spots.reports.breakdown import EQUITY_BUCKETS, breakdown, breakdown_columns
from pokerlab.holdem.spots.reports.export import range_totals


@pytest.fixture(scope="module", params=["", "x", "x/b50"])
def view(request):
    return solved("turn").at(request.param)


@pytest.mark.parametrize("by", ["class", "made", "draws"])
@pytest.mark.parametrize("player", [0, 1])
def test_a_row_is_the_mean_of_its_hands(view, by, player):
    rows = breakdown(view, by, player)
    assert rows
    for row in rows:
        members = filter_hands(row.name, view.board) & (view.weights[player] > 0)
        weights = view.weights[player][members]
        assert row.weight == pytest.approx(weights.sum())
        if player == view.player:
            played = view.strategy[:, members] @ weights / weights.sum()
            assert row.strategy == pytest.approx(played.tolist())


@pytest.mark.parametrize("by", ["class", "made"])
def test_parts_add_up_to_the_range(view, by):
    for player in range(2):
        rows, total = breakdown(view, by, player), range_totals(view, player)
        assert sum(row.weight for row in rows) == pytest.approx(total.weight)
        # A part counts as often as its hands meet opposing ones.
        often = view.weights[player] * unblocked_weights(view.weights[1 - player])
        met = [often[filter_hands(row.name, view.board)].sum() for row in rows]
        assert np.dot(met, [row.ev for row in rows]) / sum(met) == pytest.approx(total.ev)


@pytest.mark.parametrize("player", [0, 1])
def test_equity_buckets_hold_each_hand_once_by_its_equity(view, player):
    rows = breakdown(view, "equity", player)
    total = range_totals(view, player)
    known = ~np.isnan(view.equity[player])
    assert sum(row.weight for row in rows) == pytest.approx(view.weights[player][known].sum())
    for row in rows:
        low = int(row.name.split("-")[0]) / 100
        assert row.name in EQUITY_BUCKETS
        assert low <= row.equity <= low + 0.1
    often = view.weights[player] * unblocked_weights(view.weights[1 - player])
    tenth = np.minimum((10 * view.equity[player][known]).astype(int), 9)
    met = [often[known][tenth == int(row.name.split("-")[0]) // 10].sum() for row in rows]
    assert np.dot(met, [row.ev for row in rows]) / sum(met) == pytest.approx(total.ev)


def test_only_chosen_hands(view):
    chosen = filter_hands("flush-draw, AA", view.board)
    rows = breakdown(view, "made", chosen=chosen)
    kept = view.weights[view.player] * chosen
    assert sum(row.weight for row in rows) == pytest.approx(kept.sum())
    assert breakdown(view, "made", chosen=np.zeros(1326, np.bool_)) == []


def test_columns(view):
    rows = breakdown(view, "draws")
    columns = breakdown_columns(view, "draws", rows)
    assert list(columns)[:3] == ["draws", "share", "weight"]
    total = view.weights[view.player].sum()
    assert columns["share"] == pytest.approx([row.weight / total for row in rows])


def test_an_unknown_breakdown_is_named(view):
    with pytest.raises(ValueError, match="by: 'suits' is not known; known are class, made, draws"):
        breakdown(view, "suits")

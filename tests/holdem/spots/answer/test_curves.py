"""Curves of ranges: against the hands one by one."""

from __future__ import annotations

import numpy as np
import pytest
from tests.holdem.spots.solved_spots import solved

from pokerlab.cards.ranges.blockers import unblocked_weights
from pokerlab.holdem.spots import range_curve


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("of", ["equity", "ev", "realisation"])
def test_a_point_is_the_hand_with_so_much_of_the_range_below(player: int, of: str) -> None:
    view = solved("turn").at("x")
    curve = range_curve(view, player, of, points=21)
    equity, ev = view.equity[player], view.ev[player]
    numbers = {"equity": equity, "ev": ev, "realisation": ev / (equity * view.pot)}[of]
    met = view.weights[player] * unblocked_weights(view.weights[1 - player])
    known = np.isfinite(numbers) & (met > 0)
    assert curve.shares.tolist() == pytest.approx(np.linspace(0, 1, 21).tolist())
    assert (np.diff(curve.values) >= 0).all()
    total = met[known].sum()
    for share, value in zip(curve.shares, curve.values, strict=True):
        below = met[known & (numbers < value)].sum() / total
        up_to = met[known & (numbers <= value)].sum() / total
        assert below - 1e-9 <= share <= up_to + 1e-9


def test_the_mean_of_an_equity_curve_is_the_equity_of_the_range() -> None:
    view = solved("turn").at("")
    curve = range_curve(view, 0, points=100_001)
    assert curve.values.mean() == pytest.approx(view.mean_equity(0), abs=1e-4)


def test_an_unknown_curve_is_named() -> None:
    with pytest.raises(ValueError, match="of: 'luck' is not known; known are equity, ev"):
        range_curve(solved("turn").at(""), 0, "luck")

"""How a range is distributed: its hands from the weakest to the strongest.

They are ordered by equity, by EV or by the equity realised. The curves of two ranges at a decision
show which of them holds the strong hands.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pokerlab.cards.ranges.blockers import unblocked_weights
from pokerlab.holdem.spots.answer.node_view import NodeView
from pokerlab.runtime.arrays import Floats
from pokerlab.runtime.errors import shorten

CURVES = ("equity", "ev", "realisation")
"""What a curve may be of."""

_POINTS = 101


class RangeCurve(NamedTuple):
    """Numbers of a range in rising order, at equal steps of its weight.

    Attributes
    ----------
    shares
        0 to 1: the part of the range that lies below.
    values
        The number of the hand there; empty where nothing arrives.
    """

    shares: Floats
    values: Floats

    def to_json(self) -> dict[str, Any]:
        """Both as lists, rounded to the resolution of a picture."""
        return {"shares": self.shares.round(4).tolist(), "values": self.values.round(4).tolist()}


def range_curve(
    view: NodeView, player: int, of: str = "equity", *, points: int = _POINTS
) -> RangeCurve:
    """The curve of a player's range at a decision.

    Parameters
    ----------
    view, player
        The decision, and whose range.
    of
        ``equity``, ``ev`` (chips) or ``realisation`` (EV divided by equity times pot).
    points
        How many numbers to give.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot, solve_spot
    >>> spot = Spot("KsTs7d4c2h", "77, 65s", "AA", pot=100, stack=100, bet="a", raise_="")
    >>> view = solve_spot(spot, target="0.01%").at()
    >>> range_curve(view, 0, points=5).values
    array([0., 0., 0., 1., 1.])
    """
    if of not in CURVES:
        raise ValueError(f"of: {shorten(of)!r} is not known; known are {', '.join(CURVES)}")
    equity, ev = view.equity[player], view.ev[player]
    with np.errstate(divide="ignore", invalid="ignore"):
        values = {"equity": equity, "ev": ev, "realisation": ev / (equity * view.pot)}[of]
    weights = view.weights[player] * unblocked_weights(view.weights[1 - player])
    known = np.isfinite(values) & (weights > 0)
    if not known.any():
        return RangeCurve(np.zeros(0), np.zeros(0))
    values, weights = values[known], weights[known]
    order = np.argsort(values, kind="stable")
    ends = np.cumsum(weights[order])
    shares = np.linspace(0, 1, points)
    place = np.searchsorted(ends, shares * ends[-1] * (1 - 1e-12), side="left")
    return RangeCurve(shares, values[order][np.minimum(place, len(order) - 1)])

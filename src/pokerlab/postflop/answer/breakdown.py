"""A range at a decision, broken down: by starting hand, by made hand, by draw, or by equity.

A hand has one starting hand, one made hand and one equity, so the shares of these rows sum to 1; it
has any number of draws, so those of the draws do not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pokerlab.arrays import Bools, Indices
from pokerlab.cards.board_hands.draws import DRAWS, draws
from pokerlab.cards.board_hands.made_hands import MADE_HANDS, made_hands
from pokerlab.cards.hand_classes import CLASS_NAMES, class_combos
from pokerlab.errors import shorten
from pokerlab.postflop.answer.export import HandRow, grouped_rows, row_columns
from pokerlab.postflop.answer.node_view import NodeView

EQUITY_BUCKETS: tuple[str, ...] = tuple(f"{low}-{low + 10}%" for low in range(90, -1, -10))
"""Tenths of equity against the opponent's range, the strongest first."""

BREAKDOWNS: dict[str, tuple[str, ...]] = {
    "class": CLASS_NAMES,
    "made": MADE_HANDS,
    "draws": DRAWS,
    "equity": EQUITY_BUCKETS,
}
"""What a range can be broken down by, and the rows that there may be."""


def breakdown(
    view: NodeView,
    by: str,
    player: int | None = None,
    *,
    chosen: Bools | None = None,
) -> list[HandRow]:
    """The strategy and EV of each part of a range at a decision.

    Parameters
    ----------
    view
        The decision.
    by
        ``class`` (``AKs``, in the order of the 13×13 grid), ``made`` (made hands, the best first),
        ``draws``, or ``equity`` (tenths of it, the strongest first; a hand that meets no opposing
        hand is in none).
    player
        Whose range; that of the player who acts, if None.
    chosen
        Only these combos (1326), as `pokerlab.cards.filter_hands` gives them.

    Examples
    --------
    >>> from pokerlab.postflop import Spot, solve_spot
    >>> spot = Spot("KsTs7d4c2h", "77, 65s", "AA", pot=100, stack=100, bet="a", raise_="")
    >>> rows = breakdown(solve_spot(spot, target="0.01%").at(), "made")
    >>> [(row.name, row.weight, round(row.equity, 2)) for row in rows]
    [('set', 3.0, 1.0), ('nothing', 4.0, 0.0)]
    """
    player = view.player if player is None else player
    groups = hand_groups(view, by, player)
    if chosen is not None:
        groups = [(name, combos[chosen[combos]]) for name, combos in groups]
    listed = [(name, combos.tolist()) for name, combos in groups]
    return grouped_rows(view, player, listed)


def hand_groups(view: NodeView, by: str, player: int) -> list[tuple[str, Indices]]:
    """The combos of each part of a range at a decision, by name; `ValueError` for another `by`."""
    names, board = breakdown_names(by), view.board
    if by == "class":
        return list(zip(names, class_combos(), strict=True))
    if by == "made":
        made = made_hands(board)
        return [(name, np.flatnonzero(made == number)) for number, name in enumerate(names)]
    if by == "equity":
        equity = view.equity[player]
        # A hand that always wins is in the highest bucket; comparisons with NaN are false.
        tenth = np.minimum(10 * equity, 9.5)
        lows = range(len(names) - 1, -1, -1)
        return [
            (name, np.flatnonzero((tenth >= low) & (tenth < low + 1)))
            for name, low in zip(names, lows, strict=True)
        ]
    return [(name, np.flatnonzero(has)) for name, has in zip(names, draws(board), strict=True)]


def breakdown_names(by: str) -> tuple[str, ...]:
    """All rows that a breakdown may have, in their order."""
    if by not in BREAKDOWNS:
        raise ValueError(f"by: {shorten(by)!r} is not known; known are {', '.join(BREAKDOWNS)}")
    return BREAKDOWNS[by]


def breakdown_columns(view: NodeView, by: str, rows: Sequence[HandRow]) -> dict[str, list[Any]]:
    """The rows of the player who acts as columns, for `pokerlab.files.columns`."""
    total = float(view.weights[view.player].sum())
    return {
        by: [row.name for row in rows],
        "share": [row.weight / total for row in rows],
        **row_columns(rows, view.actions),
    }

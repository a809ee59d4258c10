"""A decision in a notebook: the matrix, actions and ranges; and its hands for pandas."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np

from pokerlab.cards.hand_classes import CLASS_OF_COMBO, GRID
from pokerlab.cards.ranges.blockers import unblocked_weights
from pokerlab.games.betting_trees.lines import action_words
from pokerlab.games.betting_trees.menus import SEATS
from pokerlab.holdem.spots.answer.node_view import Decision, NodeView
from pokerlab.holdem.spots.reports.breakdown import breakdown, breakdown_columns
from pokerlab.holdem.spots.reports.export import range_totals, table_columns
from pokerlab.runtime.files.columns import make_frame
from pokerlab.views.pictures.hand_pictures import (
    cards_html,
    class_shares,
    strategy_svg,
)
from pokerlab.views.pictures.palette import action_colours
from pokerlab.views.pictures.tables import (
    block_html,
    number_text,
    percent_text,
    row_html,
    swatch,
    table_html,
)


def node_html(view: Decision) -> str:
    """The matrix of the player who acts, how often each action is taken, and both ranges."""
    seat = SEATS[view.player]
    where = f"after {escape(view.line)}" if view.line else "first decision"
    title = f"{cards_html(view.board)} · {where} · {seat} acts, pot {view.pot:,.6g}"
    weights = view.weights[view.player]
    if not view.reached:
        absent = [name for name, each in zip(SEATS, view.weights, strict=True) if not each.any()]
        why = f"no hand {absent[0]} arrives here" if absent else "no two hands meet here"
        return block_html(title, f"<p>never reached: {why}</p>")
    shares, arriving = class_shares(weights, view.strategy)
    evs = _class_evs(view) if isinstance(view, NodeView) else None
    label = f"what {seat} does, {where}"
    matrix = strategy_svg(view.actions, shares, arriving, evs, label=label)
    if isinstance(view, NodeView):
        return block_html(title, row_html(matrix, _actions(view) + _ranges(view)))
    rows = [
        [swatch(colour, action_words(action)), percent_text(share)]
        for action, colour, share in zip(
            view.actions, action_colours(view.actions), view.frequencies.tolist(), strict=True
        )
    ]
    return block_html(title, row_html(matrix, table_html(["action", "frequency"], rows)))


def node_frame(view: NodeView, by: str) -> Any:
    """The hands of the player who acts, or a breakdown of them, as a pandas table."""
    if by == "hand":
        return make_frame(table_columns(view))
    return make_frame(breakdown_columns(view, by, breakdown(view, by)))


def _class_evs(view: NodeView) -> np.ndarray[Any, np.dtype[np.float64]]:
    """(169,): the mean EV of the hands of each class as they arrive; NaN where none does."""
    player = view.player
    often = view.weights[player] * unblocked_weights(view.weights[1 - player])
    known = ~np.isnan(view.ev[player]) & (often > 0)
    often = np.where(known, often, 0.0)
    cells = GRID * GRID
    total = np.bincount(CLASS_OF_COMBO, often, cells)
    earned = np.bincount(CLASS_OF_COMBO, often * np.nan_to_num(view.ev[player]), cells)
    return np.asarray(np.divide(earned, total, out=np.full(cells, np.nan), where=total > 0))


def _actions(view: NodeView) -> str:
    often = view.weights[view.player] * unblocked_weights(view.weights[1 - view.player])
    rows = []
    for action, colour, share, ev, played in zip(
        view.actions,
        action_colours(view.actions),
        view.frequencies.tolist(),
        view.action_ev,
        view.strategy,
        strict=True,
    ):
        taken = np.where(np.isnan(ev), 0.0, often * np.nan_to_num(played))
        total = float(taken.sum())
        mean = float(np.nan_to_num(ev) @ taken) / total if total > 0 else None
        rows.append([swatch(colour, action_words(action)), percent_text(share), number_text(mean)])
    return table_html(["action", "frequency", "EV"], rows)


def _ranges(view: NodeView) -> str:
    rows = []
    for seat, name in enumerate(SEATS):
        total = range_totals(view, seat)
        rows.append(
            [
                name,
                f"{total.weight:,.1f}",
                number_text(total.ev),
                percent_text(total.equity),
                percent_text(total.realisation),
            ]
        )
    return table_html(["range", "combos", "EV", "equity", "realised"], rows)

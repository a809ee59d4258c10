"""A decision of a solution as plain data, for JSON: what ``pokerlab show --json`` prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pokerlab.cards.codes import COMBO_CARDS, format_cards
from pokerlab.games.betting_trees.menus import PLAYERS
from pokerlab.holdem.spots.answer.curves import CURVES, range_curve
from pokerlab.holdem.spots.answer.node_view import NodeView
from pokerlab.holdem.spots.answer.solution import PostflopSolution
from pokerlab.holdem.spots.reports.breakdown import breakdown
from pokerlab.holdem.spots.reports.export import (
    HandRow,
    following_lines,
    hand_rows,
    range_totals,
)
from pokerlab.holdem.spots.reports.locked import lock_at, locked_combos


def node_payload(
    solution: PostflopSolution, view: NodeView, hands: Sequence[HandRow] | None = None
) -> dict[str, Any]:
    """Everything about a decision; numbers that are not known are None.

    Parameters
    ----------
    solution, view
        The decision, and what it is one of.
    hands
        The hands of the player who acts, if not all of them.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot, solve_spot
    >>> spot = Spot("KsTs7d4c2h", "77, 65s", "AA", pot=100, stack=100, bet="a", raise_="")
    >>> solution = solve_spot(spot, target="0.01%")
    >>> found = node_payload(solution, solution.at("a"))
    >>> found["player"], found["actions"], sorted(found["hands"]["AsAh"])
    ('ip', ['f', 'c'], ['action_ev', 'equity', 'ev', 'realisation', 'strategy', 'weight'])
    """
    totals = [range_totals(view, seat) for seat in range(2)]
    locked, lock = locked_combos(solution, view), lock_at(solution, view)
    inside = solution.exploitability_abstract
    return {
        "line": view.line,
        "player": PLAYERS[view.player],
        "seat": view.player,
        "board": format_cards(view.board),
        "pot": view.pot,
        "actions": list(view.actions),
        "reached": view.reached,
        "frequencies": view.frequencies.tolist(),
        "combos": [each.weight for each in totals],
        "ev": [each.ev for each in totals],
        "equity": [each.equity for each in totals],
        "realisation": [each.realisation for each in totals],
        "exploitability": solution.exploitability.chips,
        "certified": solution.certified,
        "iterations": solution.iterations,
        "exploitability_abstract": None if inside is None else inside.chips,
        "groups": None if solution.groups is None else solution.groups.text,
        "locked": bool(locked.any()),
        "lock_weight": lock.weight if lock is not None and locked.any() else None,
        "locked_hands": [format_cards(cards) for cards in COMBO_CARDS[locked][::-1].tolist()],
        "next": [
            {
                "action": each.action,
                "line": each.line,
                "kind": each.kind.name.lower().replace("_", " "),
                "pot": each.pot,
                "ev": each.ev,
            }
            for each in following_lines(solution.spot, view)
        ],
        "hands": {row.name: row.to_json() for row in (hand_rows(view) if hands is None else hands)},
        "classes": {row.name: row.to_json() for row in breakdown(view, "class")},
        "made": {row.name: row.to_json() for row in breakdown(view, "made")},
        "draws": {row.name: row.to_json() for row in breakdown(view, "draws")},
        "equity_buckets": {row.name: row.to_json() for row in breakdown(view, "equity")},
        "curves": {
            name: [range_curve(view, seat, name).to_json() for seat in range(2)] for name in CURVES
        },
        "opponent": {row.name: row.to_json() for row in hand_rows(view, 1 - view.player)},
    }

"""A decision of a solution as plain data, for JSON: what ``pokerlab show --json`` prints."""

from __future__ import annotations

from typing import Any

from pokerlab.cards.codes import format_cards
from pokerlab.postflop.answer.export import class_rows, following_lines, hand_rows, range_totals
from pokerlab.postflop.answer.node_view import NodeView
from pokerlab.postflop.answer.solution import PostflopSolution
from pokerlab.postflop.question.menus import PLAYERS

__all__ = ["node_payload"]


def node_payload(solution: PostflopSolution, view: NodeView) -> dict[str, Any]:
    """Everything about a decision; numbers that are not known are None.

    Examples
    --------
    >>> from pokerlab.postflop import Spot, solve_spot
    >>> spot = Spot("KsTs7d4c2h", "77, 65s", "AA", pot=100, stack=100, bet="a", raise_="")
    >>> solution = solve_spot(spot, target="0.01%")
    >>> found = node_payload(solution, solution.at("a"))
    >>> found["player"], found["actions"], sorted(found["hands"]["AsAh"])
    ('ip', ['f', 'c'], ['equity', 'ev', 'realisation', 'strategy', 'weight'])
    """
    totals = [range_totals(view, seat) for seat in range(2)]
    return {
        "line": view.line,
        "player": PLAYERS[view.player],
        "seat": view.player,
        "board": format_cards(view.board),
        "pot": view.pot,
        "actions": list(view.actions),
        "frequencies": view.frequencies.tolist(),
        "combos": [each.combos for each in totals],
        "ev": [each.ev for each in totals],
        "equity": [each.equity for each in totals],
        "realisation": [each.realisation for each in totals],
        "exploitability": solution.exploitability.chips,
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
        "hands": {row.name: row.to_json() for row in hand_rows(view)},
        "classes": {row.name: row.to_json() for row in class_rows(view)},
        "opponent": {row.name: row.to_json() for row in hand_rows(view, 1 - view.player)},
    }

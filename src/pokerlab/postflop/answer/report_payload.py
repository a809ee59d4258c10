"""A report over the cards to come as plain data: what ``pokerlab report --json`` prints."""

from __future__ import annotations

from typing import Any

from pokerlab.cards.codes import format_cards
from pokerlab.postflop.answer.run_out_groups import mean_run_out
from pokerlab.postflop.answer.run_outs import RunOutReport, RunOutRow
from pokerlab.postflop.question.menus import PLAYERS


def report_payload(report: RunOutReport) -> dict[str, Any]:
    """Everything about a report; numbers that are not known are None.

    Examples
    --------
    >>> from pokerlab.postflop import Spot, report_run_outs, solve_spot
    >>> spot = Spot("KsTs7d4c", "77, 65s", "AA", pot=100, stack=100, bet="a", raise_="")
    >>> found = report_payload(report_run_outs(solve_spot(spot, target="1%"), "x/x"))
    >>> found["player"], found["board"], found["rows"][0]["card"], found["mean"]["card"]
    ('oop', 'KsTs7d4c', 'As', 'all')
    """
    return {
        "line": report.line,
        "board": format_cards(report.board),
        "player": None if report.player is None else PLAYERS[report.player],
        "seat": report.player,
        "pot": report.pot,
        "actions": list(report.actions),
        "rows": [row_payload(report, row) for row in report.rows],
        "mean": row_payload(report, mean_run_out(report)),
    }


def row_payload(report: RunOutReport, row: RunOutRow) -> dict[str, Any]:
    """A row of a report, or a group of rows."""
    return {
        "card": row.name,
        "weight": row.weight,
        "ev": list(row.ev),
        "equity": list(row.equity),
        "realisation": list(row.realisation),
        "actions": dict(zip(report.actions, row.frequencies, strict=True)),
        "action_ev": dict(zip(report.actions, row.action_ev, strict=True)),
        "completes": list(row.completes),
    }

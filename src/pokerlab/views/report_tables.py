"""Reports of a line over cards or boards: their tables, and the form that scripts read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pokerlab.cards.codes import format_cards
from pokerlab.cards.textures import Texture
from pokerlab.games.betting_trees.menus import PLAYERS
from pokerlab.holdem.spots.reports.line_report import LineReport, ReportRow
from pokerlab.views.table import Column, Table


def report_table(
    report: LineReport,
    rows: Sequence[ReportRow],
    shown: Mapping[str, str],
    before: Mapping[str, Sequence[Any]],
    after: Mapping[str, Sequence[Any]] | None = None,
) -> Table:
    """Some columns of rows and, below them, of the mean over all of the report.

    Parameters
    ----------
    report, rows
        The report, and its rows or groups of them.
    shown
        The names of the columns of numbers, and their headings.
    before, after
        Columns of texts that stand before and after them: a text for each row, and for the mean.
    """
    numbers = report.numbers([*rows, report.mean()])
    texts = {Column(heading, "name"): cells for heading, cells in before.items()}
    found = [
        *texts.items(),
        *(
            (Column(heading, "share" if report.is_share(name) else "chips"), numbers[name])
            for name, heading in shown.items()
        ),
        *((Column(heading), cells) for heading, cells in (after or {}).items()),
    ]
    *body, last = zip(*(cells for _, cells in found), strict=True)
    return Table([column for column, _ in found], body, last)


def worth_headings(equity: str = "{} eq", realised: str = "{} realised") -> dict[str, str]:
    """The columns of what rows are worth to both players, and their headings."""
    shown = {"weight": "often"}
    for player in PLAYERS:
        shown |= {
            f"{player}_ev": f"{player} EV",
            f"{player}_equity": equity.format(player),
            f"{player}_realisation": realised.format(player),
        }
    return shown


def terminal_tables(
    report: LineReport, rows: Sequence[ReportRow], heading: str, mean: str
) -> list[Table]:
    """Two tables, so that they fit a narrow screen: values, and actions.

    `heading` is that of the rows' names, `mean` the name of the last row.
    """
    names = {heading: [*(row.name for row in rows), mean]}
    parts = worth_headings("equity", "realised"), done_headings(report)
    return [report_table(report, rows, shown, names) for shown in parts if shown]


def done_headings(report: LineReport) -> dict[str, str]:
    """The columns of the actions, and their headings."""
    shown: dict[str, str] = {}
    for action in report.actions:
        shown |= {action: action, f"{action}_ev": "EV"}
    return shown


def report_data(report: LineReport) -> dict[str, Any]:
    """A report over cards as plain data.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot, report_run_outs, solve_spot
    >>> spot = Spot("KsTs7d4c", "77, 65s", "AA", pot=100, stack=100, bet="a", raise_="")
    >>> found = report_data(report_run_outs(solve_spot(spot, target="1%"), "x/x"))
    >>> found["player"], found["board"], found["rows"][0]["card"], found["mean"]["card"]
    ('oop', 'KsTs7d4c', 'As', 'all')
    """
    return {
        "line": report.line,
        "board": format_cards(report.board),
        "player": None if report.player is None else PLAYERS[report.player],
        "seat": report.player,
        "pot": report.chips,
        "actions": list(report.actions),
        "rows": [row_data(report, row) for row in report.rows],
        "mean": row_data(report, report.mean()),
    }


def row_data(report: LineReport, row: ReportRow) -> dict[str, Any]:
    """A row of a report over cards, or a group of rows."""
    return {
        "card": row.name,
        **_numbers(report, row),
        "completes": list(row.completes),
        "texture": row.texture or None,
        "cards": row.count,
    }


def boards_data(report: LineReport) -> list[dict[str, Any]]:
    """A row for each board."""
    return [
        {
            "board": row.name,
            **_numbers(report, row),
            "texture": _texture_data(report, kind),
        }
        for row, kind in zip(report.rows, report.textures, strict=True)
    ]


def _texture_data(report: LineReport, kind: Texture) -> dict[str, Any]:
    found = kind._asdict() | {"high": kind.high_card}
    return {name: found[name] for name in report.features}


def mean_data(report: LineReport, row: ReportRow) -> dict[str, Any]:
    """Several boards together."""
    return {"boards": row.count, **_numbers(report, row)}


def groups_data(report: LineReport, groups: Sequence[ReportRow]) -> list[dict[str, Any]]:
    """Classes of flops."""
    return [{"flops": row.name, **mean_data(report, row)} for row in groups]


def _numbers(report: LineReport, row: ReportRow) -> dict[str, Any]:
    return {
        "weight": row.weight,
        "ev": list(row.ev),
        "equity": list(row.equity),
        "realisation": list(row.realisation),
        "actions": dict(zip(report.actions, row.frequencies, strict=True)),
        "action_ev": dict(zip(report.actions, row.action_ev, strict=True)),
    }

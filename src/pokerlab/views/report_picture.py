"""A report in a notebook: maps of the cards or flops, and tables."""

from __future__ import annotations

from html import escape

from pokerlab.cards.codes import RANKS, parse_card, parse_cards
from pokerlab.cards.hand_pictures import card_map_svg, cards_html
from pokerlab.pictures.grids import heat_svg
from pokerlab.pictures.tables import block_html, number_text, row_html
from pokerlab.postflop.answer.line_report import LineReport
from pokerlab.postflop.question.menus import PLAYERS, SEATS
from pokerlab.views.report_tables import done_headings, report_table, worth_headings

_MOST_CARDS, _MOST_BOARDS = 60, 40
"""Rows of the tables: one card is never more, two cards are."""
_MORE = ": to_frame() has them all"


def report_html(report: LineReport) -> str:
    """Maps of numbers by card or by flop, and a table with a row for each."""
    return _cards_html(report) if report.of_cards else _boards_html(report)


def _cards_html(report: LineReport) -> str:
    seat = report.player or 0
    acts = f", {SEATS[seat]} acts" if report.player is not None else ", nobody acts"
    title = f"{cards_html(report.board)} · "
    title += f"after {escape(report.line)}{acts}, pot {report.chips:,.6g}"
    maps = []
    if all(len(name) == 2 for name in report.names):
        for kind, heading in (("ev", "EV"), ("equity", "equity, %")):
            numbers = report.means_by(parse_card, f"{PLAYERS[seat]}_{kind}")
            words = f"{heading}, {SEATS[seat]}"
            picture = card_map_svg(numbers, label=words, percent=kind == "equity")
            maps.append(f"<p>{words}</p>{picture}")
    table = report_table(
        report,
        report.rows,
        worth_headings() | done_headings(report),
        {"card": [*map(cards_html, report.names), "all"]},
        {"completes": [*map(", ".join, report.completes), ""]},
    )
    return block_html(title, row_html(*maps), table.html(_MOST_CARDS, _MORE))


def _boards_html(report: LineReport) -> str:
    where = f"after {escape(report.line)}" if report.line else "the first decision"
    seat = report.player or 0
    title = f"{len(report.names):,} boards · {where} · {SEATS[seat]} acts"
    shown = [f"{PLAYERS[seat]}_ev", *report.actions[-1:]]
    headings = worth_headings() | done_headings(report)
    groups = report.groups("pairing, suits")
    counted = {
        "flops": [*(group.name for group in groups), "all"],
        "boards": [*(str(group.count) for group in groups), ""],
    }
    names = {"board": [*map(cards_html, report.names), "mean"]}
    return block_html(
        title,
        row_html(*(_map(report, column) for column in shown)),
        report_table(report, groups, headings, counted).html(),
        report_table(report, report.rows, headings, names).html(_MOST_BOARDS, _MORE),
    )


def two_ranks(board: str) -> tuple[int, int]:
    """The ranks of the high and the middle card of a flop."""
    high, middle, _ = sorted((card >> 2 for card in parse_cards(board)[:3]), reverse=True)
    return high, middle


def _map(report: LineReport, column: str) -> str:
    means = report.means_by(two_ranks, column)
    share = report.is_share(column)
    ranks = range(len(RANKS) - 1, -1, -1)
    numbers = [[means.get((high, middle)) for middle in ranks] for high in ranks]

    def text(number: float | None) -> str:
        if number is None:
            return ""
        return f"{100 * number:.0f}" if share else number_text(number, int(abs(number) < 100))

    names = [RANKS[rank] for rank in ranks]
    unit = ", %" if share else ""
    words = f"{column.replace('_', ' ')}{unit}, by high card (down) and middle card"
    picture = heat_svg(
        numbers,
        [[text(number) for number in row] for row in numbers],
        label=words,
        rows=names,
        columns=names,
    )
    return f"<p>{words}</p>{picture}"

"""What a notebook shows of a report over cards to come: a map of the cards, and the table."""

from __future__ import annotations

from html import escape

from pokerlab.cards.codes import parse_cards
from pokerlab.cards.hand_pictures import card_map_svg, cards_html
from pokerlab.pictures.tables import block_html, number_text, percent_text, row_html, table_html
from pokerlab.postflop.answer.node_picture import SEATS
from pokerlab.postflop.answer.run_out_groups import mean_run_out
from pokerlab.postflop.answer.run_outs import RunOutReport, RunOutRow

__all__ = ["run_outs_html"]

_MOST = 60
"""Rows of the table: one card is never more, two cards are."""


def run_outs_html(report: RunOutReport) -> str:
    """Maps of EV and equity where one card comes, and a row for each run-out."""
    seat = 0 if report.player is None else report.player
    acts = f", {SEATS[seat]} acts" if report.player is not None else ", nobody acts"
    title = f"{cards_html(report.board)} · "
    title += f"after {escape(report.line)}{acts}, pot {report.pot:,.6g}"
    maps = []
    if all(len(row.name) == 2 for row in report.rows):
        cards = [parse_cards(row.name)[0] for row in report.rows]
        for name, percent in (("ev", False), ("equity", True)):
            numbers = {
                card: getattr(row, name)[seat] for card, row in zip(cards, report.rows, strict=True)
            }
            words = f"{'EV' if name == 'ev' else 'equity, %'}, {SEATS[seat]}"
            picture = card_map_svg(numbers, label=words, percent=percent)
            maps.append(f"<p>{words}</p>{picture}")
    table = table_html(
        [
            "card",
            "often",
            *(f"{player} {word}" for player in ("oop", "ip") for word in ("EV", "eq", "realised")),
            *(name for action in report.actions for name in (action, "EV")),
            "completes",
        ],
        [_cells(row) for row in report.rows],
        last=_cells(mean_run_out(report)),
        most=_MOST,
        more=": to_frame() has them all",
    )
    return block_html(title, row_html(*maps), table)


def _cells(row: RunOutRow) -> list[str]:
    worth = [
        text
        for seat in range(2)
        for text in (
            number_text(row.ev[seat]),
            percent_text(row.equity[seat]),
            percent_text(row.realisation[seat]),
        )
    ]
    done = [
        text
        for share, ev in zip(row.frequencies, row.action_ev, strict=True)
        for text in (percent_text(share), number_text(ev))
    ]
    shown = row.name if row.name == "all" else cards_html(row.name)
    return [shown, percent_text(row.weight), *worth, *done, ", ".join(row.completes)]

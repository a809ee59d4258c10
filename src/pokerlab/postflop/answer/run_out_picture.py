"""What a notebook shows of a report over cards to come: a map of the cards, and the table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from pokerlab.cards.codes import parse_cards
from pokerlab.cards.hand_pictures import card_map_svg, cards_html
from pokerlab.pictures.tables import block_html, number_text, percent_text, row_html, table_html
from pokerlab.postflop.answer.run_out_groups import mean_run_out
from pokerlab.postflop.answer.run_outs import RunOutReport, RunOutRow
from pokerlab.postflop.question.menus import SEATS

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
            *worth_headings(report.actions),
            "completes",
        ],
        [_cells(row) for row in report.rows],
        last=_cells(mean_run_out(report)),
        most=_MOST,
        more=": to_frame() has them all",
    )
    return block_html(title, row_html(*maps), table)


def _cells(row: RunOutRow) -> list[str]:
    done = zip(row.frequencies, row.action_ev, strict=True)
    worth = worth_cells(row.ev, row.equity, row.realisation, done)
    shown = row.name if row.name == "all" else cards_html(row.name)
    return [shown, percent_text(row.weight), *worth, ", ".join(row.completes)]


def worth_headings(actions: Iterable[str]) -> list[str]:
    """The headings of `worth_cells`."""
    return [
        *(f"{player} {word}" for player in ("oop", "ip") for word in ("EV", "eq", "realised")),
        *(name for action in actions for name in (action, "EV")),
    ]


def worth_cells(
    ev: Sequence[float | None],
    equity: Sequence[float | None],
    realisation: Sequence[float | None],
    done: Iterable[tuple[float | None, float | None]],
) -> list[str]:
    """What both players have, and for each action how often it is taken and what it earns."""
    worth = [
        text
        for chips, share, realised in zip(ev, equity, realisation, strict=True)
        for text in (number_text(chips), percent_text(share), percent_text(realised))
    ]
    return worth + [
        text for often, chips in done for text in (percent_text(often), number_text(chips))
    ]

"""What a notebook shows of a report over boards: a map by high and middle card, and tables."""

from __future__ import annotations

from html import escape

from pokerlab.batches.board_report import BoardReport, BoardsMean
from pokerlab.cards.codes import RANKS
from pokerlab.cards.hand_pictures import cards_html
from pokerlab.pictures.grids import heat_svg
from pokerlab.pictures.tables import block_html, number_text, percent_text, row_html, table_html
from pokerlab.postflop.answer.run_out_picture import worth_cells, worth_headings
from pokerlab.postflop.question.menus import SEATS

_MOST = 40
"""Boards of the table."""


def report_html(report: BoardReport) -> str:
    """Two maps, the means by suits and pairs, and the first boards."""
    where = f"after {escape(report.line)}" if report.line else "the first decision"
    title = f"{len(report.boards):,} boards · {where} · {SEATS[report.player]} acts"
    seat = ("oop", "ip")[report.player]
    shown = [f"{seat}_ev", *([report.actions[-1]] if report.actions else [])]
    headings = ["often", *worth_headings(report.actions)]
    groups = [
        [" ".join(value), str(mean.boards), *_cells(mean)]
        for value, mean in report.groups(["pairing", "suits"]).items()
    ]
    boards = [
        [cards_html(board), *_cells(report.take([place]).mean(), float(report.shares[place]))]
        for place, board in enumerate(report.boards[:_MOST])
    ]
    left = [[""] * (len(headings) + 1)] * (len(report.boards) - len(boards))
    mean = _cells(report.mean())
    return block_html(
        title,
        row_html(*(_map(report, column) for column in shown)),
        table_html(["flops", "boards", *headings], groups, last=["all", "", *mean]),
        table_html(
            ["board", *headings],
            [*boards, *left],
            last=["mean", *mean],
            most=_MOST,
            more=": to_frame() has them all",
        ),
    )


def _map(report: BoardReport, column: str) -> str:
    means = report.by_two_cards(column)
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


def _cells(mean: BoardsMean, share: float | None = None) -> list[str]:
    done = [(often, mean.action_evs[action]) for action, often in mean.frequencies.items()]
    worth = worth_cells(mean.ev, mean.equity, mean.realisation, done)
    return [percent_text(mean.share if share is None else share), *worth]

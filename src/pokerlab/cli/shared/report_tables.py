"""Tables of reports: what cards or boards are worth to both players, and what is done there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from pokerlab.pictures.tables import number_text, percent_text

if TYPE_CHECKING:
    from rich.console import Console

_SEATS = ("oop", "ip")


class ReportRow(Protocol):
    """A row of a report: a card, a board, or several of them together."""

    @property
    def name(self) -> str:
        """What stands in front."""

    @property
    def weight(self) -> float:
        """How often it comes."""

    @property
    def ev(self) -> Sequence[float | None]:
        """Of both players, in chips."""

    @property
    def equity(self) -> Sequence[float | None]:
        """Of both players."""

    @property
    def realisation(self) -> Sequence[float | None]:
        """What of its equity each player gets."""

    @property
    def frequencies(self) -> Sequence[float | None]:
        """How often each action is taken."""

    @property
    def action_ev(self) -> Sequence[float | None]:
        """What each action earns."""


def print_report_rows(
    console: Console,
    actions: Sequence[str],
    rows: Sequence[ReportRow],
    mean: ReportRow,
    heading: str,
) -> None:
    """Two tables, so that they fit a narrow screen: what rows are worth, and what is done."""
    from rich.table import Table

    def table(columns: Sequence[str], cells: Callable[[ReportRow], Sequence[str]]) -> None:
        made = Table(box=None, pad_edge=False)
        for name in (heading, *columns):
            made.add_column(name, justify="left" if name == heading else "right", no_wrap=True)
        for row in rows:
            made.add_row(row.name, *cells(row))
        made.add_section()
        made.add_row(mean.name, *cells(mean), style="bold")
        console.print(made)

    table(
        ("often", *(name for seat in _SEATS for name in (f"{seat} EV", "equity", "realised"))),
        lambda row: (
            percent_text(row.weight),
            *(
                text
                for seat in range(2)
                for text in (
                    number_text(row.ev[seat]),
                    percent_text(row.equity[seat]),
                    percent_text(row.realisation[seat]),
                )
            ),
        ),
    )
    if actions:
        console.print()
        table(
            [name for action in actions for name in (action, "EV")],
            lambda row: [
                text
                for share, ev in zip(row.frequencies, row.action_ev, strict=True)
                for text in (percent_text(share), number_text(ev))
            ],
        )

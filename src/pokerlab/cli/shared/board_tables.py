"""What people see of a report over boards: boards, classes of flops, two batches, explanations."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

from pokerlab.cli.shared.output import bold
from pokerlab.cli.shared.report_tables import print_report_rows
from pokerlab.pictures.tables import number_text, percent_text

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.batches import BatchComparison, BoardReport, Explanation

_SEATS = ("oop", "ip")
_FEW = 100
_FEATURE_WORDS = {
    "high": "the high card",
    "pairing": "pairs",
    "suits": "suits",
    "connectedness": "connectedness",
    "broadways": "the number of cards from ten up",
}


def print_title(console: Console, folder: Path, report: BoardReport, hands: str | None) -> None:
    """Say what is reported, and which boards are left out."""
    boards = f"{len(report.boards):,} board{'' if len(report.boards) == 1 else 's'}"
    after = f" after {report.line}" if report.line else ""
    console.print(bold(str(folder)), f", {boards}{after}, {_SEATS[report.player]} acts", sep="")
    if hands is not None:
        console.print(f"only {hands}", style="dim")
    if report.left_out:
        named = ", ".join(report.left_out[:3])
        more = ", …" if len(report.left_out) > 3 else ""
        console.print(
            f"without {len(report.left_out):,} that have no such line: {named}{more}", style="dim"
        )
    if report.unsolved:
        console.print(f"without {report.unsolved:,} that are not solved", style="dim")
    console.print()


def print_boards(console: Console, report: BoardReport, shown: str, limit: int | None) -> None:
    """A picture of a column by high and middle card, the first boards, and the mean."""
    from pokerlab.batches.report_data import BoardLine, board_lines
    from pokerlab.cli.shared.card_picture import FlopPicture

    numbers = report.by_two_cards(shown)
    if numbers:
        console.print(f"{shown.replace('_', ' ')} by high card (down) and middle card (across):")
        console.print(FlopPicture(numbers, percent=report.is_share(shown)))
        console.print()
    rows = board_lines(report, limit)
    print_report_rows(console, report.actions, rows, BoardLine.of("mean", report.mean()), "board")
    if len(report.boards) > len(rows):
        console.print(f"{len(report.boards) - len(rows):,} more; --all lists them", style="dim")


def print_comparison(
    console: Console, comparison: BatchComparison, shown: str, limit: int | None
) -> None:
    """The means of two batches, and the boards where a column changes most."""
    import numpy as np
    from rich.table import Table

    both, share = len(comparison.first.boards), comparison.first.is_share(shown)
    if comparison.only_first or comparison.only_second:
        console.print(
            f"{both:,} boards are in both batches; only in the first {comparison.only_first:,}, "
            f"only in the second {comparison.only_second:,}",
            style="dim",
        )
    means = [each.mean().numbers() for each in (comparison.first, comparison.second)]
    table = Table(box=None, pad_edge=False)
    for heading in ("mean", "first", "second", "change"):
        table.add_column(heading, justify="left" if heading == "mean" else "right", no_wrap=True)
    for name in dict.fromkeys((*means[0], *means[1])):
        if name != "weight":
            table.add_row(
                name.replace("_", " "),
                *_three(*(mean.get(name) for mean in means), share=_is_share_in(comparison, name)),
            )
    console.print(table)
    console.print()
    changes = comparison.change(shown)
    order = np.argsort(-np.abs(np.nan_to_num(changes)), kind="stable")[:limit]
    table = Table(box=None, pad_edge=False)
    for heading in ("board", "first", "second", "change"):
        table.add_column(heading, justify="left" if heading == "board" else "right", no_wrap=True)
    sides = [
        report.numbers().get(shown, np.zeros(both))
        for report in (comparison.first, comparison.second)
    ]
    for place in order.tolist():
        values = [None if math.isnan(side[place]) else float(side[place]) for side in sides]
        table.add_row(comparison.first.boards[place], *_three(*values, share=share))
    console.print(f"{shown.replace('_', ' ')}, the largest changes first:")
    console.print(table)


def _is_share_in(comparison: BatchComparison, name: str) -> bool:
    return any(report.is_share(name) for report in (comparison.first, comparison.second))


def _three(first: float | None, second: float | None, *, share: bool) -> tuple[str, str, str]:
    text = percent_text if share else number_text
    if first is None or second is None:
        return text(first), text(second), "–"
    change = second - first
    return text(first), text(second), f"{100 * change:+.1f}" if share else f"{change:+,.2f}"


def print_explanation(console: Console, explanation: Explanation, *, share: bool) -> None:
    """What explains a column, in words, and the classes of flops."""
    from rich.table import Table

    text = percent_text if share else number_text
    spread = f"{100 * explanation.spread:.1f} points" if share else number_text(explanation.spread)
    name = explanation.column.replace("_", " ")
    (best, most), *others = explanation.alone.items()
    rest = ", ".join(f"{_FEATURE_WORDS[feature]} {part:.0%}" for feature, part in others)
    console.print(
        f"{name} is {text(explanation.mean)} on average; boards differ from that by {spread} "
        f"(standard deviation). {_FEATURE_WORDS[best].capitalize()} alone explains {most:.0%} of "
        f"the differences (R²); alone, {rest}; all of them together, their effects added up, "
        f"{explanation.together:.0%}. These classes of flops explain {explanation.by_classes:.0%}:"
    )
    if explanation.boards < _FEW:
        console.print(f"(on {explanation.boards} boards: a part of it is chance)", style="dim")
    table = Table(box=None, pad_edge=False)
    for heading in ("flops", "boards", "often", name):
        table.add_column(heading, justify="left" if heading == "flops" else "right", no_wrap=True)
    for flops in explanation.classes:
        cells = (f"{flops.boards:,}", percent_text(flops.share), text(flops.mean))
        table.add_row(flops.text, *cells)
    console.print(table)

"""Reports over boards on the terminal: boards, classes of flops, two batches, explanations."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pokerlab.cli.shared.output import bold
from pokerlab.pictures.tables import number_text, percent_text
from pokerlab.views import Table

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.batches import BatchComparison, Explanation
    from pokerlab.postflop.answer.line_report import LineReport

_SEATS = ("oop", "ip")
_FEW = 100
_FEATURE_WORDS = {
    "high": "the high card",
    "pairing": "pairs",
    "suits": "suits",
    "connectedness": "connectedness",
    "broadways": "the number of cards from ten up",
}


def print_title(console: Console, folder: Path, report: LineReport, hands: str | None) -> None:
    """Print the title of a report, and the boards that are left out."""
    boards = f"{len(report.names):,} board{'' if len(report.names) == 1 else 's'}"
    after = f" after {report.line}" if report.line else ""
    console.print(
        bold(str(folder)), f", {boards}{after}, {_SEATS[report.player or 0]} acts", sep=""
    )
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


def print_flops(console: Console, report: LineReport, shown: str) -> None:
    """A picture of a column by high and middle card."""
    from pokerlab.cli.shared.card_picture import FlopPicture
    from pokerlab.views.report_picture import two_ranks

    means = report.means_by(two_ranks, shown)
    numbers = {ranks: number for ranks, number in means.items() if number is not None}
    if numbers:
        console.print(f"{shown.replace('_', ' ')} by high card (down) and middle card (across):")
        console.print(FlopPicture(numbers, percent=report.is_share(shown)))
        console.print()


def print_comparison(
    console: Console, comparison: BatchComparison, shown: str, limit: int | None
) -> None:
    """The means of two batches, and the boards where a column changes most."""
    import numpy as np

    reports = comparison.first, comparison.second
    both = len(comparison.first.names)
    if comparison.only_first or comparison.only_second:
        console.print(
            f"{both:,} boards are in both batches; only in the first {comparison.only_first:,}, "
            f"only in the second {comparison.only_second:,}",
            style="dim",
        )
    means = [each.numbers([each.mean()]) for each in reports]
    heads = dict.fromkeys(("first", "second", "change"), "chips")
    rows = [
        (
            name.replace("_", " "),
            *_three(
                *(mean.get(name, [None])[0] for mean in means),
                share=any(each.is_share(name) for each in reports),
            ),
        )
        for name in dict.fromkeys((*means[0], *means[1]))
        if name != "weight"
    ]
    console.print(Table({"mean": "name", **heads}, rows))
    console.print()
    changes = comparison.change(shown)
    order = np.argsort(-np.abs(np.nan_to_num(changes)), kind="stable")[:limit]
    sides = [each.numbers(each.rows).get(shown, [0.0] * both) for each in reports]
    share = comparison.first.is_share(shown)
    rows = [
        (comparison.first.names[place], *_three(sides[0][place], sides[1][place], share=share))
        for place in order.tolist()
    ]
    console.print(f"{shown.replace('_', ' ')}, the largest changes first:")
    console.print(Table({"board": "name", **heads}, rows))


def _three(first: float | None, second: float | None, *, share: bool) -> tuple[str, str, str]:
    text = percent_text if share else number_text
    if first is None or second is None:
        return text(first), text(second), "–"
    change = second - first
    return text(first), text(second), f"{100 * change:+.1f}" if share else f"{change:+,.2f}"


def print_explanation(console: Console, explanation: Explanation, *, share: bool) -> None:
    """The explanation of a column, in words, and the classes of flops."""
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
    kind = "share" if share else "chips"
    columns = {"flops": "name", "boards": "count", "often": "share", name: kind}
    rows = ((each.text, each.boards, each.share, each.mean) for each in explanation.classes)
    console.print(Table(columns, rows))

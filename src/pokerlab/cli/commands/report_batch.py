"""`pokerlab report FOLDER`: one line on all boards of a batch."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pokerlab.cli.shared.board_tables import (
    print_boards,
    print_comparison,
    print_explanation,
    print_title,
)
from pokerlab.cli.shared.compiling import announce_compiling
from pokerlab.cli.shared.counting import counting_progress
from pokerlab.cli.shared.files import save_bytes, saving
from pokerlab.cli.shared.hand_tables import part_columns, print_parts
from pokerlab.cli.shared.output import emit
from pokerlab.cli.shared.report_tables import print_report_rows

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.batches import BatchComparison, BoardReport, BoardsMean
    from pokerlab.postflop.answer.export import HandRow

_SEATS = ("oop", "ip")


@dataclass(frozen=True, kw_only=True)
class BatchChoice:
    """What to show of a batch; the options of the command say more."""

    hands: str | None = None
    by: str | None = None
    flops: str | None = None
    where: str | None = None
    group: str | None = None
    sort: str | None = None
    show: str = "ev"
    explain: bool = False
    against: Path | None = None
    against_line: str | None = None
    limit: int | None = 20
    csv: Path | None = None
    parquet: Path | None = None
    figure: Path | None = None


def report_batch(folder: Path, line: str, choice: BatchChoice, *, as_json: bool) -> None:
    """Report a line on all boards of a batch."""
    from pokerlab.batches import compare_reports, explain
    from pokerlab.batches.report_data import BoardLine, boards_data, mean_data

    if choice.by is not None and choice.group is not None:
        raise ValueError("--group and --by: give one or the other")
    line, choice = _named(folder, line, choice)
    report = _collect(folder, line, choice, quiet=as_json)
    shown = report.column_name(choice.show)
    groups = _groups(report, choice)
    comparison = None
    if choice.against is not None:
        other_line = line if choice.against_line is None else choice.against_line
        other = _collect(choice.against, other_line, BatchChoice(hands=choice.hands), quiet=as_json)
        comparison = compare_reports(report, other)
    explanation = explain(report, shown) if choice.explain else None
    parts = _parts(folder, report, choice, quiet=as_json)
    files = _write(report, groups, parts, shown, choice)
    data = {
        "line": report.line,
        "player": _SEATS[report.player],
        "seat": report.player,
        "actions": list(report.actions),
        "rows": boards_data(report),
        "groups": [{"flops": name, **mean_data(mean)} for name, mean in groups.items()],
        "mean": mean_data(report.mean()),
        "left_out": list(report.left_out),
        "unsolved": report.unsolved,
        "explanation": None if explanation is None else asdict(explanation),
        "against": None if comparison is None else _json_comparison(comparison, shown),
        "by": choice.by,
        "parts": {part.name: part.to_json() for part in parts},
        "files": files,
    }

    def render(console: Console) -> None:
        for name in files:
            console.out(f"wrote {name}")
        if files:
            return
        print_title(console, folder, report, choice.hands)
        if not report.shares.any():
            console.print("nobody plays this line")
            return
        if choice.by is not None:
            print_parts(console, report.actions, choice.by, parts)
        elif comparison is not None:
            print_comparison(console, comparison, shown, choice.limit)
        elif groups:
            rows = [BoardLine.of(name, mean) for name, mean in groups.items()]
            mean = BoardLine.of("all", report.mean())
            print_report_rows(console, report.actions, rows, mean, "flops")
        elif explanation is None:
            print_boards(console, report, shown, choice.limit)
        if explanation is not None:
            print_explanation(console, explanation, share=report.is_share(shown))

    emit(data, render, as_json=as_json)


def _named(folder: Path, line: str, choice: BatchChoice) -> tuple[str, BatchChoice]:
    """The line to report, past forced actions if none is given, and sizes in percent by name."""
    from pokerlab.batches import load_batch
    from pokerlab.postflop.answer.report_lines import first_choice, name_sizes

    batch = load_batch(folder)
    solved = (board for board in batch.question.boards if batch.row(board) is not None)
    board = next(solved, None)
    if board is None:
        return line, choice
    spot = batch.question.spot(board)
    line = line if line.strip() else str(first_choice(spot))
    sort, where = (
        None if text is None else name_sizes(spot, line, text)
        for text in (choice.sort, choice.where)
    )
    show = name_sizes(spot, line, choice.show)
    return line, replace(choice, show=show, sort=sort, where=where)


def _collect(folder: Path, line: str, choice: BatchChoice, *, quiet: bool) -> BoardReport:
    from pokerlab.batches import load_batch, report_boards

    batch = load_batch(folder)
    boards = len(batch.question.boards)
    with (
        announce_compiling(quiet=quiet),
        counting_progress(boards, "boards", quiet=quiet) as progress,
    ):
        report = report_boards(batch, line, choice.hands, lambda done, _: progress(done))
    if choice.flops is not None:
        report = report.of_texture(choice.flops)
    if choice.where is not None:
        report = report.where(choice.where)
    return report if choice.sort is None else report.sorted_by(choice.sort)


def _parts(folder: Path, report: BoardReport, choice: BatchChoice, *, quiet: bool) -> list[HandRow]:
    from pokerlab.batches import break_down_boards, load_batch

    if choice.by is None:
        return []
    chosen = set(report.boards)
    with (
        announce_compiling(quiet=quiet),
        counting_progress(len(chosen), "boards", quiet=quiet) as progress,
    ):
        return break_down_boards(
            load_batch(folder),
            report.line,
            choice.by,
            choice.hands,
            boards=chosen,
            actions=report.actions,
            report=lambda done, _: progress(done),
        )


def _groups(report: BoardReport, choice: BatchChoice) -> dict[str, BoardsMean]:
    if choice.group is None:
        return {}
    from pokerlab.batches.report_data import grouped_by

    groups = grouped_by(report, choice.group)
    if choice.sort is None:
        return groups
    name, _, direction = choice.sort.partition(" ")
    column = report.column_name(name)
    sign = 1 if direction.strip() == "asc" else -1

    def place(mean: BoardsMean) -> tuple[bool, float]:
        value = mean.numbers()[column]
        return value is None, 0.0 if value is None else sign * value

    return dict(sorted(groups.items(), key=lambda each: place(each[1])))


def _write(
    report: BoardReport,
    groups: dict[str, BoardsMean],
    parts: list[HandRow],
    shown: str,
    choice: BatchChoice,
) -> list[str]:
    from pokerlab.batches.report_data import group_columns
    from pokerlab.files.columns import write_csv, write_parquet

    columns = group_columns(groups) if groups else report.table()
    if choice.by is not None:
        columns = part_columns(report.actions, choice.by, parts)
    files = []
    # Parquet first: where its package is missing, nothing at all is written.
    for option, path, write in (
        ("--parquet", choice.parquet, write_parquet),
        ("--csv", choice.csv, write_csv),
    ):
        if path is not None:
            with saving(path, option):
                write(columns, path)
            files.append(str(path))
    if choice.figure is not None:
        save_bytes(choice.figure, _figure(report, shown, choice.figure), "--figure")
        files.append(str(choice.figure))
    return files


def _figure(report: BoardReport, shown: str, path: Path) -> bytes:
    from pokerlab.cards.codes import parse_cards
    from pokerlab.reports.flop_figure import draw_flop_map

    if any(len(board) > 6 for board in report.boards):
        raise ValueError("--figure: a map shows flops, and some boards of this batch have a turn")
    numbers = zip(report.boards, report.column(shown).tolist(), strict=True)
    return draw_flop_map(
        {parse_cards(board): number for board, number in numbers if not math.isnan(number)},
        title=f"{shown.replace('_', ' ')}{f' after {report.line}' if report.line else ''}",
        percent=report.is_share(shown),
        kind=path.suffix.lower().lstrip("."),
    )


def _json_comparison(comparison: BatchComparison, shown: str) -> dict[str, Any]:
    from pokerlab.batches.report_data import mean_data

    changes = comparison.change(shown).tolist()
    return {
        "first": mean_data(comparison.first.mean()),
        "second": mean_data(comparison.second.mean()),
        "only_first": comparison.only_first,
        "only_second": comparison.only_second,
        "show": shown,
        "changes": {
            board: None if math.isnan(change) else change
            for board, change in zip(comparison.first.boards, changes, strict=True)
        },
    }

"""`pokerlab report FOLDER`: one line on all boards of a batch."""

from __future__ import annotations

import math
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pokerlab.cli.progress.compiling import announce_compiling
from pokerlab.cli.progress.counting import counting_progress
from pokerlab.cli.tables.board_tables import (
    print_comparison,
    print_explanation,
    print_flops,
    print_title,
)
from pokerlab.cli.tables.hand_tables import print_parts
from pokerlab.cli.tables.report_choice import ReportChoice, emit_unless_written
from pokerlab.runtime.errors import source_named

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.holdem.batches import BatchComparison
    from pokerlab.holdem.spots.reports.export import HandRow
    from pokerlab.holdem.spots.reports.line_report import LineReport

_SEATS = ("oop", "ip")


def report_batch(folder: Path, line: str, choice: ReportChoice, *, as_json: bool) -> None:
    """Report a line on all boards of a batch."""
    from pokerlab.holdem.batches import compare_reports, explain
    from pokerlab.views.report_tables import boards_data, groups_data, mean_data

    if choice.by is not None and choice.group is not None:
        raise ValueError("--group and --by: give one or the other")
    line, choice = _named(folder, line, choice)
    report, groups = choice.ordered(_collect(folder, line, choice, quiet=as_json))
    with source_named("show"):
        shown = report.column_name(choice.show)
    comparison = None
    if choice.against is not None:
        other_line = line if choice.against_line is None else choice.against_line
        other = _collect(
            choice.against, other_line, ReportChoice(hands=choice.hands), quiet=as_json
        )
        comparison = compare_reports(report, other)
    explanation = explain(report, shown) if choice.explain else None
    parts = _parts(folder, report, choice, quiet=as_json)
    files = choice.write(report, groups, parts, lambda kind: _figure(report, shown, kind))
    player = report.player or 0
    data = {
        "line": report.line,
        "player": _SEATS[player],
        "seat": player,
        "actions": list(report.actions),
        "rows": boards_data(report),
        "groups": groups_data(report, groups),
        "mean": mean_data(report, report.mean()),
        "left_out": list(report.left_out),
        "unsolved": report.unsolved,
        "explanation": None if explanation is None else asdict(explanation),
        "against": None if comparison is None else _json_comparison(comparison, shown),
        "by": choice.named_by,
        "parts": {part.name: part.to_json() for part in parts},
        "files": files,
    }

    def render(console: Console) -> None:
        print_title(console, folder, report, choice.hands)
        if not report.shares.any():
            console.print("nobody plays this line")
            return
        if choice.by is not None:
            print_parts(console, report.actions, choice.by, parts)
        elif comparison is not None:
            print_comparison(console, comparison, shown, choice.limit)
        elif groups:
            replace(choice, limit=None).print_rows(console, report, groups, "flops")
        elif explanation is None:
            print_flops(console, report, shown)
            choice.print_rows(console, report, report.rows, "board", "mean")
        if explanation is not None:
            print_explanation(console, explanation, share=report.is_share(shown))

    emit_unless_written(data, render, files, as_json=as_json)


def _named(folder: Path, line: str, choice: ReportChoice) -> tuple[str, ReportChoice]:
    """The line to report, past forced actions if none is given, and sizes in percent by name."""
    from pokerlab.holdem.batches import load_batch
    from pokerlab.holdem.spots.reports.report_lines import first_choice, name_sizes

    batch = load_batch(folder)
    solved = (board for board in batch.question.boards if batch.row(board) is not None)
    board = next(solved, None)
    if board is None:
        return line, choice
    spot = batch.question.spot(board)
    line = line if line.strip() else str(first_choice(spot))
    return line, choice.named(lambda text: name_sizes(spot, line, text))


def _collect(folder: Path, line: str, choice: ReportChoice, *, quiet: bool) -> LineReport:
    from pokerlab.holdem.batches import load_batch, report_boards

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


def _parts(folder: Path, report: LineReport, choice: ReportChoice, *, quiet: bool) -> list[HandRow]:
    from pokerlab.holdem.batches import break_down_boards, load_batch

    if choice.by is None:
        return []
    chosen = set(report.names)
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


def _figure(report: LineReport, shown: str, kind: str) -> bytes:
    from pokerlab.cards.codes import parse_cards
    from pokerlab.views.flop_figure import draw_flop_map

    if any(len(board) > 6 for board in report.names):
        raise ValueError("--figure: a map shows flops, and some boards of this batch have a turn")
    numbers = zip(report.names, report.column(shown).tolist(), strict=True)
    return draw_flop_map(
        {parse_cards(board): number for board, number in numbers if not math.isnan(number)},
        title=f"{shown.replace('_', ' ')}{f' after {report.line}' if report.line else ''}",
        percent=report.is_share(shown),
        kind=kind,
    )


def _json_comparison(comparison: BatchComparison, shown: str) -> dict[str, Any]:
    from pokerlab.views.report_tables import mean_data

    changes = comparison.change(shown).tolist()
    return {
        "first": mean_data(comparison.first, comparison.first.mean()),
        "second": mean_data(comparison.second, comparison.second.mean()),
        "only_first": comparison.only_first,
        "only_second": comparison.only_second,
        "show": shown,
        "changes": {
            board: None if math.isnan(change) else change
            for board, change in zip(comparison.first.names, changes, strict=True)
        },
    }

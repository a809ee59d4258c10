"""`pokerlab report`: a line on all cards that may come, or on all boards of a batch."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pokerlab.cli.commands.report_batch import BatchChoice, report_batch
from pokerlab.cli.shared import options
from pokerlab.cli.shared.bounds import bounded
from pokerlab.cli.shared.compiling import announce_compiling
from pokerlab.cli.shared.files import (
    check_distinct,
    check_output,
    check_picture,
    is_postflop,
    save_bytes,
    saving,
)
from pokerlab.cli.shared.hand_tables import By, HandsFilter, part_columns, print_parts
from pokerlab.cli.shared.output import bold, emit
from pokerlab.cli.shared.report_tables import print_report_rows

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.postflop import PostflopSolution, Spot
    from pokerlab.postflop.answer.run_outs import RunOutReport, RunOutRow

_SEATS = ("oop", "ip")
_BATCHES = options.OnlyFor("batches")


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("report")(_report)


def _report(
    context: typer.Context,
    file: Annotated[Path, "The solution of a flop or a turn, or the folder of a batch."],
    line: Annotated[
        str,
        typer.Argument(
            help="A line. Leave out a card to see all cards there: x/x, x/x/b50, or an all-in that "
            "is called; both players check if no line is given. In a batch, a decision, for "
            "example x/b50; the first one if no line is given."
        ),
    ] = "",
    cards: Annotated[
        int | None,
        "How many cards to run through, if one more than the line leaves out: both "
        "players check between them.",
        bounded(1, 2),
        options.OnlyFor("solutions"),
    ] = None,
    hands: HandsFilter = None,
    group: Annotated[
        str | None,
        "Put cards together by rank, suit, or completes: pairs the board, flush, "
        "straight, overcard, blank. In a batch, flops by high, pairing, suits, connectedness, "
        "broadways, or several: suits,pairing.",
    ] = None,
    by: By = None,
    sort: Annotated[
        str | None,
        "Order: weight, oop_ev, ip_ev, oop_equity, oop_realisation, …, an action, for "
        "example b120 or b50%, or its EV, b120_ev; ev is that of the player to act. The "
        "largest first, or 'ev asc'.",
    ] = None,
    show: Annotated[str, "What the picture of the cards shows: a name as for --sort."] = "ev",
    flops: Annotated[
        str | None, "Only flops of this texture: 'monotone, A-high paired'.", _BATCHES
    ] = None,
    where: Annotated[
        str | None,
        "Only boards for which this holds: 'b33 > 50% and ev < 20', names as for --sort.",
        _BATCHES,
    ] = None,
    explain: Annotated[
        bool,
        "Say what explains that the --show column differs from flop to flop.",
        _BATCHES,
        options.NotWith("--by"),
    ] = False,
    against: Annotated[
        Path | None,
        typer.Option(
            "--against",
            help="Beside another batch: what its menus, ranges or locks change.",
            metavar="FOLDER",
        ),
        _BATCHES,
        options.NotWith("--by"),
    ] = None,
    against_line: Annotated[
        str | None,
        typer.Option(
            "--against-line",
            help="The line there, if it has another name, for example with other bet sizes.",
            metavar="LINE",
        ),
        _BATCHES,
        options.Needs("--against"),
    ] = None,
    top: options.Top = 20,
    everything: options.Everything = False,
    csv: options.Csv = None,
    parquet: options.Parquet = None,
    figure: Annotated[options.Figure, "A heat map."] = None,
    as_json: options.Json = False,
) -> None:
    """Show which run-outs are good for whom: how often they come, EV, equity, and the actions.

    For a batch, an aggregate report: how a line is played on all flops.
    """
    from pokerlab.postflop.answer.report_lines import name_sizes
    from pokerlab.postflop.answer.report_payload import report_payload, row_payload
    from pokerlab.postflop.answer.run_out_breakdown import break_down_run_outs
    from pokerlab.postflop.answer.run_out_groups import (
        column_named,
        group_run_outs,
        mean_run_out,
        sort_run_outs,
    )
    from pokerlab.postflop.answer.run_outs import report_run_outs

    check_output(csv, "--csv")
    check_output(parquet, "--parquet")
    check_picture(figure, "--figure")
    check_distinct({"--csv": csv, "--parquet": parquet, "--figure": figure}, [file])
    options.check_options(context, "batches" if file.is_dir() else "solutions")
    if file.is_dir():
        choice = BatchChoice(
            hands=hands,
            by=by,
            flops=flops,
            where=where,
            group=group,
            sort=sort,
            show=show,
            explain=explain,
            against=against,
            against_line=against_line,
            limit=None if everything else top,
            csv=csv,
            parquet=parquet,
            figure=figure,
        )
        report_batch(file, line, choice, as_json=as_json)
        return
    with announce_compiling(quiet=as_json):
        solution = _load(file)
        spot = solution.spot
        line = _line(spot, line, cards)
        show = name_sizes(spot, line, show)
        sort = None if sort is None else name_sizes(spot, line, sort)
        report = report_run_outs(solution, line, cards=cards, hands=hands)
        parts = (
            None
            if by is None
            else break_down_run_outs(solution, line, by, cards=cards, hands=hands)
        )
    shown = column_named(report, show, "show")
    rows = list(report.rows) if group is None else group_run_outs(report, group)
    if sort is not None:
        rows = sort_run_outs(report, rows, sort)
    mean = mean_run_out(report)
    table = report.columns(rows)
    if by is not None:
        table = part_columns(report.actions, by, parts or [])
    files = _write(report, table, shown, csv, parquet, figure)
    data = report_payload(report)
    if group is None:
        data["rows"] = [row_payload(report, row) for row in rows]
    data |= {
        "groups": [row_payload(report, row) for row in rows] if group else [],
        "by": by,
        "parts": {part.name: part.to_json() for part in parts or ()},
        "files": files,
    }

    def render(console: Console) -> None:
        for name in files:
            console.out(f"wrote {name}")
        if files:
            return
        _print_title(console, report, _shown_line(spot, line, cards), hands)
        if not mean.weight:
            console.print("nobody plays this line")
            return
        console.print()
        console.print(f"{shown.replace('_', ' ')}, by card:")
        console.print(_picture(report, shown))
        console.print()
        if by is not None and parts is not None:
            print_parts(console, report.actions, by, parts)
            return
        listed = rows if everything else rows[:top]
        print_report_rows(console, report.actions, listed, mean, group or "card")
        if not everything and len(rows) > top:
            console.print(f"{len(rows) - top:,} more; --all lists them", style="dim")

    emit(data, render, as_json=as_json)


def _load(path: Path) -> PostflopSolution:
    from pokerlab.postflop import load_postflop
    from pokerlab.solvers import load_solution

    if not is_postflop(path):
        game = load_solution(path).game
        raise ValueError(f"{path} is a solution of {game}: reports are for solutions of spots only")
    return load_postflop(path)


def _line(spot: Spot, line: str, cards: int | None) -> str:
    """The line to report: if none is given, both players check; a forced action is taken."""
    from pokerlab.postflop.answer.report_lines import calm_line, first_choice
    from pokerlab.postflop.tree.betting_tree import EdgeKind

    if not line.strip():
        checked = calm_line(spot)
        if checked is None:
            raise ValueError("no card comes in this spot: reports are for flops and turns")
        line = str(checked)
    place = spot.find(line)
    left_out = place.cards.count(-1) + 1
    if place.kind == EdgeKind.NEXT_STREET and cards in (None, left_out):
        return str(first_choice(spot, line))
    return line


def _shown_line(spot: Spot, line: str, cards: int | None) -> str:
    from pokerlab.postflop.answer.report_lines import card_line
    from pokerlab.postflop.tree.betting_tree import EdgeKind

    if cards is not None and spot.find(line).kind == EdgeKind.NEXT_STREET:
        between = "/x/x" * (cards - card_line(spot, line).count("(card)"))
        line += between
    return card_line(spot, line, cards or 1)


def _board(report: RunOutReport) -> str:
    from pokerlab.cards.codes import format_cards

    return format_cards(report.board)


def _write(
    report: RunOutReport,
    table: dict[str, list[Any]],
    shown: str,
    csv: Path | None,
    parquet: Path | None,
    figure: Path | None,
) -> list[str]:
    from pokerlab.files.columns import write_csv, write_parquet

    files = []
    # Parquet first: where its package is missing, nothing at all is written.
    for option, path, write in (("--parquet", parquet, write_parquet), ("--csv", csv, write_csv)):
        if path is not None:
            with saving(path, option):
                write(table, path)
            files.append(str(path))
    if figure is not None:
        from pokerlab.reports.run_out_figure import draw_card_map

        picture = draw_card_map(
            _by_card(report, shown),
            title=f"{_board(report)} {report.line}: {shown.replace('_', ' ')}",
            percent=_is_share(report, shown),
            kind=figure.suffix.lower().lstrip("."),
        )
        save_bytes(figure, picture, "--figure")
        files.append(str(figure))
    return files


def _is_share(report: RunOutReport, column: str) -> bool:
    return column in report.actions or column.endswith(("weight", "equity", "realisation"))


def _by_card(report: RunOutReport, column: str) -> dict[int, float | None]:
    """A column by the first card that comes; several run-outs of a card are taken together."""
    from pokerlab.cards.codes import parse_card
    from pokerlab.postflop.answer.run_out_groups import mean_run_out

    together: dict[str, list[RunOutRow]] = {}
    for row in report.rows:
        together.setdefault(row.name[:2], []).append(row)
    rows = [mean_run_out(report, some, name) for name, some in together.items()]
    numbers = report.columns(rows)[column]
    return {parse_card(row.name): number for row, number in zip(rows, numbers, strict=True)}


def _picture(report: RunOutReport, column: str) -> Any:
    from pokerlab.cli.shared.card_picture import CardPicture

    return CardPicture(_by_card(report, column), percent=_is_share(report, column))


def _print_title(console: Console, report: RunOutReport, line: str, hands: str | None) -> None:
    from pokerlab.cards.codes import format_cards

    board = format_cards(report.board, separator=" ", symbols=True)
    acts = "nobody acts" if report.player is None else f"{_SEATS[report.player]} acts"
    console.print(bold(board), f" after {line}, {acts}, pot {report.pot:,}")
    if hands is not None:
        console.print(f"only {hands}", style="dim")

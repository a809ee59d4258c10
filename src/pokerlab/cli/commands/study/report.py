"""`pokerlab report`: a line on all cards that may come, or on all boards of a batch."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pokerlab.cli.commands.study.report_batch import report_batch
from pokerlab.cli.options import declared as options
from pokerlab.cli.options.bounds import bounded
from pokerlab.cli.options.files import (
    check_distinct,
    check_output,
    check_picture,
    is_postflop,
)
from pokerlab.cli.progress.compiling import announce_compiling
from pokerlab.cli.tables.hand_tables import HandsFilter, print_parts
from pokerlab.cli.tables.report_choice import ReportChoice, emit_unless_written
from pokerlab.cli.terminal.output import bold

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.holdem.spots import PostflopSolution, Spot
    from pokerlab.holdem.spots.reports.line_report import LineReport

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
        "straight, overcard, blank. In a batch, boards by high, pairing, suits, connectedness, "
        "broadways, turn, river, or several: suits,pairing.",
    ] = None,
    by: Annotated[
        str | None,
        "Break the range down by made (made hands), draws, equity (tenths), or class (AKs). Or by "
        "texture, the cards or boards: pairs the board, completes a flush, brings a flush draw, "
        "completes a straight, overcard, blank; flops by suits and pairs.",
    ] = None,
    sort: Annotated[
        str | None,
        "Order: weight, oop_ev, ip_ev, oop_equity, oop_realisation, …, an action, for "
        "example b120 or b50%, or its EV, b120_ev; ev is that of the player to act. The "
        "largest first, or 'ev asc'.",
    ] = None,
    show: Annotated[str, "What the picture of the cards shows: a name as for --sort."] = "ev",
    flops: Annotated[
        str | None,
        "Only boards of this texture: 'monotone, A-high paired', 'blank-turn'.",
        _BATCHES,
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
    check_output(csv, "--csv")
    check_output(parquet, "--parquet")
    check_picture(figure, "--figure")
    check_distinct({"--csv": csv, "--parquet": parquet, "--figure": figure}, [file])
    options.check_options(context, "batches" if file.is_dir() else "solutions")
    if by is not None and by.strip().lower() == "texture":
        if group is not None:
            raise ValueError("--group and --by texture: give one or the other")
        by, group = None, "texture"
    choice = ReportChoice(
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
    if file.is_dir():
        report_batch(file, line, choice, as_json=as_json)
        return
    _report_cards(file, line, cards, choice, as_json=as_json)


def _report_cards(
    file: Path, line: str, cards: int | None, choice: ReportChoice, *, as_json: bool
) -> None:
    from pokerlab.cli.tables.card_picture import CardPicture
    from pokerlab.holdem.spots.reports.report_lines import name_sizes
    from pokerlab.holdem.spots.reports.run_out_breakdown import break_down_run_outs
    from pokerlab.holdem.spots.reports.run_outs import report_run_outs
    from pokerlab.runtime.errors import source_named
    from pokerlab.views.report_tables import report_data, row_data

    hands, by = choice.hands, choice.by
    with announce_compiling(quiet=as_json):
        solution = _load(file)
        spot = solution.spot
        line = _line(spot, line, cards)
        choice = choice.named(lambda text: name_sizes(spot, line, text))
        report = report_run_outs(solution, line, cards=cards, hands=hands)
        parts = []
        if by is not None:
            parts = break_down_run_outs(solution, line, by, cards=cards, hands=hands)
    with source_named("show"):
        shown = report.column_name(choice.show)
    report, groups = choice.ordered(report)
    files = choice.write(report, groups, parts, lambda kind: _figure(report, shown, kind))
    data = report_data(report) | {
        "groups": [row_data(report, row) for row in groups],
        "by": choice.named_by,
        "parts": {part.name: part.to_json() for part in parts},
        "files": files,
        "runouts": spot.runouts,
    }

    def render(console: Console) -> None:
        _print_title(console, report, _shown_line(spot, line, cards), hands)
        if spot.runouts is not None:
            console.print(f"solved on {spot.runouts} run-outs: other cards are not solved")
        if not report.shares.any():
            console.print("nobody plays this line")
            return
        console.print()
        console.print(f"{shown.replace('_', ' ')}, by card:")
        console.print(CardPicture(_by_card(report, shown), percent=report.is_share(shown)))
        console.print()
        if by is not None:
            print_parts(console, report.actions, by, parts)
        else:
            choice.print_rows(console, report, groups or report.rows, choice.group or "card")

    emit_unless_written(data, render, files, as_json=as_json)


def _load(path: Path) -> PostflopSolution:
    from pokerlab.holdem.spots import load_postflop
    from pokerlab.solvers import load_solution

    if not is_postflop(path):
        game = load_solution(path).game
        raise ValueError(f"{path} is a solution of {game}: reports are for solutions of spots only")
    return load_postflop(path)


def _line(spot: Spot, line: str, cards: int | None) -> str:
    """The line to report: if none is given, both players check; a forced action is taken."""
    from pokerlab.games.betting_trees.betting_tree import EdgeKind
    from pokerlab.holdem.spots.reports.report_lines import calm_line, first_choice

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
    from pokerlab.games.betting_trees.betting_tree import EdgeKind
    from pokerlab.holdem.spots.reports.report_lines import card_line

    if cards is not None and spot.find(line).kind == EdgeKind.NEXT_STREET:
        between = "/x/x" * (cards - card_line(spot, line).count("(card)"))
        line += between
    return card_line(spot, line, cards or 1)


def _figure(report: LineReport, shown: str, kind: str) -> bytes:
    from pokerlab.cards.codes import format_cards
    from pokerlab.views.run_out_figure import draw_card_map

    return draw_card_map(
        _by_card(report, shown),
        title=f"{format_cards(report.board)} {report.line}: {shown.replace('_', ' ')}",
        percent=report.is_share(shown),
        kind=kind,
    )


def _by_card(report: LineReport, column: str) -> dict[int, float | None]:
    """A column by the first card that comes; several run-outs of a card are taken together."""
    from pokerlab.cards.codes import parse_card

    return report.means_by(lambda name: parse_card(name[:2]), column)


def _print_title(console: Console, report: LineReport, line: str, hands: str | None) -> None:
    from pokerlab.cards.codes import format_cards

    board = format_cards(report.board, separator=" ", symbols=True)
    acts = "nobody acts" if report.player is None else f"{_SEATS[report.player]} acts"
    console.print(bold(board), f" after {line}, {acts}, pot {report.chips:,}")
    if hands is not None:
        console.print(f"only {hands}", style="dim")

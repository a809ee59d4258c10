"""`pokerlab nolimit library`: flops solved ahead for the no-limit player."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from pokerlab.cli.options import declared as options
from pokerlab.cli.options.bounds import bounded
from pokerlab.cli.progress.compiling import announce_compiling
from pokerlab.cli.progress.counting import counting_progress
from pokerlab.cli.terminal.interruption import CutShortError
from pokerlab.cli.terminal.output import bold, emit
from pokerlab.cli.terminal.plain_text import tell
from pokerlab.runtime.machine import duration_text

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.runtime.files.jobs import JobProgress

_SECONDS_BETWEEN_LINES = 60.0


def register(app: typer.Typer) -> None:
    """Add the group of commands to the application."""
    group = typer.Typer(no_args_is_help=True, help="The no-limit player: flops solved ahead.")
    group.command("library")(_library)
    app.add_typer(group, name="nolimit")


def _library(
    folder: Annotated[Path, "Where the solves are kept: nolimit:library=FOLDER plays from it."],
    stack: Annotated[
        str, typer.Option(help="What each player has, in big blinds.", metavar="BB")
    ] = "200bb",
    lines: Annotated[
        int, "How many lines of the chart to a flop, the likeliest first.", bounded(1, 100)
    ] = 5,
    flops: Annotated[
        str,
        typer.Option(
            help="Flops up to suits: all (1,755), 25, 49, 85 or 184 of them, a list such as"
            " 'AK7r, 987tt', or a file with one.",
            metavar="all|SIZE|LIST|FILE",
        ),
    ] = "25",
    chart: Annotated[Path | None, "A chart in place of those of the package."] = None,
    seconds: Annotated[float, "For each flop.", bounded(0.01, 3600)] = 8.0,
    iterations: Annotated[
        int, "In place of seconds: the same solves on every machine; 0 for none.", bounded(0, 10**6)
    ] = 0,
    device: options.Device = "auto",
    workers: Annotated[int, "Flops at a time, each in a process of its own.", bounded(1, 1024)] = 1,
    threads: Annotated[options.Threads, "Of each flop."] = None,
    ray: options.Ray = None,
    as_json: options.Json = False,
) -> None:
    """Solve flops ahead, for both seats, after the likeliest lines of the chart.

    Killed at any time, the same command goes on; several at once share the work, and more flops,
    lines or stacks may be added to a folder. pokerlab match holdem.nolimit.2p
    nolimit:library=FOLDER caller then plays these flops without solving them.
    """
    from pokerlab.cards.flops import parse_flops
    from pokerlab.engine.device import check_device
    from pokerlab.games import load_betting_game
    from pokerlab.games.betting_trees.chips import read_number
    from pokerlab.players.bots.nolimit.library import fill_library
    from pokerlab.players.bots.nolimit.street import StreetSolver

    check_device(device)
    depth = read_number(stack.strip().lower().removesuffix("bb").rstrip())
    if depth is None or not 5 <= depth <= 250:
        raise ValueError(f"--stack: {stack!r} must be from 5bb to 250bb")
    game = load_betting_game("holdem.nolimit.2p")
    game = game.with_stacks([round(depth * game.big_blind)] * 2)
    boards = [flop.cards for flop in parse_flops(flops)]
    solver = StreetSolver(seconds, iterations, "none", device, threads)
    began = told = perf_counter()
    rows = []

    with (
        announce_compiling(quiet=as_json),
        counting_progress(2 * lines * len(boards), "flops", quiet=as_json) as show,
    ):

        def report(progress: JobProgress) -> None:
            nonlocal told
            show(progress.done)
            if not as_json and perf_counter() - told > _SECONDS_BETWEEN_LINES:
                told = perf_counter()
                left = progress.seconds_left
                rest = "" if left is None else f", about {duration_text(left)} left"
                tell(f"{progress.done:,} of {progress.total:,} flops{rest}")

        try:
            for row in fill_library(
                folder,
                game,
                boards,
                solver,
                lines=lines,
                file="" if chart is None else str(chart),
                workers=workers,
                ray=ray,
                report=report,
            ):
                rows.append(row)
        except KeyboardInterrupt:
            raise CutShortError(
                f"the flops in {folder} are kept; the same command goes on"
            ) from None
    spent = perf_counter() - began
    mean = sum(row["percent"] for row in rows) / len(rows) if rows else 0.0
    data = {
        "folder": str(folder),
        "flops": len(rows),
        "percent": round(mean, 4),
        "seconds": round(spent, 2),
    }

    def render(console: Console) -> None:
        console.print(bold(str(folder)), f"{len(rows):,} flops, both seats counted")
        console.print(f"exploitability {mean:.3g}% of the pot on average, on their run-outs")

    emit(data, render, as_json=as_json)

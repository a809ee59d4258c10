"""`pokerlab simulate`: millions of hands between strategies that are tables, or solutions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pokerlab.cli.commands.play.match import MATCH_COLUMNS, error_text
from pokerlab.cli.commands.play.simulate_batch import DEFAULT_HANDS as BATCH_HANDS
from pokerlab.cli.commands.play.simulate_batch import simulate_batch
from pokerlab.cli.commands.play.simulate_solutions import is_solution_file, simulate_solutions
from pokerlab.cli.options import declared as options
from pokerlab.cli.progress.counting import counting_progress
from pokerlab.cli.terminal.debugging import bots_at_work
from pokerlab.cli.terminal.interruption import CutShortError
from pokerlab.cli.terminal.output import PLAYER, emit
from pokerlab.holdem.batches.question_file import is_batch
from pokerlab.runtime.errors import shorten
from pokerlab.views import Table

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.arena.simulation.compiled_match import SimulationResult

_DEFAULT_HANDS = 10_000_000


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("simulate")(_simulate)


def _simulate(
    context: typer.Context,
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME|SOLUTION|FOLDER",
            help="A limit game of the catalogue, or a .toml or .game file; or a solved spot, a "
            ".safetensors file; or the folder of a batch.",
        ),
    ],
    strategies: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="STRATEGY",
            help="Of a game: bots that are tables: caller, raiser, folder, fold-to-raise, "
            "random:1,2,1; cfr2:FILE of `pokerlab train`; in games with few cards also "
            "strategy:FILE. Of a spot: another solution to play against; or a line from which the "
            "solution plays itself, for example x/b50 (without: the whole spot).",
            show_default=False,
        ),
    ] = None,
    hands: Annotated[
        options.Hands,
        "Every seating of a deal counts. 10,000,000 by default; of a batch 100,000.",
    ] = None,
    seed: options.Seed = 0,
    duplicate: Annotated[options.Duplicate, options.OnlyFor("games")] = False,
    curve: Annotated[
        Path | None,
        "Write the win curve of two solutions to a .csv, .svg or .png file.",
        options.OnlyFor("solutions of spots"),
    ] = None,
    phh: Annotated[
        Path | None, "Write the hands as hand histories, a .phhs file.", options.OnlyFor("batches")
    ] = None,
    threads: Annotated[options.Threads, options.OnlyFor("games", "solutions of spots")] = None,
    as_json: options.Json = False,
) -> None:
    """Play strategies that are tables, millions of hands a second: limit games, and solved spots.

    The solutions of a batch play themselves over its boards, and how often each action was taken
    is shown line by line, with errors.

    Two solutions of a spot play each deal in both seats, and the exact values stand beside the
    result. A single solution plays itself: that checks its values by play.

    The result depends on the seed and not on the number of threads. Ctrl-C ends the simulation
    and shows what has been played.
    """
    others = strategies or []
    if is_batch(game):
        if others:
            raise ValueError(f"{shorten(others[0])}: a batch plays itself; name nothing else")
        options.check_options(context, "batches")
        simulate_batch(game, hands or BATCH_HANDS, seed, phh=phh, as_json=as_json)
        return
    hands = hands or _DEFAULT_HANDS
    if is_solution_file(game):
        options.check_options(context, "solutions of spots")
        simulate_solutions(game, others, hands, seed, curve=curve, threads=threads, as_json=as_json)
        return
    options.check_options(context, "games")
    if not others:
        raise ValueError(f"{shorten(game)}: name the strategies that play, as caller raiser")
    _simulate_game(game, others, hands, seed, duplicate, threads, as_json=as_json)


def _simulate_game(
    game: str,
    strategies: list[str],
    hands: int,
    seed: int,
    duplicate: bool,
    threads: int | None,
    *,
    as_json: bool,
) -> None:
    from pokerlab.arena.simulation.compiled_match import Simulation

    with bots_at_work():
        simulation = Simulation(game, strategies, hands, seed, duplicate=duplicate, threads=threads)
    with counting_progress(hands, "hands", quiet=as_json) as report:
        try:
            for played in simulation:
                report(played)
        except KeyboardInterrupt:
            if simulation.result().hands == 0:
                raise
    result = simulation.result()
    emit(result.to_json(), lambda console: _render(console, result), as_json=as_json)
    if not result.complete:
        raise CutShortError(f"{result.hands:,} of {hands:,} hands are counted")


def _render(console: Console, result: SimulationResult) -> None:
    kind = "duplicate hands" if result.duplicate else "hands"
    threads = "1 thread" if result.threads == 1 else f"{result.threads} threads"
    console.print(
        f"{result.game}: {result.hands:,} {kind}, seed {result.seed}, {result.seconds:.2f} s on"
        f" {threads} ({result.hands_per_second:,.0f} hands/s)"
    )
    errors = map(error_text, result.stderr)
    rows = zip(result.names, result.chips, result.mbb_per_hand, errors, strict=True)
    columns = {"strategy": PLAYER, **MATCH_COLUMNS, "mbb/hand": "signed.2"}
    console.print(Table(columns, rows))
    console.print()
    seats = {str(position): "signed.1" for position in range(len(result.names))}
    by_seat = ((name, *won) for name, won in zip(result.names, result.by_position, strict=True))
    console.print(Table({"mbb/hand by position": PLAYER, **seats}, by_seat))
    console.print()
    played = (
        (name, street, sum(counts), *(each / sum(counts) if sum(counts) else "" for each in counts))
        for name, streets in zip(result.names, result.actions, strict=True)
        for street, counts in enumerate(streets)
    )
    shares = dict.fromkeys(("fold", "call", "raise"), "share")
    columns = {"actions": PLAYER, "street": "count", "decisions": "count", **shares}
    console.print(Table(columns, played))

"""`pokerlab freeze-out`: bots play until one has all chips, many times over."""

from __future__ import annotations

import math
from contextlib import ExitStack
from typing import TYPE_CHECKING, Annotated

import typer

from pokerlab.cli.commands.play.match import faults_text
from pokerlab.cli.options import declared as options
from pokerlab.cli.options.bounds import bounded
from pokerlab.cli.progress.counting import counting_progress
from pokerlab.cli.terminal.debugging import bots_at_work, let_go
from pokerlab.cli.terminal.interruption import CutShortError
from pokerlab.cli.terminal.output import PLAYER, emit
from pokerlab.views import Table

if TYPE_CHECKING:
    from rich.console import Console


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("freeze-out")(_freeze_out)


def _freeze_out(
    game: options.Game,
    bots: options.Bots,
    tournaments: Annotated[
        int,
        typer.Option(
            "--tournaments",
            "-n",
            callback=bounded(1, 10_000_000),
            help="How many to play, each to the end.",
        ),
    ] = 100,
    max_hands: Annotated[
        int, "Stop a tournament after this many hands; then the chips decide.", bounded(1, 10**9)
    ] = 20_000,
    seed: options.Seed = 0,
    debug: options.Debug = False,
    as_json: options.Json = False,
) -> None:
    """Play freeze-outs: chips are carried from hand to hand until one player has them all.

    Ctrl-C ends them and shows those that are finished.
    """
    from pokerlab.arena.freeze_out import play_freeze_outs
    from pokerlab.games import load_betting_game
    from pokerlab.players.bots.catalogue import make_bot

    rules = load_betting_game(game)
    with (
        ExitStack() as closing,
        bots_at_work(debug=debug),
        counting_progress(tournaments, "tournaments", quiet=as_json) as report,
    ):
        players = []
        for text in bots:
            players.append(make_bot(text))
            closing.callback(let_go, players[-1], text)
        result = play_freeze_outs(
            rules,
            players,
            tournaments,
            seed,
            names=bots,
            max_hands=max_hands,
            report=report,
        )
    data = {
        "tournaments": result.tournaments,
        "hands": result.hands,
        "unfinished": result.unfinished,
        "wins": dict(zip(result.names, result.wins, strict=True)),
        "stderr": {
            name: None if math.isnan(error) else error
            for name, error in zip(result.names, result.errors, strict=True)
        },
        "places": dict(zip(result.names, result.places, strict=True)),
        "faults": dict(zip(result.names, result.faults, strict=True)),
    }

    def render(console: Console) -> None:
        from rich.text import Text

        console.print(
            f"{game}: {result.tournaments:,} freeze-outs, seed {seed},"
            f" {result.hands / result.tournaments:,.0f} hands each on average"
        )
        errors = ("" if math.isnan(error) else error for error in result.errors)
        rows = zip(result.names, result.wins, errors, result.places, strict=True)
        columns = {"bot": PLAYER, "won": "share", "± error": "share", "mean place": "chips"}
        console.print(Table(columns, rows))
        if result.unfinished:
            console.print(
                f"{result.unfinished:,} were stopped after {max_hands:,} hands:"
                " there a share of the chips counts as a share of the win"
            )
        for name, count in zip(result.names, result.faults, strict=True):
            if count:
                console.print(Text(faults_text(name, count)))

    emit(data, render, as_json=as_json)
    if result.tournaments < tournaments:
        raise CutShortError(f"{result.tournaments:,} of {tournaments:,} freeze-outs are counted")

"""`pokerlab starting-hands`: what each of the 169 starting hands wins."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pokerlab.cli.commands.play.match import faults_text
from pokerlab.cli.options import declared as options
from pokerlab.cli.options.bounds import bounded
from pokerlab.cli.options.files import check_distinct, check_output, save_bytes
from pokerlab.cli.progress.counting import counting_progress
from pokerlab.cli.terminal.debugging import bots_at_work
from pokerlab.cli.terminal.interruption import CutShortError
from pokerlab.cli.terminal.output import emit
from pokerlab.views import Table

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.arena.starting_hands import StartingHandValues


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("starting-hands")(_starting_hands)


def _starting_hands(
    game: Annotated[options.Game, "It must be hold'em."],
    bots: options.Bots,
    seat: Annotated[int, "Whose hands are counted; the first bot has 0.", bounded(0, 9)] = 0,
    hands: Annotated[
        options.Hands, "By default 16,900, or 10,000,000 if all bots are tables."
    ] = None,
    seed: options.Seed = 0,
    threads: options.Threads = None,
    csv: options.Csv = None,
    debug: options.Debug = False,
    as_json: options.Json = False,
) -> None:
    """Show what each of the 169 starting hands wins in a seat, in big blinds, with errors.

    Every bot keeps its seat. Bots are dealt each class of hands equally often; strategies that are
    tables (as in `pokerlab simulate`) play millions of random hands. Ctrl-C ends it and shows what
    has been played.
    """
    from pokerlab.arena.starting_hands import StartingHandMatch

    check_output(csv, "--csv")
    check_distinct({"--csv": csv}, [game, *bots])
    with (
        bots_at_work(debug=debug),
        StartingHandMatch(game, bots, hands, seed, seat=seat, threads=threads) as match,
        counting_progress(match.hands, "hands", quiet=as_json) as report,
    ):
        try:
            for played in match:
                report(played)
        except KeyboardInterrupt:
            if not match.result().hands.any():
                raise
    found = match.result()
    if csv is not None:
        rows = found.rows()
        table = Table(dict.fromkeys(rows[0], "text"), [list(row.values()) for row in rows])
        save_bytes(csv, table.csv(digits=10).encode(), "--csv")
    emit(
        found.to_json() | {"file": None if csv is None else str(csv)},
        lambda console: _render(console, found, csv),
        as_json=as_json,
    )
    counted = int(found.hands.sum())
    if counted < match.hands:
        raise CutShortError(f"{counted:,} of {match.hands:,} hands are counted")


def _render(console: Console, found: StartingHandValues, csv: Path | None) -> None:
    import numpy as np
    from rich.text import Text

    from pokerlab.cards.codes import RANKS
    from pokerlab.cards.hand_classes import GRID

    mean, error = found.mean
    counted = int(found.hands.sum())
    console.print(
        Text(
            f"{found.game}: {found.bots[found.seat]} in seat {found.seat}"
            f" ({', '.join(found.bots)}), {counted:,} hands, seed {found.seed},"
            f" {found.seconds:.1f} s"
        )
    )
    console.print("big blinds won with each hand; suited above the diagonal, offsuit below")
    console.print(Text("  " + "".join(f"{rank:>6}" for rank in RANKS[::-1]), style="bold"))
    for row, rank in enumerate(RANKS[::-1]):
        line = Text(f"{rank} ", style="bold")
        for number in range(row * GRID, (row + 1) * GRID):
            value = float(found.mbb[number]) / 1000
            line.append(f"{_blinds(value):>6}", style="green" if value > 0 else "red")
        console.print(line, no_wrap=True)
    if np.isfinite(found.stderr).any():
        errors = found.stderr[np.isfinite(found.stderr)] / 1000
        console.print(f"standard errors: {errors.min():.3g} to {errors.max():.3g} big blinds")
    if np.isfinite(mean):
        console.print(f"over all deals: {mean:+,.1f} ± {error:,.1f} mbb/hand")
    for name, count in zip(found.bots, found.faults, strict=True):
        if count:
            console.print(Text(faults_text(name, count)))
    if csv is not None:
        console.out(f"wrote {csv}")


def _blinds(value: float) -> str:
    """A value in five characters, as far as that goes."""
    if math.isnan(value):
        return "–"
    digits = 2 if abs(value) < 9.995 else 1 if abs(value) < 99.95 else 0
    return f"{value:+.{digits}f}"

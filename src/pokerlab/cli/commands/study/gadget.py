"""`pokerlab gadget`: what the hands of a player are worth at a later street of a solution."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pokerlab.cli.options import declared as options
from pokerlab.cli.options.files import check_distinct, check_output, saving
from pokerlab.cli.terminal.output import bold, emit

if TYPE_CHECKING:
    from rich.console import Console


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("gadget")(_gadget)


def _gadget(
    file: Annotated[Path, "A solution that `pokerlab solve -o` wrote."],
    line: Annotated[str, "The line up to the card that comes, for example x/b50/c/7h."],
    player: Annotated[
        str,
        typer.Option(
            "--player",
            help="Whose hands may stop, oop or ip: the other one's strategy"
            " is the one that is wanted.",
        ),
    ],
    output: Annotated[options.Output, "For `pokerlab solve --gadget`."] = None,
    spot: Annotated[Path | None, "Write the spot that begins there to this .toml file."] = None,
    kind: Annotated[
        str,
        "resolve or maxmargin, with which no hand gains by the new solution; combined or unsafe,"
        " which promise nothing. With reach- before it hands are worth more by what was given away"
        " before; that needs all streets, so not a --partial file.",
    ] = "combined",
    values: Annotated[
        str,
        "What a hand was worth: response, to a best response, or average, to the solution itself.",
    ] = "response",
    as_json: options.Json = False,
) -> None:
    """Say what each hand of a player is worth where a street begins, to solve it again safely.

    pokerlab gadget turn.safetensors x/x/7h --player ip --spot river.toml -o river.gadget, then
    pokerlab solve river.toml --gadget river.gadget.
    """
    import numpy as np

    from pokerlab.holdem.spots import load_postflop

    for path, option in ((output, "--output"), (spot, "--spot")):
        check_output(path, option)
    check_distinct({"--output": output, "--spot": spot}, [file])
    solution = load_postflop(file)
    place = solution.below(line)
    # A file serves all kinds: --gadget-kind of `pokerlab solve` may ask for gifts.
    found = place.gadget(player, values=values, kind=kind, gifts=not solution.partial)
    below = place.spot
    if output is not None:
        with saving(output, "--output"):
            found.save(output)
    if spot is not None:
        with saving(spot, "--spot"):
            spot.write_text(below.to_toml(), encoding="utf-8")
    known = found.values[np.isfinite(found.values)]
    least, most = (round(float(each), 6) + 0.0 for each in (known.min(), known.max()))
    data = {
        "line": line,
        "player": player,
        "kind": kind,
        "values": values,
        "pot": below.pot,
        "hands": len(known),
        "least": least,
        "most": most,
        "file": None if output is None else str(output),
        "spot": None if spot is None else str(spot),
    }

    def render(console: Console) -> None:
        span = " to ".join(f"{round(chips, 2) + 0.0:.2f}" for chips in (least, most))
        console.print(
            bold(line),
            f"pot {below.pot:,}: {len(known):,} hands of {player} are worth {span} chips"
            f" ({values})",
        )
        for path in (spot, output):
            if path is not None:
                console.out(f"wrote {path}")

    emit(data, render, as_json=as_json)

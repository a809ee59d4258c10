"""Options for the cards of a match: deals of a file, fixed pockets, a button that stays."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

DealsFile: TypeAlias = Annotated[
    Path | None,
    typer.Option("--deals", help="Play the deals of this file, which `pokerlab deals` printed."),
]
PocketOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--pocket",
        "-p",
        help="SEAT:CARDS, or SEAT:RANGE, as 0:AsKd, '1:QQ+', or 0:K with one private card.",
    ),
]
FixedButton: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--fixed-button", help="The button stays: the first bot has seat 0 in all hands, and so on."
    ),
]

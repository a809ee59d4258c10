"""`pokerlab icm`: what stacks are worth in prize money."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pokerlab.cli.options import declared as options
from pokerlab.cli.terminal.output import emit
from pokerlab.views import Table

if TYPE_CHECKING:
    from rich.console import Console

_PLACES = ("1st", "2nd", "3rd")
"""Chances of these places are shown on a terminal: more do not fit; JSON has `_PLACES_TOLD`."""
_PLACES_TOLD = 20
_ROUND_MONEY = 100_000
Payouts = typer.Option(
    "--payouts",
    "-p",
    help="What the first, the second, ... win: 50,30,20, in any unit of money.",
    metavar="PRIZES",
)


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("icm")(_icm)


def _icm(
    stacks: Annotated[list[str], "The stacks, for example 5000 3000 2000, or 5000,3000,2000."],
    payouts: Annotated[str, Payouts],
    bounties: Annotated[
        str,
        typer.Option(help="On the head of each player: one amount for all, or one each."),
    ] = "",
    as_json: options.Json = False,
) -> None:
    """What stacks are worth in prize money: the independent chip model, and deals.

    Malmuth-Harville for up to 2,000 players, exact. Bounties are shared by chips. With --json the
    chances of the first 20 places.
    """
    from pokerlab.games.betting_trees.chips import read_numbers
    from pokerlab.games.prizes import icm

    chips = read_numbers("stacks", ",".join(stacks))
    found = icm(chips, read_numbers("payouts", payouts), read_numbers("bounties", bounties))
    places = found.first_places(_PLACES_TOLD if as_json else len(_PLACES)).tolist()
    data = {
        "equities": found.equities.tolist(),
        "shares": found.shares.tolist(),
        "prizes": found.prizes.tolist(),
        "bounties": found.bounty_money.tolist(),
        "pool": found.pool,
        "deals": {"icm": found.money.tolist(), "chips": found.chip_chop.tolist()},
        "places": places,
    }

    def render(console: Console) -> None:
        heads = {"player": "count", "stack": "chips.0", "chips": "share.2", "worth": "share.2"}
        if found.stacks.max() < 1000:
            heads["stack"] = "chips.2"
        heads |= dict.fromkeys(
            ("ICM deal", "chip chop"), "chips.2" if found.pool < _ROUND_MONEY else "chips.0"
        )
        heads |= dict.fromkeys(_PLACES[: len(places[0])], "share.1")
        columns = (found.stacks, found.shares, found.equities, found.money, found.chip_chop)
        rows = [
            (player + 1, *numbers, *chances)
            for player, (*numbers, chances) in enumerate(
                zip(*(each.tolist() for each in columns), places, strict=True)
            )
        ]
        console.print(Table(heads, rows))

    emit(data, render, as_json=as_json)

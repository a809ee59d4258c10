"""`pokerlab bot list`: who can sit at a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from pokerlab.cli.shared import options
from pokerlab.cli.shared.output import emit

if TYPE_CHECKING:
    from rich.console import Console


def register(app: typer.Typer) -> None:
    """Add the commands to the application."""
    bots = typer.Typer(no_args_is_help=True, help="Bots: the players that can sit at a table.")
    bots.command("list")(_list)
    # With one command alone, Typer would take `bot` for the command.
    bots.callback()(lambda: None)
    app.add_typer(bots, name="bot")


def _list(as_json: options.Json = False) -> None:
    """List the bots of the catalogue; your own are my_bot.py:Class."""
    from pokerlab.bots.catalogue import bot_aliases, bot_names

    names, aliases = bot_names(), bot_aliases()

    def render(console: Console) -> None:
        from rich.table import Table

        table = Table(box=None, pad_edge=False)
        table.add_column("bot", style="bold", no_wrap=True)
        table.add_column("also", no_wrap=True)
        table.add_column("what it does")
        also = {name: alias for alias, name in aliases.items()}
        for name, description in names.items():
            table.add_row(name, also.get(name, ""), description)
        console.print(table)

    emit({"bots": names, "aliases": aliases}, render, as_json=as_json)

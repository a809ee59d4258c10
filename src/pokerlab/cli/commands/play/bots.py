"""`pokerlab bot list`: who can sit at a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from pokerlab.cli.options import declared as options
from pokerlab.cli.terminal.output import emit
from pokerlab.views import Table

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
    from pokerlab.players.bots.catalogue import bot_aliases, bot_names

    names, aliases = bot_names(), bot_aliases()

    def render(console: Console) -> None:
        also = {name: alias for alias, name in aliases.items()}
        rows = [(name, also.get(name, ""), description) for name, description in names.items()]
        console.print(Table({"bot": "name bold", "also": "name", "what it does": "text"}, rows))

    emit({"bots": names, "aliases": aliases}, render, as_json=as_json)

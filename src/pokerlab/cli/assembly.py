"""Which commands there are, and the `typer.Typer` that holds them: all of them, or only one.

A command's module is imported when it is needed: all of them together, and what Typer makes of
their options, would be a good part of the time that a small solve takes.
"""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import Annotated

import typer

from pokerlab import __version__

COMMANDS = {
    "evaluate": "cards",
    "equity": "cards",
    "range": "cards",
    "game": "games",
    "solve": "solve",
    "show": "show",
    "verify": "verify",
    "diff": "diff",
    "report": "report",
    "batch": "batch",
    "groups": "groups",
    "preflop": "preflop",
    "best-response": "best_response",
    "exploitability": "exploitability",
    "buckets": "buckets",
    "train": "train",
    "bot": "bots",
    "play": "play",
    "train-hands": "train_hands",
    "match": "match",
    "tournament": "tournament",
    "simulate": "simulate",
    "starting-hands": "starting_hands",
    "freeze-out": "freeze_out",
    "statistics": "statistics",
    "model": "model",
    "respond": "respond",
    "lock-from": "lines",
    "replay": "replay",
    "deals": "deals",
    "acpc": "acpc",
    "reproduce": "reproduce",
    "web": "web",
}
"""The module in `pokerlab.cli.commands` that registers each command, in the order of the help."""


def assemble(command: str | None = None) -> typer.Typer:
    """Make the command line: what the module of a command registers, or all without its name.

    Examples
    --------
    >>> [each.name for each in assemble("equity").registered_commands]
    ['evaluate', 'equity', 'range']
    """
    app = typer.Typer(
        name="pokerlab",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_pokerlab)
    modules = [COMMANDS[command]] if command is not None else dict.fromkeys(COMMANDS.values())
    for module in modules:
        import_module(f"pokerlab.cli.commands.{module}").register(app)
    _unwrap_help(app)
    return app


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"pokerlab {__version__}")
        raise typer.Exit


def _pokerlab(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Solve poker games to equilibrium, build players, prove how good they are."""


def _unwrap_help(commands: typer.Typer) -> None:
    """Join the lines of docstrings: a terminal is wide or narrow, whatever the source is."""
    for command in commands.registered_commands:
        paragraphs = (inspect.getdoc(command.callback) or "").split("\n\n")
        command.help = "\n\n".join(" ".join(each.split()) for each in paragraphs)
    for group in commands.registered_groups:
        if group.typer_instance is not None:
            _unwrap_help(group.typer_instance)

"""Which commands there are, and the `typer.Typer` that holds them: all of them, or only one.

A command's module is imported when it is needed: all of them together, and what Typer makes of
their options, would be a good part of the time that a small solve takes.
"""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import Annotated, Any

import typer

from pokerlab import __version__
from pokerlab.cli.options.declared import read_marks

PANELS = {
    "Study": {
        "solve": "study.solve",
        "show": "study.show",
        "report": "study.report",
        "diff": "study.diff",
        "verify": "study.verify",
        "simplify": "simple.simplify",
        "sizes": "simple.sizes",
        "gadget": "study.gadget",
        "batch": "study.batch",
        "groups": "study.groups",
        "practise": "study.practise",
        "train-hands": "study.practise",
        "web": "study.web",
    },
    "Cards": {"evaluate": "cards.cards", "equity": "cards.cards", "range": "cards.cards"},
    "Before the flop": {"preflop": "cards.preflop", "starting-hands": "cards.starting_hands"},
    "Prizes": {"icm": "cards.icm", "pushfold": "cards.pushfold"},
    "Games": {
        "game": "games.games",
        "best-response": "games.best_response",
        "exploitability": "games.exploitability",
        "resolve": "games.resolve",
        "buckets": "games.buckets",
        "train": "games.train",
    },
    "Play and bots": {
        "play": "play.play",
        "bot": "play.bots",
        "match": "play.match",
        "tournament": "play.tournament",
        "freeze-out": "play.freeze_out",
        "lbr": "play.lbr",
        "simulate": "play.simulate",
        "deals": "play.deals",
        "replay": "play.replay",
        "acpc": "play.acpc",
        "nolimit": "play.nolimit",
    },
    "Opponents": {
        "hands": "opponents.hands",
        "statistics": "opponents.statistics",
        "model": "opponents.model",
        "respond": "opponents.respond",
        "lock-from": "opponents.lines",
    },
    "Research": {"reproduce": "research.reproduce"},
}
"""The commands by what a person wants to do, in the order of the help, with the module in
`pokerlab.cli.commands` that registers each."""

COMMANDS = {name: module for panel in PANELS.values() for name, module in panel.items()}


def assemble(command: str | None = None, *, completing: bool = False) -> typer.Typer:
    """Make the command line: what the module of a command registers, or all without its name.

    One command alone answers shells only if it is `completing` a line for them, to begin sooner.

    Examples
    --------
    >>> [each.name for each in assemble("equity").registered_commands]
    ['evaluate', 'equity', 'range']
    """
    app = typer.Typer(
        name="pokerlab",
        no_args_is_help=True,
        add_completion=completing or command is None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_pokerlab)
    modules = [COMMANDS[command]] if command is not None else dict.fromkeys(COMMANDS.values())
    for module in modules:
        import_module(f"pokerlab.cli.commands.{module}").register(app)
    panels = {name: panel for panel, names in PANELS.items() for name in names}
    registered: list[Any] = [*app.registered_commands, *app.registered_groups]
    for each in registered:
        each.rich_help_panel = panels[each.name]
    _prepare(app)
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


def _prepare(commands: typer.Typer) -> None:
    """Read the marks of options, and join the lines of docstrings, for terminals of any width."""
    for command in commands.registered_commands:
        assert command.callback is not None
        read_marks(command.callback)
        paragraphs = (inspect.getdoc(command.callback) or "").split("\n\n")
        command.help = "\n\n".join(" ".join(each.split()) for each in paragraphs)
    for group in commands.registered_groups:
        if group.typer_instance is not None:
            _prepare(group.typer_instance)

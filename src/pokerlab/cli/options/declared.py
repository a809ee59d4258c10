"""Options, each declared once for all commands, and what they are for.

An option is a type with marks: its help as text, a check of its value (`bounded`), and what it is
for. A command takes a shared one by its name, ``threads: Threads = None``, and may add marks:
``Annotated[Threads, "Seed and threads fix the result.", OnlyFor("spots")]``. `read_marks` makes of
them what Typer reads, and `check_options` refuses options that do not apply. Only short names,
metavars, panels and names that differ from the parameter's need a `typer.Option`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from copy import copy
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer
from typer.models import OptionInfo, ParameterInfo

from pokerlab.cli.options.bounds import bounded

STOP = "When to stop (the first that is reached)"
"""The panel of the help with the limits of a solve."""


class Rare:
    """Mark an option that only ``--help-all`` shows."""


class OnlyFor:
    """Mark an option with the kinds of things that it applies to, each in the plural."""

    def __init__(self, *kinds: str) -> None:
        self.kinds = kinds
        self.text = " and ".join(kinds)


class Needs:
    """Mark an option with others, one of which must be given beside it."""

    def __init__(self, *options: str) -> None:
        self.options = options


class NotWith:
    """Mark an option with others that must not be given beside it."""

    def __init__(self, *options: str) -> None:
        self.options = options


def check_options(context: typer.Context, kind: str | None = None) -> None:
    """Refuse given options whose marks say that they do not apply.

    Parameters
    ----------
    context
        What Typer knows of the call.
    kind
        What the command was given, in the plural, as `OnlyFor` names it.

    Examples
    --------
    >>> def solve(context: typer.Context, threads: Annotated[Threads, OnlyFor("spots")] = None):
    ...     check_options(context, "games")
    >>> read_marks(solve)
    >>> app = typer.Typer()
    >>> _ = app.command()(solve)
    >>> typer.main.get_command(app)(["--threads", "2"], standalone_mode=False)
    Traceback (most recent call last):
    ValueError: --threads applies only to spots, not to games
    """
    command: Any = context.command
    signature = inspect.signature(command.callback, eval_str=True)
    names = {each.name: _shown_name(each) for each in command.params if _is_given(context, each)}
    given = set(names.values())
    for name, option in names.items():
        for mark in getattr(signature.parameters[name].annotation, "__metadata__", ()):
            if isinstance(mark, OnlyFor) and kind is not None and kind not in mark.kinds:
                raise ValueError(f"{option} applies only to {mark.text}, not to {kind}")
            if isinstance(mark, Needs) and not given.intersection(mark.options):
                raise ValueError(f"{option} needs {' or '.join(mark.options)}")
            if isinstance(mark, NotWith):
                for other in mark.options:
                    if other in given:
                        raise ValueError(f"{option} and {other}: give one or the other")


def _shown_name(parameter: Any) -> str:
    """The name of an option or argument as users know it."""
    return str(parameter.opts[0] if parameter.param_type_name == "option" else parameter.name)


def _is_given(context: typer.Context, parameter: Any) -> bool:
    """Whether a user wrote a value, and another one than the default."""
    source = context.get_parameter_source(parameter.name)
    given = source is not None and source.name == "COMMANDLINE"
    return given and context.params.get(parameter.name) != parameter.default


def read_marks(command: Callable[..., Any]) -> None:
    """Give a command the signature that Typer reads, made from the marks of its parameters.

    ``**options: Annotated[Any, TABLE]`` stands for the options of a mapping by name.
    """
    own = inspect.signature(command, eval_str=True)
    found: list[inspect.Parameter] = []
    for each in own.parameters.values():
        if each.kind is not inspect.Parameter.VAR_KEYWORD:
            found.append(each.replace(kind=inspect.Parameter.KEYWORD_ONLY))
            continue
        (table,) = each.annotation.__metadata__
        found[:0] = [
            inspect.Parameter(
                name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation
            )
            for name, annotation in table.items()
        ]
    signature = own.replace(parameters=[_resolved(each) for each in found])
    command.__signature__ = signature  # type: ignore[attr-defined]


def _resolved(parameter: inspect.Parameter) -> inspect.Parameter:
    """What Typer takes a parameter for: an option, or an argument if it has no default."""
    marks: list[Any] = list(getattr(parameter.annotation, "__metadata__", ()))
    infos = [copy(mark) for mark in marks if isinstance(mark, ParameterInfo)]
    texts = [mark for mark in marks if isinstance(mark, str)]
    if not infos and not texts:
        return parameter
    if infos:
        (info,) = infos
    elif parameter.default is inspect.Parameter.empty:
        info = typer.Argument()
    else:
        info = typer.Option(f"--{parameter.name.rstrip('_').replace('_', '-')}")
    info.help = " ".join([info.help, *texts] if info.help else texts)
    for mark in marks:
        if isinstance(mark, Rare):
            info.hidden = True
        elif isinstance(mark, OnlyFor) and isinstance(info, OptionInfo):
            info.rich_help_panel = info.rich_help_panel or f"Only for {mark.text}"
        elif callable(mark):
            info.callback = mark
    others = [mark for mark in marks if not isinstance(mark, str | ParameterInfo)]
    return parameter.replace(annotation=Annotated[parameter.annotation.__origin__, info, *others])


def _show_all(context: typer.Context, wanted: bool) -> None:
    if not wanted:
        return
    rare: list[Any] = [each for each in context.command.params if getattr(each, "hidden", False)]
    for each in rare:
        each.hidden = False
    print(context.get_help())
    for each in rare:
        each.hidden = True
    raise typer.Exit


HelpAll: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--help-all", callback=_show_all, is_eager=True, help="Show all options, rare ones too."
    ),
]
Json: TypeAlias = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Seed: TypeAlias = Annotated[
    int,
    "Seed of the random numbers: the same seed gives the same results (times differ).",
    bounded(0, 2**63 - 1),
]

# Files.
Output: TypeAlias = Annotated[
    Path | None, typer.Option("--output", "-o", help="Write the result to this file.")
]
OutputFolder: TypeAlias = Annotated[
    Path, typer.Option("--output", "-o", help="The folder to write to.")
]
Resume: TypeAlias = Annotated[Path | None, "A checkpoint: the same command goes on from it."]
Csv: TypeAlias = Annotated[Path | None, "Write the table to a .csv file."]
Parquet: TypeAlias = Annotated[Path | None, "Write the table to a Parquet file."]
Figure: TypeAlias = Annotated[Path | None, "Draw the picture to a .svg or .png file."]
Plot: TypeAlias = Annotated[Path | None, "Draw exploitability against time to a .svg or .png file."]

# What to list.
Top: TypeAlias = Annotated[int, "How many rows to list.", bounded(0)]
Everything: TypeAlias = Annotated[bool, typer.Option("--all", help="List all rows.")]

# Games, and those who play them.
Game: TypeAlias = Annotated[
    str, typer.Argument(help="A game of the catalogue, or a .toml or .game file.")
]
LogGame: TypeAlias = Annotated[str | None, "The game of a log that does not name it."]
Histories: TypeAlias = Annotated[
    list[Path],
    "ACPC logs, .phh and .phhs files, texts of poker sites (pokerlab[hands]), and folders.",
]
PoolPlayers: TypeAlias = Annotated[str | None, "pool: all players together, as one."]
Stakes: TypeAlias = Annotated[
    str | None, "Only hands of these blinds: 0.5/1, or the big blind, 1; commas part several."
]
Seats: TypeAlias = Annotated[str | None, "Only hands of this many players: 6, or 2-6."]
PotKind: TypeAlias = Annotated[
    str | None, "Only hands with such a pot: unraised, single-raised, 3-bet, 4-bet or 5-bet."
]
KeepCounts: TypeAlias = Annotated[
    Path | None,
    "Keep what was counted of each file in this file: the same command goes on after a stop, and"
    " counts only new files.",
]
GameStack: TypeAlias = Annotated[
    str | None,
    "Stack of every player in big blinds, for example 100bb: no-limit games of the catalogue.",
]
Bots: TypeAlias = Annotated[list[str], "Bots: see `pokerlab bot list`, or my_bot.py:Class."]
Hands: TypeAlias = Annotated[int | None, "Number of hands.", bounded(1, 10**12)]
MatchHands: TypeAlias = Annotated[Hands, "All seatings count; by default 3,000, or all of --deals."]
Duplicate: TypeAlias = Annotated[bool, "Play each deal in all seatings."]
DealtFlops: TypeAlias = Annotated[
    str,
    "Hold'em: deal these flops alone: 25, 49, 85 or 184 that stand for all by their weights, a "
    "list such as 'AK7r, 987tt', or a file with one.",
]
DealsFile: TypeAlias = Annotated[
    Path | None, "Play the deals of this file, which `pokerlab deals` printed."
]
Pockets: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--pocket",
        "-p",
        help="SEAT:CARDS or SEAT:RANGE, for example 0:AsKd, '1:QQ+', or 0:K with one private card.",
    ),
]
FixedButton: TypeAlias = Annotated[
    bool, "The button stays: the first bot has seat 0 in all hands, and so on."
]
TimeLimit: TypeAlias = Annotated[
    float | None, "Seconds for an action; later is a call.", bounded(0)
]
Debug: TypeAlias = Annotated[bool, "Print the traceback when a bot fails, on stderr."]

# Solves: the rule, and when to stop.
Rule: TypeAlias = Annotated[str | None, "The update rule."]
Iterations: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--iterations",
        callback=bounded(0),
        help="Stop after this many iterations.",
        rich_help_panel=STOP,
    ),
]
Target: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--target",
        help="Stop when the exploitability is at most this: chips, or percent of the pot (0.3%).",
        rich_help_panel=STOP,
    ),
]
Seconds: TypeAlias = Annotated[
    float | None,
    typer.Option(
        "--seconds",
        callback=bounded(0),
        help="Stop after this many seconds.",
        rich_help_panel=STOP,
    ),
]
NoStall: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--no-stall",
        help="Go on where the exploitability is above the target and has not fallen by a tenth "
        "while the iterations grew fivefold; without this, the solve ends there.",
        rich_help_panel=STOP,
    ),
]

# Solves: where, and how numbers are stored.
Threads: TypeAlias = Annotated[int | None, "Threads; all cores if not given.", bounded(1, 1024)]
JOBS = typer.Option("--jobs", callback=bounded(0, 1024), help="Tasks at a time; 0: all processors.")
Jobs: TypeAlias = Annotated[int, JOBS]
Ray: TypeAlias = Annotated[
    str | None,
    "Work on the Ray cluster at this address; its machines must reach all files by the same path.",
]
Device: TypeAlias = Annotated[
    str,
    typer.Option(
        "--device",
        help="cpu; gpu: an NVIDIA GPU, through CuPy; auto: the GPU if there is one and the work "
        "is large.",
        metavar="auto|cpu|gpu",
    ),
]
Precision: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--precision",
        callback=bounded(16, 64),
        help="Bits of the stored numbers: 16 takes half the memory of 32 in the same time.",
        metavar="16|32|64",
    ),
]
Groups: TypeAlias = Annotated[
    str | None,
    "Hands that are stored, and play, together: view, strength, rank (with /river, "
    "/hierarchical or /global), or a number for each street, kmeans:400,400,200. Less "
    "memory, for a price that the exploitability shows.",
]
Memory: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--memory",
        help="Stay within this, for example 2GB or 800MB: chooses --precision and --groups.",
        metavar="SIZE",
    ),
    NotWith("--precision", "--groups"),
]
NoIsomorphism: TypeAlias = Annotated[bool, "Solve boards that differ by suits alone one by one."]
Partial: TypeAlias = Annotated[bool, "Keep no rivers: they are solved again when they are shown."]
DryRun: TypeAlias = Annotated[bool, "Only count: nodes or boards, memory, and what fits."]
Quick: TypeAlias = Annotated[bool, "A short trial, with fewer and smaller runs."]

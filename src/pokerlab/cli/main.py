"""The entry point of the `pokerlab` command."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Sequence
from functools import cache
from typing import Annotated

import typer
from typer.core import TyperGroup

from pokerlab import __version__
from pokerlab.cli.commands import (
    acpc,
    batch,
    best_response,
    bots,
    buckets,
    cards,
    deals,
    diff,
    exploitability,
    freeze_out,
    games,
    groups,
    lines,
    match,
    model,
    play,
    preflop,
    replay,
    report,
    reproduce,
    respond,
    show,
    simulate,
    solve,
    starting_hands,
    statistics,
    tournament,
    train,
    train_hands,
    verify,
    web,
)
from pokerlab.cli.shared.bounds import check_digits
from pokerlab.cli.shared.building import building_progress
from pokerlab.cli.shared.interruption import NOTHING_KEPT, CutShortError, watching_signals
from pokerlab.cli.shared.plain_text import tell
from pokerlab.cli.shared.streams import flush_stdout, prepare_streams, reader_left

__all__ = ["app", "main"]

app = typer.Typer(
    name="pokerlab",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


_LONG_WORD = re.compile(r"\S{161,}")
_MAX_MESSAGE = 500


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"pokerlab {__version__}")
        raise typer.Exit


@app.callback()
def _pokerlab(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Solve poker games to equilibrium, build players, prove how good they are."""


for group in (
    cards,
    games,
    solve,
    show,
    verify,
    diff,
    report,
    batch,
    groups,
    preflop,
    best_response,
    exploitability,
    buckets,
    train,
    bots,
    play,
    train_hands,
    match,
    tournament,
    simulate,
    starting_hands,
    freeze_out,
    statistics,
    model,
    respond,
    lines,
    replay,
    deals,
    acpc,
    reproduce,
    web,
):
    group.register(app)


def _unwrap_help(commands: typer.Typer) -> None:
    """Join the lines of docstrings: a terminal is wide or narrow, whatever the source is."""
    for command in commands.registered_commands:
        paragraphs = (inspect.getdoc(command.callback) or "").split("\n\n")
        command.help = "\n\n".join(" ".join(each.split()) for each in paragraphs)
    for group in commands.registered_groups:
        if group.typer_instance is not None:
            _unwrap_help(group.typer_instance)


_unwrap_help(app)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; bad input is one line on stderr and exit code 2.

    Examples
    --------
    >>> main(["evaluate", "AsKsQsJsTs", "--json"])
    Traceback (most recent call last):
    SystemExit: 0
    """
    prepare_streams()
    with watching_signals() as stopping:
        try:
            code = _run(arguments)
        except CutShortError as interrupted:
            tell(f"interrupted; {interrupted}")
            code = stopping.code
        except (Exception, KeyboardInterrupt) as error:
            # A library that is interrupted (a compiler, say) may raise anything at all.
            if stopping.signal is None and not isinstance(error, KeyboardInterrupt):
                raise
            tell(f"interrupted; {NOTHING_KEPT}")
            code = stopping.code
        if not flush_stdout():
            code = code or 2
    raise SystemExit(code)


def _run(arguments: Sequence[str] | None) -> int:
    """Run a command and give its exit code; what it could not do is one line on stderr."""
    try:
        with building_progress():  # tables that a bot needs may be missing anywhere
            return _call(arguments)
    except BrokenPipeError as error:
        # A reader such as `head` may close the pipe early; that is no error of ours.
        return 0 if reader_left() else _fail(_system_error(error))
    except OSError as error:
        return _fail(_system_error(error))
    except ValueError as error:
        return _fail(str(error))
    except Exception as error:
        # Typer's own complaints (an unknown option, a missing argument) know how to say
        # themselves; whatever else arrives here is a bug and keeps its traceback.
        if not hasattr(error, "format_message"):
            raise
        return _fail(error.format_message() + _offending_text(error, arguments))


def _call(arguments: Sequence[str] | None) -> int:
    """Call a command without Typer's own ends of a program, which say nothing on Ctrl-C."""
    command = _command()
    words = list(sys.argv[1:] if arguments is None else arguments)
    check_digits(words)
    try:
        with command.make_context("pokerlab", words) as context:
            command.invoke(context)
    except typer.Exit as end:
        return end.exit_code
    return 0


@cache
def _command() -> TyperGroup:
    """What Typer makes of all commands, once for all calls in a process."""
    command = typer.main.get_command(app)
    assert isinstance(command, TyperGroup)
    return command


def _system_error(error: OSError) -> str:
    """What the system said, without its number."""
    if error.strerror is None:
        return str(error)
    return error.strerror if error.filename is None else f"{error.filename}: {error.strerror}"


def _offending_text(error: Exception, arguments: Sequence[str] | None) -> str:
    """What the user wrote for the option that an error is about; Typer does not always say."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    for name in getattr(getattr(error, "param", None), "opts", ()):
        for place, word in enumerate(words):
            if word.startswith(f"{name}="):
                return f", got {word[len(name) + 1 :]!r}"
            if word == name and place + 1 < len(words):
                return f", got {words[place + 1]!r}"
    return ""


def _fail(message: str) -> int:
    if message:  # it is empty after a call without arguments, which has printed the help
        tell(f"pokerlab: {_short(message)}")
    return 2


def _short(message: str) -> str:
    """A message on one line, without the long texts that it quotes, of at most 500 characters."""
    line = _LONG_WORD.sub(lambda word: word[0][:60] + "...", " ".join(message.split()))
    return line if len(line) <= _MAX_MESSAGE else line[: _MAX_MESSAGE - 3] + "..."


if __name__ == "__main__":
    main()

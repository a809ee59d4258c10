"""The entry point of the `pokerlab` command."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from pokerlab import __version__
from pokerlab.cli.commands import (
    acpc,
    bots,
    buckets,
    cards,
    deals,
    diff,
    freeze_out,
    games,
    match,
    play,
    replay,
    reproduce,
    show,
    simulate,
    solve,
    statistics,
    tournament,
    train,
    verify,
)
from pokerlab.cli.shared.building import building_progress
from pokerlab.cli.shared.plain_text import degrade_streams, tell

__all__ = ["app", "main"]

app = typer.Typer(
    name="pokerlab",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


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
    buckets,
    train,
    bots,
    play,
    match,
    tournament,
    simulate,
    freeze_out,
    statistics,
    replay,
    deals,
    acpc,
    reproduce,
):
    group.register(app)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; bad input is one line on stderr and exit code 2.

    Examples
    --------
    >>> main(["evaluate", "AsKsQsJsTs", "--json"])
    Traceback (most recent call last):
    SystemExit: 0
    """
    degrade_streams()
    try:
        with building_progress():  # tables that a bot needs may be missing anywhere
            code = app(args=arguments, prog_name="pokerlab", standalone_mode=False)
    except (ValueError, OSError) as error:
        code = _fail(str(error))
    except KeyboardInterrupt:
        tell("interrupted")
        code = 130
    except Exception as error:
        # Typer's own complaints (an unknown option, a missing argument) know how to say
        # themselves; whatever else arrives here is a bug and keeps its traceback.
        if not hasattr(error, "format_message"):
            raise
        code = _fail(error.format_message() + _offending_text(error, arguments))
    # A reader such as `head` may close the pipe early; that is no error of ours.
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    raise SystemExit(code or 0)


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
        tell(f"pokerlab: {' '.join(message.split())}")
    return 2


if __name__ == "__main__":
    main()

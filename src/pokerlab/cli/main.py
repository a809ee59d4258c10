"""The entry point of the `pokerlab` command."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from functools import cache

import typer
from typer.core import TyperGroup

from pokerlab.cli.assembly import COMMANDS, assemble
from pokerlab.cli.shared.bounds import check_digits
from pokerlab.cli.shared.building import building_progress
from pokerlab.cli.shared.conversion import convert_without_pydantic
from pokerlab.cli.shared.help_text import keep_brackets
from pokerlab.cli.shared.interruption import NOTHING_KEPT, CutShortError, watching_signals
from pokerlab.cli.shared.plain_text import tell
from pokerlab.cli.shared.streams import flush_stdout, prepare_streams, reader_left

_LONG_WORD = re.compile(r"\S{161,}")
_MAX_MESSAGE = 500
_COMPLETING = "_POKERLAB_COMPLETE"
"""What completion scripts of shells set (``pokerlab --show-completion``)."""


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
    """Run a command and return its exit code; an error is one line on stderr."""
    try:
        with building_progress():  # tables that a bot needs may be missing anywhere
            return _call(arguments)
    except BrokenPipeError as error:
        # A reader such as `head` may close the pipe early: not an error of ours.
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
    words = list(sys.argv[1:] if arguments is None else arguments)
    if arguments is None and _COMPLETING in os.environ:
        return _complete()
    check_digits(words)
    command = _command(words[0] if words and words[0] in COMMANDS else None)
    try:
        with command.make_context("pokerlab", words) as context:
            command.invoke(context)
    except typer.Exit as end:
        return end.exit_code
    return 0


def _complete() -> int:
    """Answer a shell that asks for completions of a command line: it is in the environment."""
    typed = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS", "")
    name = next((word for word in typed.split()[1:2] if word in COMMANDS), None)
    _command(name, completing=True).main([], prog_name="pokerlab", complete_var=_COMPLETING)
    return 0


@cache
def _command(name: str | None, *, completing: bool = False) -> TyperGroup:
    """What Typer makes of one command, or of all of them, once for all calls in a process."""
    command = typer.main.get_command(assemble(name, completing=completing))
    assert isinstance(command, TyperGroup)
    convert_without_pydantic(command)
    keep_brackets(command)
    return command


def _system_error(error: OSError) -> str:
    """The message of the system, without its number."""
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

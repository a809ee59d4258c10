"""The error of a bot in one line, with its place in the user's code."""

from __future__ import annotations

import logging
import sysconfig
from collections.abc import Callable
from pathlib import Path
from traceback import walk_tb
from typing import Any

import numpy as np

import pokerlab
from pokerlab.games import BettingGame
from pokerlab.players.bots.bot import Bot
from pokerlab.runtime.errors import shorten

_LOG = logging.getLogger(__name__)
_OURS = Path(pokerlab.__file__).parent
_LIBRARIES = tuple(Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib", "platlib"))


class PlayerLeaves(BaseException):
    """A person leaves the table: the hand is not played on, and nobody is at fault."""


def failure_text(error: BaseException) -> str:
    """An error of a bot in one line, after file and line of the code that raised it.

    Whatever a bot raises is its fault, ``sys.exit`` and classes of its own too, so those who call
    one catch `BaseException`. What is no error of a bot (Ctrl-C, a person who leaves) is raised
    again here. The traceback goes to the log, for those who ask for it (``--debug``).

    Examples
    --------
    >>> failure_text(KeyError("ace"))
    "KeyError: 'ace'"
    """
    if isinstance(error, KeyboardInterrupt | PlayerLeaves):
        raise error
    _LOG.debug("a bot failed", exc_info=error)
    if isinstance(error, SystemExit):
        said = shorten(f"sys.exit({guarded(repr, error.code)})", 200)
    else:
        text = guarded(str, error)
        said = shorten(f"{type(error).__name__}: {text}" if text else type(error).__name__, 200)
    return f"{place}: {said}" if (place := _place(error)) else said


def reset_bot(
    bot: Bot, name: str, game: BettingGame, rng: np.random.Generator, *, timed: bool = False
) -> None:
    """Let a bot begin a match, and prepare for one with a clock; `ValueError`: why it cannot."""
    try:
        bot.reset(game, rng)
        if timed:
            bot.warm_up()
    except BaseException as error:
        if isinstance(error, ValueError) and not _user_lines(error):
            raise  # one of ours says that it does not play this game
        raise ValueError(
            f"bot {shorten(name)!r} cannot begin a match: {failure_text(error)}"
        ) from error


def close_bot(bot: Bot) -> str:
    """Close a bot; return the error in one line, empty if there was none."""
    try:
        bot.close()
    except BaseException as error:
        return f"close(): {failure_text(error)}"
    return ""


def guarded(describe: Callable[[Any], str], thing: object) -> str:
    """A text for something that a bot made, whose own way to say it may fail."""
    try:
        return describe(thing)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        return ""


def _place(error: BaseException) -> str:
    """File and line of the user's code that failed; empty if there was none."""
    for file, line in (_user_lines(error) or _foreign_lines(error))[-1:]:
        return f"{file.name}:{line}"
    return ""


def _user_lines(error: BaseException) -> list[tuple[Path, int]]:
    """The lines that led to an error, of files that are neither ours nor a library's."""
    return [
        each
        for each in _foreign_lines(error)
        if not any(each[0].is_relative_to(library) for library in _LIBRARIES)
    ]


def _foreign_lines(error: BaseException) -> list[tuple[Path, int]]:
    lines = [(Path(frame.f_code.co_filename), line) for frame, line in walk_tb(error.__traceback__)]
    return [each for each in lines if not each[0].is_relative_to(_OURS)]

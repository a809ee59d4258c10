"""What a bot's error says in one line, and where in the user's code it happened."""

from __future__ import annotations

import logging
import sysconfig
from collections.abc import Callable
from pathlib import Path
from traceback import walk_tb
from typing import Any

import numpy as np

import pokerlab
from pokerlab.bots.bot import Bot
from pokerlab.errors import shorten
from pokerlab.games import BettingGame

__all__ = ["BOT_FAILURES", "failure_text", "guarded", "reset_bot"]

BOT_FAILURES = (Exception, SystemExit)
"""What counts as an error of a bot: ``sys.exit`` must not end the program that it plays in."""

_LOG = logging.getLogger(__name__)
_OURS = Path(pokerlab.__file__).parent
_LIBRARIES = tuple(Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib", "platlib"))


def failure_text(error: BaseException) -> str:
    """An error in one line, after file and line of the code that raised it.

    The traceback goes to the log, for those who ask for it (``--debug``).

    Examples
    --------
    >>> failure_text(KeyError("ace"))
    "KeyError: 'ace'"
    """
    _LOG.debug("a bot failed", exc_info=error)
    if isinstance(error, SystemExit):
        said = shorten(f"sys.exit({guarded(repr, error.code)})", 200)
    else:
        text = guarded(str, error)
        said = shorten(f"{type(error).__name__}: {text}" if text else type(error).__name__, 200)
    return f"{place}: {said}" if (place := _place(error)) else said


def reset_bot(bot: Bot, name: str, game: BettingGame, rng: np.random.Generator) -> None:
    """Let a bot begin a match; `ValueError` says why it cannot."""
    try:
        bot.reset(game, rng)
    except ValueError:
        raise  # it says that it does not play this game
    except BOT_FAILURES as error:
        raise ValueError(
            f"bot {shorten(name)!r} cannot begin a match: {failure_text(error)}"
        ) from error


def guarded(describe: Callable[[Any], str], thing: object) -> str:
    """A text for something that a bot made, whose own way to say it may fail."""
    try:
        return describe(thing)
    except BOT_FAILURES:
        return ""


def _place(error: BaseException) -> str:
    """File and line of the user's code that failed; empty if there was none."""
    lines = [(Path(frame.f_code.co_filename), line) for frame, line in walk_tb(error.__traceback__)]
    foreign = [each for each in lines if not each[0].is_relative_to(_OURS)]
    own = [each for each in foreign if not any(each[0].is_relative_to(lib) for lib in _LIBRARIES)]
    for file, line in (own or foreign)[-1:]:
        return f"{file.name}:{line}"
    return ""

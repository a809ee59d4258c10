"""Users' bots: where their prints go, and ``--debug`` for their authors."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout
from typing import TYPE_CHECKING

from pokerlab.cli.shared.plain_text import tell

if TYPE_CHECKING:
    from pokerlab.bots.bot import Bot


@contextmanager
def bots_at_work(*, debug: bool = False) -> Iterator[None]:
    """Make bots and let them play in here: their prints go to stderr.

    A result on stdout stays whole, also when they run in other processes, or start programs.
    """
    with ExitStack() as stack:
        stack.enter_context(tracebacks(debug))
        stack.enter_context(_output_to_stderr())
        stack.enter_context(redirect_stdout(sys.stderr))
        yield


def let_go(bot: Bot, text: str) -> None:
    """Close a bot; what goes wrong there is one line on stderr, and no result is lost."""
    from pokerlab.bots.failures import close_bot
    from pokerlab.errors import shorten

    if failure := close_bot(bot):
        tell(f"pokerlab: bot {shorten(text)!r}: {failure}")


@contextmanager
def tracebacks(wanted: bool) -> Iterator[None]:
    """Print the traceback of every error that a bot raises in here, if that is wanted."""
    if not wanted:
        yield
        return
    logger = logging.getLogger("pokerlab.bots.failures")
    handler = logging.StreamHandler(sys.stderr)
    before = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(before)


@contextmanager
def _output_to_stderr() -> Iterator[None]:
    """The same for the stream that processes started in here inherit."""
    sys.stdout.flush()
    try:
        kept = os.dup(1)
    except OSError:  # there is none
        yield
        return
    try:
        os.dup2(2, 1)
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)

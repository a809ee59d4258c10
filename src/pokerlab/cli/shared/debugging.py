"""``--debug``: the tracebacks of bots that fail, for those who write bots."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

__all__ = ["Debug", "show_tracebacks"]

Debug: TypeAlias = Annotated[
    bool, typer.Option("--debug", help="Print the traceback when a bot fails, on stderr.")
]


def show_tracebacks() -> None:
    """From here on, print the traceback of every error that a bot raises at the table."""
    import logging

    logger = logging.getLogger("pokerlab.bots.failures")
    logger.addHandler(logging.StreamHandler())
    logger.setLevel(logging.DEBUG)

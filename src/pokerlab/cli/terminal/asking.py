"""Asking a person at the terminal, or a file that answers for one."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console


def asker(console: Console) -> Callable[[str], str]:
    """How to ask: a prompt where a person types, an echo where answers come from a file.

    What it gives raises `EOFError` where nobody can answer any more.
    """

    def ask(prompt: str) -> str:
        console.print(prompt, end="")
        try:
            line = "" if sys.stdin is None else sys.stdin.readline()
        except (OSError, ValueError):  # it is closed
            line = ""
        if not line:
            console.print()
            raise EOFError
        if not sys.stdin.isatty():
            console.print(line.rstrip("\n"))
        return line

    return ask

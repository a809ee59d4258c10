"""Help texts as they are written: Typer reads them as markup of Rich, which swallows brackets."""

from __future__ import annotations

import re
from typing import Any

from typer.core import TyperGroup

_TAG = re.compile(r"(\\*)(\[[a-z#/@][^\x5b]*?])")
"""What Rich takes for a tag; as in `rich.markup.escape`, which takes long to import."""


def keep_brackets(command: Any) -> None:
    """Escape what would be markup in the help of a command, its options and those below it."""
    for described in (command, *command.params):
        for name in ("help", "short_help"):
            text = getattr(described, name, None)
            if text:
                setattr(described, name, _TAG.sub(r"\1\1\\\2", text))
    if isinstance(command, TyperGroup):
        for inner in command.commands.values():
            keep_brackets(inner)

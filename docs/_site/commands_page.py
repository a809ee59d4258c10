"""Writes the page of all commands from the command line itself: it is never out of date."""

from __future__ import annotations

import re
from typing import Any

from mkdocs.structure.pages import Page
from typer.cli import get_docs_for_click
from typer.main import get_command

from pokerlab.cli.assembly import assemble

PAGE = "reference/commands.md"


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Put the commands in place of what the file of the page says."""
    return commands_page() if page.file.src_uri == PAGE else markdown


def commands_page() -> str:
    """All commands with their arguments and options."""
    command = get_command(assemble())
    _show_all(command)
    context = command.make_context("pokerlab", ["--help"], resilient_parsing=True)
    text = get_docs_for_click(obj=command, ctx=context, name="pokerlab")
    return _linked(str(text).replace("# `pokerlab`", "# Commands", 1))


def _show_all(command: Any) -> None:
    """Show rare options, no former names, and the first paragraph of each help in the lists."""
    commands = getattr(command, "commands", {})
    for name in [name for name, one in commands.items() if one.hidden]:
        del commands[name]
    for one in commands.values():
        one.short_help = " ".join((one.help or "").partition("\n\n")[0].split())
        for option in one.params:
            option.hidden = False
        _show_all(one)


def _linked(text: str) -> str:
    """The list of all commands, each with a link to its part of the page."""
    head, mark, rest = text.partition("\n## ")
    return (
        re.sub(r"^\* `([a-z][\w-]*)`: ", r"* [`\1`](#pokerlab-\1): ", head, flags=re.M)
        + mark
        + rest
    )

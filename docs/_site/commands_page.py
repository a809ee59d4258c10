"""Writes the page of all commands from the command line itself: it is never out of date."""

from __future__ import annotations

from typing import Any

from mkdocs.structure.files import File, Files
from typer.cli import get_docs_for_click
from typer.main import get_command

from pokerlab.cli.assembly import assemble

PAGE = "reference/commands.md"


def on_files(files: Files, config: Any) -> Files:
    """Add the page to what the site is made of."""
    files.append(File.generated(config, PAGE, content=commands_page()))
    return files


def commands_page() -> str:
    """All commands with their arguments and options."""
    command = get_command(assemble())
    context = command.make_context("pokerlab", ["--help"], resilient_parsing=True)
    text = get_docs_for_click(obj=command, ctx=context, name="pokerlab")
    return str(text).replace("# `pokerlab`", "# Commands", 1)

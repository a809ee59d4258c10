"""`pokerlab web`: the pages in a browser."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from pokerlab.cli.options import declared as options
from pokerlab.cli.options.bounds import bounded
from pokerlab.cli.terminal.plain_text import tell


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("web")(_web)


def _web(
    folder: Annotated[
        Path, typer.Argument(help="Spots, solutions and batches; nothing outside is touched.")
    ] = Path(),
    port: Annotated[
        int | None,
        typer.Option(
            callback=bounded(0, 65535),
            help="Where to listen; 0 for any free port. By default 8642, or the next free one.",
            show_default=False,
        ),
    ] = None,
    host: Annotated[
        str,
        "Listen on this name or address; others than this machine's own open "
        "the pages to whoever has the token.",
    ] = "127.0.0.1",
    no_browser: Annotated[bool, "Only print the address."] = False,
    as_json: options.Json = False,
) -> None:
    """Serve the pages over a folder, and open a browser: see, study, train, play.

    The address that is printed holds a token, without which nothing is answered. Solves go on
    when the pages are closed, and when this command ends. Ctrl-C ends it.
    """
    try:
        from pokerlab.web import serve
    except ImportError:
        raise ValueError("the pages need two packages: pip install 'pokerlab[web]'") from None

    def ready(address: str) -> None:
        if as_json:
            print(json.dumps({"address": address, "folder": str(folder.resolve())}), flush=True)

    with suppress(KeyboardInterrupt):  # the way to end it, which uvicorn passes on
        serve(folder, host=host, port=port, browser=not no_browser, tell=tell, ready=ready)
    tell("the pages are closed; solves that run go on")

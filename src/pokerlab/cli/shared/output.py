"""What the commands share: the ``--json`` option, and printing to people or to programs."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["Json", "Seed", "emit"]

Json: TypeAlias = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Seed: TypeAlias = Annotated[
    int, typer.Option("--seed", help="Seed of the random numbers: the same seed, the same output.")
]


def emit(data: Mapping[str, Any], render: Callable[[Console], None], *, as_json: bool) -> None:
    """Print `data` as JSON, or let `render` draw it on a console.

    Examples
    --------
    >>> data = {"path": "0d{J}:x:"}
    >>> emit(data, lambda console: console.print(data["path"]), as_json=False)
    0d{J}:x:
    >>> emit(data, lambda console: console.print(data["path"]), as_json=True)
    {"path": "0d{J}:x:"}
    """
    if as_json:
        print(json.dumps(data, ensure_ascii=False, allow_nan=False))
        return
    from rich.console import Console

    # What stands between colons is text of games, lines and files, never the name of a picture.
    render(Console(highlight=False, emoji=False))

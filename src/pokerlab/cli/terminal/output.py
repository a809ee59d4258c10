"""Printing to people or to programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pokerlab.views.table import Table

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text


PLAYER = "fold.26 bold"
"""A column of players in a table that fits 80 columns: long names are folded, numbers not."""


PLAYED_COLUMNS = {
    "played": "chips.3",
    "± error": "chips.3",
    "computed": "chips.3",
    "z": "signed.1",
}
"""What hands that were played gave, beside what was computed."""


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
        print_json(data)
    else:
        render(new_console())


def print_json(data: Mapping[str, Any]) -> None:
    """Print one JSON object, in ASCII where stdout cannot write the rest."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(data, allow_nan=False)
    print(text)


def new_console(*, stderr: bool = False) -> Console:
    """The console that every command draws on: no text is ever read as markup."""
    from pokerlab.cli.terminal.console import Terminal

    return Terminal(stderr=stderr)


def styled(text: str, style: str) -> Text:
    """Text in a style of Rich: a colour, ``bold``, ``dim``."""
    from rich.text import Text

    return Text(text, style=style)


def bold(text: str) -> Text:
    """Text in bold; put it between strings in one call of `Console.print`.

    Examples
    --------
    >>> new_console().print(bold("kuhn"), ", 2 players [/x]", sep="")
    kuhn, 2 players [/x]
    """
    return styled(text, "bold")


def print_listed(
    console: Console,
    columns: Mapping[str, str],
    rows: Sequence[Sequence[Any]],
    limit: int | None,
    what: str = "",
) -> None:
    """Print a table of the first rows, and how many more there are; see `pokerlab.views.Table`.

    Examples
    --------
    >>> rows = [["caller", 7], ["raiser", -7]]
    >>> print_listed(new_console(), {"bot": PLAYER, "chips": "signed.0"}, rows, 1, "bots")
    bot     chips
    caller     +7
    1 more bots; --all lists them
    """
    console.print(Table(columns, rows[:limit]))
    if limit is not None and len(rows) > limit:
        words = f"more {what}".strip()
        console.print(f"{len(rows) - limit:,} {words}; --all lists them", style="dim")

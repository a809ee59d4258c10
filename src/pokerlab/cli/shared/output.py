"""Printing to people or to programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text


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
    from pokerlab.cli.shared.terminal import Terminal

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


def player_table(name: str, *numbers: str) -> Table:
    """A table of players and numbers that fits 80 columns: long names are folded, numbers not.

    Parameters
    ----------
    name
        The heading of the names.
    numbers
        The headings of the numbers.

    Examples
    --------
    >>> table = player_table("bot", "chips")
    >>> table.add_row("my_bots/of_this_week/careful.py:Careful", "+7")
    >>> new_console().print(table)
    bot                         chips
    my_bots/of_this_week/caref     +7
    ul.py:Careful
    """
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column(name, style="bold", overflow="fold", max_width=26)
    for number in numbers:
        table.add_column(number, justify="right", no_wrap=True)
    return table

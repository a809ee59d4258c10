"""Tables of hands, or of groups of hands, at a decision: actions and EVs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from pokerlab.views import Column, Table

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.postflop.answer.export import HandRow

By: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--by",
        help="Break the range down by made (made hands), draws, equity (tenths), or class (AKs): "
        "what share they are, what they do and what they earn.",
    ),
]
HandsFilter: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--hands",
        help="Only these hands: a range, made hands and draws: 'AK, QQ+' or 'top-pair & "
        "flush-draw, set'.",
    ),
]


def print_hand_table(
    console: Console,
    actions: Sequence[str],
    rows: Sequence[HandRow],
    *,
    names: Sequence[str],
    first: Sequence[float | str],
    heads: tuple[str, str] = ("hand", "weight"),
) -> None:
    """Print rows: a name, a first number, the strategy, EV, equity, and the EV of each action.

    Where the screen is too narrow, the EVs of actions stand in a table of their own.

    Parameters
    ----------
    console, actions, rows
        Where to print, what may be done, and the rows of the player who acts.
    names, first
        The cells of the first two columns; shares, or texts.
    heads
        Their headings.
    """

    def table(cells: Sequence[Sequence[Any]], *columns: Column) -> Table:
        # Many actions have to share a line.
        options = {"collapse_padding": len(actions) > 4}
        return Table([Column(heads[0], "name"), *columns], cells, options=options)

    shares = [Column(name, "share") for name in (heads[1], *actions, "equity")]
    plays = [*shares[:-1], Column("EV", "chips"), shares[-1]]
    worths = [Column(f"EV {action}", "chips") for action in actions]
    played = [
        (name, number, *row.strategy, row.ev, row.equity)
        for row, name, number in zip(rows, names, first, strict=True)
    ]
    play = table(played, *plays)
    worth = table([(name, *row.action_ev) for row, name in zip(rows, names, strict=True)], *worths)
    together = [(*cells, *row.action_ev) for cells, row in zip(played, rows, strict=True)]
    both = table(together, *plays, *worths)
    wide = console.options.update(max_width=1000)
    if console.measure(both, options=wide).maximum <= console.width:
        console.print(both)
    else:
        console.print(play)
        console.print()
        console.print(worth)


def print_parts(
    console: Console, actions: Sequence[str], by: str, parts: Sequence[HandRow]
) -> None:
    """Print the parts of a range whose weights are shares of it."""
    print_hand_table(
        console,
        actions,
        parts,
        names=[part.name for part in parts],
        first=[part.weight for part in parts],
        heads=(by, "share"),
    )


def part_columns(actions: Sequence[str], by: str, parts: Sequence[HandRow]) -> dict[str, list[Any]]:
    """The same as columns, for files."""
    from pokerlab.postflop.answer.export import row_columns

    columns = row_columns(parts, actions)
    return {by: [part.name for part in parts], "share": columns.pop("weight"), **columns}

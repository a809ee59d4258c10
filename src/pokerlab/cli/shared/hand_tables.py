"""Tables of hands, or of groups of hands, at a decision: what they do and what they earn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from pokerlab.pictures.tables import number_text, percent_text

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
    first: Sequence[str],
    heads: tuple[str, str] = ("hand", "weight"),
) -> None:
    """Print rows: a name, a first number, the strategy, EV, equity, and the EV of each action.

    Where the screen is too narrow, the EVs of actions stand in a table of their own.

    Parameters
    ----------
    console, actions, rows
        Where to print, what may be done, and the rows of the player who acts.
    names, first
        The texts of the first two columns.
    heads
        Their headings.
    """
    from rich.table import Table

    def table(*columns: str) -> Table:
        # Many actions have to share a line.
        made = Table(box=None, pad_edge=False, collapse_padding=len(actions) > 4)
        for column in (heads[0], *columns):
            made.add_column(column, justify="left" if column == heads[0] else "right", no_wrap=True)
        return made

    play = table(heads[1], *actions, "EV", "equity")
    worth = table(*(f"EV {action}" for action in actions))
    both = table(heads[1], *actions, "EV", "equity", *(f"EV {action}" for action in actions))
    for row, name, number in zip(rows, names, first, strict=True):
        plays = (
            number,
            *(f"{share:.1%}" for share in row.strategy),
            number_text(row.ev),
            percent_text(row.equity),
        )
        worths = [number_text(ev) for ev in row.action_ev]
        play.add_row(name, *plays)
        worth.add_row(name, *worths)
        both.add_row(name, *plays, *worths)
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
        first=[percent_text(part.weight) for part in parts],
        heads=(by, "share"),
    )


def part_columns(actions: Sequence[str], by: str, parts: Sequence[HandRow]) -> dict[str, list[Any]]:
    """The same as columns, for files."""
    from pokerlab.postflop.answer.export import row_columns

    columns = row_columns(parts, actions)
    return {by: [part.name for part in parts], "share": columns.pop("weight"), **columns}

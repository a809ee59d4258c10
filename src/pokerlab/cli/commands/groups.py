"""`pokerlab groups`: which hands of a board go together, and how many groups there are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from pokerlab.cli.shared import options
from pokerlab.cli.shared.output import bold, emit
from pokerlab.views import Table

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.groups.hands.listing import HandGroup


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("groups")(_groups)


def _groups(
    board: Annotated[str, "3, 4 or 5 board cards, for example QhJh2c."],
    measure: Annotated[
        str,
        typer.Option(
            "--measure",
            "-m",
            help="What counts on a complete board: rank, strength, strength-range or view.",
        ),
    ] = "view",
    identity: Annotated[
        str,
        typer.Option(
            "--identity",
            "-i",
            help="When two hands are the same: river (on each complete board), hierarchical or"
            " global (by histograms).",
        ),
    ] = "river",
    hands: Annotated[
        str, typer.Option("--range", "-r", help="Only hands of this range, for example '77+, AKs'.")
    ] = "random",
    opponent: Annotated[str, "The opponent's range, for strength-range."] = "random",
    show: Annotated[bool, "List the hands of each group of the board."] = False,
    threads: options.Threads = None,
    as_json: options.Json = False,
) -> None:
    """Group the hands of a board that are worth the same, and count the groups on each street."""
    from pokerlab.groups.hands.counting import count_groups
    from pokerlab.groups.hands.hand_grouping import HandGrouping
    from pokerlab.groups.hands.listing import list_groups

    grouping = HandGrouping.of(measure, identity)
    words = (board, grouping.kind, grouping.identity)
    counted = count_groups(*words, hands=hands, opponent=opponent, threads=threads)
    listed = []
    if show:
        listed = list_groups(*words, hands=hands, opponent=opponent, threads=threads)
    data: dict[str, Any] = {
        "measure": grouping.kind,
        "identity": grouping.identity,
        "streets": {
            street: {
                "boards": int(counts.times.sum()),
                "mean": counts.mean,
                "min": counts.min,
                "max": counts.max,
            }
            for street, counts in counted.items()
        },
    }
    if show:
        data["groups"] = [
            {"hands": group.text, "combos": len(group.combos), "strength": group.strength}
            for group in listed
        ]

    def render(console: Console) -> None:
        rows = (
            (street, row["boards"], row["mean"], str(row["min"]), str(row["max"]))
            for street, row in data["streets"].items()
        )
        heads = {"boards": "count", "groups (mean)": "chips.1", "fewest": "count", "most": "count"}
        console.print(bold(grouping.text))
        console.print(Table({"street": "text bold", **heads}, rows))
        if show:
            _print_groups(console, listed)

    emit(data, render, as_json=as_json)


def _print_groups(console: Console, groups: list[HandGroup]) -> None:
    rows = ((group.strength, len(group.combos), group.text) for group in groups)
    console.print()
    console.print(Table({"strength": "share.2", "combos": "count", "hands": "fold"}, rows))

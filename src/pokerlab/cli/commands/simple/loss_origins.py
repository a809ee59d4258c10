"""Where a solution loses: what best responses to it take, by line and by class of hands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pokerlab.cli.progress.counting import staged_progress
from pokerlab.cli.terminal.output import emit, print_listed
from pokerlab.games.betting_trees.menus import PLAYERS
from pokerlab.views.texts import gap_text

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.holdem.spots import PostflopSolution
    from pokerlab.holdem.spots.simple.origins import LossOrigins

_NOTHING = 1e-6
"""As a part of the pot."""


def show_losses(
    full: PostflopSolution,
    simple: PostflopSolution,
    line: str | None,
    by: str,
    limit: int | None,
    as_json: bool,
) -> None:
    """Print what each line of a solution gives to the best response, or each class at a line."""
    from pokerlab.holdem.spots.simple.origins import losses_between
    from pokerlab.views.payloads.simple_payload import origins_payload

    boards = 4 * sum(map(len, full.boards.cards))
    done = 0
    with staged_progress(quiet=as_json) as tell:

        def count(_: int) -> None:
            nonlocal done
            done += 1
            tell("boards searched for the loss", done, boards)

        parts = losses_between(full, simple, count)
    data = origins_payload(full, parts)
    if line is not None:
        data |= {"by": by, "rows": _class_rows(full, parts, line, by)}
    listed = data["rows"]

    def render(console: Console) -> None:
        pot = full.spot.pot
        # Of prize money, not all that a player loses is the opponent's.
        verb, to = ("loses", "against") if full.spot.pays_prizes else ("gives", "to")
        for name, each in zip(PLAYERS, parts, strict=True):
            console.print(
                f"{name:<3} {verb} {gap_text(each.total)} chips {to} the best response, "
                f"{gap_text(100 * each.total / pot)}% of the pot"
            )
        console.print()
        rows = [
            (*(each[name] for name in names), each["chips"], each["chips"] / pot)
            for each in listed
            for names in [("line", "player", "street") if line is None else ("name",)]
        ]
        heads = ("line", "player", "street") if line is None else (by,)
        columns = dict.fromkeys(heads, "text") | {"gives": "signed.3", "of the pot": "share.3"}
        if line is None:
            rows = [(each[0] or "first", *each[1:]) for each in rows]
        print_listed(console, columns, rows, limit, "lines" if line is None else "parts")

    emit(data, render, as_json=as_json)


def _class_rows(
    full: PostflopSolution, parts: tuple[LossOrigins, LossOrigins], line: str, by: str
) -> list[Any]:
    """What each part of the range gives at a decision of the first street, most first."""
    from pokerlab.holdem.spots.reports.breakdown import hand_groups

    view, place = full.at(line), full.spot.find(line)
    if place.level:
        raise ValueError(f"line {line!r}: losses by hand are known on the first street alone")
    hands = parts[view.player].hands[place.node]
    rows: list[dict[str, Any]] = [
        {"name": name, "chips": float(hands[combos].sum())}
        for name, combos in hand_groups(view, by, view.player)
    ]
    kept = [each for each in rows if abs(each["chips"]) > _NOTHING * full.spot.pot]
    return sorted(kept, key=lambda each: -each["chips"])

"""`pokerlab show` for strategies that `pokerlab train` wrote: 13×13 or by group of cards."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from pokerlab.cli.options.files import check_distinct, check_output, save_bytes
from pokerlab.cli.progress.building import building_progress
from pokerlab.cli.progress.compiling import announce_compiling
from pokerlab.cli.terminal.output import bold, emit
from pokerlab.views import Table

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.players.strategies import LimitStrategy, LimitView
    from pokerlab.players.strategies.limit_view import GroupRow


def is_limit_strategy(file: Path) -> bool:
    """Whether a file holds a trained strategy, of any version of the format."""
    from pokerlab.runtime.files.tensor_map import file_kind

    return file_kind(file) == "pokerlab limit strategy"


def show_limit(
    file: Path,
    line: str,
    *,
    board: str | None,
    hands: str | None,
    limit: int | None,
    csv: Path | None,
    as_json: bool,
) -> None:
    """Show a decision of a trained strategy; `hands` chooses what is listed."""
    from pokerlab.players.strategies import LimitStrategy, view_limit
    from pokerlab.players.strategies.limit_payload import (
        hand_rows,
        has_classes,
        limit_payload,
        shown_by_hand,
    )

    check_output(csv, "--csv")
    check_distinct({"--csv": csv}, [file])
    with announce_compiling(quiet=as_json), building_progress(quiet=as_json):
        strategy = LimitStrategy.load(file)
        view = view_limit(strategy, line, board)
    listed = view if hands is None else view.only(hands)
    rows = hand_rows(listed) if shown_by_hand(view) else []
    groups = listed.group_rows()
    if csv is not None:
        save_bytes(csv, _csv(view, rows, groups), "--csv")
    data = limit_payload(strategy, view, rows, groups) | {"files": [str(csv)] if csv else []}

    def render(console: Console) -> None:
        if csv is not None:
            console.out(f"wrote {csv}")
            return
        _print_title(console, strategy, view)
        if has_classes(view):
            console.print()
            console.print(_matrix(view))
        console.print()
        _print_actions(console, view)
        console.print()
        if shown_by_hand(view):
            _print_hands(console, view, rows, limit)
        else:
            _print_groups(console, view, groups, limit)

    emit(data, render, as_json=as_json)


def _csv(view: LimitView, rows: list[dict[str, Any]], groups: list[GroupRow]) -> bytes:
    cells: list[list[Any]]
    if rows:
        first = ("hand", "combos", "group", "weight")
        heads = [*first, *view.actions, "strength"]
        cells = [[*(row[n] for n in first), *row["strategy"], row["strength"]] for row in rows]
    else:
        heads = ["group", "share", "weight", *view.actions, "strength", "examples"]
        cells = [
            [row.group, row.share, row.weight, *row.strategy, row.strength, ", ".join(row.examples)]
            for row in groups
        ]
    return Table(dict.fromkeys(heads, "text"), cells).csv().encode()


def _print_title(console: Console, strategy: LimitStrategy, view: LimitView) -> None:
    from pokerlab.cards.codes import format_cards

    game, node = strategy.game.game, view.node
    board = format_cards(view.board or (), separator=" ", symbols=True)
    where = f"after {view.line}" if view.line else "first decision"
    console.print(
        bold(game.name),
        f" {board + ', ' if board else ''}{where}, player {node.player} acts, pot"
        f" {node.pot / game.unit:,g}",
    )
    wins = "that knows the groups wins" if strategy.exact else "wins at least"
    console.print(
        f"groups {strategy.game.name}; a best response {wins}"
        f" {strategy.exploitability * game.mbb:,.3g} mbb",
        style="dim",
    )
    if not view.weights.any():
        console.print(f"no hand of player {node.player} arrives here", style="yellow")
    elif view.arriving < 1:
        console.print(f"it plays to get here with {view.arriving:.1%} of its hands", style="dim")


def _matrix(view: LimitView) -> Any:
    from pokerlab.cli.tables.matrix import StrategyMatrix
    from pokerlab.players.strategies.limit_payload import class_shares

    return StrategyMatrix(view.actions, *class_shares(view))


def _print_actions(console: Console, view: LimitView) -> None:
    from rich.text import Text

    from pokerlab.cli.tables.matrix import action_letters, action_styles
    from pokerlab.players.strategies.limit_payload import action_word, line_after, outcome_words

    styles, letters = action_styles(view.actions), action_letters(view.actions)
    rows = [
        (
            Text(f" {letters[place]} ", styles[place]),
            action_word(view, action),
            float(view.frequencies[place]),
            line_after(view, action),
            outcome_words(view, action),
        )
        for place, action in enumerate(view.actions)
    ]
    columns = {"": "text", "action": "text", "frequency": "share", "next": "text", " ": "text"}
    console.print(Table(columns, rows))


def _print_hands(
    console: Console, view: LimitView, rows: list[dict[str, Any]], limit: int | None
) -> None:
    cells = [
        (
            row["hand"] if row["trained"] else f"{row['hand']}*",
            row["group"],
            row["weight"],
            *row["strategy"],
            *_strength(row["strength"]),
        )
        for row in rows[:limit]
    ]
    console.print(Table({"hand": "name", "group": "count", **_columns(view)}, cells))
    if not all(row["trained"] for row in rows[:limit]):
        console.print("* training never came here: a bot checks and calls", style="dim")
    if limit is not None and len(rows) > limit:
        console.print(f"{len(rows) - limit:,} more hands; --all lists them", style="dim")


def _print_groups(
    console: Console, view: LimitView, groups: list[GroupRow], limit: int | None
) -> None:
    shown = groups
    if limit is not None:  # those that are played most often, in their order
        often = sorted(groups, key=lambda row: -row.share * row.weight)[:limit]
        shown = [row for row in groups if row in often]
    cells = [
        (
            row.group if row.trained else f"{row.group:,}*",
            row.share,
            row.weight,
            *row.strategy,
            *_strength(row.strength),
            ", ".join(row.examples),
        )
        for row in shown
    ]
    columns = {"group": "count", "share": "share.2", **_columns(view), "examples": "text"}
    console.print(Table(columns, cells))
    if not all(row.trained for row in shown):
        console.print("* training never came here: a bot checks and calls", style="dim")
    if len(shown) < len(groups):
        console.print(f"{len(groups) - len(shown):,} more groups; --all lists them", style="dim")
    if not view.complete:
        console.print(f"seen on {view.dealt:,} random deals; --board shows one board", style="dim")


def _columns(view: LimitView) -> dict[str, str]:
    strength = {"strength": "chips.3"} if len(view.strengths) else {}
    return {"weight": "chips.3", **dict.fromkeys(view.actions, "share"), **strength}


def _strength(value: float | None) -> list[float]:
    return [] if value is None else [value]

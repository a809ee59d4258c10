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

    check_output(csv, "--csv")
    check_distinct({"--csv": csv}, [file])
    with announce_compiling(quiet=as_json), building_progress(quiet=as_json):
        strategy = LimitStrategy.load(file)
        view = view_limit(strategy, line, board)
    listed = view if hands is None else view.only(hands)
    rows = _hand_rows(listed) if _hand_by_hand(view) else []
    groups = listed.group_rows()
    if csv is not None:
        save_bytes(csv, _csv(view, rows, groups), "--csv")
    data = _payload(strategy, view, rows, groups) | {"files": [str(csv)] if csv else []}

    def render(console: Console) -> None:
        if csv is not None:
            console.out(f"wrote {csv}")
            return
        _print_title(console, strategy, view)
        if _has_classes(view):
            console.print()
            console.print(_matrix(view))
        console.print()
        _print_actions(console, view)
        console.print()
        if _hand_by_hand(view):
            _print_hands(console, view, rows, limit)
        else:
            _print_groups(console, view, groups, limit)

    emit(data, render, as_json=as_json)


def _has_classes(view: LimitView) -> bool:
    """Whether a 13×13 picture says it all: two private cards, before the flop or on one board."""
    return view.hole_cards == 2 and len(view.node.game.deck) == 52 and _hand_by_hand(view)


def _hand_by_hand(view: LimitView) -> bool:
    return view.board is not None or (view.complete and view.node.street == 0)


def _hand_rows(view: LimitView) -> list[dict[str, Any]]:
    """What each hand does: before the flop by class, on a board by combo, the strongest first."""
    from pokerlab.cards.codes import combo_index
    from pokerlab.cards.hand_classes import CLASS_NAMES, CLASS_OF_COMBO

    by_class = _has_classes(view) and view.board is None
    rows: dict[str, dict[str, Any]] = {}
    for hand in range(len(view)):
        name = view.private_text(hand)
        if by_class:
            name = CLASS_NAMES[CLASS_OF_COMBO[combo_index(*view.cards[hand].tolist())]]
        if name in rows:
            rows[name]["combos"] += 1
            continue
        rows[name] = {
            "hand": name,
            "combos": 1,
            "group": int(view.groups[hand]),
            "weight": float(view.weights[hand]),
            "strategy": view.strategy[hand].tolist(),
            "trained": bool(view.trained[hand]),
            "strength": float(view.strengths[hand]) if len(view.strengths) else None,
        }
    return sorted(rows.values(), key=lambda row: -(row["strength"] or 0.0))


def _payload(
    strategy: LimitStrategy,
    view: LimitView,
    rows: list[dict[str, Any]],
    groups: list[GroupRow],
) -> dict[str, Any]:
    from pokerlab.cards.codes import format_cards

    game = strategy.game.game
    return {
        "game": game.name,
        "groups_name": strategy.game.name,
        "exploitability_mbb": strategy.exploitability * game.mbb,
        "exact": strategy.exact,
        "line": view.line,
        "street": view.node.street,
        "player": view.node.player,
        "pot": view.node.pot / game.unit,
        "board": None if view.board is None else format_cards(view.board),
        "actions": list(view.actions),
        "frequencies": list(view.frequencies),
        "arriving": view.arriving,
        "next": [{"action": action, "line": _after(view, action)} for action in view.actions],
        "hands": {
            row["hand"]: {key: value for key, value in row.items() if key != "hand"} for row in rows
        },
        "sampled": not view.complete,
        "groups": [row._asdict() for row in groups],
    }


def _after(view: LimitView, action: str) -> str:
    return view.node.after(action).text


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
    import numpy as np

    from pokerlab.cards.codes import combo_index
    from pokerlab.cards.hand_classes import CLASS_OF_COMBO, GRID
    from pokerlab.cli.tables.matrix import StrategyMatrix

    hands = [combo_index(*hand) for hand in view.cards[:, :2].tolist()]
    classes = CLASS_OF_COMBO[hands]
    cells = GRID * GRID
    # A class that never arrives is drawn as it would play.
    weights = np.maximum(view.weights, 1e-9)
    total = np.maximum(np.bincount(classes, weights, cells), 1e-300)
    shares = [np.bincount(classes, weights * row, cells) / total for row in view.strategy.T]
    number = np.bincount(classes, minlength=cells)
    arriving = np.bincount(classes, view.weights, cells) / np.maximum(number, 1)
    return StrategyMatrix(view.actions, np.array(shares), arriving)


def _print_actions(console: Console, view: LimitView) -> None:
    from rich.text import Text

    from pokerlab.cli.tables.matrix import action_letters, action_styles

    styles, letters = action_styles(view.actions), action_letters(view.actions)
    rows = [
        (
            Text(f" {letters[place]} ", styles[place]),
            _word(view, action),
            float(view.frequencies[place]),
            _after(view, action),
            _outcome(view, action),
        )
        for place, action in enumerate(view.actions)
    ]
    columns = {"": "text", "action": "text", "frequency": "share", "next": "text", " ": "text"}
    console.print(Table(columns, rows))


def _word(view: LimitView, action: str) -> str:
    if action == "c":
        return "call" if view.node.to_call else "check"
    return "fold" if action == "f" else "raise" if view.node.to_call else "bet"


def _outcome(view: LimitView, action: str) -> str:
    after = view.node.after(action)
    pot = f"{after.pot / after.game.unit:,g}"
    if after.player >= 0:
        return f"pot {pot}" + (", cards come" if after.street > view.node.street else "")
    return f"showdown for {pot}" if len(after.live) > 1 else f"over, the pot is {pot}"


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

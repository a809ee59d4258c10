"""`pokerlab diff`: what changed between two solutions of a spot."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pokerlab.cli.shared.compiling import announce_compiling
from pokerlab.cli.shared.files import is_postflop
from pokerlab.cli.shared.output import Json, emit

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.postflop import PostflopSolution
    from pokerlab.postflop.answer.diff import HandChange

__all__ = ["register"]

_SEATS = ("oop", "ip")


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("diff")(_diff)


def _diff(
    first: Annotated[Path, typer.Argument(help="A solution of a spot.")],
    second: Annotated[
        Path, typer.Argument(help="Another one: same cards and chips, perhaps other bet sizes.")
    ],
    line: Annotated[
        str | None,
        typer.Argument(
            help="The decision to compare, as x/b50; all of the first street if left out.",
            show_default=False,
        ),
    ] = None,
    top: Annotated[int, typer.Option("--top", min=0, help="How many hands to list.")] = 20,
    everything: Annotated[bool, typer.Option("--all", help="List all hands.")] = False,
    as_json: Json = False,
) -> None:
    """Show which hands changed, by how much EV, and whether that exceeds both solutions' errors."""
    from pokerlab.postflop.answer.diff import diff

    with announce_compiling(quiet=as_json):
        solutions = _load(first), _load(second)
        changes = diff(*solutions, line)
    epsilon = sum(solution.exploitability.chips for solution in solutions)
    data: dict[str, Any] = {
        "epsilon": epsilon,
        "values": [list(solution.values) for solution in solutions],
        "hands": len(changes),
        "exceeding": sum(change.exceeds for change in changes),
        "changes": [_change_json(change) for change in changes] if as_json else [],
    }

    def render(console: Console) -> None:
        for name, solution in zip((first, second), solutions, strict=True):
            values = ", ".join(f"{value:,.3f}" for value in solution.values)
            reached = f"{solution.exploitability.chips:.3g}"
            console.out(f"{name}: values {values}, exploitability {reached}")
        console.print(
            f"{data['hands']:,} hands changed, {data['exceeding']:,} by more than both "
            f"exploitabilities together ({epsilon:.3g} chips)"
        )
        _print_changes(console, changes, None if everything else top)

    emit(data, render, as_json=as_json)


def _load(path: Path) -> PostflopSolution:
    from pokerlab.postflop import load_postflop
    from pokerlab.solvers import load_solution

    if not is_postflop(path):
        game = load_solution(path).game
        raise ValueError(f"{path} is a solution of {game}: diff compares solutions of spots")
    return load_postflop(path)


def _change_json(change: HandChange) -> dict[str, Any]:
    return {
        "line": change.line,
        "player": _SEATS[change.player],
        "seat": change.player,
        "hand": change.hand,
        "weight": change.weight,
        "actions": list(change.actions),
        "strategies": [list(strategy) for strategy in change.strategies],
        "strategy_change": change.strategy_change,
        "evs": [_known(ev) for ev in change.evs],
        "ev_change": _known(change.ev_change),
        "exceeds": change.exceeds,
    }


def _known(number: float) -> float | None:
    return None if math.isnan(number) else number


def _print_changes(console: Console, changes: list[HandChange], limit: int | None) -> None:
    from rich.table import Table

    shown = changes[:limit]
    if not shown:
        return
    table = Table(box=None, pad_edge=False)
    for name in ("line", "player", "hand", "EV", "change", "plays"):
        table.add_column(name, justify="right" if name in ("EV", "change") else "left")
    for change in shown:
        table.add_row(
            change.line or "first",
            _SEATS[change.player],
            change.hand,
            _chips(change.evs[0]),
            _chips(change.ev_change, sign="+") + (" !" if change.exceeds else "  "),
            _plays(change),
        )
    console.print(table)
    if any(change.exceeds for change in shown):
        console.print("! more than both exploitabilities together", style="dim")
    if len(shown) < len(changes):
        console.print(f"{len(changes) - len(shown):,} more hands; --all lists them", style="dim")


def _chips(number: float, sign: str = "") -> str:
    return "–" if math.isnan(number) else f"{number:{sign},.2f}"


def _plays(change: HandChange) -> str:
    """What the hand does now otherwise: ``x 92% → 10%``."""
    moved = (
        f"{action} {old:.0%} → {new:.0%}"
        for action, old, new in zip(change.actions, *change.strategies, strict=True)
        if round(100 * old) != round(100 * new)
    )
    return ", ".join(moved) or "as before"

"""`pokerlab diff`: what changed between two solutions of a spot."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pokerlab.cli.commands.simple.loss_origins import show_losses
from pokerlab.cli.options import declared as options
from pokerlab.cli.options.files import is_postflop
from pokerlab.cli.progress.compiling import announce_compiling
from pokerlab.cli.tables.hand_tables import By, HandsFilter
from pokerlab.cli.terminal.output import emit
from pokerlab.runtime.errors import shorten
from pokerlab.views import Column, Table
from pokerlab.views.texts import gap_text

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.holdem.spots import PostflopSolution
    from pokerlab.holdem.spots.reports.diff import FrequencyChange, HandChange, LineChange

_SEATS = ("oop", "ip")

_SELDOM = 5e-3
"""A change of frequency below half a percentage point is not worth a line."""


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("diff")(_diff)


def _diff(
    context: typer.Context,
    first: Annotated[Path, "A solution of a spot."],
    second: Annotated[Path, "Another one: same cards and chips, perhaps other bet sizes."],
    line: Annotated[
        str | None,
        typer.Argument(
            help="The decision to compare, for example x/b50; all of the first street if left out.",
            show_default=False,
        ),
    ] = None,
    top: options.Top = 20,
    everything: options.Everything = False,
    hands: HandsFilter = None,
    by: By = None,
    losses: Annotated[
        bool,
        "Where the second solution loses against best responses to it, if the first is played "
        "elsewhere: line by line, with a line by class (or --by).",
        options.NotWith("--hands"),
    ] = False,
    as_json: options.Json = False,
) -> None:
    """Show what changed: how often each action is taken, by class and by hand, and the EV.

    With a line, --by made or --by draws lists made hands or draws in place of classes.

    A change of EV is marked where it exceeds the exploitabilities of both solutions together. A
    decision that a solution never reaches says so and comes last: there is no play to compare.
    """
    from pokerlab.holdem.spots.reports.diff import diff, diff_frequencies

    options.check_options(context)
    if by is not None and line is None:
        raise ValueError(f"--by {shorten(by)}: name the line of a decision, '' for the first")
    with announce_compiling(quiet=as_json):
        solutions = _load(first), _load(second)
        if losses:
            show_losses(*solutions, line, by or "class", None if everything else top, as_json)
            return
        changes = diff(*solutions, line, hands=hands)
        lines = diff_frequencies(*solutions, line, by=by or "class", hands=hands)
    epsilon = sum(solution.exploitability.chips for solution in solutions)
    data: dict[str, Any] = {
        "epsilon": epsilon,
        "values": [list(solution.values) for solution in solutions],
        "groups": [
            None if solution.groups is None else solution.groups.text for solution in solutions
        ],
        "by": by or "class",
        "hands": len(changes),
        "exceeding": sum(change.exceeds for change in changes),
        "changes": [_change_json(change) for change in changes] if as_json else [],
        "lines": [_line_json(change) for change in lines] if as_json else [],
    }
    limit = None if everything else top

    def render(console: Console) -> None:
        for name, solution in zip((first, second), solutions, strict=True):
            values = ", ".join(f"{value:,.3f}" for value in solution.values)
            reached = gap_text(solution.exploitability.chips)
            groups = "" if solution.groups is None else f", groups {solution.groups.text}"
            console.out(f"{name}: values {values}, exploitability {reached}{groups}")
        console.print(
            f"{data['hands']:,} hands changed, {data['exceeding']:,} by more than both "
            f"exploitabilities ({gap_text(epsilon)} chips)"
        )
        if line is None:
            _print_lines(console, lines, limit)
        else:
            _print_totals(console, lines[0])
            if by is not None and all(lines[0].reached):
                _print_parts(console, lines[0], by)
            elif all(lines[0].reached):
                _print_classes(console, lines[0], limit)
        _print_changes(console, changes, limit)

    emit(data, render, as_json=as_json)


def _load(path: Path) -> PostflopSolution:
    from pokerlab.holdem.spots import load_postflop
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


def _line_json(change: LineChange) -> dict[str, Any]:
    return {
        "line": change.line,
        "player": _SEATS[change.player],
        "seat": change.player,
        "actions": list(change.actions),
        "reached": list(change.reached),
        **_frequencies_json(change.total),
        "classes": {name: _frequencies_json(each) for name, each in change.classes.items()},
    }


def _frequencies_json(change: FrequencyChange) -> dict[str, Any]:
    return {
        "combos": list(change.weights),
        "frequencies": [list(each) for each in change.frequencies],
        "change": list(change.changes),
        "evs": list(change.evs),
    }


def _known(number: float) -> float | None:
    return None if math.isnan(number) else number


def _print_totals(console: Console, change: LineChange) -> None:
    """How often the whole range takes each action at a line."""
    where = f"after {change.line}" if change.line else "first decision"
    old, new = (f"{weight:,.1f}" for weight in change.total.weights)
    console.print(f"\n{where}, {_SEATS[change.player]} acts, {old} combos before, {new} after")
    known = all(change.reached)
    rows = [
        (
            action,
            *(each if there else None for each, there in zip(both, change.reached, strict=True)),
            100 * moved if known else None,
        )
        for action, *both, moved in zip(
            change.actions, *change.total.frequencies, change.total.changes, strict=True
        )
    ]
    heads = {"before": "share", "after": "share", "change": "signed.1"}
    console.print(Table({"action": "text", **heads}, rows))
    if not known:
        console.print(_unreached(change), style="yellow")


def _print_classes(console: Console, change: LineChange, limit: int | None) -> None:
    """The classes of hands that play otherwise, those with most combos moved first."""
    moved = {name: each for name, each in change.classes.items() if each.moved >= _SELDOM}
    if not moved:
        return
    shown = sorted(moved, key=lambda name: -moved[name].moved * sum(moved[name].weights))[:limit]
    if not shown:
        return
    rows = [
        (name, max(each.weights), *map(_moved, *each.frequencies))
        for name, each in ((name, moved[name]) for name in shown)
    ]
    heads = {"class": "text", "combos": "chips.1", **dict.fromkeys(change.actions, "share")}
    console.print()
    console.print(Table(heads, rows))
    if len(shown) < len(moved):
        console.print(f"{len(moved) - len(shown):,} more classes; --all lists them", style="dim")
    console.print()


def _print_parts(console: Console, change: LineChange, by: str) -> None:
    """The parts of the range, in their order: actions and EVs in both solutions."""
    rows = []
    for name, each in change.classes.items():
        shares = (
            weight / total if total else 0.0
            for weight, total in zip(each.weights, change.total.weights, strict=True)
        )
        old, new = each.evs
        moved = None if old is None or new is None else new - old
        rows.append((name, _moved(*shares), *map(_moved, *each.frequencies), new, moved))
    shares_of = dict.fromkeys(("share", *change.actions), "share")
    console.print()
    console.print(Table({by: "name", **shares_of, "EV": "chips", "change": "signed"}, rows))
    console.print()


def _moved(old: float, new: float) -> str:
    return f"{old:.0%} → {new:.0%}" if abs(new - old) >= _SELDOM else f"{new:.0%}"


def _print_lines(console: Console, lines: list[LineChange], limit: int | None) -> None:
    """The decisions of the first street, those first where most combos play otherwise.

    Those that one of the solutions never reaches come last.
    """

    def place(each: LineChange) -> tuple[bool, float]:
        return not all(each.reached), -each.total.moved * sum(each.total.weights)

    shown = sorted(lines, key=place)[:limit]
    if not shown:
        return
    rows = []
    for each in shown:
        plays = ", ".join(
            f"{action} {old:.0%} → {new:.0%}"
            for action, old, new in zip(each.actions, *each.total.frequencies, strict=True)
            if abs(new - old) >= _SELDOM
        )
        if not all(each.reached):
            plays = _unreached(each)
        combos = max(each.total.weights)
        rows.append((each.line or "first", _SEATS[each.player], combos, plays or "as before"))
    console.print()
    heads = {"line": "text", "player": "text", "combos": "chips.1", "plays": "text"}
    console.print(Table(heads, rows))
    console.print()


def _unreached(change: LineChange) -> str:
    """Which of the solutions never reaches a decision."""
    return {
        (False, False): "never reached",
        (False, True): "never reached before",
        (True, False): "never reached after",
    }[change.reached]


def _print_changes(console: Console, changes: list[HandChange], limit: int | None) -> None:
    shown = changes[:limit]
    if not shown:
        return
    columns = [
        *map(Column, ("line", "player", "hand")),
        *(Column(name, "chips") for name in ("EV", "change")),
        Column("plays"),
    ]
    rows = [
        (
            change.line or "first",
            _SEATS[change.player],
            change.hand,
            change.evs[0],
            Column("", "signed").text(change.ev_change) + (" !" if change.exceeds else "  "),
            _plays(change),
        )
        for change in shown
    ]
    console.print(Table(columns, rows))
    if any(change.exceeds for change in shown):
        console.print("! more than both exploitabilities together", style="dim")
    if len(shown) < len(changes):
        console.print(f"{len(changes) - len(shown):,} more hands; --all lists them", style="dim")


def _plays(change: HandChange) -> str:
    """The changed frequencies of a hand: ``x 92% → 10%``."""
    moved = (
        f"{action} {old:.0%} → {new:.0%}"
        for action, old, new in zip(change.actions, *change.strategies, strict=True)
        if round(100 * old) != round(100 * new)
    )
    return ", ".join(moved) or "as before"

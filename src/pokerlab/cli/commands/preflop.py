"""`pokerlab preflop`: heads-up play before the flop."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pokerlab.cli.shared.bounds import bounded
from pokerlab.cli.shared.counting import counting_progress
from pokerlab.cli.shared.files import check_output, save_bytes
from pokerlab.cli.shared.output import Json, bold, emit

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.preflop import PreflopSolution, PushFoldChart

__all__ = ["register"]

_PLAYERS = ("small blind", "big blind")
_STEP = 0.1
"""Charts have a depth for each tenth of a big blind."""


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("preflop")(_preflop)


def _preflop(
    stack: Annotated[
        float,
        typer.Option(
            "--stack",
            callback=bounded(1, 1000),
            help="What each player has before the blinds, in big blinds.",
        ),
    ],
    raises: Annotated[
        str | None,
        typer.Option(
            help="Menus of the first raise, the second, … with ; between them, as '2x, a; a'. "
            "Without them, the small blind pushes or folds.",
            show_default=False,
        ),
    ] = None,
    no_limp: Annotated[
        bool, typer.Option("--no-limp", help="With --raises: the small blind may not just call.")
    ] = False,
    small_blind: Annotated[float, typer.Option(help="In big blinds.")] = 0.5,
    ante: Annotated[float, typer.Option(help="What each player posts, in big blinds.")] = 0.0,
    line: Annotated[
        str | None,
        typer.Option(
            help="Draw the decision after this line, as a or c/r2; by default the first one.",
            show_default=False,
        ),
    ] = None,
    chart: Annotated[
        bool,
        typer.Option(
            "--chart",
            help="Push or fold at all depths up to --stack: up to which depth each hand is pushed "
            "and called, to a tenth of a big blind.",
        ),
    ] = False,
    rule: Annotated[
        str, typer.Option(help="lp, the exact linear program, or an update rule, as dcfr or cfr+.")
    ] = "lp",
    target: Annotated[
        float,
        typer.Option(
            callback=bounded(0, 1), help="With an update rule: stop at this exploitability, in bb."
        ),
    ] = 1e-4,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="Write the ranges after each line: a file for solve --ranges."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Solve heads-up play before the flop, with the card removal of all hands.

    Without --raises the small blind pushes or folds, and the big blind calls or
    folds. With --raises he may also limp and raise; nobody bets after the flop
    then, the hands are shown down.
    """
    from pokerlab.preflop import PreflopRules, push_fold_chart, ranges_toml, solve_without_flop

    check_output(output, "--output")
    if raises is None and no_limp:
        raise ValueError("--no-limp goes with --raises; without them nobody limps")
    if chart:
        if raises is not None or line is not None or rule != "lp" or output is not None:
            raise ValueError("--chart is of push or fold: it takes no --raises, --line, --rule, -o")
        stacks = _depths(stack)
        with counting_progress(len(stacks), "depths", quiet=as_json) as report:
            found = push_fold_chart(stacks, small_blind=small_blind, ante=ante, report=report)
        emit(_chart_json(found), lambda console: _print_chart(console, found), as_json=as_json)
        return
    rules = PreflopRules(stack, "a", limp=False, small_blind=small_blind, ante=ante)
    if raises is not None:
        rules = PreflopRules(stack, raises, limp=not no_limp, small_blind=small_blind, ante=ante)
    solution = solve_without_flop(rules, rule, target=target)
    shown = [line] if line is not None else [""] if raises is not None else ["", "a"]
    for each in shown:
        solution.at(each)  # a line that is not there is refused before anything is printed
    if output is not None:
        save_bytes(output, ranges_toml(solution).encode(), "--output")
    data = _json(solution) | {"file": None if output is None else str(output)}
    emit(data, lambda console: _print_solution(console, solution, shown), as_json=as_json)


def _depths(stack: float) -> list[float]:
    depths = [step / 10 for step in range(11, int(stack / _STEP + 1e-9) + 1)]
    if not depths:
        raise ValueError(f"--stack: {stack:g} is too little for a chart, which begins at 1.1")
    return depths


def _json(solution: PreflopSolution) -> dict[str, Any]:
    nodes = solution.game.tree.nodes
    lines = {}
    for number in solution.game.tree.decisions:
        node = nodes[number]
        assert node.player is not None
        frequencies = solution.at(node.line).frequencies
        lines[node.line] = {
            "player": ("sb", "bb")[node.player],
            "actions": list(node.actions),
            "frequencies": [None if each != each else float(each) for each in frequencies],
            "hands": {
                row.pop("hand"): {name: row[name] for name in ("reach", "strategy", "ev")}
                for row in solution.rows(node.line)
            },
        }
    rules = solution.rules
    return {
        "stack": rules.stack,
        "small_blind": rules.small_blind,
        "ante": rules.ante,
        "raises": rules.raises,
        "limp": rules.limp,
        "method": solution.method,
        "value": solution.value,
        "exploitability": {
            "bb": solution.exploitability,
            "mbb": 1000 * solution.exploitability,
        },
        "lines": lines,
    }


def _print_solution(console: Console, solution: PreflopSolution, shown: Sequence[str]) -> None:
    from rich.table import Table

    rules = solution.rules
    what = (
        "push or fold" if rules.raises == "a" and not rules.limp else "nobody bets after the flop"
    )
    console.print(bold(f"{rules.stack:g} big blinds, {what}"))
    console.print(
        f"the small blind wins {solution.value:+.4f} bb a hand; exploitability "
        f"{1000 * solution.exploitability:.3g} mbb by {solution.method}"
    )
    table = Table(box=None, pad_edge=False)
    table.add_column("line", style="bold")
    table.add_column("player")
    table.add_column("actions")
    tree = solution.game.tree
    for number in tree.decisions:
        node = tree.nodes[number]
        assert node.player is not None
        frequencies = solution.at(node.line).frequencies
        actions = "  ".join(
            f"{action} {'–' if share != share else f'{share:.1%}'}"
            for action, share in zip(node.actions, frequencies, strict=True)
        )
        table.add_row(node.line or "first", _PLAYERS[node.player], actions)
    console.print(table)
    for each in shown:
        _print_decision(console, solution, each)


def _print_decision(console: Console, solution: PreflopSolution, line: str) -> None:
    from pokerlab.cli.shared.matrix import StrategyMatrix

    view = solution.at(line)
    assert view.node.player is not None
    console.print()
    console.print(bold(f"{_PLAYERS[view.node.player]}{f' after {line}' if line else ''}"))
    console.print(StrategyMatrix(view.node.actions, view.strategy, view.reach))


def _chart_json(chart: PushFoldChart) -> dict[str, Any]:
    from pokerlab.cards.hand_classes import CLASS_NAMES

    def deepest(player: int) -> dict[str, float | None]:
        depths = chart.thresholds(player).tolist()
        return {
            name: None if depth != depth else depth
            for name, depth in zip(CLASS_NAMES, depths, strict=True)
        }

    return {"stacks": chart.stacks.tolist(), "push": deepest(0), "call": deepest(1)}


def _print_chart(console: Console, chart: PushFoldChart) -> None:
    from rich.text import Text

    from pokerlab.cards.codes import RANKS
    from pokerlab.cards.hand_classes import GRID

    most = chart.stacks[-1]
    for player, title in enumerate(("small blind pushes up to", "big blind calls up to")):
        if player:
            console.print()
        console.print(bold(f"{title} (big blinds; suited above the diagonal)"))
        console.print(Text("  " + "".join(f"{rank:>6}" for rank in RANKS[::-1]), style="bold"))
        depths = chart.thresholds(player).reshape(GRID, GRID)
        for rank, row in zip(RANKS[::-1], depths, strict=True):
            cells = (
                "–" if depth != depth else f"{depth:.1f}{'+' if depth == most else ''}"
                for depth in row
            )
            console.print(Text(f"{rank} " + "".join(f"{cell:>6}" for cell in cells)), no_wrap=True)

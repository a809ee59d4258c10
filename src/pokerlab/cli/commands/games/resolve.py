"""`pokerlab resolve`: the subgames of a saved strategy, solved again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pokerlab.cli.options import declared as options
from pokerlab.cli.options.files import check_distinct, check_output, saving
from pokerlab.cli.shared.trees import whole_tree
from pokerlab.cli.terminal.output import bold, emit

if TYPE_CHECKING:
    from rich.console import Console


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("resolve")(_resolve)


def _resolve(
    game: Annotated[str, "The game, for example leduc."],
    strategy: Annotated[Path, "A solution of it that `pokerlab solve -o` wrote."],
    street: Annotated[
        int,
        typer.Option("--from", help="The street with which subgames begin, from 2 on."),
        options.bounded(2),
    ] = 2,
    gadget: Annotated[
        str,
        "resolve or maxmargin, with which no strategy gets worse; combined or unsafe, which promise"
        " nothing. With reach- before it hands are worth more by what was given away before.",
    ] = "maxmargin",
    values: Annotated[
        str, "What a hand was worth: exact, to a best response, or strategy, to the strategy."
    ] = "exact",
    output: Annotated[options.Output, "It can be played as `strategy:FILE`."] = None,
    as_json: options.Json = False,
) -> None:
    """Solve every subgame of a game again, and say what that does to the exploitability.

    With exact values, resolve and maxmargin never make a strategy easier to exploit.
    """
    from pokerlab.solvers import History, load_solution
    from pokerlab.solvers import values as winnings
    from pokerlab.solvers.resolving.resolving import resolve

    check_output(output, "--output")
    check_distinct({"--output": output}, [strategy])
    tree = whole_tree(game)
    solution = load_solution(strategy, tree)
    found = resolve(tree, solution.strategy, street, gadget=gadget, worth=values)
    if output is not None:
        with saving(output, "--output"):
            replace(
                solution,
                rule=f"{solution.rule}, street {street} again by {gadget}",
                strategy=found.strategy,
                values=tuple(winnings(tree, found.strategy).tolist()),
                nash_conv=found.after * tree.players,
                history=History(),
            ).save(output)
    data = {
        "game": solution.game,
        "street": street,
        "gadget": gadget,
        "values": values,
        "subgames": found.subgames,
        "left": found.left,
        "before": found.before,
        "after": found.after,
        "margin": found.margin,
        "file": None if output is None else str(output),
    }

    def render(console: Console) -> None:
        console.print(
            bold(solution.game),
            f"{found.subgames} subgames from street {street} on solved again by {gadget},"
            f" values {values}",
        )
        console.print(f"exploitability {found.before:.6g} before, {found.after:.6g} after")
        console.print(f"least margin of a hand {found.margin:+.6g}")
        if found.left:
            console.print(f"left as they were, because nobody gets there: {found.left}")
        if output is not None:
            console.out(f"wrote {output}")

    emit(data, render, as_json=as_json)

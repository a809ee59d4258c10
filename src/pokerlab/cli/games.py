"""`pokerlab game list`, `show`, `value`: what there is to play and what it is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from pokerlab.cli.output import Json, emit

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["register"]

GameName = Annotated[str, typer.Argument(help="A game of the catalogue, or a .toml or .game file.")]

# Trees with more nodes than this are not built just to be counted.
_MOST_NODES_SHOWN = 200_000


def register(app: typer.Typer) -> None:
    """Add the commands to the application."""
    games = typer.Typer(no_args_is_help=True, help="Games: the catalogue, rules, trees, values.")
    games.command("list")(_list)
    games.command("show")(_show)
    games.command("value")(_value)
    app.add_typer(games, name="game")


def _list(as_json: Json = False) -> None:
    """List the games of the catalogue."""
    from pokerlab.games import game_names

    names = game_names()

    def render(console: Console) -> None:
        from rich.table import Table

        table = Table(box=None, pad_edge=False)
        table.add_column("game", style="bold", no_wrap=True)
        table.add_column("what it is")
        for name, description in names.items():
            table.add_row(name, description)
        console.print(table)

    emit({"games": names}, render, as_json=as_json)


def _show(game: GameName, as_json: Json = False) -> None:
    """Show the rules of a game, and the size of its tree where it is small."""
    from pokerlab.games import BettingGame, load_game, write_toml

    loaded = load_game(game)
    data: dict[str, Any] = {"name": loaded.name, "players": loaded.players}
    rules = ""
    if isinstance(loaded, BettingGame):
        rules = write_toml(loaded)
        data["rules"] = rules
    size = _tree_size(loaded)
    data["tree"] = size

    def render(console: Console) -> None:
        console.print(f"[bold]{loaded.name}[/bold], {loaded.players} players")
        if rules:
            console.print(rules.rstrip(), markup=False)
        if size is None:
            console.print(f"tree: more than {_MOST_NODES_SHOWN:,} nodes")
        else:
            console.print(
                f"tree: {size['nodes']:,} nodes, {size['information_sets']:,} information sets, "
                f"{size['terminals']:,} ends, {size['bytes_per_node']:.0f} bytes a node"
            )

    emit(data, render, as_json=as_json)


def _tree_size(game: Any) -> dict[str, float] | None:
    """Numbers of a small tree; None for one that is too large to build for this."""
    from pokerlab.games import TERMINAL
    from pokerlab.trees import GameTree

    waiting = [game.start()]
    seen = 0
    while waiting:
        state = waiting.pop()
        seen += 1
        if seen + len(waiting) > _MOST_NODES_SHOWN:
            return None
        if state.player != TERMINAL:
            actions = state.actions()
            if len(actions) > _MOST_NODES_SHOWN:
                return None
            waiting += [state.apply(action) for action in actions]
    tree = GameTree.build(game)
    return {
        "nodes": len(tree),
        "information_sets": len(tree.infosets),
        "terminals": int((tree.player == TERMINAL).sum()),
        "bytes_per_node": tree.bytes_per_node,
    }


def _value(
    game: GameName,
    solver: Annotated[
        str, typer.Option(help="lp for the exact value of a two-player game, or an update rule.")
    ] = "lp",
    target: Annotated[float, typer.Option(help="With a rule: the exploitability to reach.")] = 1e-4,
    as_json: Json = False,
) -> None:
    """Compute what a game is worth to each player, with how exact that is."""
    from pokerlab.solvers import solve

    solution = solve(game, solver, target=None if solver == "lp" else target)
    data = {
        "game": solution.game,
        "value": solution.values[0],
        "values": list(solution.values),
        "exploitability": solution.exploitability,
        "solver": solution.rule,
        "seconds": solution.seconds,
    }

    def render(console: Console) -> None:
        console.print(
            f"[bold]{solution.game}[/bold] is worth "
            + ", ".join(
                f"{value:+.12f} to player {seat}" for seat, value in enumerate(solution.values)
            )
        )
        console.print(
            f"by {solution.rule} in {solution.seconds:.2f} s, "
            f"exploitability {solution.exploitability:.3g}"
        )

    emit(data, render, as_json=as_json)

"""`pokerlab game`: the catalogue, sizes, trees and values of games, and errors of strategies."""

from __future__ import annotations

from dataclasses import asdict
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pokerlab.cli.options import declared as options
from pokerlab.cli.options.bounds import bounded
from pokerlab.cli.options.files import check_distinct, check_output, save_bytes
from pokerlab.cli.progress.solve_status import solve_progress
from pokerlab.cli.shared.trees import whole_tree
from pokerlab.cli.terminal.output import emit
from pokerlab.views import Table
from pokerlab.views.texts import gap_text, signed_text

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.games import Game
    from pokerlab.solvers import Strategy
    from pokerlab.trees import CountedSize, GameTree
    from pokerlab.trees.drawing import Drawing

# Trees with more nodes than this are not built just to be counted (about a second), and their parts
# are drawn from the rules.
_MAX_NODES = 100_000


def register(app: typer.Typer) -> None:
    """Add the commands to the application."""
    games = typer.Typer(
        no_args_is_help=True, help="Games: the catalogue, rules, sizes, trees, values, errors."
    )
    games.command("list")(_list)
    games.command("show")(_show)
    games.command("tree")(_tree)
    games.command("value")(_value)
    games.command("errors")(_errors)
    app.add_typer(games, name="game")


def _list(as_json: options.Json = False) -> None:
    """List the games of the catalogue."""
    from pokerlab.games import game_names

    names = game_names()

    def render(console: Console) -> None:
        console.print(Table({"game": "name bold", "what it is": "text"}, list(names.items())))

    emit({"games": names}, render, as_json=as_json)


def _show(game: options.Game, as_json: options.Json = False) -> None:
    """Show the rules of a game and its size, however large it is."""
    from pokerlab.games import BettingGame, load_game, write_toml

    loaded = load_game(game)
    description = getattr(loaded, "description", "")
    data: dict[str, Any] = {
        "name": loaded.name,
        "players": loaded.players,
        "description": description,
    }
    rules = ""
    if isinstance(loaded, BettingGame):
        rules = write_toml(loaded)
        data["rules"] = rules
    size = _tree_size(loaded)
    data["tree"] = size
    counted, why = _whole_size(loaded)
    data["size"] = None if counted is None else asdict(counted)

    def render(console: Console) -> None:
        from rich.text import Text

        console.print(Text.assemble((loaded.name, "bold"), f", {loaded.players} players"))
        # As it is, so that the rules of a card game can be copied to a file.
        console.out(rules.rstrip() or description)
        if size is None:
            console.print(f"tree: more than {_MAX_NODES:,} nodes")
            for name, number in () if counted is None else asdict(counted).items():
                console.print(f"{name.replace('_', ' ')}: {_large(number)}")
            if why:
                console.print(f"not counted: {why}", style="dim")
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
    from pokerlab.trees.builder import TreeTooLargeError

    try:
        tree = GameTree.of(game, limit=_MAX_NODES)
    except TreeTooLargeError:
        return None
    return {
        "nodes": len(tree),
        "information_sets": len(tree.infosets),
        "terminals": int((tree.player == TERMINAL).sum()),
        "bytes_per_node": tree.bytes_per_node,
    }


def _whole_size(game: Any) -> tuple[CountedSize | None, str]:
    """States, information sets and ends of a card game, or why they are not counted."""
    from pokerlab.games import BettingGame
    from pokerlab.trees import count_size

    if not isinstance(game, BettingGame):
        return None, ""
    try:
        return count_size(game), ""
    except ValueError as error:
        return None, str(error)


def _large(number: int) -> str:
    """All digits of a number, and its size where nobody can read them."""
    text = f"{number:,}" if number < 10**30 else ""
    power = f"{Decimal(number):.3e}".replace("e+", "e") if number >= 10**12 else ""
    return f"{text} ({power})" if text and power else text or power


def _errors(
    game: options.Game,
    strategy: Annotated[str, "The strategy to look at: lp, a rule, or the file of a solution."],
    player: Annotated[int, "Whose errors.", bounded(0, 1)] = 0,
    top: options.Top = 20,
    everything: options.Everything = False,
    as_json: options.Json = False,
) -> None:
    """List the errors of a strategy: actions that are dominated, and others that lose.

    A dominated action is never better than another one, whatever the opponent does, and sometimes
    worse. The other errors lose only against an opponent who takes advantage. For two-player
    zero-sum games.
    """
    from pokerlab.cli.terminal.output import print_listed
    from pokerlab.solvers import find_errors

    tree = whole_tree(game)
    chosen = _strategy(tree, strategy)
    assert chosen is not None
    found = sorted(find_errors(tree, chosen, player), key=lambda error: -error.loss)
    data = {
        "game": tree.game.name,
        "player": player,
        "errors": [
            {
                "infoset": error.infoset,
                "action": error.action,
                "probability": error.probability,
                "loss": error.loss,
                "dominated": error.dominated,
                "preferred": None if error.dominance is None else error.dominance.preferred,
            }
            for error in found
        ],
        "loss": sum(error.loss for error in found),
    }

    def render(console: Console) -> None:
        if not found:
            console.print(f"player {player} makes no error")
            return
        columns = {
            "has seen": "text",
            "action": "text",
            "played": "share",
            "loss": "chips.4",
            "": "text",
        }
        rows = [
            (
                error.infoset,
                error.action,
                error.probability,
                error.loss,
                f"dominated by {error.dominance.preferred}" if error.dominance else "",
            )
            for error in found
        ]
        print_listed(console, columns, rows, None if everything else top, "errors")
        dominated = sum(error.dominated for error in found)
        console.print(f"{len(found):,} errors, {dominated:,} of them dominated")
        console.print(
            "loss: chips a game against the best response, beside the best action there",
            style="dim",
        )

    emit(data, render, as_json=as_json)


def _tree(
    game: options.Game,
    view: Annotated[str, "game, player:N, observer, chance or action."] = "game",
    strategy: Annotated[
        str | None, "lp, a rule, or the file of a solution: shows how everybody plays."
    ] = None,
    show: Annotated[str, "What to show: strategy, values, reach, deltas, infosets (commas)."] = "",
    compare: Annotated[str | None, "With deltas: the strategy to compare with."] = None,
    seat: Annotated[int | None, "Whose values; seat 0 by default.", bounded(0, 99)] = None,
    path: Annotated[str, "Only nodes of a path pattern, for example '0d{J}1d{K}0c*'."] = "",
    depth: Annotated[int | None, "Only the first N moves.", bounded(0, 1_000_000)] = None,
    move: Annotated[
        str | None, "SEAT:PATH of a move in that player's tree: mark what it influences."
    ] = None,
    svg: Annotated[Path | None, "Write an SVG picture."] = None,
    png: Annotated[Path | None, "Write a PNG picture."] = None,
    dot: Annotated[Path | None, "Write a DOT file for Graphviz."] = None,
    as_json: options.Json = False,
) -> None:
    """Draw the tree of a game as a player, an observer or nobody at the table sees it.

    Of a card game of any size, --depth and --path draw a part.
    """
    from pokerlab.games import load_game
    from pokerlab.studies import tree_picture
    from pokerlab.trees import GameTree
    from pokerlab.trees.builder import TreeTooLargeError

    files = _picture_files({".svg": svg, ".png": png, ".dot": dot})
    check_distinct({"--svg": svg, "--png": png, "--dot": dot}, [game, strategy, compare])
    shown = [word.strip() for word in show.split(",") if word.strip()]
    if compare is not None and "deltas" not in shown:
        raise ValueError("--compare needs --show deltas")
    loaded = load_game(game)
    drawing: Drawing
    try:
        tree = GameTree.of(loaded, limit=_MAX_NODES)
    except TreeTooLargeError as error:
        whole = {"--strategy": strategy, "--show": show, "--seat": seat, "--move": move}
        drawing = _outline(loaded, view, path, depth, whole, str(error))
    else:
        drawing = tree_picture(
            tree,
            view,
            strategy=_strategy(tree, strategy),
            compare=_strategy(tree, compare),
            show=shown,
            seat=seat,
            move=_parse_move(move, tree.players),
            path=path,
            depth=depth,
        )
    # Only when all kinds could be drawn is anything written.
    contents = {file: drawing.render(file.suffix) for file in files}
    for file, content in contents.items():
        save_bytes(file, content, f"--{file.suffix[1:].lower()}")
    text = drawing.text()
    data = {"game": loaded.name, "view": view, "text": text, "files": list(map(str, files))}

    def render(console: Console) -> None:
        lines = "\n".join(f"wrote {file}" for file in files)
        console.out(lines or text)

    emit(data, render, as_json=as_json)


def _outline(
    game: Game, view: str, path: str, depth: int | None, whole: dict[str, Any], why: str
) -> Drawing:
    """The top of a tree that is too large to build; `whole` are options that need all of it."""
    from pokerlab.games import BettingGame
    from pokerlab.trees import make_outline
    from pokerlab.trees.drawing import draw_outline

    for option, value in whole.items():
        if value not in (None, ""):
            raise ValueError(f"{option} {value}: {why}; --depth and --path alone draw a part of it")
    if not isinstance(game, BettingGame):
        raise ValueError(f"{why}; of games that are not card games with bets it has to be all")
    return draw_outline(make_outline(game, view, depth, path=path))


def _picture_files(wanted: dict[str, Path | None]) -> list[Path]:
    """The files to write, after a check that they can be written."""
    files = []
    for ending, file in wanted.items():
        if file is None:
            continue
        if file.suffix.lower() != ending:
            raise ValueError(f"--{ending[1:]} {file}: the name must end in {ending}")
        check_output(file, f"--{ending[1:]}")
        files.append(file)
    return files


def _strategy(tree: GameTree, text: str | None) -> Strategy | None:
    """A strategy by how to find it: ``lp``, a rule, or a file."""
    from pokerlab.solvers import RULES, load_solution, solve

    if text is None:
        return None
    if text == "lp" or text.partition("(")[0].strip().lower() in RULES:
        return solve(tree, text).strategy
    if not Path(text).is_file():
        raise ValueError(
            f"no strategy {text!r}: it is lp, a rule ({', '.join(RULES)}) or the file of a solution"
        )
    return load_solution(text, tree).strategy


def _parse_move(text: str | None, players: int) -> tuple[int, str] | None:
    if text is None:
        return None
    seat, colon, path = text.partition(":")
    if not colon or not (seat.strip().isdecimal() and seat.isascii()):
        raise ValueError(f"--move {text!r}: write SEAT:PATH, for example 0:0d{{J}}1d{{}}0r")
    if int(seat) >= players:
        raise ValueError(f"--move {text!r}: there is no player {seat.strip()} of {players}, from 0")
    return int(seat), path


def _value(
    game: options.Game,
    solver: Annotated[
        str, "lp for the exact value of a two-player game, or an update rule."
    ] = "lp",
    target: Annotated[float, "With a rule: the exploitability to reach.", bounded(0)] = 1e-4,
    as_json: options.Json = False,
) -> None:
    """Compute the value of a game to each player, and its exactness."""
    from pokerlab.solvers import solve

    tree = whole_tree(game)
    with solve_progress(lambda value: f"{value:.3g}", quiet=as_json) as report:
        solution = solve(tree, solver, target=None if solver == "lp" else target, report=report)
    data = {
        "game": solution.game,
        "value": solution.values[0],
        "values": list(solution.values),
        "exploitability": solution.exploitability,
        "solver": solution.rule,
        "seconds": solution.seconds,
        "stopped": solution.stopped,
    }

    def render(console: Console) -> None:
        from rich.text import Text

        worth = ", ".join(
            f"{signed_text(value, 12)} to player {seat}"
            for seat, value in enumerate(solution.values)
        )
        console.print(Text.assemble((solution.game, "bold"), f" is worth {worth}"))
        console.print(
            f"by {solution.rule} in {solution.seconds:.2f} s ({solution.stopped}), "
            f"exploitability {gap_text(solution.exploitability)}"
        )

    emit(data, render, as_json=as_json)

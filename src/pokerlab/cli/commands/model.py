"""`pokerlab model` and `pokerlab respond`: how a player plays, and what to do about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pokerlab.cli.shared.bounds import bounded
from pokerlab.cli.shared.files import check_distinct, check_output, saving
from pokerlab.cli.shared.output import Json, bold, emit

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.games import BettingGame
    from pokerlab.opponents import Observation, PlayerModel
    from pokerlab.solvers import Response, Solution, Strategy
    from pokerlab.trees import GameTree

__all__ = ["register"]

_PRIORS = ("uniform", "equilibrium")

Output = Annotated[Path | None, typer.Option("--output", "-o", help="The file to write.")]


def register(app: typer.Typer) -> None:
    """Add the commands to the application."""
    app.command("model")(_model)
    app.command("respond")(_respond)


def _model(
    logs: Annotated[list[Path], typer.Argument(help="ACPC logs, .phh or .phhs files.")],
    player: Annotated[
        str | None, typer.Option("--player", help="Whose play; needed where several are named.")
    ] = None,
    game: Annotated[
        str | None, typer.Option("--game", help="The game of logs that do not name it.")
    ] = None,
    shown_only: Annotated[
        bool,
        typer.Option(
            "--shown-only",
            help="Use the player's cards only where they were shown at the end, even if the log"
            " knows them.",
        ),
    ] = False,
    prior: Annotated[
        str,
        typer.Option("--prior", help="What to smooth towards: uniform, or equilibrium."),
    ] = "uniform",
    prior_weight: Annotated[
        float,
        typer.Option(
            "--prior-weight",
            callback=bounded(0, 1e9),
            help="How many observations the prior counts for at each information set.",
        ),
    ] = 1.0,
    output: Output = None,
    top: Annotated[
        int, typer.Option("--top", callback=bounded(0), help="How many information sets to list.")
    ] = 20,
    everything: Annotated[bool, typer.Option("--all", help="List all information sets.")] = False,
    as_json: Json = False,
) -> None:
    """Learn from logs how a player plays, and write a model for `pokerlab respond`.

    Cards that a log does not know are worked out from what was done with them, by expectation and
    maximisation. Every number is listed with how many observations stand behind it. Of no-limit
    hold'em, actions are counted by line after the flop, whatever is held, for `pokerlab lock-from`.
    """
    from pokerlab.cli.commands.lines import has_lines, model_of_lines
    from pokerlab.opponents import estimate_model, model_tree
    from pokerlab.solvers import solve_lp

    check_output(output, "--output")
    check_distinct({"--output": output}, [*logs, game])
    if has_lines(logs[0], game):
        if shown_only or prior != "uniform":
            raise ValueError(
                "--shown-only and --prior are not for no-limit hold'em: its model is of lines,"
                " whatever is held"
            )
        limit = None if everything else top
        model_of_lines(logs, game, player, prior_weight, output, limit, as_json=as_json)
        return
    if prior not in _PRIORS:
        raise ValueError(f"--prior {prior}: there are {', '.join(_PRIORS)}")
    rules, name, hands = _read_hands(logs, game, player, shown_only=shown_only)
    tree = model_tree(rules)
    smooth = solve_lp(tree).strategy if prior == "equilibrium" else None
    found = estimate_model(
        tree, hands, name, prior=smooth, prior_name=prior, prior_weight=prior_weight
    )
    if output is not None:
        with saving(output, "--output"):
            found.save(output)
    rows = _rows(found)
    data = {
        "game": tree.game.name,
        "player": found.player,
        "hands": found.hands,
        "prior": prior,
        "prior_weight": prior_weight,
        "observed": sum(row[2] > 0 for row in rows),
        "information_sets": [
            {
                "name": row[0],
                "seat": row[1],
                "observations": row[2],
                "shown": row[3],
                "strategy": row[4],
            }
            for row in rows
        ],
        "file": None if output is None else str(output),
    }

    def render(console: Console) -> None:
        console.print(
            bold(found.player), f"in {tree.game.name}, {found.hands:,} hands, prior {prior}"
        )
        _print_rows(console, rows, None if everything else top)
        if output is not None:
            console.out(f"wrote {output}")

    emit(data, render, as_json=as_json)


def _read_hands(
    logs: Sequence[Path], game: str | None, player: str | None, *, shown_only: bool
) -> tuple[BettingGame, str, Counter[Observation]]:
    """All hands of one player, each with how often it was played alike."""
    from pokerlab.arena.logs.replay import read_log
    from pokerlab.opponents import observe
    from pokerlab.strategies import load_table_game

    rules = None if game is None else load_table_game(game)
    played: BettingGame | None = None
    hands: dict[str, Counter[Observation]] = {}
    for log in logs:
        empty = True
        for hand in read_log(log, rules):
            empty = False
            played = played or hand.game
            if hand.game != played:
                raise ValueError(
                    f"{log}: a hand of {hand.game.name} with other rules than those before,"
                    f" of {played.name}; a model is of one game"
                )
            final = hand.final
            for seat, name in enumerate(hand.players):
                if player in (None, name):
                    seen = observe(final, seat, shown_only=shown_only)
                    hands.setdefault(name, Counter())[seen] += 1
                else:
                    hands.setdefault(name, Counter())
        if empty:
            raise ValueError(f"{log}: there are no hands in it")
    assert played is not None
    if player is None and len(hands) > 1:
        raise ValueError(f"whose play? name one with --player: {', '.join(sorted(hands))}")
    chosen = player or next(iter(hands))
    if not hands.get(chosen):
        raise ValueError(f"--player {chosen}: the logs know {', '.join(sorted(hands))}")
    return played, chosen, hands[chosen]


Row = tuple[str, int, float, float, dict[str, float]]


def _rows(model: PlayerModel) -> list[Row]:
    """Name, seat, observations, those shown, strategy; most observed first."""
    import numpy as np

    infosets = model.tree.infosets
    shown = np.add.reduceat(model.shown, infosets.offset[:-1])
    order = np.argsort(-model.observations, kind="stable")
    return [
        (
            infosets.names[number],
            int(infosets.player[number]),
            float(model.observations[number]),
            float(shown[number]),
            model.strategy[infosets.names[number]],
        )
        for number in order.tolist()
    ]


def _print_rows(console: Console, rows: Sequence[Row], limit: int | None) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column("information set", overflow="fold", max_width=24)
    for name in ("seat", "observations", "shown"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("strategy", overflow="fold")
    for name, seat, count, shown, chosen in rows[:limit]:
        text = "  ".join(f"{action} {share:.3f}" for action, share in chosen.items())
        table.add_row(name, str(seat), f"{count:,.1f}", f"{shown:,.0f}", text)
    console.print(table)
    if limit is not None and len(rows) > limit:
        console.print(f"{len(rows) - limit:,} more; --all lists them", style="dim")


def _respond(
    file: Annotated[
        Path, typer.Argument(help="A model of `pokerlab model -o`, or a solution of a game.")
    ],
    p: Annotated[
        float | None,
        typer.Option(
            "--p",
            callback=bounded(0, 1),
            help="How far to trust the model: 0 is an equilibrium, 1 (the default) a best response."
            " With --data-biased, the most that any number of observations is trusted.",
        ),
    ] = None,
    data_biased: Annotated[
        bool,
        typer.Option(
            "--data-biased",
            help="Trust each information set of a model by its number of observations.",
        ),
    ] = False,
    half_at: Annotated[
        float | None,
        typer.Option(
            "--half-at",
            callback=bounded(0, 1e12),
            help="With --data-biased: the number of observations that is trusted half; 10 by"
            " default.",
        ),
    ] = None,
    risk: Annotated[
        float | None,
        typer.Option(
            "--risk",
            callback=bounded(0, 1e12),
            help="Instead of --p: win the most from the model that can lose at most this many chips"
            " a game in each seat.",
        ),
    ] = None,
    rule: Annotated[
        str,
        typer.Option("--rule", help="lp (exact), or an update rule such as pcfr+ for large games."),
    ] = "lp",
    iterations: Annotated[
        int | None,
        typer.Option(callback=bounded(1, 10**9), help="Of an update rule, for each seat."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write the response, for `strategy:FILE`."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Compute how to play against a model: what it wins, and what it can lose.

    Restricted Nash response: the opponent plays the model with probability p, and otherwise
    whatever is worst for us. Data-biased response: at each information set with a probability that
    grows with its number of observations. Safe response: with --risk.
    """
    from pokerlab.solvers import confidence, respond, safe_response, solve_lp

    check_output(output, "--output")
    check_distinct({"--output": output}, [file])
    if half_at is not None and not data_biased:
        raise ValueError("--half-at goes with --data-biased")
    if iterations is not None and rule == "lp":
        raise ValueError("--iterations does not go with --rule lp, which runs to its end")
    if risk is not None and (p is not None or data_biased or rule != "lp"):
        raise ValueError("--risk goes with none of --p, --data-biased and --rule")
    tree, strategy, model = _open(file)
    share = 1.0 if p is None else p
    trust: Any = share
    if data_biased:
        if model is None:
            raise ValueError(f"--data-biased: {file} is a solution, which has no observations")
        trust = confidence(model.observations, share, 10.0 if half_at is None else half_at)
    began = perf_counter()
    if risk is None:
        response = respond(tree, strategy, trust, rule=rule, iterations=iterations)
    else:
        response = safe_response(tree, strategy, risk)
    seconds = perf_counter() - began
    value = solve_lp(tree).values if rule == "lp" else None
    kind = "data-biased response" if data_biased else "restricted Nash response"
    detail = f"p {share:g}"
    if risk is not None:
        kind, detail = "safe response", f"risk {risk:g}"
    if output is not None:
        with saving(output, "--output"):
            _as_solution(tree, response, f"{kind}, {detail}", seconds).save(output)
    data = {
        "game": tree.game.name,
        "response": kind,
        "p": share if risk is None else None,
        "risk": risk,
        "half_at": (10.0 if half_at is None else half_at) if data_biased else None,
        "rule": rule,
        "won": response.gain,
        "won_by_seat": list(response.won),
        "exploitability": response.exploitability,
        "guaranteed_by_seat": list(response.guaranteed),
        "game_value_by_seat": None if value is None else list(value),
        "gap": response.gap,
        "iterations": response.iterations,
        "seconds": seconds,
        "file": None if output is None else str(output),
    }

    def render(console: Console) -> None:
        from rich.table import Table

        console.print(bold(tree.game.name), f"{kind}, {detail}, chips a game")
        table = Table(box=None, pad_edge=False)
        for head in ("", "seat 0", "seat 1", "mean"):
            table.add_column(head, justify="right" if head else "left")
        lines = [("wins from the model", response.won), ("wins at least", response.guaranteed)]
        if value is not None:
            lines.append(("value of the game", value))
        for name, numbers in lines:
            mean = sum(numbers) / 2 + 0.0
            table.add_row(name, *(f"{number:+.6f}" for number in (*numbers, mean)))
        console.print(table)
        console.print(f"can lose (exploitability): {response.exploitability:.6f}")
        if rule != "lp":
            console.print(f"{response.iterations:,} iterations, gap {response.gap:.3g}")
        if output is not None:
            console.out(f"wrote {output}")

    emit(data, render, as_json=as_json)


def _open(file: Path) -> tuple[GameTree, Strategy, PlayerModel | None]:
    """The game and the strategy of a file; the model, if it is one."""
    from pokerlab.files.tensor_map import file_format
    from pokerlab.opponents import MODEL_FORMAT, load_model
    from pokerlab.solvers import load_solution, tree_of

    if file_format(file).startswith(MODEL_FORMAT.rstrip("0123456789")):
        model = load_model(file)
        return model.tree, model.strategy, model
    solution = load_solution(file)
    return tree_of(solution), solution.strategy, None


def _as_solution(tree: GameTree, response: Response, rule: str, seconds: float) -> Solution:
    from pokerlab.games import BettingGame, write_toml
    from pokerlab.solvers import Solution, nash_conv, values

    game = tree.game
    return Solution(
        game=game.name,
        digest=tree.digest,
        rule=rule,
        strategy=response.strategy,
        values=tuple(values(tree, response.strategy).tolist()),
        nash_conv=nash_conv(tree, response.strategy),
        iterations=response.iterations,
        seconds=seconds,
        stopped="optimal" if response.gap == 0.0 else "target",
        rules=write_toml(game) if isinstance(game, BettingGame) else "",
    )

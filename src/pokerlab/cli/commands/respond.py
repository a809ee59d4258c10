"""`pokerlab respond`: what to do about a player whose model is known."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pokerlab.cli.commands.respond_by_groups import respond_by_groups
from pokerlab.cli.commands.show_limit import is_limit_strategy
from pokerlab.cli.shared import options
from pokerlab.cli.shared.bounds import bounded
from pokerlab.cli.shared.files import check_distinct, check_output, saving
from pokerlab.cli.shared.output import bold, emit
from pokerlab.views import Table

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.opponents import PlayerModel
    from pokerlab.solvers import Response, Solution, Strategy
    from pokerlab.trees import GameTree

_HALF_AT = 10.0
_GROUPS = options.OnlyFor("models by groups of cards")


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("respond")(_respond)


def _respond(
    context: typer.Context,
    file: Annotated[Path, "A model of `pokerlab model -o`, or a solution of a game."],
    p: Annotated[
        float | None,
        "How far to trust the model: 0 is an equilibrium, 1 (the default) a best response."
        " With --data-biased, the most that any number of observations is trusted.",
        bounded(0, 1),
    ] = None,
    data_biased: Annotated[
        bool, "Trust each information set of a model by its number of observations."
    ] = False,
    half_at: Annotated[
        float | None,
        "With --data-biased: the number of observations that is trusted half; 10 by default.",
        bounded(0, 1e12),
        options.Needs("--data-biased"),
    ] = None,
    risk: Annotated[
        float | None,
        "Instead of --p: win the most from the model that can lose at most this many chips"
        " a game in each seat.",
        bounded(0, 1e12),
        options.OnlyFor("models of small games"),
        options.NotWith("--p", "--data-biased"),
    ] = None,
    rule: Annotated[
        options.Rule,
        "lp (exact, the default), or one such as pcfr+ for large games; for models by groups of "
        "cards a rule of `pokerlab train`.",
    ] = None,
    iterations: Annotated[
        options.Iterations,
        "For each seat; deals, where they are sampled.",
    ] = None,
    minutes: Annotated[
        float | None, "How long to train, both seats together.", bounded(0), _GROUPS
    ] = None,
    method: Annotated[
        str | None,
        "external (the default), chance or public sampling, or a whole game of buckets,"
        " exact or independent (see `pokerlab train`).",
        _GROUPS,
    ] = None,
    threads: Annotated[options.Threads, _GROUPS] = None,
    resume: Annotated[options.Resume, _GROUPS] = None,
    seed: options.Seed = 0,
    output: Annotated[options.Output, "Play it as `strategy:FILE`."] = None,
    as_json: options.Json = False,
) -> None:
    """Compute a response to a model: its gain, and its risk.

    Restricted Nash response: the opponent plays the model with probability p, and otherwise
    whatever is worst for us. Data-biased response: at each information set with a probability that
    grows with its number of observations. Safe response: with --risk.
    """
    from pokerlab.solvers import confidence, respond, safe_response, solve_lp

    check_output(output, "--output")
    check_output(resume, "--resume")
    check_distinct({"--output": output, "--resume": resume}, [file])
    if is_limit_strategy(file):
        options.check_options(context, _GROUPS.text)
        respond_by_groups(
            file,
            1.0 if p is None else p,
            (_HALF_AT if half_at is None else half_at) if data_biased else None,
            output,
            as_json=as_json,
            minutes=minutes,
            iterations=iterations,
            method=method or "external",
            rule=rule,
            seed=seed,
            threads=threads,
            checkpoint=resume,
        )
        return
    options.check_options(context, "models of small games")
    rule = rule or "lp"
    if iterations is not None and rule == "lp":
        raise ValueError("--iterations needs another --rule than lp, which runs to its end")
    if risk is not None and rule != "lp":
        raise ValueError("--risk needs the rule lp")
    tree, strategy, model = _open(file)
    share = 1.0 if p is None else p
    trust: Any = share
    if data_biased:
        if model is None:
            raise ValueError(f"--data-biased: {file} is a solution, which has no observations")
        trust = confidence(model.observations, share, _HALF_AT if half_at is None else half_at)
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
        "half_at": (_HALF_AT if half_at is None else half_at) if data_biased else None,
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
        console.print(bold(tree.game.name), f"{kind}, {detail}, chips a game")
        lines = [("wins from the model", response.won), ("wins at least", response.guaranteed)]
        if value is not None:
            lines.append(("value of the game", value))
        heads = dict.fromkeys(("seat 0", "seat 1", "mean"), "signed.6")
        rows = ((name, *numbers, sum(numbers) / 2) for name, numbers in lines)
        console.print(Table({"": "text", **heads}, rows))
        console.print(f"can lose (exploitability): {response.exploitability:.6f}")
        if rule != "lp":
            console.print(f"{response.iterations:,} iterations, gap {response.gap:.3g}")
        if output is not None:
            console.out(f"wrote {output}")

    emit(data, render, as_json=as_json)


def _open(file: Path) -> tuple[GameTree, Strategy, PlayerModel | None]:
    """The game and the strategy of a file; the model, if it is one."""
    from pokerlab.files.tensor_map import file_kind, kind_of
    from pokerlab.opponents import MODEL_FORMAT, load_model
    from pokerlab.solvers import load_solution, tree_of

    if file_kind(file) == kind_of(MODEL_FORMAT):
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

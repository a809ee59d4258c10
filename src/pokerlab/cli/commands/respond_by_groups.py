"""`pokerlab respond` to a model by groups of cards, whose game may have no tree: by training."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from pokerlab.cli.shared.building import building_progress
from pokerlab.cli.shared.compiling import announce_compiling
from pokerlab.cli.shared.files import saving
from pokerlab.cli.shared.interruption import CutShortError
from pokerlab.cli.shared.output import bold, emit
from pokerlab.cli.shared.progress import solve_progress

if TYPE_CHECKING:
    from rich.console import Console


def respond_by_groups(
    file: Path,
    share: float,
    half_at: float | None,
    output: Path | None,
    *,
    as_json: bool,
    minutes: float | None,
    **options: Any,
) -> None:
    """Train a response and print its gain and risk; `options` are those of `train_response`.

    Parameters
    ----------
    file
        A model, or a trained strategy in its place.
    share
        p, or the most that any number of observations is trusted.
    half_at
        For the data-biased response: how many observations are trusted half; else None.
    output
        Where to write the response, if anywhere.
    as_json
        Whether to print JSON.
    minutes
        How long to train; None for as many iterations as `options` say.
    """
    from pokerlab.abstraction.training.training import check_method
    from pokerlab.opponents import load_limit_model, train_response
    from pokerlab.solvers import confidence
    from pokerlab.strategies.limit_file import LimitStrategy

    if minutes is None and options["iterations"] is None:
        raise ValueError("nothing says when to stop: give --minutes or --iterations")
    with announce_compiling(quiet=as_json), building_progress(quiet=as_json):
        strategy = LimitStrategy.load(file)
        model = load_limit_model(file, strategy.game)
    game = strategy.game
    check_method(game.game, options["method"], options["rule"], game.name)
    trust: Any = share
    if half_at is not None:
        if model is None:
            raise ValueError(f"--data-biased: {file} is a strategy, which has no observations")
        trust = confidence(model.observations, share, half_at)
    unit = game.game.mbb
    with solve_progress(lambda value: f"{value * unit:.1f} mbb/g", quiet=as_json) as report:
        response = train_response(
            game,
            strategy,
            trust,
            seconds=None if minutes is None else 60.0 * minutes,
            report=report,
            **options,
        )
    if output is not None:
        with saving(output, "--output"):
            response.strategy.save(output)
    kind = "restricted Nash response" if half_at is None else "data-biased response"
    won, found, run = response.won, response.strategy, response.training.run
    data = {
        "game": game.game.name,
        "buckets": game.name,
        "response": kind,
        "p": share,
        "half_at": half_at,
        "method": found.method,
        "rule": found.rule,
        "won": won.value,
        "won_by_seat": list(won.by_seat),
        "won_mbb": won.value * unit,
        "won_error_mbb": won.error * unit,
        "exploitability": found.exploitability,
        "exploitability_mbb": found.exploitability * unit,
        "error_mbb": found.error * unit,
        "exact": found.exact,
        "iterations": run.iterations,
        "seconds": run.seconds,
        "stopped": run.stopped,
        "file": None if output is None else str(output),
    }

    def render(console: Console) -> None:
        console.print(bold(game.game.name), f"{kind}, p {share:g}, by {game.name}")
        error = f" ± {won.error * unit:.1f}" if won.error else ""
        console.print(f"wins from the model: {won.value * unit:+.1f}{error} mbb/g")
        lost = f"{found.exploitability * unit:.1f}"
        if found.exact:
            independent = found.method == "independent"
            where = "of transition matrices" if independent else "with these groups"
            console.print(f"can lose: {lost} mbb/g, exact in the game {where}")
        else:
            console.print(
                f"can lose: at least {lost} ± {found.error * unit:.1f} mbb/g (best responses on the"
                " last street, sampled boards)"
            )
        console.print(
            f"{run.iterations:,} iterations for each seat by {found.method} ({found.rule}) in"
            f" {run.seconds:.1f} s ({run.stopped})"
        )
        if output is not None:
            console.out(f"wrote {output}")

    emit(data, render, as_json=as_json)
    if run.interrupted:
        raise CutShortError("the response so far is what was told")

"""`pokerlab train`: a strategy for a limit game with groups of cards, by sampled deals."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pokerlab.cli.commands.games.experts import ExpertRecipe, train_experts
from pokerlab.cli.options import declared as options
from pokerlab.cli.options.bounds import bounded
from pokerlab.cli.options.files import (
    check_distinct,
    check_output,
    check_picture,
    save_bytes,
    saving,
)
from pokerlab.cli.progress.building import building_progress
from pokerlab.cli.progress.solve_status import solve_progress
from pokerlab.cli.terminal.interruption import CutShortError
from pokerlab.cli.terminal.output import bold, emit
from pokerlab.runtime.machine import free_memory, size_text

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.games import BettingGame
    from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
    from pokerlab.holdem.limit.training.training import Training
    from pokerlab.solvers.loop import Run

DEFAULT_BUCKETS = {2: "169/kmeans:1000,1000,1000", 3: "169/kmeans:100,100,100"}
"""By the number of players."""
BEST_DEALS = {"holdem.limit.2p": 16_000_000}
"""After how many deals a training with all other options at their defaults is best in the game
itself, where that was measured (docs/measurements/exploitability.md)."""
INDEPENDENT_BUCKETS = {2: "169/ehs2-flat:30,30,30"}
"""The same for the game of transition matrices, and what the bot `adam` searches with."""
_METHOD = "external"


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("train")(_train)


def _train(
    context: typer.Context,
    game: options.Game,
    buckets: Annotated[
        str | None,
        "Groups of cards: by hand strength (ehs2:10,10,10,10, see `pokerlab buckets`),"
        " classes (169 starting hands), each (games with few cards), none. By default k-means"
        f" buckets for hold'em (for two players {DEFAULT_BUCKETS[2]}), each for other games.",
    ] = None,
    minutes: Annotated[
        float | None,
        "Stop after this many minutes of training and measuring; compiling, loading and"
        " building buckets are not counted. Without --minutes and --iterations,"
        " holdem.limit.2p with its default buckets stops by itself at"
        f" {BEST_DEALS['holdem.limit.2p']:,} deals; other trainings need one of the two.",
        bounded(0),
    ] = None,
    iterations: Annotated[
        options.Iterations, "They are deals, except on a whole game of buckets."
    ] = None,
    output: Annotated[options.Output, "By default the one that bots look for."] = None,
    method: Annotated[
        str,
        "external, outcome, chance or public sampling; situations, fictitious play on random"
        " deals; or no sampling, but a whole game of"
        " buckets: exact, of buckets that remember (up to 2,000 on the river); independent, of"
        " the transition matrices between buckets that forget.",
    ] = _METHOD,
    rule: Annotated[
        options.Rule,
        "cfr, linear (the default) or cfr+ (the default of public); with exact (by default dcfr) "
        "and independent (by default fp, fictitious play) any rule of `pokerlab solve`.",
    ] = None,
    experts: Annotated[
        Path | None,
        "A three-player strategy: train a two-player expert for each line before the flop after"
        " which one has folded, for the ranges with which this strategy gets there. The output is"
        " a folder, for the bot stitched; --iterations are those of all experts.",
        options.NotWith("--method", "--rule", "--minutes", "--resume", "--plot"),
    ] = None,
    seed: options.Seed = 0,
    threads: Annotated[options.Threads, "Seed and number of threads fix the result."] = None,
    resume: Annotated[
        options.Resume, "By default beside the output, until that is written."
    ] = None,
    boards: Annotated[
        int,
        "Boards to find best responses on where exploitability is a bound.",
        bounded(2, 1_000_000),
    ] = 100,
    plot: options.Plot = None,
    as_json: options.Json = False,
) -> None:
    """Train a strategy for a limit game: `pokerlab train holdem.limit.2p`.

    Exploitability is exact, in the game with these groups of cards, where all pairs of hands can
    be counted (small games; buckets trained by `--method exact` before); else it is what best
    responses on the river alone win on some boards, a lower bound in the game itself. Ctrl-C ends
    the training and writes the file.
    """
    from pokerlab.games.loading import load_betting_game
    from pokerlab.holdem.limit.sampling.bucketed_game import (
        BucketedGame,
        is_holdem,
        planned_rows,
    )
    from pokerlab.holdem.limit.training.training import BUCKET_GAMES, bucket_game_of, check_method
    from pokerlab.players.strategies.limit_file import LimitStrategy, default_strategy_file

    options.check_options(context)
    rules = load_betting_game(game)
    by_players = INDEPENDENT_BUCKETS if method == "independent" else DEFAULT_BUCKETS
    default = by_players.get(rules.players, "none") if is_holdem(rules) else "each"
    groups = buckets or default
    if experts is not None:
        if iterations is None:
            raise ValueError("--experts: give the deals of all experts together by --iterations")
        recipe = ExpertRecipe(groups, iterations, threads=threads, boards=boards)
        _train_experts(rules, experts, output, recipe, seed, as_json=as_json)
        return
    check_method(rules, method, rule, groups)
    best = _best_deals(rules, method, rule) if groups == default else None
    by_itself = minutes is None and iterations is None
    if by_itself:
        if best is None:
            raise ValueError("nothing says when to stop: give --minutes or --iterations")
        iterations = best
    rows = planned_rows(rules, groups)
    if output is None:
        output = default_strategy_file(rules)
        output.parent.mkdir(parents=True, exist_ok=True)
    kept = resume if resume is not None else output.with_name(output.name + ".training")
    check_distinct({"--output": output, "--resume": kept, "--plot": plot}, [game, buckets])
    check_output(output, "--output")
    check_output(kept, "--resume")
    check_picture(plot, "--plot")
    check_room(rows, method, output, kept, threads=threads)
    with building_progress(quiet=as_json):
        bucketed = BucketedGame.of(rules, groups)
        if method in BUCKET_GAMES:
            bucket_game_of(bucketed, method)
    training = watched_training(
        bucketed,
        quiet=as_json,
        method=method,
        rule=rule,
        iterations=iterations,
        minutes=minutes,
        seed=seed,
        threads=threads,
        checkpoint=kept,
        boards=boards,
    )
    with saving(output, "--output"):
        LimitStrategy.of(training).save(output)
    if resume is None and not training.run.interrupted:
        kept.unlink(missing_ok=True)
    if plot is not None:
        _draw(plot, training)
    note = None if best is None else _length_note(training.run, best, by_itself=by_itself)
    data = _to_json(training, output, note)
    emit(data, lambda console: _render(console, training, data), as_json=as_json)
    if training.run.interrupted:
        raise CutShortError(f"the strategy so far is saved; the same command goes on from {kept}")


def _train_experts(
    rules: BettingGame,
    base: Path,
    folder: Path | None,
    recipe: ExpertRecipe,
    seed: int,
    *,
    as_json: bool,
) -> None:
    if not base.is_file():
        raise ValueError(f"--experts {base}: there is no such file")
    if folder is None:
        raise ValueError("--experts: give a folder by --output")
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"--output {folder}: this is a file, not a folder")
    shared = train_experts(base, folder, recipe, seed, game=rules, quiet=as_json)
    data = {"experts": shared, "buckets": recipe.buckets, "seed": seed, "folder": str(folder)}

    def render(console: Console) -> None:
        for line, count in shared.items():
            console.print(f"{line:12}{count:>14,} deals")
        console.print(f"saved to {folder}")

    emit(data, render, as_json=as_json)


def _best_deals(rules: BettingGame, method: str, rule: str | None) -> int | None:
    """After how many deals the default buckets are best; None where that was not measured."""
    from pokerlab.games.loading import load_betting_game
    from pokerlab.holdem.limit.sampling.bucketed_game import same_rules
    from pokerlab.holdem.limit.training.trainer import chosen_rule

    if method != _METHOD or chosen_rule(rules, method, rule) != chosen_rule(rules, method, None):
        return None
    for name, deals in BEST_DEALS.items():
        if same_rules(rules, load_betting_game(name)):
            return deals
    return None


def _length_note(run: Run, best: int, *, by_itself: bool) -> str | None:
    """Say why a training stopped by itself, or that it is shorter than the best; None if longer."""
    if run.iterations < best:
        return (
            f"with these buckets {best:,} deals are best; shorter trainings play better with fewer"
            " buckets (docs/measurements/exploitability.md)"
        )
    if not by_itself:
        return None
    return (
        f"stopped by itself at {run.iterations:,} deals: with these buckets, more training came no"
        " closer to equilibrium in the game itself (docs/measurements/exploitability.md); --minutes"
        " or --iterations train as long as they say"
    )


def watched_training(
    game: BucketedGame, *, quiet: bool, minutes: float | None, **options: Any
) -> Training:
    """Train with progress on the screen; `options` are those of `train`."""
    from pokerlab.holdem.limit.training.training import train

    seconds = None if minutes is None else 60.0 * minutes
    unit = game.game.mbb
    with solve_progress(lambda value: f"{value * unit:.1f} mbb/g", quiet=quiet) as report:
        return train(game, seconds=seconds, report=report, **options)


def _draw(plot: Path, training: Training) -> None:
    from pokerlab.views.training_figure import draw_trainings

    unit = training.game.game.mbb
    points = [(point.seconds, point.exploitability * unit) for point in training.run.history]
    how = "exact, with these groups" if training.measured.exact else "a lower bound"
    if training.method == "independent":
        how = "exact, in the game of transition matrices"
    picture = draw_trainings(
        {f"{training.method}, {training.rule}": points},
        title=f"{training.game.game.name}, {training.game.name}: {how}",
        kind=plot.suffix[1:].lower(),
    )
    save_bytes(plot, picture, "--plot")


def check_room(
    rows: int,
    method: str,
    output: Path,
    kept: Path,
    option: str = "--output",
    *,
    threads: int | None = None,
) -> None:
    """Refuse what does not fit into memory or onto the disk, before anything is allocated.

    Parameters
    ----------
    rows, method
        What is trained, and how.
    output, kept
        The file of the strategy, and the checkpoint of an interrupted training.
    option
        What the user calls the first.
    threads
        How many; each has tables of its own.
    """
    from pokerlab.holdem.limit.training.trainer import checkpoint_bytes, training_bytes
    from pokerlab.players.strategies.limit_file import file_bytes

    needed, free = training_bytes(rows, method, threads), free_memory()
    kept_size = checkpoint_bytes(rows, method, threads)
    if needed > free:
        raise ValueError(
            f"memory: {rows:,} rows need about {size_text(needed)}, and {size_text(free)} are free;"
            " use fewer buckets or threads"
        )
    if output.parent.resolve() == kept.parent.resolve():
        check_output(output, option, size=file_bytes(rows) + kept_size)
    else:
        check_output(output, option, size=file_bytes(rows))
        check_output(kept, "--resume", size=kept_size)


def _to_json(training: Training, output: Path, note: str | None) -> dict[str, Any]:
    import numpy as np

    game, run = training.game, training.run
    unit = game.game.mbb
    return {
        "game": game.game.name,
        "buckets": game.name,
        "counts": list(game.counts),
        "nodes": len(game.betting.nodes),
        "rows": game.rows,
        "unseen_rows": int(np.isnan(training.probabilities[:, 0]).sum()),
        "method": training.method,
        "rule": training.rule,
        "seed": training.seed,
        "threads": training.threads,
        "iterations": run.iterations,
        "updates": training.visited,
        "seconds": run.seconds,
        "measuring_seconds": run.measuring,
        "exploitability": run.exploitability,
        "exploitability_mbb": run.exploitability * unit,
        "error_mbb": training.measured.error * unit,
        "exact": training.measured.exact,
        "history": [list(point[:3]) for point in run.history],
        "stopped": run.stopped,
        "note": note,
        "file": str(output),
    }


def _render(console: Console, training: Training, data: dict[str, Any]) -> None:
    counts = " · ".join(f"{count:,}" for count in data["counts"])
    how = {
        "exact": "iterations on the exact game",
        "independent": "iterations on the game of transition matrices",
    }.get(training.method, f"deals by {training.method} sampling")
    console.print(
        bold(data["game"]),
        f"with {data['buckets']} ({counts} groups): {data['nodes']:,} betting nodes,"
        f" {data['rows']:,} rows",
    )
    console.print(
        f"{data['iterations']:,} {how} ({data['rule']}), {data['updates']:,} updates in"
        f" {data['seconds']:.1f} s ({data['stopped']});"
        f" {data['unseen_rows'] / data['rows']:.1%} of the rows never came up"
    )
    if data["exact"]:
        console.print(
            f"exploitability {data['exploitability_mbb']:.2f} mbb/g, exact in the game"
            + (
                " of transition matrices"
                if training.method == "independent"
                else " with these groups"
            )
        )
    elif training.game.game.players == 2:
        console.print(
            f"exploitability in the game itself at least {data['exploitability_mbb']:.1f} ±"
            f" {data['error_mbb']:.1f} mbb/g (best responses on the last street, sampled boards)"
        )
    else:
        console.print(
            f"responses trained against it win {data['exploitability_mbb']:.1f} ±"
            f" {data['error_mbb']:.1f} mbb/g (a weak lower bound of exploitability)"
        )
    if data["note"] is not None:
        console.print(data["note"])
    console.print(f"saved to {data['file']}")

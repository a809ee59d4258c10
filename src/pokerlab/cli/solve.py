"""`pokerlab solve` and `verify`: find an equilibrium, and prove how good a file is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pokerlab.cli.output import Json, Seed, emit
from pokerlab.cli.progress import solve_progress

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.solvers import Solution

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the commands to the application."""
    app.command("solve")(_solve)
    app.command("verify")(_verify)


def _solve(
    game: Annotated[str, typer.Argument(help="A game of the catalogue, or a .toml or .game file.")],
    rule: Annotated[
        str,
        typer.Option(
            "--rule",
            help="cfr, cfr-return, cfr+, linear, dcfr, pcfr+, cgh, fp, fp-naive (with numbers, as "
            "'dcfr(1.5,0,2)' or 'cgh(0.2)'), or lp.",
        ),
    ] = "dcfr",
    iterations: Annotated[int | None, typer.Option(help="Stop after so many iterations.")] = None,
    target: Annotated[
        float | None, typer.Option(help="Stop when the exploitability is at most this.")
    ] = None,
    seconds: Annotated[float | None, typer.Option(help="Stop after so many seconds.")] = None,
    sampling: Annotated[
        str | None, typer.Option(help="Monte Carlo CFR: external, outcome or public.")
    ] = None,
    simultaneous: Annotated[
        bool, typer.Option("--simultaneous", help="Update all players at once.")
    ] = False,
    resume: Annotated[
        Path | None,
        typer.Option(help="A checkpoint: saved every minute and at the end, gone on from."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Save the solution to this file.")
    ] = None,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Solve a game to equilibrium; Ctrl-C stops cleanly with what has been reached."""
    from pokerlab.solvers import as_tree, solve

    _check_folder(output, "--output")
    _check_folder(resume, "--resume")
    tree = as_tree(game)
    with solve_progress(lambda value: f"{value:.3g}", quiet=as_json) as report:
        solution = solve(
            tree,
            rule,
            iterations=iterations,
            target=target,
            seconds=seconds,
            seed=seed,
            alternating=not simultaneous,
            sampling=sampling,
            report=report,
            checkpoint=resume,
        )
    if output is not None:
        solution.save(output)
    data = {
        "game": solution.game,
        "rule": solution.rule,
        "iterations": solution.iterations,
        "seconds": solution.seconds,
        "exploitability": solution.exploitability,
        "nash_conv": solution.nash_conv,
        "values": list(solution.values),
        "stopped": solution.stopped,
        "file": None if output is None else str(output),
    }

    def render(console: Console) -> None:
        _print_solution(console, solution)
        if output is not None:
            console.print(f"saved to {output}")

    emit(data, render, as_json=as_json)


def _verify(
    file: Annotated[Path, typer.Argument(help="A solution that `pokerlab solve -o` wrote.")],
    as_json: Json = False,
) -> None:
    """Compute the best responses to a saved solution again and compare with what it claims."""
    from pokerlab.solvers import best_response, load_solution, values
    from pokerlab.solvers.solution import as_tree

    claimed = load_solution(file)
    tree = as_tree(claimed.game)
    solution = load_solution(file, tree)
    strategy = solution.strategy
    found = values(tree, strategy)
    best = [best_response(tree, strategy, seat).value for seat in range(tree.players)]
    exploitability = float(sum(best) - sum(found)) / tree.players
    ok = abs(exploitability - solution.exploitability) <= 1e-9
    data = {
        "ok": ok,
        "game": solution.game,
        "exploitability": exploitability,
        "claimed": solution.exploitability,
        "values": found.tolist(),
        "bounds": best,
    }

    def render(console: Console) -> None:
        verdict = "[green]ok[/green]" if ok else "[red]does not hold[/red]"
        console.print(
            f"{file}: {solution.game}, exploitability {exploitability:.6g} "
            f"(claimed {solution.exploitability:.6g}): {verdict}"
        )
        for seat, (value, bound) in enumerate(zip(found, best, strict=True)):
            console.print(
                f"player {seat}: value {value:+.9f}, best response against the others {bound:+.9f}"
            )

    emit(data, render, as_json=as_json)
    if not ok:
        raise ValueError(f"{file} claims {solution.exploitability:.6g}, found {exploitability:.6g}")


def _check_folder(path: Path | None, option: str) -> None:
    """Say now that a file cannot be written, not after an hour of solving."""
    if path is not None and not path.parent.is_dir():
        raise ValueError(f"{option} {path}: there is no folder {path.parent}")


def _print_solution(console: Console, solution: Solution) -> None:
    from rich.table import Table

    console.print(
        f"[bold]{solution.game}[/bold] by {solution.rule}: {solution.iterations:,} iterations in "
        f"{solution.seconds:.2f} s ({solution.stopped})"
    )
    console.print(
        f"exploitability {solution.exploitability:.6g} (NashConv {solution.nash_conv:.6g})"
    )
    console.print("values " + "  ".join(f"{value:+.9f}" for value in solution.values))
    infosets = solution.strategy.infosets
    if len(infosets) > 40:
        console.print(f"{len(infosets):,} information sets")
        return
    table = Table(box=None, pad_edge=False)
    table.add_column("player")
    table.add_column("has seen")
    table.add_column("plays")
    for number, name in enumerate(infosets.names):
        plays = "  ".join(
            f"{action} {chance:.4f}" for action, chance in solution.strategy[name].items()
        )
        table.add_row(str(infosets.player[number]), name, plays)
    console.print(table)

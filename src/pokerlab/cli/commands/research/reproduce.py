"""`pokerlab reproduce`: the results of the documents, computed again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pokerlab.cli.commands.research.reproduce_abstraction import reproduce_abstraction
from pokerlab.cli.commands.research.reproduce_adam import reproduce_adam
from pokerlab.cli.commands.research.reproduce_bets import reproduce_bets
from pokerlab.cli.commands.research.reproduce_draw import reproduce_draw
from pokerlab.cli.commands.research.reproduce_exploitation import reproduce_exploitation
from pokerlab.cli.commands.research.reproduce_groups import reproduce_groups
from pokerlab.cli.commands.research.reproduce_mapping import reproduce_mapping
from pokerlab.cli.commands.research.reproduce_nolimit import reproduce_nolimit
from pokerlab.cli.commands.research.reproduce_recall import reproduce_recall
from pokerlab.cli.commands.research.reproduce_regret import reproduce_regret
from pokerlab.cli.commands.research.reproduce_resolving import (
    reproduce_resolving,
    reproduce_rivers,
)
from pokerlab.cli.commands.research.reproduce_rhode_island import reproduce_rhode_island
from pokerlab.cli.commands.research.reproduce_runouts import reproduce_runouts
from pokerlab.cli.commands.research.reproduce_view import reproduce_view
from pokerlab.cli.options import declared as options
from pokerlab.cli.shared.studies import check_output_folder, print_trial, print_verdicts
from pokerlab.cli.terminal.interruption import CutShortError
from pokerlab.cli.terminal.output import bold, emit
from pokerlab.views import Table

if TYPE_CHECKING:
    from rich.console import Console

# What the thesis ran; a turn takes milliseconds an iteration, and there are many rules.
_SPOT_ITERATIONS = 400


def register(app: typer.Typer) -> None:
    """Add the commands to the application."""
    group = typer.Typer(
        no_args_is_help=True, help="Compute the results of the documents again, side by side."
    )
    group.command("abstraction")(reproduce_abstraction)
    group.command("adam")(reproduce_adam)
    group.command("bets")(reproduce_bets)
    group.command("bounds")(_bounds)
    group.command("cgh")(_cgh)
    group.command("draw")(reproduce_draw)
    group.command("exploitation")(reproduce_exploitation)
    group.command("groups")(reproduce_groups)
    group.command("mapping")(reproduce_mapping)
    group.command("nolimit")(reproduce_nolimit)
    group.command("recall")(reproduce_recall)
    group.command("regret")(reproduce_regret)
    group.command("resolving")(reproduce_resolving)
    group.command("rhode-island")(reproduce_rhode_island)
    group.command("rivers")(reproduce_rivers)
    group.command("runouts")(reproduce_runouts)
    group.command("trees")(_trees)
    group.command("view")(reproduce_view)
    app.add_typer(group, name="reproduce")


def _trees(
    names: Annotated[
        list[str] | None,
        typer.Argument(help="Figures to draw; all figures and tables if none are named."),
    ] = None,
    quick: Annotated[options.Quick, "Seconds: obvious moves of the smallest games only."] = False,
    output: options.OutputFolder = Path("figures"),
    as_json: options.Json = False,
) -> None:
    """Draw the figures of the document on poker trees, and answer what it leaves open."""
    from pokerlab.studies import TREE_FIGURES, deviation_table, write_tree_figures
    from pokerlab.studies.trees.questions import make_trees_report

    check_output_folder(output)
    files = write_tree_figures(output, names or ())
    rows = deviation_table()
    report = None if names else make_trees_report(quick=quick)
    data: dict[str, Any] = {"deviations": [asdict(row) for row in rows]}
    if report is not None:
        files += report.write(output)
        data["verdicts"] = [verdict.to_json() for verdict in report.verdicts]
    data["files"] = [str(file) for file in files]

    def render(console: Console) -> None:
        for name in names or TREE_FIGURES:
            console.print(bold(name), f": {TREE_FIGURES[name].caption}", sep="")
        changes = [
            (f"{row.fold:.4f}", *(f"{each:+.4f}" for each in (row.bluff, row.value_bet, row.game)))
            for row in rows
        ]
        heads = ("fold", "bluff", "value bet", "game")
        console.print(Table(dict.fromkeys(heads, "text"), changes))
        if report is not None:
            print_verdicts(console, report, (0, 2))
        console.out(f"{len(files)} files in {output}")

    emit(data, render, as_json=as_json)


def _bounds(
    quick: Annotated[options.Quick, "A moment instead of a minute."] = False,
    output: options.OutputFolder = Path("figures"),
    seed: options.Seed = 0,
    as_json: options.Json = False,
) -> None:
    """Draw the bounds of regret beside what is measured: CFR, CFR+, sampling, FP, CGH."""
    from pokerlab.studies.regret_bounds import (
        ITERATIONS,
        measure_bounds,
        measured_rate,
        write_bounds,
    )

    check_output_folder(output)
    iterations = 256 if quick else ITERATIONS
    points = measure_bounds(iterations=iterations, seed=seed)
    files = write_bounds(points, output)
    last = list({(point.game, point.method): point for point in points}.values())
    rates = [measured_rate([each for each in points if each[:2] == point[:2]]) for point in last]
    rows = [
        (
            point.game,
            point.method,
            point.iterations,
            f"{point.exploitability:.3g}",
            f"{point.bound:.3g}",
            point.bound / point.exploitability,
            f"T^{rate:.2f}",
        )
        for point, rate in zip(last, rates, strict=True)
    ]
    numbers = {"iterations": "count", "measured": "chips", "bound": "chips"}
    heads = {"game": "text", "method": "text", **numbers, "bound / measured": "chips.0"}
    heads["falls like"] = "text"
    trial = (iterations, ITERATIONS, "iterations, 16 times as many with sampling")
    pairs = zip(last, rates, strict=True)
    data = {"last": [_known({**point._asdict(), "rate": rate}) for point, rate in pairs]}
    _show(Table(heads, rows), files, trial, {"quick": quick}, data, as_json=as_json)


def _cgh(
    context: typer.Context,
    quick: Annotated[options.Quick, "Seconds instead of minutes."] = False,
    iterations: Annotated[
        options.Iterations,
        "Of each rule; 200,000 by default.",
    ] = None,
    spots: Annotated[bool, "Race on post-flop spots as well, 400 iterations each."] = False,
    sampling: Annotated[
        bool,
        "CFR and CGH with sampling, by the nodes visited, instead of the race.",
        options.NotWith("--spots", "--iterations"),
    ] = False,
    output: options.OutputFolder = Path("figures"),
    as_json: options.Json = False,
) -> None:
    """Race CGH against CFR, CFR+, DCFR and the others, and draw the curves."""
    from pokerlab.cli.progress.solve_status import race_progress
    from pokerlab.studies.cgh.curve import RaceResult
    from pokerlab.studies.cgh.race import RACE_ITERATIONS, race, write_race

    options.check_options(context)
    check_output_folder(output)
    if sampling:
        _cgh_with_sampling(output, quick=quick, as_json=as_json)
        return
    if iterations is None:
        iterations = 300 if quick else RACE_ITERATIONS
    with race_progress(quiet=as_json) as report:
        result = race(iterations=iterations, report=report)
        if spots and not result.interrupted:
            more = race(_spot_tracks(), iterations=_SPOT_ITERATIONS, report=report)
            result = RaceResult(result.curves + more.curves, more.interrupted)
    files = write_race(result, output)
    rows = [
        (
            one.game,
            one.rule,
            one.last.iteration,
            f"{one.last.exploitability:.3g}",
            f"{one.last.seconds:.3g}",
            one.nbytes,
        )
        for one in result.curves
    ]
    numbers = dict.fromkeys(("iterations", "exploitability", "seconds", "bytes"), "count")
    table = Table({"game": "text", "rule": "text", **numbers}, rows)
    facts = {"quick": quick, "iterations": iterations}
    data = {"interrupted": result.interrupted, "summary": [*map(_known, result.summary())]}
    trial = (iterations, RACE_ITERATIONS, "iterations")
    _show(table, files, trial, facts, data, as_json=as_json)
    if result.interrupted:
        raise CutShortError(f"the races so far are drawn in {output}")


def _cgh_with_sampling(output: Path, *, quick: bool, as_json: bool) -> None:
    from pokerlab.studies.cgh.sampled import NODES, race_by_nodes, write_sampled

    nodes = 10**6 if quick else NODES
    points = race_by_nodes(nodes=nodes)
    files = write_sampled(points, output)
    last = list({(point.game, point.rule, point.sampling): point for point in points}.values())
    columns = {
        **dict.fromkeys(("game", "rule", "sampling"), "text"),
        **dict.fromkeys(("iterations", "nodes", "exploitability"), "count"),
    }
    rows = [
        (
            point.game,
            point.rule,
            point.sampling or "none",
            point.iterations,
            point.nodes,
            f"{point.exploitability:.3g}",
        )
        for point in last
    ]
    trial = (nodes, NODES, "nodes visited by each")
    data = {"last": [point._asdict() for point in last]}
    _show(Table(columns, rows), files, trial, {"quick": quick}, data, as_json=as_json)


def _show(
    table: Table,
    files: Sequence[Path],
    trial: tuple[int, int, str],
    facts: Mapping[str, Any],
    found: Mapping[str, Any],
    *,
    as_json: bool,
) -> None:
    """Print what was run and found; `trial` is how much of what was run, and of how much."""

    def render(console: Console) -> None:
        console.print(table)
        print_trial(console, *trial)
        for file in files:
            console.print(f"wrote {file}")

    emit({**facts, "files": [str(file) for file in files], **found}, render, as_json=as_json)


def _known(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row as JSON, which has no NaN."""
    return {key: None if cell != cell else cell for key, cell in row.items()}


def _spot_tracks() -> list[Any]:
    """The flop of the thesis on the river and on the turn, with its ranges; ε in chips."""
    from pokerlab.holdem.spots import PostflopSolver, Spot
    from pokerlab.studies.cgh.race import Track

    hands = "A9o+, KTo+, QTo+, JTo, A4s+, K8s+, Q9s+, J9s+, T9s, 55+"
    tracks = []
    for board in ("QhJh2c4d7h", "QhJh2c4d"):
        spot = Spot(board, hands, hands, pot=200, stack=900, bet="50%, a", raise_="50%, a")
        tracks.append(Track(board, partial(PostflopSolver, spot)))
    return tracks

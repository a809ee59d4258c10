"""`pokerlab reproduce mapping`: a two-player strategy among three players, beside the thesis."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from pokerlab.cli.commands.train import check_room, watched_training
from pokerlab.cli.shared import options
from pokerlab.cli.shared.building import building_progress
from pokerlab.cli.shared.files import saving
from pokerlab.cli.shared.interruption import CutShortError
from pokerlab.cli.shared.output import emit
from pokerlab.cli.shared.plain_text import tell
from pokerlab.cli.shared.studies import check_output_folder, kept_progress
from pokerlab.machine import core_count, duration_text
from pokerlab.views import Column, Table

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.studies.mapping.entrants import Entrants
    from pokerlab.studies.mapping.plan import MappingPlan
    from pokerlab.studies.mapping.results import MappingResults
    from pokerlab.studies.reporting.study_report import StudyReport

_HANDS, _QUICK_HANDS = 6000, 240
_METHOD = "external"


class _Recipe(NamedTuple):
    """How a strategy that is missing is trained; one thread makes the same file every time."""

    game: str
    buckets: str
    deals: int
    threads: int | None = None
    boards: int = 100
    name: str | None = None
    """Of the file, if that is not the one which bots look for."""


# Deals, not minutes: as far on every machine. Two cores take 20 and 25 minutes.
_FULL = (
    _Recipe("holdem.limit.2p", "169/kmeans:200,200,200", deals=67_000_000, name="mapping.2p"),
    _Recipe("holdem.limit.3p", "169/kmeans:100,100,100", deals=30_000_000),
)
# Starting hands alone need no tables of strengths, which take minutes to make.
_QUICK = (
    _Recipe("holdem.limit.2p", "classes", deals=150_000, threads=1, boards=4),
    _Recipe("holdem.limit.3p", "classes", deals=200_000, threads=1, boards=4),
)


def reproduce_mapping(
    hands: Annotated[options.Hands, "Of a match, all seatings counted; 6,000, quick 240."] = None,
    quick: Annotated[
        options.Quick,
        "Minutes instead of hours: strategies that know starting hands only.",
    ] = False,
    two_player: Annotated[
        Path | None, "Two-player strategy to map; else one of 200 groups."
    ] = None,
    three_player: Annotated[Path | None, "Three-player strategy; else the default one."] = None,
    output: options.OutputFolder = Path("figures/mapping"),
    jobs: Annotated[options.Jobs, "Tasks are matches."] = 0,
    seed: options.Seed = 0,
    as_json: options.Json = False,
) -> None:
    """Play a two-player strategy among three players, and put it beside the thesis's results.

    Strategies that are missing are trained. Finished matches are kept in the folder: after
    Ctrl-C or a kill the same command goes on.
    """
    from pokerlab.arena.tournaments import check_bots
    from pokerlab.studies.mapping.entrants import Entrants
    from pokerlab.studies.mapping.plan import MappingPlan
    from pokerlab.studies.mapping.records import GAME
    from pokerlab.studies.mapping.report import make_report, write_report

    _check(output, {"--two-player": two_player, "--three-player": three_player})
    files = _strategy_files(output, (two_player, three_player), quick=quick)
    if hands is None:
        hands = _QUICK_HANDS if quick else _HANDS
    plan = MappingPlan(Entrants(*files), hands, seed, quick)
    _train_missing(plan.entrants, _QUICK if quick else _FULL, seed, quiet=as_json)
    check_bots(GAME, plan.entrants.texts(("HBB2", "CFR3")))
    results = _play(plan, output, jobs or core_count(), quiet=as_json)
    report = make_report(results, _strategy_lines(plan.entrants))
    written = write_report(report, results, output)
    data = _to_json(report, results, written)
    emit(data, lambda console: _render(console, report, output), as_json=as_json)


def _check(output: Path, files: Mapping[str, Path | None]) -> None:
    """Refuse what cannot be, before anything is made."""
    check_output_folder(output)
    for option, file in files.items():
        if file is not None and not file.is_file():
            raise ValueError(f"{option} {file}: there is no such file")


def _strategy_files(
    output: Path, named: tuple[Path | None, Path | None], *, quick: bool
) -> tuple[Path, Path]:
    """The files to play, there or not: as named, in the folder if quick, else in the cache."""
    from pokerlab.strategies.limit_file import default_strategy_file

    files = []
    for file, recipe in zip(named, _FULL, strict=True):
        if file is None:
            default = default_strategy_file(recipe.name or recipe.game)
            file = output / "matches" / f"quick-{recipe.game}.safetensors" if quick else default
        files.append(file)
    return files[0], files[1]


def _train_missing(
    entrants: Entrants, recipes: tuple[_Recipe, _Recipe], seed: int, *, quiet: bool
) -> None:
    for file, recipe in zip((entrants.two_player, entrants.three_player), recipes, strict=True):
        if not file.is_file():
            _train(file, recipe, seed, quiet=quiet)


def _train(file: Path, recipe: _Recipe, seed: int, *, quiet: bool) -> None:
    """Train a strategy; after Ctrl-C nothing is written but the checkpoint it goes on from."""
    from pokerlab.abstraction.sampling.bucketed_game import BucketedGame, planned_rows
    from pokerlab.games import load_betting_game
    from pokerlab.strategies.limit_file import LimitStrategy

    _say(
        f"training {recipe.game} with {recipe.buckets} on {recipe.deals:,} deals: {file}",
        quiet=quiet,
    )
    rules = load_betting_game(recipe.game)
    file.parent.mkdir(parents=True, exist_ok=True)
    kept = file.with_name(file.name + ".training")
    rows = planned_rows(rules, recipe.buckets)
    check_room(rows, _METHOD, file, kept, "strategy", threads=recipe.threads)
    with building_progress(quiet=quiet):
        game = BucketedGame.of(rules, recipe.buckets)
    training = watched_training(
        game,
        quiet=quiet,
        method=_METHOD,
        iterations=recipe.deals,
        minutes=None,
        seed=seed,
        threads=recipe.threads,
        boards=recipe.boards,
        checkpoint=kept,
    )
    if training.run.interrupted:
        raise CutShortError(f"the training is kept in {kept}; the same command goes on")
    with saving(file, "strategy"):
        LimitStrategy.of(training).save(file)
    kept.unlink(missing_ok=True)


def _play(plan: MappingPlan, output: Path, workers: int, *, quiet: bool) -> MappingResults:
    """Play the missing matches; Ctrl-C says where the finished ones are."""
    from pokerlab.studies.mapping.matches import MatchFolder, play_mapping_matches
    from pokerlab.studies.mapping.plan import expected_seconds
    from pokerlab.studies.mapping.results import MappingResults

    matches = plan.matches()
    folder = MatchFolder(output / "matches", plan.entrants.digest)
    waiting = [match for match in matches if folder.read(match) is None]
    before = len(matches) - len(waiting)
    if waiting:
        known = f" ({before} are there already)" if before else ""
        _say(
            f"{len(waiting)} matches of {plan.hands:,} hands and more{known}: about"
            f" {duration_text(expected_seconds(waiting, workers))}, {workers} at a time",
            quiet=quiet,
        )
    with kept_progress(len(matches), "matches", folder.path, quiet=quiet, done=before) as show:
        played = play_mapping_matches(
            matches, folder, workers=workers, report=lambda progress: show(progress.done)
        )
    return MappingResults(plan, played)


def _strategy_lines(entrants: Entrants) -> dict[str, str]:
    """A line about each strategy: how it was trained."""
    from pokerlab.strategies.limit_file import LimitStrategy

    lines = {}
    for name, file in (
        ("Two-player strategy", entrants.two_player),
        ("Three-player strategy", entrants.three_player),
    ):
        strategy = LimitStrategy.load(file)
        lines[name] = (
            f"{strategy.game.name}, {strategy.iterations:,} iterations ({strategy.method},"
            f" {strategy.rule}) in {strategy.seconds:,.0f} s"
        )
    return lines


def _to_json(report: StudyReport, results: MappingResults, files: list[Path]) -> dict[str, Any]:
    return {
        "quick": results.plan.quick,
        "judged": results.plan.judged,
        "hands": results.plan.hands,
        "seed": results.plan.seed,
        "matches": len(results.played),
        "seconds": results.seconds,
        "files": [str(file) for file in files],
        "verdicts": [verdict.to_json() for verdict in report.verdicts],
    }


def _render(console: Console, report: StudyReport, output: Path) -> None:
    from rich.measure import Measurement
    from rich.text import Text

    for note in report.notes:
        console.print(Text(note))
    verdicts = report.verdict_table
    last = () if verdicts is None else (verdicts,)
    for each in (*report.results, *last):  # what matters most stays on the screen
        table = Table([Column(head, "fold") for head in each.shown_heads], each.shown)
        console.print()
        console.print(Text(each.title, style="bold"))
        if each is not verdicts:  # a cell that is cut is worse than a line that is too long
            wide = console.options.update(max_width=10_000)
            console.width = max(console.width, Measurement.get(console, wide, table).maximum)
        console.print(table)
    console.print(Text(f"\nall tables, figures and summary.md are in {output}"))


def _say(line: str, *, quiet: bool) -> None:
    if not quiet:
        tell(line)

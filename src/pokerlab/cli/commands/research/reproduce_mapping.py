"""`pokerlab reproduce mapping`: a two-player strategy among three players, beside the thesis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from pokerlab.cli.commands.games.experts import ExpertRecipe, train_experts
from pokerlab.cli.commands.games.train import check_room, watched_training
from pokerlab.cli.options import declared as options
from pokerlab.cli.options.files import saving
from pokerlab.cli.progress.building import building_progress
from pokerlab.cli.shared.studies import check_output_folder, do_study, show_report
from pokerlab.cli.terminal.interruption import CutShortError
from pokerlab.cli.terminal.plain_text import tell
from pokerlab.runtime.errors import shorten
from pokerlab.runtime.machine import core_count, duration_text
from pokerlab.views import Column, Table

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.studies.mapping.entrants import Entrants
    from pokerlab.studies.mapping.matches import MappingMatch
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
_FULL_EXPERTS = ExpertRecipe("169/kmeans:200,200,200", deals=24_000_000)
_QUICK_EXPERTS = ExpertRecipe("classes", deals=40_000, least=0.05, threads=1, boards=2)
_PARTS = ("thesis", "experts", "teams")


def reproduce_mapping(
    part: Annotated[
        str,
        typer.Argument(
            help="thesis: the thesis's own matches; experts: heads-up experts and biases by"
            " history, against its mappings; teams: what two players can take from the third in"
            " small games."
        ),
    ] = "thesis",
    hands: Annotated[options.Hands, "Of a match, all seatings counted; 6,000, quick 240."] = None,
    quick: Annotated[
        options.Quick,
        "Minutes instead of hours: strategies that know starting hands only.",
    ] = False,
    two_player: Annotated[
        Path | None, "Two-player strategy to map; else one of 200 groups."
    ] = None,
    three_player: Annotated[Path | None, "Three-player strategy; else the default one."] = None,
    experts: Annotated[
        Path | None,
        "Folder of heads-up experts to play as they are; else they are trained into strategies in"
        " the output folder.",
    ] = None,
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
    from pokerlab.studies.mapping.plan import MappingPlan, expected_seconds
    from pokerlab.studies.mapping.records import GAME
    from pokerlab.studies.mapping.report import mapping_study
    from pokerlab.studies.stitching.plan import STITCHED_BOT, StitchingPlan
    from pokerlab.studies.stitching.report import stitching_study

    if part not in _PARTS:
        raise ValueError(f"{shorten(part)!r} is not a part ({', '.join(_PARTS)})")
    if part == "teams":
        _reproduce_teams(output, jobs, quick=quick, as_json=as_json)
        return
    if experts is not None and not experts.is_dir():
        raise ValueError(f"--experts {experts}: there is no such folder")
    _check(output, {"--two-player": two_player, "--three-player": three_player})
    files = _strategy_files(output, (two_player, three_player), quick=quick)
    if hands is None:
        hands = _QUICK_HANDS if quick else _HANDS
    entrants = Entrants(*files)
    plan = MappingPlan(entrants, hands, seed, quick)
    _train_missing(entrants, _QUICK if quick else _FULL, seed, quiet=as_json)
    workers = jobs or core_count()
    if part == "experts":
        folder = experts or output / "strategies"
        if experts is None:
            recipe = _QUICK_EXPERTS if quick else _FULL_EXPERTS
            train_experts(files[1], folder, recipe, seed, quiet=as_json)
        entrants = Entrants(*files, folder)
        check_bots(GAME, entrants.texts(("HBB2", STITCHED_BOT)))
        study = stitching_study(StitchingPlan(entrants, hands, seed, quick), output / "matches")
    else:
        check_bots(GAME, entrants.texts(("HBB2", "CFR3")))
        study = mapping_study(plan, output / "matches")

    def work_text(waiting: Sequence[MappingMatch], known: str) -> str:
        seconds = expected_seconds(waiting, workers)
        return (
            f"{len(waiting)} matches of {hands:,} hands and more{known}: about"
            f" {duration_text(seconds)}, {workers} at a time"
        )

    done = do_study(study, workers, quiet=as_json, what="matches", work_text=work_text)
    report_folder = output if part == _PARTS[0] else output / part
    show_report(study.make_report(done), report_folder, _print_tables, as_json=as_json)


def _reproduce_teams(output: Path, jobs: int, *, quick: bool, as_json: bool) -> None:
    from pokerlab.studies.teams.report import TeamPlan, teams_study

    check_output_folder(output)
    study = teams_study(TeamPlan(quick), output / "matches" / "teams")
    done = do_study(study, jobs or core_count(), quiet=as_json)
    show_report(study.make_report(done), output / "teams", _print_tables, as_json=as_json)


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
    from pokerlab.players.strategies.limit_file import default_strategy_file

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
    from pokerlab.games import load_betting_game
    from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame, planned_rows
    from pokerlab.players.strategies.limit_file import LimitStrategy

    if not quiet:
        tell(f"training {recipe.game} with {recipe.buckets} on {recipe.deals:,} deals: {file}")
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


def _print_tables(console: Console, report: StudyReport) -> None:
    from rich.measure import Measurement
    from rich.text import Text

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

"""`pokerlab tournament`: every pair or triple of bots plays a match."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pokerlab.cli.commands.play.match import (
    DEFAULT_HANDS,
    MATCH_COLUMNS,
    error_text,
    faults_text,
    game_with_stack,
)
from pokerlab.cli.options import declared as options
from pokerlab.cli.options.bounds import bounded
from pokerlab.cli.options.files import check_distinct, check_output
from pokerlab.cli.progress.counting import counting_progress
from pokerlab.cli.terminal.debugging import bots_at_work
from pokerlab.cli.terminal.interruption import CutShortError
from pokerlab.cli.terminal.output import PLAYER, emit
from pokerlab.views import Column, Table

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.arena.run_off import Cycle
    from pokerlab.arena.tournaments import Score, Tournament


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("tournament")(_tournament)


def _tournament(
    game: options.Game,
    bots: options.Bots,
    hands: options.MatchHands = None,
    seed: options.Seed = 0,
    stack: options.GameStack = None,
    size: Annotated[int | None, "How many sit at a table, 2 or 3.", bounded(2, 10)] = None,
    duplicate: Annotated[
        bool, typer.Option("--duplicate/--no-duplicate", help="Play each deal in all seatings.")
    ] = True,
    twins: Annotated[bool, "Tables of three: also seat the same bot twice."] = False,
    deals: options.DealsFile = None,
    pocket: options.Pockets = None,
    time_limit: options.TimeLimit = None,
    jobs: Annotated[int | None, options.JOBS, "Tasks are matches."] = None,
    ray: options.Ray = None,
    results: Annotated[
        Path | None, "File for finished matches; the same command goes on from it."
    ] = None,
    debug: options.Debug = False,
    as_json: options.Json = False,
) -> None:
    """Play a tournament; Ctrl-C ends it and shows the matches that are finished."""
    from pokerlab.arena.chosen_deals import parse_pockets
    from pokerlab.arena.results import ResultsFile
    from pokerlab.arena.tournaments import Tournament, check_bots, plan_tournament, play_matches

    game = game_with_stack(game, stack)
    check_output(results, "--results")
    check_distinct({"--results": results}, [game, *bots, deals])
    if hands is None and deals is None:
        hands = DEFAULT_HANDS
    with bots_at_work(debug=debug):
        plans = plan_tournament(
            game,
            bots,
            hands,
            seed,
            size=size,
            duplicate=duplicate,
            twins=twins,
            time_limit=time_limit,
            deals=deals,
            pockets=parse_pockets(pocket or []),
        )
        check_bots(game, bots, size)
    file = None if results is None else ResultsFile(results)
    before = 0 if file is None else len(file.read().keys() & set(plans))
    played = []
    try:
        with (
            bots_at_work(debug=debug),
            counting_progress(len(plans), "matches", quiet=as_json, done=before) as report,
        ):
            for result in play_matches(plans, jobs=jobs, ray=ray, results=file):
                played.append(result)
                report(len(played))
    except KeyboardInterrupt:
        if file is not None:  # it may have one more, which was written when Ctrl-C came
            known = file.read()
            played = [known[plan] for plan in plans if plan in known]
        if not played:
            raise
    tournament = Tournament(tuple(bots), tuple(played))
    emit(
        _data(tournament, len(plans)),
        lambda console: _render(console, tournament, len(plans)),
        as_json=as_json,
    )
    if len(played) < len(plans):
        kept = "" if results is None else f" and kept in {results}: the same command goes on"
        raise CutShortError(f"{len(played)} of {len(plans)} matches are counted{kept}")


def _data(tournament: Tournament, planned: int) -> dict[str, Any]:
    first = tournament.results[0].plan
    return {
        "game": first.game,
        "size": len(first.bots),
        "hands": first.hands,
        "duplicate": first.duplicate,
        "pockets": list(first.pockets),
        "deals": first.deals,
        "matches": len(tournament.results),
        "planned_matches": planned,
        "bankroll": tournament.bankroll(),
        "run_off": tournament.run_off(),
        "scores": {bot: _score(score) for bot, score in tournament.scores().items()},
        "cross_table": [
            {"bot": bot, "against": list(others), **_score(score)}
            for bot, row in tournament.cross_table().items()
            for others, score in row.items()
        ],
        "cycles": [_cycle(cycle) for cycle in tournament.cycles()],
        "triples": tournament.triples(),
        "faults": _faults(tournament),
        "seconds": sum(result.seconds for result in tournament.results),
    }


def _score(score: Score) -> dict[str, float | None]:
    from pokerlab.arena.results import significance

    known = not math.isnan(score.stderr)
    return {
        "chips": score.chips,
        "mbb_per_hand": score.mbb_per_hand,
        "stderr": score.stderr if known else None,
        "p": significance(score.mbb_per_hand, score.stderr) if known else None,
    }


def _cycle(cycle: Cycle) -> dict[str, Any]:
    """JSON has no infinity: an edge without any spread has no z."""
    return {
        "bots": list(cycle.bots),
        "mbb_per_hand": list(cycle.wins),
        "z": [None if math.isinf(z) else z for z in cycle.z],
        "weakest": None if math.isinf(cycle.weakest) else cycle.weakest,
        "p": cycle.p,
    }


def _faults(tournament: Tournament) -> dict[str, int]:
    return {
        bot: sum(
            count
            for result in tournament.results
            for name, count in zip(result.plan.bots, result.faults, strict=True)
            if name == bot
        )
        for bot in tournament.bots
    }


def _render(console: Console, tournament: Tournament, planned: int) -> None:
    from rich.measure import Measurement
    from rich.text import Text

    first = tournament.results[0].plan
    kind = "duplicate hands" if first.duplicate else "hands"
    done = len(tournament.results)
    count = f"{done}" if done == planned else f"{done} of {planned}"
    console.print(f"{first.game}: {count} matches of {first.hands:,} {kind}")
    bankroll, run_off, faults = tournament.bankroll(), tournament.run_off(), _faults(tournament)
    scores = tournament.scores()
    columns = {"bot": PLAYER, "bankroll": "count", "run-off": "count", **MATCH_COLUMNS}
    rows = (
        (bot, rank, run_off[bot], score.chips, score.mbb_per_hand, error_text(score.stderr))
        for bot, rank in bankroll.items()
        for score in (scores[bot],)
    )
    console.print(Table(columns, rows))
    console.print()
    cross_table = _cross_table(tournament, list(bankroll))
    # A cell that is cut is worse than a line that is too long.
    width = Measurement.get(console, console.options.update(max_width=10_000), cross_table).maximum
    console.width = max(console.width, width)
    console.print(cross_table)
    who = "a row wins from a column" if len(first.bots) == 2 else "a column wins against a row"
    console.print(f"what {who}, mbb/hand ± standard error")
    console.print("* p < 0.05, ** p < 0.01, *** p < 0.001")
    _print_cycles(console, tournament)
    for bot, number in faults.items():
        if number:
            console.print(Text(faults_text(bot, number)))


def _print_cycles(console: Console, tournament: Tournament) -> None:
    """Who beats whom in a circle, if that is more than chance."""
    cycles = tournament.cycles()
    if not cycles:
        return
    clear = [cycle for cycle in cycles if cycle.clear]
    triples = f"{tournament.triples():,} triples"
    for cycle in clear:
        console.print()
        console.print(" beats ".join((*cycle.bots, cycle.bots[0])))
        edges = ", ".join(f"{z:.1f}" for z in cycle.z)
        console.print(f"z {edges}; the weakest counts: p {cycle.p:.2g} after {triples}")
    others = len(cycles) - len(clear)
    if others:
        word = "triple turns" if others == 1 else "triples turn"
        console.print(
            f"{others:,} {'other ' if clear else ''}{word} in a circle that may be chance"
        )


def _cross_table(tournament: Tournament, bots: list[str]) -> Any:
    """Of two at a table, bots in rows and in columns; of three, in rows the pairs of opponents."""
    cells = tournament.cross_table()
    pairs = len(tournament.results[0].plan.bots) > 2
    if pairs:
        rows = {
            ", ".join(others): [cells[bot].get(others) for bot in bots]
            for others in dict.fromkeys(others for row in cells.values() for others in row)
        }
    else:
        rows = {bot: [cells[bot].get((other,)) for other in bots] for bot in bots}
    shown = [
        (name, *("" if cell is None else _cell(cell) for cell in row)) for name, row in rows.items()
    ]
    heads = [Column("against" if pairs else "", "name", style="bold")]
    return Table([*heads, *(Column(bot, "signed") for bot in bots)], shown)


def _cell(score: Score) -> str:
    from pokerlab.arena.results import significance

    if math.isnan(score.stderr):
        return f"{score.mbb_per_hand:+,.0f}"
    chance = significance(score.mbb_per_hand, score.stderr)
    stars = "*" * sum(chance < bound for bound in (0.05, 0.01, 0.001))
    return f"{score.mbb_per_hand:+,.0f} ± {score.stderr:,.0f}{stars:<3}"

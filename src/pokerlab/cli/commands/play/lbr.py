"""`pokerlab lbr`: what a local best response wins from a bot."""

from __future__ import annotations

import math
import re
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pokerlab.cli.commands.play.match import game_with_stack
from pokerlab.cli.options import declared as options
from pokerlab.cli.options.bounds import bounded
from pokerlab.cli.progress.batch_progress import batch_progress
from pokerlab.cli.terminal.debugging import bots_at_work
from pokerlab.cli.terminal.interruption import CutShortError
from pokerlab.cli.terminal.output import bold, emit
from pokerlab.runtime.errors import shorten
from pokerlab.views import Table

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.arena.responses.local_best_response import LocalHand
    from pokerlab.arena.responses.measuring import LocalResponsePlan, LocalResponseResult
    from pokerlab.games import BettingGame

_HANDS = 1000


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("lbr")(_lbr)


def _lbr(
    bot: Annotated[str, typer.Argument(help="A bot: see `pokerlab bot list`, or my_bot.py:Class.")],
    game: Annotated[
        str, "A game for two of the catalogue; a game or spot file; the file of a solution."
    ] = "holdem.nolimit.2p",
    stack: options.GameStack = None,
    menu: Annotated[
        str,
        typer.Option(
            help="fc: it folds and calls; fcpa: also raises by the pot and all-in; 56: also 56 "
            "sizes. Limit games have their own raise.",
            metavar="fc|fcpa|56",
        ),
    ] = "fcpa",
    streets: Annotated[
        str,
        typer.Option(
            help="The streets on which it chooses, for example 1-4 or 3-4; elsewhere it checks and "
            "calls.",
            metavar="all|N|N-M",
        ),
    ] = "all",
    hands: Annotated[options.Hands, "By default 1,000; an even number."] = None,
    seed: options.Seed = 0,
    flops: Annotated[options.DealtFlops, "Plays flops of a nolimit:library=FOLDER."] = "",
    exact: Annotated[
        bool, "Small games, and spots with all cards on the board: the mean over all deals."
    ] = False,
    samples: Annotated[
        int,
        "For bots that do not tell their strategy: how often they are asked with a hand.",
        bounded(1, 10_000),
    ] = 3,
    among: Annotated[
        int, "For the same: with how many random hands of the range.", bounded(1, 1326)
    ] = 100,
    jobs: Annotated[int, options.JOBS, "Tasks are 20 hands."] = 1,
    ray: options.Ray = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Keep the hands in this folder; the same command goes on, also to more hands.",
            metavar="FOLDER",
        ),
    ] = None,
    debug: options.Debug = False,
    as_json: options.Json = False,
) -> None:
    """Measure what a local best response wins from a bot: a lower bound of its exploitability.

    The responder knows the bot's strategy, keeps the range that fits its actions, and takes the
    action of the largest value, as if both checked and called afterwards. A result below 0 says
    that it found nothing, not that nobody could win. Ctrl-C shows the result so far.
    """
    from pokerlab.arena.responses.local_best_response import MENUS
    from pokerlab.arena.responses.measuring import (
        LocalResponsePlan,
        LocalResponseResult,
        play_local_responses,
    )

    if menu not in MENUS:
        raise ValueError(f"--menu {shorten(menu)}: it is not known ({', '.join(MENUS)})")
    plan = LocalResponsePlan(
        game_with_stack(game, stack),
        bot,
        menu,
        chosen_streets(streets),
        seed,
        samples,
        among,
        flops,
    )
    with bots_at_work(debug=debug):
        rules = plan.check()
    if exact:
        _exact(plan, rules, debug=debug, as_json=as_json)
        return
    hands = _HANDS if hands is None else hands
    began = perf_counter()
    played: dict[int, list[LocalHand]] = {}
    try:
        with (
            bots_at_work(debug=debug),
            batch_progress(hands, what="hands", quiet=as_json) as report,
        ):
            for first, block in play_local_responses(
                plan, hands, jobs=jobs, ray=ray, folder=output, report=report
            ):
                played[first] = block
    except KeyboardInterrupt:
        if 0 not in played:
            raise
    found = LocalResponseResult.of(plan, rules, hands, played, perf_counter() - began)
    data = found.to_json() | {"exact": False, "folder": None if output is None else str(output)}
    emit(data, lambda console: _render(console, found, rules), as_json=as_json)
    if len(found.hands) < hands:
        kept = "" if output is None else f" and kept in {output}: the same command goes on"
        raise CutShortError(
            f"{len(found.hands):,} of {hands:,} hands are counted, those before which all"
            f" are finished{kept}"
        )


def chosen_streets(text: str) -> tuple[int, ...]:
    """The streets of an option, 0 for the first; none for all.

    Examples
    --------
    >>> chosen_streets("3-4"), chosen_streets("2"), chosen_streets("all")
    ((2, 3), (1,), ())
    >>> chosen_streets("4-3")
    Traceback (most recent call last):
    ValueError: --streets 4-3: write all, a street (1 is the first), or some, for example 3-4
    """
    if text == "all":
        return ()
    match = re.fullmatch(r"([1-9])(?:-([1-9]))?", text, re.ASCII)
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
    if first > last:
        raise ValueError(
            f"--streets {shorten(text)}: write all, a street (1 is the first), or some, for"
            " example 3-4"
        )
    return tuple(range(first - 1, last))


def _exact(plan: LocalResponsePlan, rules: BettingGame, *, debug: bool, as_json: bool) -> None:
    from pokerlab.arena.responses.measuring import expected_winnings

    began = perf_counter()
    with bots_at_work(debug=debug):
        mbb = expected_winnings(plan) * rules.mbb
    data: dict[str, Any] = {
        "bot": plan.bot,
        "game": plan.game,
        "menu": plan.menu,
        "streets": [street + 1 for street in plan.streets],
        "mbb": mbb,
        "stderr": 0.0,
        "hands": None,
        "exact": True,
        "seconds": perf_counter() - began,
    }

    def render(console: Console) -> None:
        console.print(bold(plan.bot), f", {rules.name}, {_choices(plan)}", sep="")
        console.print(f"the local best response wins {mbb:+,.3f} mbb/hand, exact")

    emit(data, render, as_json=as_json)


def _choices(plan: LocalResponsePlan) -> str:
    streets = [str(street + 1) for street in plan.streets]
    where = f"streets {', '.join(streets)}" if streets else "all streets"
    return f"menu {plan.menu}, {where}"


def _render(console: Console, found: LocalResponseResult, rules: BettingGame) -> None:
    from rich.text import Text

    plan, played = found.plan, len(found.hands)
    console.print(
        bold(plan.bot),
        Text(
            f", {rules.name}, {_choices(plan)}, {played:,} hands, seed {plan.seed},"
            f" {found.seconds:.1f} s"
        ),
        sep="",
    )
    rows = [
        (
            f"{'showdown' if row.showdown else 'fold'}, street {row.street + 1}",
            row.hands / played,
            row.mbb,
        )
        for row in found.ends()
    ]
    console.print(
        Table({"end of the hand": "text", "often": "share", "mbb/hand": "signed.1"}, rows)
    )
    won = f"the local best response wins {found.mbb:+,.1f}"
    if not math.isnan(found.stderr):
        low, high = found.interval
        won += f" ± {found.stderr:,.1f} mbb/hand (95%: {low:+,.0f} to {high:+,.0f})"
    else:
        won += " mbb/hand"
    console.print(won)
    if not found.estimated and not math.isnan(found.stderr):
        mean, error = found.plain
        console.print(f"without corrections for luck {mean:+,.1f} ± {error:,.1f}")
    if found.estimated:
        console.print(
            f"{plan.bot} does not tell its strategy: the responder's view of it is an estimate"
            f" from {plan.samples} answers with each of {plan.among} hands a decision; winnings"
            " are against the hands that were dealt"
        )

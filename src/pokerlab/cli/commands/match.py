"""`pokerlab match`: bots play each other, and who won by how much."""

from __future__ import annotations

import math
import re
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pokerlab.cli.shared import options
from pokerlab.cli.shared.counting import counting_progress
from pokerlab.cli.shared.debugging import bots_at_work
from pokerlab.cli.shared.files import check_distinct, check_output
from pokerlab.cli.shared.interruption import CutShortError
from pokerlab.cli.shared.output import PLAYER, emit
from pokerlab.views import Table

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.arena.hands import PlayedHand
    from pokerlab.arena.matches import Match
    from pokerlab.arena.results import MatchPlan, MatchResult

DEFAULT_HANDS = 3000


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("match")(_match)


def _match(
    game: options.Game,
    bots: options.Bots,
    hands: options.MatchHands = None,
    seed: options.Seed = 0,
    stack: options.GameStack = None,
    duplicate: options.Duplicate = False,
    deals: options.DealsFile = None,
    pocket: options.Pockets = None,
    fixed_button: options.FixedButton = False,
    time_limit: options.TimeLimit = None,
    debug: options.Debug = False,
    log: Annotated[Path | None, "Write the hands to FILE.log (ACPC) or FILE.phhs (PHH)."] = None,
    as_json: options.Json = False,
) -> None:
    """Play a match; Ctrl-C ends it and shows the result so far."""
    from pokerlab.arena.chosen_deals import parse_pockets
    from pokerlab.arena.logs.unfinished import LogNotWrittenError
    from pokerlab.arena.matches import Match

    game = game_with_stack(game, stack)
    _check_log(log)
    check_distinct({"--log": log}, [game, *bots, deals])
    if hands is None and deals is None:
        hands = DEFAULT_HANDS
    no_log = None
    with (
        bots_at_work(debug=debug),
        Match(
            game,
            bots,
            hands,
            seed,
            duplicate=duplicate,
            time_limit=time_limit,
            deals=deals,
            pockets=parse_pockets(pocket or []),
            fixed_button=fixed_button,
        ) as match,
        counting_progress(match.plan.hands, "hands", quiet=as_json) as report,
    ):
        played = _until_interrupted(match, report)
        if log is None:
            deque(played, maxlen=0)
        else:
            try:
                _write_log(log, played, match.plan)
            except LogNotWrittenError as error:  # the match was played all the same
                no_log = error
    result = match.result()
    if result.hands == 0:
        raise KeyboardInterrupt
    emit(result.to_json(), lambda console: _render(console, result), as_json=as_json)
    if no_log is not None:
        raise no_log
    if not result.complete:
        kept = "" if log is None else f" and kept in {log}"
        raise CutShortError(f"{result.hands:,} of {result.plan.hands:,} hands are counted{kept}")


def _until_interrupted(match: Match, report: Callable[[int], None]) -> Iterator[PlayedHand]:
    """The hands of a match, up to its end or to Ctrl-C."""
    try:
        for hand in match:
            report(hand.number + 1)
            yield hand
    except KeyboardInterrupt:
        return


_LOGS = {".log": "ACPC", ".phh": "one hand in PHH", ".phhs": "hands in PHH"}


def _check_log(path: Path | None) -> None:
    check_output(path, "--log")
    if path is not None and path.suffix.lower() not in _LOGS:
        kinds = ", ".join(f"{suffix}: {kind}" for suffix, kind in _LOGS.items())
        raise ValueError(f"--log {path}: {path.suffix!r} is not a kind of log ({kinds})")


def _write_log(path: Path, hands: Iterator[PlayedHand], plan: MatchPlan) -> None:
    from dataclasses import replace

    from pokerlab.arena.logs.acpc_log import log_name, write_acpc_log
    from pokerlab.arena.logs.phh_log import write_phh

    if path.suffix.lower() != ".log":
        write_phh(path, hands)
        return
    named = (replace(hand, players=tuple(map(log_name, hand.players))) for hand in hands)
    write_acpc_log(path, named, (plan.game, plan.hands, plan.seed))


def _render(console: Console, result: MatchResult) -> None:
    from rich.text import Text

    from pokerlab.arena.results import significance

    plan = result.plan
    kind = "duplicate hands" if plan.duplicate else "hands"
    speed = result.hands / result.seconds if result.seconds else math.inf
    console.print(
        Text(
            f"{plan.game}: {result.hands:,} {kind}{cards_text(plan)}, seed {plan.seed},"
            f" {result.seconds:.1f} s ({speed:,.0f} hands/s)"
        )
    )
    rows = (
        (
            name,
            chips,
            mbb,
            error_text(error),
            "" if math.isnan(error) else f"{significance(mbb, error):.2g}",
        )
        for name, chips, mbb, error in zip(
            result.names, result.chips, result.mbb_per_hand, result.stderr, strict=True
        )
    )
    console.print(Table({"bot": PLAYER, **MATCH_COLUMNS, "p": "chips"}, rows))
    for name, count, first in zip(result.names, result.faults, result.first_faults, strict=True):
        if count:
            console.print(Text(f"{faults_text(name, count)}; the first in {first}"))


def cards_text(plan: MatchPlan) -> str:
    """How the cards of a match were chosen, for people; nothing where they were not."""
    chosen = f", deals of {plan.deals}" if plan.deals else ""
    if plan.pockets:
        chosen += f", pockets {' '.join(plan.pockets)}"
    return chosen + (", fixed button" if plan.fixed_button else "")


def game_with_stack(game: str, stack: str | None) -> str:
    """The name of a game of the catalogue in which everybody has this stack.

    Examples
    --------
    >>> game_with_stack("holdem.nolimit.2p", "100bb")
    'holdem.nolimit.2p.100bb'
    >>> game_with_stack("holdem.nolimit.2p", "100")
    Traceback (most recent call last):
    ValueError: --stack 100: write it in big blinds, for example 100bb
    """
    if stack is None:
        return game
    from pokerlab.games import game_names

    if game not in game_names():
        raise ValueError(
            f"--stack {stack}: it is for games of the catalogue; a file says its stacks itself"
        )
    if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,3})?bb", stack, re.ASCII) is None:
        raise ValueError(f"--stack {stack}: write it in big blinds, for example 100bb")
    return f"{game}.{stack}"


def faults_text(name: str, count: int) -> str:
    """How often a bot answered illegally, too late, or not at all.

    Examples
    --------
    >>> faults_text("my_bot.py:Bold", 40)
    'my_bot.py:Bold made 40 faults'
    """
    return f"{name} made {'1 fault' if count == 1 else f'{count:,} faults'}"


MATCH_COLUMNS = {"chips": "signed.0", "mbb/hand": "signed.1", "± error": "chips.1"}
"""What a bot won: columns of a `Table`."""


def error_text(error: float) -> str:
    """A standard error for people; nothing where there is none."""
    return "" if math.isnan(error) else f"{error:,.1f}"

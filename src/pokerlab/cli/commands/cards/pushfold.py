"""`pokerlab pushfold`: all-in or fold before the flop, for two to six players."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from pokerlab.cli.commands.cards.icm import Payouts
from pokerlab.cli.options import declared as options
from pokerlab.cli.options.bounds import bounded
from pokerlab.cli.options.files import check_output
from pokerlab.cli.progress.counting import counting_progress, staged_progress
from pokerlab.cli.terminal.interruption import going_on_from
from pokerlab.cli.terminal.output import bold, emit
from pokerlab.cli.terminal.plain_text import tell
from pokerlab.runtime.errors import shorten
from pokerlab.views import Table
from pokerlab.views.texts import gap_text, signed_text

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.holdem.pushfold import HandTables, PushFoldRules, PushFoldSolution


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("pushfold")(_pushfold)


def _pushfold(
    context: typer.Context,
    stacks: Annotated[
        str,
        typer.Option(
            "--stacks",
            "-s",
            help="In big blinds, the first to act first and the blinds last: 10,8,12.",
            metavar="BLINDS",
        ),
    ],
    payouts: Annotated[str, Payouts] = "",
    others: Annotated[
        str, typer.Option(help="With --payouts, the stacks of players at other tables.")
    ] = "",
    small_blind: Annotated[float, "In big blinds.", bounded(0, 1)] = 0.5,
    ante: Annotated[float, "Of each player, in big blinds.", bounded(0, 1)] = 0.0,
    bounties: Annotated[
        str,
        typer.Option(
            help="With --payouts, on the heads of the players and of the others: one for all, or "
            "one each."
        ),
    ] = "",
    progressive: Annotated[
        bool, "Half of a bounty is paid, and half goes on the winner's own head."
    ] = False,
    ahead: Annotated[
        int,
        "Play on for this many hands, blinds moving, before chips are valued (2 to 4 players).",
        bounded(0, 5),
    ] = 0,
    chart: Annotated[
        list[str] | None,
        typer.Option(
            help="Draw a decision: BTN, or BB:BTN for the big blind after an all-in of the button, "
            "or all (repeatable).",
            metavar="POSITION",
        ),
    ] = None,
    target: Annotated[
        float,
        "Stop when no player gains more: big blinds, or with payouts percent of the prizes.",
        bounded(1e-9, 100),
    ] = 1e-4,
    iterations: Annotated[int, "The most.", bounded(1, 1_000_000)] = 1000,
    resume: Annotated[options.Resume, options.Needs("--ahead")] = None,
    jobs: Annotated[options.Jobs, "Tasks are hands.", options.Needs("--ahead")] = 1,
    as_json: options.Json = False,
) -> None:
    """Push or fold for two to six players, in chips or in prize money, with each player's gain.

    Two and three players are solved with exact card removal; all-ins of three are sampled once,
    for half a minute, and kept. With more players, those behind a third all-in fold.
    """
    from pokerlab.games.betting_trees.chips import read_numbers
    from pokerlab.holdem.pushfold import HandTables, PushFoldRules, solve_ahead
    from pokerlab.holdem.pushfold.next_hand import check_ahead

    options.check_options(context)
    check_output(resume, "--resume")
    rules = PushFoldRules(
        tuple(read_numbers("stacks", stacks)),
        tuple(read_numbers("payouts", payouts)),
        tuple(read_numbers("others", others)),
        small_blind,
        ante,
        tuple(read_numbers("bounties", bounties)),
        progressive,
    )
    check_ahead(rules, ahead)
    shown = _find_charts(rules, chart or [])
    tables = _load(rules, HandTables, quiet=as_json)
    with going_on_from(resume), staged_progress(quiet=as_json) as report:
        found = solve_ahead(
            rules,
            ahead,
            target=target,
            iterations=iterations,
            tables=tables,
            resume=resume,
            jobs=jobs,
            report=report,
        )

    def render(console: Console) -> None:
        _print(console, found, shown)

    emit(_json(found, ahead), render, as_json=as_json)


def _load(rules: PushFoldRules, tables: type[HandTables], *, quiet: bool) -> HandTables:
    """The tables of the hands; sampling those of three takes long, once."""
    if rules.players < 3:
        return tables.load(2)
    from pokerlab.holdem.pushfold.hand_tables import has_three_way, sorted_triples

    if has_three_way():
        return tables.load(rules.players)
    if not quiet:
        tell("sampling all-ins of three hands; the next run finds them in the cache")
    with counting_progress(len(sorted_triples(169)), "triples of hands", quiet=quiet) as count:
        return tables.load(rules.players, count)


def _name(rules: PushFoldRules, node: int) -> str:
    player, before = rules.nodes[node]
    after = "+".join(rules.positions[each] for each in before)
    return f"{rules.positions[player]}:{after}" if after else rules.positions[player]


def _find_charts(rules: PushFoldRules, wanted: list[str]) -> list[int]:
    names = [_name(rules, node) for node in range(len(rules.nodes))]
    if any(each.lower() == "all" for each in wanted):
        return list(range(len(names)))
    found = []
    for each in wanted:
        if each.upper() not in names:
            raise ValueError(
                f"chart: {shorten(repr(each))} is not a decision here: {', '.join(names)}"
            )
        found.append(names.index(each.upper()))
    return found


def _json(found: PushFoldSolution, ahead: int) -> dict[str, Any]:
    from pokerlab.cards.hand_classes import CLASS_NAMES

    rules = found.rules
    players: list[dict[str, Any]] = [
        {"position": name, "stack": stack, "push": None, "call": {}, "value": value, "hands": {}}
        for name, stack, value in zip(
            rules.positions, rules.stacks, found.values.tolist(), strict=True
        )
    ]
    for node, (player, before) in enumerate(rules.nodes):
        after = "+".join(rules.positions[each] for each in before)
        met = found.is_met(node)
        share = found.share(node) if met else None
        if before:
            players[player]["call"][after] = share
        else:
            players[player]["push"] = share
        shares = found.shares[node].round(4).tolist()
        hands = dict(zip(CLASS_NAMES, shares, strict=True)) if met else None
        players[player]["hands"][after] = hands
    return {
        "players": players,
        "gains": found.gains.tolist(),
        "ahead": ahead,
        "unit": "percent of the prizes" if rules.payouts else "big blinds",
        "iterations": found.iterations,
        "three_way_error": found.error,
        "capped": found.capped,
    }


def _print(console: Console, found: PushFoldSolution, shown: list[int]) -> None:
    rules = found.rules
    unit = "% of the prizes" if rules.payouts else "bb"
    worth = "worth" if rules.payouts else "takes"
    rows = []
    for player, name in enumerate(rules.positions):
        value = float(found.values[player])
        told = f"{value:.3f}" if rules.payouts else signed_text(value - rules.stacks[player], 4)
        rows.append((name, rules.stacks[player], told, gap_text(float(found.gains[player]))))
    heads = {"position": "text bold", "stack": "chips.1"}
    console.print(Table({**heads, f"{worth}, {unit}": "name", "gains at most": "name"}, rows))
    decisions = [
        (_name(rules, node), "call" if rules.nodes[node][1] else "push",
         found.share(node) if found.is_met(node) else None,
         float(found.reach[node]), found.range_text(node))
        for node in range(len(rules.nodes))
    ]  # fmt: skip
    console.print(
        Table(
            {"": "name bold", " ": "text", "hands": "share", "met": "share", "mostly": "fold.44"},
            decisions,
        )
    )
    console.print(f"{found.iterations:,} iterations")
    if rules.players > 3:
        console.print(f"{found.capped:.2%} of hands have a third all-in with players behind it")
    for node in shown:
        _print_chart(console, found, node)


def _print_chart(console: Console, found: PushFoldSolution, node: int) -> None:
    import numpy as np

    from pokerlab.cli.tables.matrix import StrategyMatrix

    console.print()
    console.print(bold(_name(found.rules, node)))
    if not found.is_met(node):
        console.print("play never comes here")
        return
    played = found.shares[node]
    console.print(StrategyMatrix(("f", "a"), np.stack([1 - played, played]), np.ones(len(played))))

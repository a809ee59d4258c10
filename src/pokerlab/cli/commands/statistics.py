"""`pokerlab statistics`: how the players of a log play."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pokerlab.cli.shared import options
from pokerlab.cli.shared.bounds import bounded
from pokerlab.cli.shared.files import check_distinct, check_picture, save_bytes
from pokerlab.cli.shared.output import emit, player_table

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from pokerlab.arena.hands import PlayedHand
    from pokerlab.arena.logs.statistics import PlayStatistics

_LUCK = ("all-in", "cards")


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("statistics")(_statistics)


def _statistics(
    context: typer.Context,
    log: Annotated[Path, "An ACPC log, or a .phh or .phhs file."],
    game: options.LogGame = None,
    classes: Annotated[
        str | None, "Show how often each starting hand does this: fold, call or raise."
    ] = None,
    active: Annotated[
        int | None,
        "Only with this many players in.",
        bounded(2, 10),
        options.Needs("--classes", "--table"),
    ] = None,
    reduce: Annotated[
        str | None,
        "Take luck out of what was won: of run-outs after all-in (all-in), or of all "
        "cards (cards).",
    ] = None,
    figure: Annotated[options.Figure, "Of the win curves."] = None,
    table: Annotated[
        Path | None, "Draw the tables of starting hands to a .png or .svg file."
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Show how the players of a log play (VPIP, PFR, aggression, by street) and what they win."""
    from pokerlab.arena.logs.replay import read_log
    from pokerlab.arena.logs.statistics import ACTIONS, play_statistics
    from pokerlab.strategies import load_table_game

    if classes is not None and classes not in ACTIONS:
        raise ValueError(f"--classes {classes}: there are {', '.join(ACTIONS)}")
    if reduce not in (None, *_LUCK):
        raise ValueError(f"--reduce {reduce}: there are {', '.join(_LUCK)}")
    options.check_options(context)
    check_picture(figure, "--figure")
    check_picture(table, "--table")
    check_distinct({"--figure": figure, "--table": table}, [log, game])
    rules = None if game is None else load_table_game(game)
    hands = read_log(log, rules)
    first = next(hands, None)
    if first is None:
        raise ValueError(f"{log}: there are no hands in it")
    unit = 1000 / first.game.mbb  # a big blind in the chips of payoffs
    found = play_statistics(_with_less_luck(chain([first], hands), reduce))
    if figure is not None:
        from pokerlab.arena.logs.statistics import win_curve
        from pokerlab.reports.play_figures import draw_win_curves

        curves = [win_curve(player.player, player.won) for player in found.values()]
        kind = figure.suffix[1:].lower()
        picture = draw_win_curves(curves, unit=unit, of_unit="big blinds", kind=kind)
        save_bytes(figure, picture, "--figure")
    if table is not None:
        _draw_tables(table, found, active)
    data = {"players": {name: player.to_json() for name, player in found.items()}}

    def render(console: Console) -> None:
        _render(console, found, unit)
        if classes is not None:
            _render_classes(console, found, classes, active)

    emit(data, render, as_json=as_json)


def _with_less_luck(hands: Iterable[PlayedHand], reduce: str | None) -> Iterable[PlayedHand]:
    """The hands with corrected payoffs."""
    if reduce is None:
        return hands
    from dataclasses import replace

    from pokerlab.arena.variance import all_in_payoffs, corrected_payoffs

    correct = all_in_payoffs if reduce == "all-in" else corrected_payoffs
    return (replace(hand, payoffs=correct(hand)) for hand in hands)


def _draw_tables(path: Path, found: dict[str, PlayStatistics], active: int | None) -> None:
    from pokerlab.arena.logs.statistics import ACTIONS
    from pokerlab.reports.play_figures import draw_class_tables

    tables = [
        (f"{player.player}: {action}", player.class_table(action, active))
        for player in found.values()
        if player.classes
        for action in ACTIONS
    ]
    if not tables:
        raise ValueError(f"--table {path}: no starting hands of two cards are known")
    picture = draw_class_tables(tables, columns=3, kind=path.suffix[1:].lower())
    save_bytes(path, picture, "--table")


def _render(console: Console, found: dict[str, PlayStatistics], big_blind: float) -> None:
    won = player_table("player", "hands", "mbb/hand", "± error")
    style = player_table("player", "VPIP", "PFR", "aggression", "showdown", "won there")
    for player in found.values():
        won.add_row(
            player.player,
            f"{player.hands:,}",
            f"{1000 * player.mean / big_blind:+,.1f}",
            _plain(1000 * player.stderr / big_blind, ",.1f"),
        )
        style.add_row(
            player.player,
            _plain(player.vpip, ".1%"),
            _plain(player.pfr, ".1%"),
            _plain(player.aggression, ".2f"),
            _plain(player.showdowns / player.hands, ".1%"),
            _plain(player.showdowns_won / player.showdowns if player.showdowns else None, ".1%"),
        )
    console.print(won)
    seatings = max(player.seatings for player in found.values())
    if seatings > 1:
        deals = max(player.hands for player in found.values()) // seatings
        console.print(f"errors are those of {deals:,} deals, each played in {seatings} seatings")
    console.print()
    console.print(style)
    console.print()
    actions = player_table("player", "street", "active", "decisions", "fold", "call", "raise")
    for player in found.values():
        for street, active in sorted(player.actions):
            decisions = int(player.actions[street, active].sum())
            shares = (f"{share:.3f}" for share in player.frequencies(street, active))
            actions.add_row(player.player, str(street + 1), str(active), f"{decisions:,}", *shares)
    console.print(actions)
    if any(player.draws for player in found.values()):
        console.print()
        console.print(_draw_table(found, big_blind))


def _draw_table(found: dict[str, PlayStatistics], big_blind: float) -> Table:
    """Draw games: how many cards players exchange, and what they win when they do."""
    table = player_table("player", "cards drawn", "draws", "share", "mbb/hand", "± error")
    for player in found.values():
        for row in player.draw_rows():
            table.add_row(
                player.player,
                "none" if row.cards == 0 else str(row.cards),
                f"{row.draws:,}",
                f"{row.share:.1%}",
                f"{1000 * row.mean / big_blind:+,.1f}",
                _plain(1000 * row.stderr / big_blind, ",.1f"),
            )
    return table


def _plain(value: float | None, form: str) -> str:
    return "" if value is None or value != value else format(value, form)


def _render_classes(
    console: Console, found: dict[str, PlayStatistics], action: str, active: int | None
) -> None:
    import numpy as np
    from rich.text import Text

    from pokerlab.cards.ranges.picture import RangePicture

    for player in found.values():
        if not player.classes:
            continue
        among = "" if active is None else f" among {active} players"
        console.print()
        console.print(Text(f"{player.player}: how often it plays {action} first{among}"))
        console.print(RangePicture(np.nan_to_num(player.class_table(action, active))))

"""`pokerlab statistics`: how the players of a log play."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from pokerlab.cli.options import declared as options
from pokerlab.cli.options.bounds import bounded
from pokerlab.cli.options.files import check_distinct, check_picture, save_bytes
from pokerlab.cli.shared.histories import (
    ChosenHistories,
    count_histories,
    counts_hand_by_hand,
    counts_json,
    tell_counts,
)
from pokerlab.cli.terminal.output import PLAYER, emit
from pokerlab.runtime.errors import shorten
from pokerlab.views import Table

if TYPE_CHECKING:
    from contextlib import ExitStack

    from rich.console import Console

    from pokerlab.arena.hands import PlayedHand
    from pokerlab.arena.logs.statistics import PlayStatistics
    from pokerlab.players.bots.bot import Bot

_LUCK = ("all-in", "cards")
_MOST_AS_A_WHOLE = 100_000_000
"""Bytes of a PHH file that is played again by our rules; a larger one is read hand by hand."""
_MOST_IN_FULL = 4
"""Players of histories whose actions are listed by street."""

_WON = {"mbb/hand": "signed.1", "± error": "chips.1"}


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("statistics")(_statistics)


def _statistics(
    context: typer.Context,
    logs: options.Histories,
    player: Annotated[str | None, "Only this player."] = None,
    players: options.PoolPlayers = None,
    stakes: options.Stakes = None,
    seats: options.Seats = None,
    pot: options.PotKind = None,
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
    bot: Annotated[
        list[str] | None,
        typer.Option(
            help="With --reduce cards: a player of the log and the bot that it was, as in"
            " ann=fair. Luck is taken out of what it chose, too, and between two players of its"
            " cards, if it tells what it does with every hand. Repeat for others.",
        ),
    ] = None,
    flop_first: Annotated[
        bool, "With --reduce cards: flops are of a list, so no luck is taken out of the flop."
    ] = False,
    figure: Annotated[options.Figure, "Of the win curves."] = None,
    table: Annotated[
        Path | None, "Draw the tables of starting hands to a .png or .svg file."
    ] = None,
    keep: options.KeepCounts = None,
    jobs: options.Jobs = 0,
    ray: options.Ray = None,
    top: options.Top = 20,
    everything: options.Everything = False,
    as_json: options.Json = False,
) -> None:
    """Show how players play (VPIP, PFR, aggression, by street) and what they win.

    Folders, several files and the texts of poker sites are read hand by hand: what cannot be read
    is counted, named and left out, and what is won is in big blinds. For example: statistics
    histories --players pool --stakes 0.5/1 --seats 6.
    """
    from pokerlab.arena.logs.replay import read_log
    from pokerlab.arena.logs.statistics import ACTIONS, play_statistics
    from pokerlab.players.strategies import load_table_game

    if classes is not None and classes not in ACTIONS:
        raise ValueError(f"--classes {classes}: there are {', '.join(ACTIONS)}")
    if reduce not in (None, *_LUCK):
        raise ValueError(f"--reduce {reduce}: there are {', '.join(_LUCK)}")
    options.check_options(context)
    for option, given in (("--bot", bot), ("--flop-first", flop_first)):
        if given and reduce != "cards":
            raise ValueError(f"{option} needs --reduce cards")
    check_picture(figure, "--figure")
    check_picture(table, "--table")
    check_distinct({"--figure": figure, "--table": table, "--keep": keep}, [*logs, game])
    chosen = ChosenHistories(players, stakes, seats, pot, keep, jobs, ray)
    shown = _Shown(classes, active, None if everything else top)
    one_by_one = counts_hand_by_hand(logs, chosen) or len(logs) > 1 or player is not None
    played = {"--game": game, "--reduce": reduce, "--figure": figure}
    if not any(played.values()) and _is_large(logs[0]):
        one_by_one = True
    for option, value in played.items() if one_by_one else ():
        if value is not None:
            raise ValueError(
                f"{option}: it is for one log that our rules can play again, not for histories"
            )
    if one_by_one:
        _count(logs, chosen, player, shown, table, as_json=as_json)
        return
    (log,) = logs
    rules = None if game is None else load_table_game(game)
    hidden: list[str] = []
    try:
        hands = read_log(log, rules)
        first = next(hands, None)
        if first is None:
            raise ValueError(f"{log}: there are no hands in it")
        unit = 1000 / first.game.mbb  # a big blind in the chips of payoffs
        if reduce is None:
            found = play_statistics(chain([first], hands))
        else:
            found, hidden = _with_less_luck(
                [first, *hands], reduce, bot or [], flop_first=flop_first
            )
    except ValueError:
        # Hands of others need not follow our rules to the end.
        if log.suffix.lower() not in (".phh", ".phhs") or any(played.values()):
            raise
        _count(logs, chosen, player, shown, table, as_json=as_json)
        return
    if figure is not None:
        from pokerlab.arena.logs.statistics import win_curve
        from pokerlab.views.play_figures import draw_win_curves

        curves = [win_curve(player.player, player.won) for player in found.values()]
        kind = figure.suffix[1:].lower()
        picture = draw_win_curves(curves, unit=unit, of_unit="big blinds", kind=kind)
        save_bytes(figure, picture, "--figure")
    if table is not None:
        _draw_tables(table, found, active)
    data: dict[str, object] = {
        "players": {name: each.to_json() for name, each in found.items()},
        "unit": "chips",
    }
    if reduce == "cards":
        data["hidden"] = hidden

    def render(console: Console) -> None:
        _render(console, found, unit)
        if hidden:
            console.print(
                f"cards not known in all hands: {', '.join(hidden)}; where they count, the luck of"
                " public cards is left in"
            )
        if classes is not None:
            _render_classes(console, found, classes, active)

    emit(data, render, as_json=as_json)


def _is_large(log: Path) -> bool:
    """Whether a PHH file is too large to be read as a whole."""
    return (
        log.suffix.lower() in (".phh", ".phhs")
        and log.is_file()
        and log.stat().st_size > _MOST_AS_A_WHOLE
    )


class _Shown(NamedTuple):
    """Which starting hands to show, and how many players to list (None: all)."""

    classes: str | None
    active: int | None
    limit: int | None


def _count(
    logs: list[Path],
    chosen: ChosenHistories,
    player: str | None,
    shown: _Shown,
    table: Path | None,
    *,
    as_json: bool,
) -> None:
    """Statistics of histories that are read hand by hand."""
    counts = count_histories(logs, chosen, player=player, quiet=as_json)
    listed = counts.statistics(shown.limit)
    if table is not None:
        _draw_tables(table, listed, shown.active)
    data = {
        "players": {name: each.to_json() for name, each in listed.items()},
        **counts_json(counts),
    }

    def render(console: Console) -> None:
        tell_counts(console, counts)
        console.print()
        _render(console, listed, 1.0, _MOST_IN_FULL)
        more = len(counts.rows) - len(listed)
        if more:
            console.print(f"{more:,} more players; --all lists them", style="dim")
        if shown.classes is not None:
            _render_classes(console, listed, shown.classes, shown.active)

    emit(data, render, as_json=as_json)


def _with_less_luck(
    hands: list[PlayedHand], reduce: str, bots: list[str], *, flop_first: bool
) -> tuple[dict[str, PlayStatistics], list[str]]:
    """The statistics of corrected payoffs, and the players whose cards are hidden in some hands."""
    from contextlib import ExitStack
    from dataclasses import replace

    from pokerlab.arena.logs.statistics import play_statistics
    from pokerlab.arena.variance import all_in_payoffs, corrected_payoffs, hidden_players

    if reduce == "all-in":
        return play_statistics(replace(hand, payoffs=all_in_payoffs(hand)) for hand in hands), []
    hidden = sorted(hidden_players(hands))
    with ExitStack() as stack:
        known = _known_bots(bots, hands, stack)
        fair = (
            replace(
                hand,
                payoffs=corrected_payoffs(hand, known, hidden=hidden, flop_first=flop_first),
            )
            for hand in hands
        )
        return play_statistics(fair), hidden


def _known_bots(texts: list[str], hands: list[PlayedHand], stack: ExitStack) -> dict[str, Bot]:
    """The bots of --bot by the names of their players, ready to be asked."""
    import numpy as np

    from pokerlab.players.bots.catalogue import make_bot
    from pokerlab.players.bots.failures import close_bot, reset_bot

    there = list(dict.fromkeys(name for hand in hands for name in hand.players))
    found: dict[str, Bot] = {}
    for text in texts:
        # A name may hold the options of a bot, and the first = then is one of theirs.
        name = max((each for each in there if text.startswith(f"{each}=")), key=len, default="")
        bot = text[len(name) + 1 :]
        if not name:
            raise ValueError(
                f"--bot {shorten(text)!r}: must be a player of the log ({', '.join(there)}), = and"
                " a bot"
            )
        found[name] = make_bot(bot)
        stack.callback(close_bot, found[name])
        reset_bot(found[name], bot, hands[0].game, np.random.default_rng(0))
    return found


def _draw_tables(path: Path, found: dict[str, PlayStatistics], active: int | None) -> None:
    from pokerlab.arena.logs.statistics import ACTIONS
    from pokerlab.views.play_figures import draw_class_tables

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


def _render(
    console: Console,
    found: dict[str, PlayStatistics],
    big_blind: float,
    in_full: float = float("inf"),
) -> None:
    won, style = [], []
    for player in found.values():
        mean, error = (1000 * each / big_blind for each in (player.mean, player.stderr))
        won.append((player.player, player.hands, mean, _known(error)))
        shown = player.showdowns / player.hands
        rates = (player.vpip, player.pfr, player.aggression, shown, player.won_there)
        style.append((player.player, *map(_known, rates)))
    console.print(Table({"player": PLAYER, "hands": "count", **_WON}, won))
    seatings = max(player.seatings for player in found.values())
    if seatings > 1:
        deals = max(player.hands for player in found.values()) // seatings
        console.print(f"errors are those of {deals:,} deals, each played in {seatings} seatings")
    console.print()
    shares = dict.fromkeys(("VPIP", "PFR", "aggression", "showdown", "won there"), "share")
    console.print(Table({"player": PLAYER, **shares, "aggression": "chips"}, style))
    if len(found) > in_full:
        console.print("by street: --player NAME, or --players pool for all as one", style="dim")
        return
    console.print()
    actions = (
        (
            player.player,
            street + 1,
            active,
            int(player.actions[street, active].sum()),
            *map(float, player.frequencies(street, active)),
        )
        for player in found.values()
        for street, active in sorted(player.actions)
    )
    counts = dict.fromkeys(("street", "active", "decisions"), "count")
    parts = dict.fromkeys(("fold", "call", "raise"), "chips.3")
    console.print(Table({"player": PLAYER, **counts, **parts}, actions))
    if any(player.draws for player in found.values()):
        console.print()
        console.print(_draw_table(found, big_blind))


def _draw_table(found: dict[str, PlayStatistics], big_blind: float) -> Table:
    """Draw games: how many cards players exchange, and what they win when they do."""
    rows = [
        (
            player.player,
            "none" if row.cards == 0 else row.cards,
            row.draws,
            row.share,
            1000 * row.mean / big_blind,
            _known(1000 * row.stderr / big_blind),
        )
        for player in found.values()
        for row in player.draw_rows()
    ]
    columns = {"cards drawn": "count", "draws": "count", "share": "share", **_WON}
    return Table({"player": PLAYER, **columns}, rows)


def _known(value: float | None) -> float | str:
    return "" if value is None or value != value else value


def _render_classes(
    console: Console, found: dict[str, PlayStatistics], action: str, active: int | None
) -> None:
    import numpy as np
    from rich.text import Text

    from pokerlab.views.pictures.range_picture import RangePicture

    for player in found.values():
        if not player.classes:
            continue
        among = "" if active is None else f" among {active} players"
        console.print()
        console.print(Text(f"{player.player}: how often it plays {action} first{among}"))
        console.print(RangePicture(np.nan_to_num(player.class_table(action, active))))

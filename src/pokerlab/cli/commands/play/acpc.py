"""`pokerlab acpc serve` and `acpc play`: a dealer for ACPC programs, and our bots at any dealer."""

from __future__ import annotations

import sys
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pokerlab.cli.commands.play.match import DEFAULT_HANDS
from pokerlab.cli.options import declared as options
from pokerlab.cli.options.bounds import bounded
from pokerlab.cli.options.files import check_distinct, check_output
from pokerlab.cli.terminal.debugging import bots_at_work, let_go
from pokerlab.cli.terminal.interruption import CutShortError
from pokerlab.cli.terminal.output import emit
from pokerlab.cli.terminal.plain_text import tell, visible

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.arena.acpc.dealer import DealtMatch
    from pokerlab.arena.logs.acpc_log import AcpcLogWriter
    from pokerlab.players.bots.bot import Bot

_MATCH_BROKEN = 1


def register(app: typer.Typer) -> None:
    """Add the commands to the application."""
    acpc = typer.Typer(no_args_is_help=True, help="The protocol of academic poker programs.")
    acpc.command("serve")(_serve)
    acpc.command("play")(_play)
    app.add_typer(acpc, name="acpc")


def _serve(
    game: options.Game,
    hands: options.MatchHands = None,
    players: Annotated[
        int | None, "Number of seats, as a check: the game sets it.", bounded(2, 10)
    ] = None,
    seed: options.Seed = 0,
    deals: options.DealsFile = None,
    pocket: options.Pockets = None,
    fixed_button: options.FixedButton = False,
    host: Annotated[
        str, "Address to listen on; by default only this machine can connect."
    ] = "127.0.0.1",
    port: Annotated[
        list[int] | None,
        "Port of a seat that waits for a program, one each; else free ones.",
        bounded(0, 65535),
    ] = None,
    name: Annotated[list[str] | None, "Name of a seat that waits for a program, one each."] = None,
    bot: Annotated[list[str] | None, "A bot for one of the last seats."] = None,
    time_action: Annotated[
        float,
        "Milliseconds a player has for an action (t_response); by default 10 minutes, as "
        "the official dealer gives; with 10000 a program that hangs is soon played on for.",
        bounded(0),
    ] = 600_000,
    time_hand: Annotated[
        float, "Milliseconds a player has for a hand (t_hand).", bounded(0)
    ] = 600_000,
    time_match: Annotated[
        float | None,
        "Milliseconds a player has for a match (t_per_hand times the hands);"
        " by default 7,000 for each hand.",
        bounded(0),
    ] = None,
    time_start: Annotated[
        float | None, "Milliseconds to wait for players; by default for ever.", bounded(0)
    ] = None,
    matches: Annotated[int, "Matches one after the other, same ports.", bounded(1, 10**6)] = 1,
    log: Annotated[Path | None, "Write the hands, each as soon as it is over."] = None,
    debug: options.Debug = False,
    as_json: options.Json = False,
) -> None:
    """Deal a game to programs that speak the ACPC protocol.

    The first line of the output is the ports, in the order of the seats.
    """
    from pokerlab.arena.acpc.dealer import AcpcDealer
    from pokerlab.arena.acpc.match import TimeLimits
    from pokerlab.arena.chosen_deals import MatchCards, parse_pockets
    from pokerlab.arena.logs.acpc_log import AcpcLogWriter
    from pokerlab.games import load_betting_game

    loaded = load_betting_game(game)
    if players not in (None, loaded.players):
        raise ValueError(f"--players {players}: {loaded.name} has {loaded.players} seats")
    check_output(log, "--log")
    check_distinct({"--log": log}, [game, *(bot or ()), deals])
    pockets = parse_pockets(pocket or [])
    cards = MatchCards(loaded, deals, pockets)
    if hands is None:
        hands = cards.count or DEFAULT_HANDS
    cards.check_enough(hands)
    limits = TimeLimits(
        time_action / 1000, time_hand / 1000, None if time_match is None else time_match / 1000
    )
    with ExitStack() as stack:
        with bots_at_work(debug=debug):
            bots = _make_bots(bot or [], loaded.players, stack)
        waiting = loaded.players - len(bots)
        dealer = stack.enter_context(
            AcpcDealer(
                loaded,
                [*[None] * waiting, *bots],
                _names(name or [], bot or [], waiting),
                host=host,
                ports=port or (),
                limits=limits,
                warn=lambda line: tell(f"WARNING: {line}"),
            )
        )
        writer = None
        if log is not None:
            writer = AcpcLogWriter(stack.enter_context(log.open("w", encoding="utf-8")))
        print(*dealer.ports, file=sys.stderr if as_json else sys.stdout, flush=True)
        played = []
        with suppress(KeyboardInterrupt):
            for number in range(matches):
                if writer is not None:
                    title = log.stem if log is not None else loaded.name
                    writer.header(title, game, hands, seed + number, limits)
                start = None if time_start is None else time_start / 1000
                with bots_at_work(debug=debug):
                    match = dealer.play(
                        hands,
                        seed + number,
                        deals=cards.deals,
                        pockets=pockets,
                        fixed_button=fixed_button,
                        record=None if writer is None else writer.hand,
                        start_seconds=start,
                    )
                _end_match(match, writer)
                played.append(match)
                if not as_json:
                    print(visible(_score_line(played[-1])), flush=True)
    data: dict[str, Any] = {
        "game": loaded.name,
        "ports": list(dealer.ports),
        "matches": [vars(match) for match in played],
        "log": None if log is None else str(log),
    }
    emit(data, lambda console: None, as_json=as_json)
    if len(played) < matches:
        kept = "" if log is None else f"; the hands that were played are in {log}"
        raise CutShortError(f"{len(played)} of {matches} matches were finished{kept}")
    if any(match.ended for match in played):
        raise typer.Exit(_MATCH_BROKEN)


def _end_match(match: DealtMatch, writer: AcpcLogWriter | None) -> None:
    """Say why a match was aborted, and end its log."""
    if match.ended:
        tell(f"ERROR: {match.ended}")
    if writer is not None:
        if match.ended:
            writer.comment(f"ended after {match.hands} hands: {match.ended}")
        else:
            writer.score()


def _score_line(match: DealtMatch) -> str:
    from pokerlab.arena.logs.acpc_log import score_line

    score = score_line(match.names, match.totals)
    return f"# ended after {match.hands} hands, {score}" if match.ended else score


def _make_bots(texts: list[str], seats: int, stack: ExitStack) -> list[Bot]:
    from pokerlab.players.bots.catalogue import make_bot

    if len(texts) > seats:
        raise ValueError(f"--bot: {len(texts)} bots given, the game has {seats} seats")
    bots = []
    for text in texts:
        bots.append(make_bot(text))
        stack.callback(let_go, bots[-1], text)
    return bots


def _names(guests: list[str], bots: list[str], waiting: int) -> list[str]:
    """Names for logs: different ones, without what parts the fields of a line."""
    from pokerlab.arena.logs.acpc_log import check_log_name, log_name

    if len(guests) > waiting:
        raise ValueError(f"--name: {len(guests)} names given, {waiting} seats wait for players")
    for guest in guests:
        check_log_name(guest)
    guests = guests + [f"player{seat + 1}" for seat in range(len(guests), waiting)]
    names: list[str] = []
    for text in guests + [log_name(bot) for bot in bots]:
        count = 2
        name = text
        while name in names:
            name = f"{text}.{count}"
            count += 1
        names.append(name)
    return names


def _play(
    host: Annotated[str, "Where the dealer is."],
    port: Annotated[int, "The port of the seat.", bounded(1, 65535)],
    bot: Annotated[str, typer.Option(help="Who plays: see `pokerlab bot list`.")],
    game: Annotated[
        str, "What the dealer deals: a card game, or a .toml or .game file."
    ] = "holdem.nolimit.2p",
    seed: options.Seed = 0,
    time_dealer: Annotated[
        float | None, "Milliseconds to wait for the dealer's next line; else for ever.", bounded(0)
    ] = None,
    debug: options.Debug = False,
    as_json: options.Json = False,
) -> None:
    """Join a dealer that speaks the ACPC protocol."""
    import numpy as np

    from pokerlab.arena.acpc.client import play_acpc
    from pokerlab.games import load_betting_game

    loaded = load_betting_game(game)
    with ExitStack() as stack, bots_at_work(debug=debug):
        (player,) = _make_bots([bot], 1, stack)
        match = play_acpc(
            host,
            port,
            player,
            loaded,
            rng=np.random.default_rng(seed),
            seconds=None if time_dealer is None else time_dealer / 1000,
            warn=lambda line: tell(f"WARNING: {line}"),
        )
    data = {"game": loaded.name, "bot": bot, **vars(match)}

    def render(console: Console) -> None:
        mbb = loaded.mbb * match.total / max(match.hands, 1)
        console.out(f"{bot}: {match.hands:,} hands, {match.total:+,.10g} chips, {mbb:+,.1f} mbb/g")
        if match.faults:
            console.out(f"{match.faults:,} of its actions were not legal or failed")

    emit(data, render, as_json=as_json)

"""`pokerlab replay`: read a log, step through its hands, or play it again with another bot."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pokerlab.cli.options import declared as options
from pokerlab.cli.options.bounds import bounded
from pokerlab.cli.terminal.debugging import bots_at_work
from pokerlab.cli.terminal.output import emit, new_console

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from pokerlab.arena.hands import PlayedHand
    from pokerlab.arena.logs.replay import ReplayStep


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("replay")(_replay)


def _replay(
    context: typer.Context,
    log: Annotated[Path, "A log of the ACPC dealer, or a .phh or .phhs file."],
    hand: Annotated[int | None, "Only the hand of this number.", bounded(0)] = None,
    step: Annotated[
        bool, "Wait for Enter after each action; q ends.", options.NotWith("--against")
    ] = False,
    against: Annotated[str | None, "Play the hands again with this bot in one seat."] = None,
    seat: Annotated[int, "With --against: the seat in the first hand.", bounded(0, 9)] = 0,
    game: options.LogGame = None,
    debug: options.Debug = False,
    seed: options.Seed = 0,
    as_json: options.Json = False,
) -> None:
    """Show the hands of a log, or play them again with another bot."""
    from pokerlab.arena.logs.replay import read_log
    from pokerlab.players.strategies import load_table_game

    options.check_options(context)
    hands = read_log(log, None if game is None else load_table_game(game))
    if hand is not None:
        hands = _only(hands, hand, log)
    if against is not None:
        _play_again(list(hands), against, seat, seed, debug=debug, as_json=as_json)
    elif as_json:
        data = {"hands": [_hand_data(played) for played in hands]}
        emit(data, lambda console: None, as_json=True)
    else:
        console = new_console()
        for played in hands:
            if not _show(console, played, step):
                return


def _only(hands: Iterator[PlayedHand], number: int, log: Path) -> Iterator[PlayedHand]:
    last = None
    for played in hands:
        if played.number == number:
            yield played
            return
        last = played.number
    there = "it has no hands" if last is None else f"the last one is {last}"
    raise ValueError(f"--hand {number}: {log} has no such hand ({there})")


def _show(console: Console, hand: PlayedHand, step: bool) -> bool:
    """Print a hand, action by action; False when the reader has had enough."""
    for number, line in enumerate(_lines(hand)):
        console.print(line)
        if step and number and not _go_on():
            return False
    console.print()
    return True


def _go_on() -> bool:
    """Wait for Enter; q, or the end of the input, is enough."""
    line = sys.stdin.readline()
    return bool(line) and line.strip().lower() not in ("q", "quit")


def _lines(hand: PlayedHand) -> Iterator[Text]:
    """A hand in words."""
    from rich.text import Text

    from pokerlab.arena.logs.replay import steps
    from pokerlab.cli.terminal.human import card_text

    unit = hand.game.unit
    chips = hand.game.stacks or (0,) * len(hand.players)
    title = Text.assemble((f"hand {hand.number}", "bold"), f"  {hand.game.name}")
    for name, hole, stack in zip(hand.players, hand.deal.holes, chips, strict=True):
        title.append(f"\n  {name}  ")
        title.append(card_text(hole) if hole else "cards not known")
        title.append(f"  {stack / unit:,g} chips" if stack else "")
    yield title
    shown = 0
    for one in steps(hand):
        line = Text()
        if len(one.before.board) > shown:
            shown = len(one.before.board)
            line.append("  board  ").append(card_text(one.before.board)).append("\n")
        line.append(f"  {hand.players[one.position]} {_words(one)}")
        if one.swap is not None and one.swap.thrown:
            line.append("  throws ").append(card_text(one.swap.thrown))
            line.append("  gets ").append(card_text(one.swap.received))
        yield line.append(f"  pot {one.after.pot / unit:,g}", style="dim")
    line = Text()
    if len(hand.final.board) > shown:
        line.append("  board  ").append(card_text(hand.final.board)).append("\n")
    results = zip(hand.players, hand.payoffs, strict=True)
    results_text = ", ".join(f"{name} {won:+,g}" for name, won in results)
    yield line.append(f"  {results_text}", style="bold")


def _words(step: ReplayStep) -> str:
    from pokerlab.arena.person_words import street_base

    before, action = step.before, step.action
    unit = before.game.unit
    if before.node.drawing:
        return f"draws {step.drawn}" if step.drawn else "stands pat"
    if action == "f":
        return "folds"
    if action == "c":
        return f"calls {before.to_call / unit:,g}" if before.to_call else "checks"
    base = street_base(before.node)
    size = step.after.spent[step.position] - base
    first = before.node.price <= base
    return f"{'bets' if first else 'raises to'} {size / unit:,g}"


def _hand_data(hand: PlayedHand) -> dict[str, Any]:
    from pokerlab.arena.logs.replay import steps
    from pokerlab.cards.codes import format_cards

    return {
        "number": hand.number,
        "game": hand.game.name,
        "players": list(hand.players),
        "holes": [format_cards(hole) for hole in hand.deal.holes],
        "board": format_cards(hand.final.board),
        "betting": hand.betting,
        "payoffs": list(hand.payoffs),
        "steps": [
            {
                "position": one.position,
                "player": hand.players[one.position],
                "street": one.before.street,
                "action": one.action,
                "pot": one.after.pot,
            }
            | _draw_data(one)
            for one in steps(hand)
        ],
    }


def _draw_data(step: ReplayStep) -> dict[str, Any]:
    from pokerlab.cards.codes import format_cards

    if step.swap is None:
        return {}
    return {
        "drawn": step.drawn,
        "thrown": format_cards(step.swap.thrown),
        "received": format_cards(step.swap.received),
    }


def _play_again(
    hands: list[PlayedHand], bot_text: str, seat: int, seed: int, *, debug: bool, as_json: bool
) -> None:
    import numpy as np

    from pokerlab.arena.logs.replay import play_again
    from pokerlab.players.bots.catalogue import make_bot
    from pokerlab.players.bots.parrot import position_of

    if not hands:
        raise ValueError("the log has no hands to play again")
    with bots_at_work(debug=debug), closing(make_bot(bot_text)) as bot:
        again = list(play_again(hands, bot, seat, seed, name=bot_text))
    first = hands[0].players
    rows = []
    for number, (old, new) in enumerate(zip(hands, again, strict=True)):
        place = position_of(seat, first, old.players, number)
        rows.append((old, new, old.payoffs[place], new.payoffs[place]))
    gains = np.array([after - before for _, _, before, after in rows])
    error = float(gains.std(ddof=1) / np.sqrt(len(gains))) if len(gains) > 1 else None
    data = {
        "hands": len(rows),
        "player": first[seat],
        "bot": bot_text,
        "recorded": sum(before for _, _, before, _ in rows),
        "replayed": sum(after for _, _, _, after in rows),
        "gain_per_hand": float(gains.mean()),
        "stderr": error,
        "played": [
            {
                "number": old.number,
                "recorded": old.betting,
                "replayed": new.betting,
                "payoffs": list(new.payoffs),
            }
            for old, new, _, _ in rows
        ],
    }

    def render(console: Console) -> None:
        for old, new, before, after in rows[:20]:
            console.out(
                f"hand {old.number}: {old.betting} {before:+,g} -> {new.betting} {after:+,g}",
            )
        if len(rows) > 20:
            console.out(f"... {len(rows) - 20:,} more")
        changed = sum(old.betting != new.betting for old, new, _, _ in rows)
        spread = "" if error is None else f" ± {error:,.3g}"
        console.out(
            f"{bot_text} for {first[seat]}: {data['replayed']:+,g} instead of"
            f" {data['recorded']:+,g} in {len(rows):,} hands ({gains.mean():+,.4g}{spread} a hand);"
            f" {changed:,} went another way",
        )

    emit(data, render, as_json=as_json)

"""`pokerlab hands`: the hands of histories, the spot of one of them, and its decisions judged."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from pokerlab.cli.options import declared as options
from pokerlab.cli.options.bounds import bounded
from pokerlab.cli.options.files import check_distinct, check_output, saving
from pokerlab.cli.shared.drill_play import count_text
from pokerlab.cli.tables.why_tables import GRADE_STYLES
from pokerlab.cli.terminal.output import PLAYER, emit, print_listed
from pokerlab.runtime.errors import shorten
from pokerlab.views import Table

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.arena.logs.hand_spot import HandSpot
    from pokerlab.arena.logs.history_hand import HistoryHand
    from pokerlab.drills.played.played_hands import JudgedHand

_MOST_SHOWN_FAULTS = 5
_FOR_ALL = options.Needs("--judge")


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("hands")(_hands)


def _hands(
    context: typer.Context,
    logs: options.Histories,
    player: Annotated[str | None, "Only hands of this player."] = None,
    stakes: options.Stakes = None,
    seats: options.Seats = None,
    pot: options.PotKind = None,
    flop: Annotated[bool, "Only hands in which two players saw a flop."] = False,
    hand: Annotated[
        str | None, "One hand: its place in the file, from 1, or # and the site's number."
    ] = None,
    oop: Annotated[
        str | None, "Range of the first player after the flop.", options.Needs("--hand")
    ] = None,
    ip: Annotated[str | None, "Range of the last player.", options.Needs("--hand")] = None,
    ranges: Annotated[
        Path | None,
        "Ranges by position and action before the flop, for the spot: a file, or six-max.",
        options.Needs("--hand", "--judge"),
    ] = None,
    against: Annotated[
        Path | None,
        "A solution of the spot: judge the decisions after the flop by it.",
        options.Needs("--hand"),
    ] = None,
    keep_mistakes: Annotated[
        bool,
        "Add the judged decisions to the solution's log, for practise --mistakes.",
        options.Needs("--against", "--solutions"),
    ] = False,
    judge: Annotated[
        bool,
        "Solve every hand in which two players saw the flop, and judge the decisions of --player.",
        options.NotWith("--hand"),
    ] = False,
    street: Annotated[
        str, "Where spots begin: flop; or turn or river, with the ranges of the flop.", _FOR_ALL
    ] = "flop",
    runouts: Annotated[
        str, "Turns and rivers that flops are solved on: 12x10, for example, or all.", _FOR_ALL
    ] = "12x10",
    target: Annotated[str, "How exactly each hand is solved.", _FOR_ALL] = "1%",
    seconds: Annotated[
        float, "The most for the solve of one hand.", bounded(0.01, 86400), _FOR_ALL
    ] = 120.0,
    keep: Annotated[
        Path | None,
        "Keep what was found of each hand in this file: the same command goes on after a stop.",
        _FOR_ALL,
    ] = None,
    solutions: Annotated[
        Path | None, "Keep the solutions of hands with a mistake in this folder.", _FOR_ALL
    ] = None,
    dry_run: Annotated[
        bool, "Only say how many hands can be judged, and how long it takes.", _FOR_ALL
    ] = False,
    output: Annotated[options.Output, "It is the spot of the hand, for `solve`."] = None,
    top: options.Top = 20,
    everything: options.Everything = False,
    as_json: options.Json = False,
) -> None:
    """List the hands of histories; make a spot of one, or judge its decisions by a solution.

    For example: hands night.txt --flop lists hands; hands night.txt --hand 7 -o spot.toml writes
    the spot of the seventh; solve spot.toml -o spot.safetensors solves it; and hands night.txt
    --hand 7 --against spot.safetensors judges what was done. hands night.txt --judge does all that
    for every hand. Between two players the ranges are those of the charts of the package, at a
    fuller table its six-max ranges; or name others.
    """
    from pokerlab.arena.logs.histories import HandFilter, history_files

    options.check_options(context)
    check_output(output, "--output")
    check_distinct({"--output": output}, [*logs, ranges, against])
    if output is not None and hand is None:
        raise ValueError("--output: it is for the spot of one hand (--hand)")
    files = history_files(logs)
    if hand is not None:
        if len(files) != 1:
            raise ValueError(f"--hand {shorten(hand)}: name one file, there are {len(files):,}")
        number, found = _find(files[0], hand)
        _tell_hand(
            files[0],
            number,
            found,
            _SpotRanges(oop, ip, ranges),
            against,
            keep_mistakes,
            output,
            as_json=as_json,
        )
        return
    chosen = HandFilter.parse(stakes, seats, pot)
    limit = None if everything else top
    if judge:
        from pokerlab.cli.commands.opponents.judged_hands import (
            ResultPlaces,
            hero_of,
            tell_judged,
        )
        from pokerlab.drills.played.judged_histories import HandJudging

        check_output(keep, "--keep")
        judging = HandJudging(
            player or hero_of(files),
            None if ranges is None else str(ranges),
            street,
            None if runouts == "all" else runouts,
            target,
            seconds,
        )
        places = ResultPlaces(keep, solutions, keep_mistakes=keep_mistakes)
        tell_judged(files, chosen, judging, places, limit, dry_run=dry_run, as_json=as_json)
        return
    rows: list[dict[str, Any]] = []
    count, left_out, faults = 0, 0, list[str]()
    for path, where, seen in _read(files):
        if isinstance(seen, str):
            left_out += 1
            if len(faults) < _MOST_SHOWN_FAULTS:
                faults.append(f"{path.name}: hand {where}: {seen}")
            continue
        if not chosen.takes(seen) or (player is not None and player not in seen.players):
            continue
        if flop and not seen.two_on_flop:
            continue
        count += 1
        if limit is None or len(rows) < limit:
            rows.append(hand_row(path, where, seen, player))
    data = {"count": count, "hands": rows, "left_out": left_out, "examples": faults}

    def render(console: Console) -> None:
        file = {"file": "fold.20"} if len(files) > 1 else {}
        columns = {
            **file,
            "hand": "count",
            "players": "count",
            "blinds": "name",
            "pot bb": "chips.1",
            "before the flop": "name",
            "board": "name",
            "cards": "fold.20",
        }
        cells = [
            (
                *([row["file"]] if file else ()),
                row["hand"],
                len(row["players"]),
                row["blinds"],
                row["pot"],
                row["kind"],
                row["board"],
                " ".join(row["cards"].values()),
            )
            for row in rows
        ]
        print_listed(console, columns, cells, None)
        if count > len(rows):
            console.print(f"{count - len(rows):,} more hands; --all lists them", style="dim")
        if left_out:
            console.out(f"left out: {count_text(left_out, 'hand')}, for example")
            for fault in faults[:3]:
                console.out(f"  {fault}")

    emit(data, render, as_json=as_json)


class _SpotRanges(NamedTuple):
    oop: str | None
    ip: str | None
    file: Path | None


def _read(files: list[Path]) -> Iterator[tuple[Path, int, HistoryHand | str]]:
    """Every hand of files with its place, or why it cannot be read."""
    from pokerlab.arena.logs.histories import FoundHand, read_hands

    for path in files:
        for found in read_hands(path):
            yield path, found.number, found.hand if isinstance(found, FoundHand) else found.reason


def _find(path: Path, wanted: str) -> tuple[int, HistoryHand]:
    """The hand at a place, or with a number of the site."""
    text = wanted.strip()
    digits = text.removeprefix("#")
    if not (digits.isascii() and digits.isdigit()) or len(digits) > 30:
        raise ValueError(
            f"--hand {shorten(wanted)}: must be a place in the file, as 7, or # and the number"
        )
    last = 0
    for _, number, found in _read([path]):
        last = number
        here = number == int(digits) if text == digits else False
        if isinstance(found, str):
            if here or (text != digits and f"hand {digits}: " in found):
                raise ValueError(f"{path}: hand {number} cannot be read: {found}")
            continue
        if here or (text != digits and found.record.number == digits):
            return number, found
    raise ValueError(f"--hand {shorten(wanted)}: {path} has no such hand (it has {last:,})")


def hand_row(
    path: Path, number: int, hand: HistoryHand, player: str | None = None
) -> dict[str, Any]:
    """A hand of a list: what pages and tables show of it."""
    from pokerlab.arena.logs.histories import POTS

    small, big = hand.blinds
    payoffs = hand.payoffs
    won = None
    if player is not None and payoffs is not None:
        won = payoffs[hand.players.index(player)] / hand.big_blind
    names = hand.players
    return {
        "file": path.name,
        "hand": number,
        "number": hand.record.number,
        "players": list(names),
        "blinds": f"{small:g}/{big:g}",
        "pot": hand.pot / hand.big_blind,
        "kind": POTS[min(hand.raises, len(POTS) - 1)],
        "board": hand.board,
        "cards": {names[seat]: cards for seat, cards in enumerate(hand.holes) if cards},
        "won": won,
    }


def _tell_hand(
    path: Path,
    number: int,
    hand: HistoryHand,
    ranges: _SpotRanges,
    against: Path | None,
    keep_mistakes: bool,
    output: Path | None,
    *,
    as_json: bool,
) -> None:
    """Show a hand action by action, with its spot, or with its decisions judged."""
    from pokerlab.arena.logs.hand_spot import spot_of_history
    from pokerlab.views.payloads.history_payload import hand_words

    spot: HandSpot | None = None
    why = ""
    try:
        spot = spot_of_history(hand, oop=ranges.oop, ip=ranges.ip, ranges=ranges.file)
    except ValueError as error:
        if output is not None or any(ranges):
            raise
        why = str(error)
    judged = (
        None if against is None else _judge(hand, path.name, number, against, keep=keep_mistakes)
    )
    if output is not None and spot is not None:
        from pokerlab.runtime.files.atomic import write_text

        with saving(output, "--output"):
            write_text(output, spot.spot.to_toml())
    data = {
        **hand_row(path, number, hand),
        "file": None if output is None else str(output),
        "actions": list(hand_words(hand)),
        "spot": None if spot is None else spot.spot.fields(),
        "note": why if spot is None else spot.note,
    }
    if judged is not None:
        names = hand.players
        data["decisions"] = [
            {"player": names[each.seat], "size": each.done, **each.judgement.to_json()}
            for each in judged.moves
        ]
        data["not_judged"] = judged.reason

    def render(console: Console) -> None:
        small, big = hand.blinds
        console.out(f"hand {number}, blinds {small:g}/{big:g}")
        for line in data["actions"]:
            console.out(f"  {line}")
        if judged is not None:
            _show_judged(console, hand, judged)
        elif spot is None:
            console.out(f"no spot: {why}")
        else:
            facts = spot.spot
            console.out(
                f"spot: pot {facts.pot:g}, effective stack {facts.effective_stack:g}; {spot.note}"
            )
        if output is not None:
            console.out(f"wrote {output}")

    emit(data, render, as_json=as_json)


def _judge(
    hand: HistoryHand, history: str, number: int, against: Path, *, keep: bool
) -> JudgedHand:
    from pokerlab.drills.played.played_hands import judge_played, keep_decisions
    from pokerlab.drills.source import SolutionSource, open_source

    source = open_source(against)
    if not isinstance(source, SolutionSource):
        raise ValueError(f"{against}: name the solution of one spot, not a folder")
    found = judge_played(hand, source.solution)
    if keep:
        keep_decisions(against, history, number, found.moves)
    return found


def _show_judged(console: Console, hand: HistoryHand, judged: JudgedHand) -> None:
    rows, styles = [], []
    for each in judged.moves:
        found = each.judgement
        done = found.action if each.done is None else f"{each.done:.0f}%: {found.action}"
        rows.append(
            (
                hand.players[each.seat],
                found.hand,
                found.line or "first",
                done,
                found.best,
                found.frequency,
                found.loss_percent,
                found.grade,
            )
        )
        styles.append(GRADE_STYLES[found.grade])
    columns = {
        "player": PLAYER,
        "cards": "name",
        "line": "fold.16",
        "did": "name",
        "best": "name",
        "how often": "share",
        "% of pot lost": "chips",
        "": "name",
    }
    if rows:
        console.print(Table(columns, rows, options={"row_styles": styles}))
    else:
        console.out("no decision after the flop by a player whose cards are known")
    if judged.reason:
        console.out(f"not all is judged: {judged.reason}")

"""The part of `pokerlab simulate` that plays the solutions of a batch over its boards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from pokerlab.cli.shared.compiling import announce_compiling
from pokerlab.cli.shared.counting import counting_progress
from pokerlab.cli.shared.files import check_output, saving
from pokerlab.cli.shared.interruption import CutShortError
from pokerlab.cli.shared.output import PLAYED_COLUMNS, PLAYER, emit
from pokerlab.views import Table

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.arena.hands import PlayedHand
    from pokerlab.batches import BatchSimulation
    from pokerlab.batches.play import BoardHands

DEFAULT_HANDS = 100_000

_NAMES = ("oop", "ip")
_MOST_LINES = 40


def simulate_batch(folder: str, hands: int, seed: int, *, phh: Path | None, as_json: bool) -> None:
    """Play hands over the boards of a batch, write them down, and show the actions."""
    from pokerlab.batches import BatchPlay, load_batch

    check_output(phh, "--phh")
    if phh is not None and phh.suffix.lower() != ".phhs":
        raise ValueError(f"--phh {phh}: hands are written to a .phhs file")
    batch = load_batch(folder)
    with announce_compiling(quiet=as_json):
        play = BatchPlay(batch, hands, seed)
    played: list[BoardHands] = []
    try:
        with counting_progress(hands, "hands", quiet=as_json) as report:
            for board in play:
                if phh is not None:
                    played.append(board)
                report(play.played)
    except KeyboardInterrupt:
        if play.played < 2:
            raise
    if phh is not None:
        from pokerlab.arena.logs.phh_log import write_phh

        with saving(phh, "--phh"):
            write_phh(phh, _shuffled(played, seed))
    result = play.result()
    finished, boards = len(play.rows), len(batch.question.boards)
    data = result.to_json() | {"phh": None if phh is None else str(phh)}

    def render(console: Console) -> None:
        _render(console, folder, result)
        if finished < boards:
            console.print(
                f"{finished:,} of {boards:,} boards are finished; the others are not played"
            )
        if phh is not None:
            console.out(f"wrote {phh}")

    emit(data, render, as_json=as_json)
    if result.hands < hands:
        raise CutShortError(f"{result.hands:,} of {hands:,} hands are counted")


def _shuffled(played: list[BoardHands], seed: int) -> Iterator[PlayedHand]:
    """All hands in a random order, so that boards come as they do at a table."""
    import numpy as np

    from pokerlab.arena.hands import PlayedHand
    from pokerlab.batches.whole_hands import hand_rules, opening

    rules = [(hand_rules(board.spot), opening(board.spot)) for board in played]
    places = [
        (board, hand) for board, each in enumerate(played) for hand in range(len(each.bettings))
    ]
    for number, place in enumerate(np.random.default_rng(seed).permutation(len(places))):
        board, hand = places[place]
        game, before = rules[board]
        here = played[board]
        deal = game.make_deal(here.holes[hand].tolist(), here.cards[hand].tolist())
        betting = before + here.bettings[hand]
        payoffs = game.replay(betting, deal).payoffs()
        yield PlayedHand(game, number, deal, _NAMES, betting, tuple(payoffs))


def _render(console: Console, folder: str, result: BatchSimulation) -> None:
    boards = "1 board" if result.boards == 1 else f"{result.boards:,} boards"
    console.print(
        f"{folder} plays itself: {result.hands:,} hands on {boards}, seed {result.seed}, "
        f"{result.seconds:.2f} s"
    )
    rows = zip(_NAMES, result.mean, result.stderr, result.expected, result.z, strict=True)
    console.print(Table({"chips a hand": PLAYER, **PLAYED_COLUMNS}, rows))
    console.print()
    lines = []
    for line in result.lines[:_MOST_LINES]:
        done = []
        for action in line.actions:
            part, error = line.frequency(action)
            done.append(f"{action} {100 * part:.1f}±{100 * error:.1f}%")
        lines.append((line.line or "(first)", line.player, line.reached, ", ".join(done)))
    heads = {"player": "name", "hands": "count", "what was done": "text"}
    console.print(Table({"line": PLAYER, **heads}, lines))
    if len(result.lines) > _MOST_LINES:
        console.print(f"and {len(result.lines) - _MOST_LINES:,} more lines (--json has them)")

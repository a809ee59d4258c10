"""How fast are the hands of PHH files counted, one by one, with all players and lines?

Hands of no-limit hold'em for three that random bots played are counted by `count_files`, by our
rules (`read_phh` and `play_statistics`), and read by PokerKit without counting anything.

Floor. Every hand is split into its lines and actions at least: the ratio to that is printed, too.

Measured 2026-11-18 on a Xeon with two cores that others used, too: 11,550 hands a second of
processor time, 7.4 times as fast as by our rules and 13.3 times as fast as PokerKit; splitting
alone takes 4.3% of the time.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from types import ModuleType

import numpy as np

from benchmarks.common import Row, peer
from pokerlab.arena import PlayedHand, count_files, play_statistics, read_phh, write_phh
from pokerlab.arena.logs.phh_text import hand_texts
from pokerlab.arena.table import play_hand
from pokerlab.games import load_betting_game
from pokerlab.players.bots.simple import RandomBot

HANDS = 2000


def run() -> list[Row]:
    """Hands a second of processor time, each way the best of several, in turn."""
    kit = peer("pokerkit")
    with TemporaryDirectory() as folder:
        path = Path(folder, "random.phhs")
        write_phh(path, _hands())
        ways = {
            "split into lines and actions": lambda: _split(path),
            "counted (count_files)": lambda: count_files([path], lines=True),
            "counted by our rules": lambda: play_statistics(read_phh(path)),
        }
        if kit is not None:
            ways["read by PokerKit"] = lambda: _read(kit, path)
        best = dict.fromkeys(ways, float("inf"))
        for _ in range(3):
            for name, way in ways.items():
                began = process_time()
                way()
                best[name] = min(best[name], process_time() - began)
    ours = best["counted (count_files)"]
    return [
        Row(
            name,
            HANDS / seconds,
            "hands a second",
            "" if name.startswith("counted (") else "counted (count_files)",
            None if name.startswith("counted (") else seconds / ours,
        )
        for name, seconds in best.items()
    ]


def _hands() -> Iterator[PlayedHand]:
    rng = np.random.default_rng(1)
    game = load_betting_game("holdem.nolimit.3p")
    bots = [RandomBot(6, 4, 1) for _ in range(game.players)]
    for bot in bots:
        bot.reset(game, rng)
    for number, deal in enumerate(game.deals(rng, HANDS)):
        yield play_hand(game, deal, bots, names=("ann", "bob", "cy"), number=number)


def _split(path: Path) -> int:
    return sum(
        len([line.split("', '") for line in text.split("\n")]) for _, text, _ in hand_texts(path)
    )


def _read(kit: ModuleType, path: Path) -> int:
    with path.open("rb") as file:
        return sum(len(tuple(history)) for history in kit.HandHistory.load_all(file))

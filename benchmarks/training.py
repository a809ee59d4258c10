"""How many betting-tree updates a second does the training of limit hold'em make?

An update is a visit to a node of the betting: a row of regrets is read and turned into a strategy;
the row of the player who learns is written back, of the other an action is drawn and his row of
sums is written. Heads-up limit hold'em (6,378 nodes), one thread, two kinds of groups: the 169
classes of starting hands on all streets (1.1 million rows, 26 MB of tables), and 169 + 3 × 200
random groups by canonical hand and board (1.3 million rows, 31 MB, and look-up tables of 2.6, 28
and 246 MB), as heavy as buckets by hand strength.

Floor. Regret matching and the update of three numbers take about 40 operations, of which a
division (4 ns) and two or three branches that cannot be foreseen (5 ns each) weigh most: 20 ns. A
row is 12 bytes of each of two tables; rows of one street and group lie together (68 kB on the
river), so about every second visit waits for the third-level cache (15 to 20 ns): 30 ns, 33 million
updates a second and core. A deal costs nine random numbers, two evaluations and six look-ups with
four cache misses beside that: about 1 µs, 6 ns an update in external sampling.

Measured 2026-11-15 on a shared Xeon with much other work beside it, one thread, by its processor
time, one run, in million updates a second (classes, random groups): external sampling 24.9 and
10.9 (1.3 and 3 times the floor), chance sampling 19.5 and 10.9, outcome sampling 14.9 and 4.1 (its
12 updates a deal do not outweigh the deal). Public-chance sampling does 31 and 20 million pairs of
a node and a hand, 4 and 3 boards a second.
"""

from __future__ import annotations

from time import process_time

import numpy as np

from benchmarks.common import Row
from pokerlab.games import load_betting_game
from pokerlab.holdem.limit.buckets.street_buckets import (
    card_buckets,
    hand_indexer,
    starting_hand_classes,
)
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
from pokerlab.holdem.limit.training.trainer import Trainer

GAME = "holdem.limit.2p"
GROUPS = 200
TURNS = 3
DEALS = {"external": 40_000, "chance": 2_000, "outcome": 300_000, "public": 2}


def random_groups() -> BucketedGame:
    """What the groups mean changes no time, so they are random."""
    game = load_betting_game(GAME)
    rng = np.random.default_rng(0)
    groups = [starting_hand_classes()]
    for street in (1, 2, 3):
        size = hand_indexer(game, street).size
        groups.append(card_buckets(rng.integers(0, GROUPS, size, dtype=np.uint16)))
    return BucketedGame(game, tuple(groups), "random")


def speed(game: BucketedGame, method: str) -> tuple[float, float]:
    """Updates and deals a second of one thread, by processor time."""
    trainer = Trainer(game, method, threads=1, seed=1)
    trainer.iterate(DEALS[method])  # the strategies of the first deals are not typical
    best = (0.0, 0.0)
    for _ in range(TURNS):
        before, began = trainer.visited, process_time()
        trainer.iterate(DEALS[method])
        seconds = process_time() - began
        best = max(best, ((trainer.visited - before) / seconds, DEALS[method] / seconds))
    return best


def run() -> list[Row]:
    rows = []
    for game in (BucketedGame.of(load_betting_game(GAME), "classes"), random_groups()):
        for method in DEALS:
            updates, deals = speed(game, method)
            what = "boards" if method == "public" else "deals"
            rows.append(
                Row(
                    f"{method} sampling, {game.name}",
                    updates / 1e6,
                    "million updates/s",
                    note=f"{deals:,.0f} {what}/s on one core"
                    + (", an update for each hand" if method == "public" else ""),
                )
            )
    return rows

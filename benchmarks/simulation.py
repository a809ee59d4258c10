"""How many hands a second do two table-driven players play, on two cores?

Heads-up limit hold'em, seats alternating, two threads. Three kinds of players:

- blind: fold, call and raise with weights 1 : 6 : 3 whatever the cards (8 actions a hand, most
  hands go to a showdown: long hands);
- caller against raiser, the match that the Python arena is measured by (10 actions);
- buckets: 169 classes before the flop, then 200 groups by canonical (hand, board) on each street
  (tables of 1.3, 14 and 123 million entries) and 1.3 million rows of random probabilities
  (6 actions a hand). What the groups mean changes no time, so they are random too.

Floor. A blind hand is 9 cards and 8 decisions. Eight hands are played at a time in registers: 17
random numbers of 1.5 cycles, 9 exchanges of two bytes in the deck (2 to 3 cycles each), two
evaluations (5 cycles), 8 steps of four gathered numbers each (4 cycles), and two payoffs that are
added to sums (5 loads, 7 sums in memory, 20 cycles): 120 cycles, 40 ns. Bucket players add up to
six numbers of a hand and a board (25 cycles each) and as many cache misses as they have look-ups
and decisions; 12 misses of 100 ns would be 1,200 ns one after the other, but most of them overlap:
with ten at a time 120 ns.

Beside it, in the same run: the Python arena (`play_match`), the same two bots. The time is what
the threads were really running, so that other work on the machine does not count: hands divided
by the mean processor time of the two threads. The clock on the wall stands in the note.

Measured 2026-11-16 on 2 cores of a shared Xeon with other work beside it, three runs, in million
hands a second: caller against raiser 24.7 to 26.6 (1,200 to 1,300 times the Python arena), blind
tables 23.3 to 25.2, buckets 12.2 to 13.0. That is 80 ns of a core for a blind hand, twice the
floor, and 160 ns for a hand with buckets. One hand after the other it was 320 and 580 ns.
"""

from __future__ import annotations

from time import thread_time

import numpy as np

from benchmarks.common import Row
from pokerlab.arena.matches import play_match
from pokerlab.arena.simulation.compiled_match import simulate
from pokerlab.cards import evaluate_batch
from pokerlab.games import load_betting_game
from pokerlab.holdem.limit.buckets.street_buckets import (
    card_buckets,
    hand_indexer,
    starting_hand_classes,
)
from pokerlab.players.strategies import TableStrategy

GAME = "holdem.limit.2p"
THREADS = 2
HANDS = 4_000_000
PYTHON_HANDS = 3_000
EVALUATED = 1_000_000
TURNS = 4
GROUPS = 200


def bucket_player(seed: int) -> TableStrategy:
    """Random groups of cards, random probabilities."""
    rng = np.random.default_rng(seed)
    game = load_betting_game(GAME)
    groups = [starting_hand_classes()]
    for street in (1, 2, 3):
        size = hand_indexer(game, street).size
        groups.append(card_buckets(rng.integers(0, GROUPS, size, dtype=np.uint16)))
    table = TableStrategy.filled(game, groups, [0.0, 1.0, 0.0])
    table.probabilities[:] = rng.dirichlet([1.0, 2.0, 1.2], len(table.probabilities))
    return table


def best_of_turns(players: list[TableStrategy | str]) -> tuple[float, float]:
    """Hands a second by processor time, and by the clock on the wall."""
    results = [simulate(GAME, players, HANDS, turn, threads=THREADS) for turn in range(TURNS)]
    by_thread = max(result.hands / (result.cpu_seconds / THREADS) for result in results)
    return by_thread, max(result.hands_per_second for result in results)


def python_speed() -> float:
    best = 0.0
    for _ in range(TURNS):
        began = thread_time()
        play_match(GAME, ["caller", "raiser"], PYTHON_HANDS, 1)
        best = max(best, PYTHON_HANDS / (thread_time() - began))
    return best


def evaluator_speed() -> float:
    keys = np.random.default_rng(0).random((EVALUATED, 52), dtype=np.float32)
    hands = np.argpartition(keys, 7, axis=1)[:, :7].astype(np.uint8)
    best = 0.0
    for _ in range(TURNS):
        began = thread_time()
        evaluate_batch(hands, check=False)
        best = max(best, EVALUATED / (thread_time() - began))
    return best


def run() -> list[Row]:
    arena = python_speed()
    # Two hands are evaluated at a showdown, by two threads.
    showdowns = evaluator_speed()
    bucket = bucket_player(1)
    rows = []
    for claim, players, peer, beside in (
        ("caller against raiser", ["caller", "raiser"], "Python arena, one core", arena),
        ("blind tables, long hands", ["random:1,6,3"] * 2, "evaluating both hands", showdowns),
        ("tables with 169 + 3 × 200 groups", [bucket] * 2, "evaluating both hands", showdowns),
    ):
        speed, wall = best_of_turns(players)
        rows.append(
            Row(
                f"{claim}, two threads",
                speed / 1e6,
                "million hands/s",
                peer,
                speed / beside,
                f"{wall / 1e6:.2f} by the clock on the wall",
            )
        )
    return rows

"""How many seven-card hands a second, on one core, beside other Python evaluators?

Floor. A random hand is 7 card codes read (7 bytes), 7 keys added, one look-up of a row offset
(16 kB) and one of a class (262 kB, in the second-level cache), and 2 bytes written. One after the
other that is 16 loads, 6 to 8 cycles. With byte permutations (AVX-512 VBMI) eight hands are one
load of 56 bytes, 2 × 6 permutations and sums for the keys (all on one port: 12 cycles), 16 loads
in two gathers (8 cycles beside those), and 13 instructions for the check of every row (7 cycles):
20 to 27 cycles for eight hands, 900 to 1,200 million hands a second at 3 GHz. Flushes (one hand in
33) are done again one by one, with a branch that is guessed wrong for every other of them: 1.5
cycles a hand.

On ARM64 (Neoverse N1, 2.5 GHz: four instructions a cycle, at most two of them on vectors of 16
bytes and two loads) a hand evaluated alone takes 64 instructions, 16 cycles, even if no look-up is
ever waited for: 7 loads of cards, 7 masks, 7 loads of keys, 7 sums, 28 for the check, 8 for the
class. Sixteen hands together take 388: among them 16 loads of rows and 31 merges to columns, 35 to
look up ranks and 62 to add them, 38 for flushes, 50 for the check, and 6 for each class. 231 of the
388 are on vectors: 7.2 cycles a hand, 345 million hands a second. The classes do not fit into the
first cache (64 kB), which costs 3.4 cycles more; flushes done again, 1.6.

In an enumeration the keys of the first five cards are already added: two gathers and an addition,
1.5 to 2 cycles a hand, and a count of its class that is read and written, 1 to 1.5 cycles more.

Peers in the same run: eval7 and phevaluator through their Python calls (one hand a call is all
they offer), treys and PokerKit on fewer hands; one that is not installed (eval7 has no wheels for
Linux on ARM) is left out. The calibration is the sum of the seven keys
without any look-up, one hand after the other, compiled by the same Numba. OMPEval (C++), by its
authors: 117 to 311 million random hands and 1,076 million in an enumeration.

All times are processor times of one thread. Measured 2026-11-16, one of 2 cores of a shared Xeon:
see README. Measured 2026-11-18, one of 2 cores of a shared Neoverse N1, million hands a second, the
plain kernel and the one in registers by turns: seven cards 58 to 61 and 177 to 183 (14 cycles),
without the check 113 to 118 and 204 to 211, six cards 70 to 72 and 195 to 200, five cards 85 and
204 to 210, seven cards as int64 41 to 43 and 84 to 89.
"""

from __future__ import annotations

from collections.abc import Callable
from time import thread_time

import numpy as np
from numba import njit

from benchmarks.common import Row, best_seconds, peer, row_beside
from pokerlab.cards import evaluate_batch, evaluate_cards
from pokerlab.cards.codes import RANKS, SUITS
from pokerlab.cards.evaluator import tables as evaluator_tables
from pokerlab.cards.evaluator.batch_kernels import classify_combos, count_classes
from pokerlab.cards.evaluator.evaluator_kernels import START

HANDS = 1_000_000
FEW = 20_000
TEXT = [RANKS[card >> 2] + SUITS[card & 3] for card in range(52)]


@njit
def sum_keys(cards, keys):
    total = START
    for hand in range(cards.shape[0]):
        key = START
        for place in range(7):
            key += keys[np.uint64(cards[hand, place])]
        total ^= key
    return total


@njit
def classify_boards(boards, tables):
    """Classes of all 1,326 combos on each board, as an equity calculation needs them."""
    classes = np.empty(1326, np.uint16)
    total = 0
    for board in range(boards.shape[0]):
        classify_combos(boards[board], classes, tables)
        total += classes[0]
    return total


def peer_jobs(few: list[list[int]]) -> dict[str, Callable[[], object]]:
    """The peers that are installed, each on as many hands as it has time for."""
    jobs: dict[str, Callable[[], object]] = {}
    if (eval7 := peer("eval7")) is not None:
        eval7_deck = [eval7.Card(text) for text in TEXT]
        jobs["eval7"] = lambda: [
            eval7.evaluate([eval7_deck[card] for card in hand]) for hand in few
        ]
    if (phevaluator := peer("phevaluator")) is not None:
        jobs["phevaluator"] = lambda: [phevaluator.evaluate_cards(*hand) for hand in few]
    if (treys := peer("treys")) is not None:
        treys_deck = [treys.Card.new(text) for text in TEXT]
        treys_evaluate = treys.Evaluator().evaluate
        jobs["treys"] = lambda: [
            treys_evaluate([treys_deck[c] for c in hand[:2]], [treys_deck[c] for c in hand[2:]])
            for hand in few[:2_000]
        ]
    if (pokerkit := peer("pokerkit")) is not None:
        kit_deck = [next(pokerkit.Card.parse(text)) for text in TEXT]
        kit_hands = [[kit_deck[card] for card in hand] for hand in few[:300]]
        jobs["PokerKit"] = lambda: [
            pokerkit.StandardHighHand.from_game(hand[:2], hand[2:]) for hand in kit_hands
        ]
    return jobs


def run() -> list[Row]:
    keys = np.random.default_rng(0).random((HANDS, 52), dtype=np.float32)
    hands = np.argpartition(keys, 7, axis=1)[:, :7].astype(np.uint8)
    wide_hands = hands.astype(np.int64)
    few = hands[:FEW].tolist()
    tables = evaluator_tables.load()
    boards = np.ascontiguousarray(hands[:2_000, :5])

    jobs = {
        "random": lambda: evaluate_batch(hands),
        "unchecked": lambda: evaluate_batch(hands, check=False),
        "random int64": lambda: evaluate_batch(wide_hands),
        "all": lambda: count_classes(7, np.zeros(7463, dtype=np.int64), tables),
        "boards": lambda: classify_boards(boards, tables),
        "keys": lambda: sum_keys(hands, tables.card_key),
        "single": lambda: [evaluate_cards(hand) for hand in few],
        **peer_jobs(few),
    }
    numbers = {
        "random": HANDS,
        "unchecked": HANDS,
        "random int64": HANDS,
        "all": 133_784_560,
        "boards": 2_000 * 1_326,
        "keys": HANDS,
        "single": FEW,
        "eval7": FEW,
        "phevaluator": FEW,
        "treys": 2_000,
        "PokerKit": 300,
    }
    seconds = best_seconds(jobs, turns=9, clock=thread_time)
    speed = {name: numbers[name] / seconds[name] / 1e6 for name in jobs}

    def row(claim: str, job: str, other: str, name: str | None = None) -> Row:
        return row_beside(claim, speed[job], "million hands/s", name or other, speed.get(other))

    random = "random hands, uint8"
    return [
        *(row(random, "random", other) for other in ("eval7", "phevaluator", "treys", "PokerKit")),
        row(random, "random", "keys", "adding the keys alone"),
        row("the same without the check", "unchecked", "keys", "adding the keys alone"),
        row("random hands, int64", "random int64", "eval7"),
        row("all 133,784,560 hands, counted", "all", "keys", "adding the keys alone"),
        row("all combos on random boards", "boards", "keys", "adding the keys alone"),
        row("one hand a Python call", "single", "eval7"),
    ]

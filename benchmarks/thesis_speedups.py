"""The speed-ups that the post-flop thesis reports (6.5), done again in one language beside ours.

It has, in Java: the rank of seven cards from a table of all 133,784,560 hands instead of testing 21
hands of five for nine categories, 640 times faster; a table by board and hand, 4 times faster;
leaves with everything but the opponent's range computed before, 12 times faster for 3.2 times the
memory. Here all are compiled by the same Numba and run on one thread. Ranks are measured beside
testing 21 hands, leaves beside one that computes everything. The table by board and hand would take
6.9 GB: rows of 20,000 boards stand for it, in random order. The sweep over sorted hands is what our
engine does at a leaf, written out plainly.

Floor of a look-up in 268 MB: a miss of all caches, about 100 ns one after the other, fewer when
the processor has several under way. Floor of a leaf by table: 1,081² numbers of 4 bytes are read,
4.7 MB, about 0.5 ms from memory.

Measured 2026-11-18, one of 2 cores of a shared Neoverse N1: see docs/documents/postflop.md.
"""

from __future__ import annotations

from itertools import combinations
from math import comb
from time import thread_time

import numpy as np
from numba import njit

from benchmarks.common import Row, best_seconds, row_beside
from pokerlab.cards import evaluate_batch, parse_cards
from pokerlab.cards.codes import COMBO_CARDS
from pokerlab.cards.equities.showdowns import COMBO_MASKS
from pokerlab.cards.evaluator import tables as evaluator_tables
from pokerlab.cards.evaluator.batch_kernels import classify_combos

HANDS = 200_000
BOARDS = 20_000
PICKS = np.array(list(combinations(range(7), 5)))
BINOMIALS = np.array([[comb(card, size) for size in range(8)] for card in range(53)])


@njit
def rank_five(cards):
    """Category and ranks of five cards by testing, as one number; larger is better."""
    counts = np.zeros(13, np.int64)
    flush = True
    for card in cards:
        counts[card >> 2] += 1
        flush &= (card & 3) == (cards[0] & 3)
    top = -1
    for high in range(3, 13):
        run = True
        for back in range(5):
            run &= counts[(high - back) % 13] > 0
        if run:
            top = high
    value = 0
    for size in range(4, 0, -1):
        for rank in range(12, -1, -1):
            if counts[rank] == size:
                for _ in range(size):
                    value = value * 13 + rank
    most, pairs = counts.max(), np.sum(counts == 2)
    if top >= 0 and flush:
        return 8 * 13**5 + top
    if most == 4:
        return 7 * 13**5 + value
    if most == 3 and pairs:
        return 6 * 13**5 + value
    if flush:
        return 5 * 13**5 + value
    if top >= 0:
        return 4 * 13**5 + top
    return (most if most == 3 else pairs) * 13**5 + value


@njit
def test_all_hands(cards, picks, out):
    five = np.zeros(5, np.int64)
    for hand in range(len(cards)):
        best = 0
        for pick in picks:
            for place in range(5):
                five[place] = cards[hand, pick[place]]
            best = max(best, rank_five(five))
        out[hand] = best


@njit
def look_up(cards, binomials, table, out):
    for hand in range(len(cards)):
        place = 0
        for number in range(7):
            place += binomials[cards[hand, number], number + 1]
        out[hand] = table[place]


@njit
def look_up_rows(boards, hands, table, out):
    for hand in range(len(boards)):
        out[hand] = table[boards[hand], hands[hand]]


@njit
def leaf_by_pairs(ranks, masks, reach, out):
    """Chances and comparisons computed again for every pair."""
    for hand in range(len(ranks)):
        total = 0.0
        for other in range(len(ranks)):
            if masks[hand] & masks[other] == 0:
                left = 0
                for card in range(52):  # p(h' | board + h): the cards that are left
                    left += (masks[hand] >> np.uint64(card)) & np.uint64(1) == 0
                chance = 2.0 / ((left - 5) * (left - 6))
                if ranks[hand] < ranks[other]:
                    total += chance * reach[other]
                elif ranks[hand] > ranks[other]:
                    total -= chance * reach[other]
        out[hand] = total


@njit(fastmath=True)
def leaf_by_table(table, reach, out):
    """Everything but the opponent's range from a table."""
    for hand in range(len(out)):
        total = np.float32(0)
        for other in range(len(reach)):
            total += table[hand, other] * reach[other]
        out[hand] = total


@njit
def leaf_by_sweep(order, strength, cards, reach, out):
    count, by_card = len(order), np.zeros(52)
    for sign in (1.0, -1.0):
        by_card[:] = 0.0
        total, begin = 0.0, 0
        while begin < count:
            end = begin
            while (
                end < count
                and strength[end if sign > 0 else count - 1 - end]
                == strength[begin if sign > 0 else count - 1 - begin]
            ):
                hand = order[end if sign > 0 else count - 1 - end]
                out[hand] += sign * (total - by_card[cards[hand, 0]] - by_card[cards[hand, 1]])
                end += 1
            for place in range(begin, end):
                hand = order[place if sign > 0 else count - 1 - place]
                total += reach[hand]
                by_card[cards[hand, 0]] += reach[hand]
                by_card[cards[hand, 1]] += reach[hand]
            begin = end


def run() -> list[Row]:
    return [*ranks(), *leaves()]


def ranks() -> list[Row]:
    rng = np.random.default_rng(0)
    cards = np.sort(np.argsort(rng.random((HANDS, 52)), axis=1)[:, :7], axis=1).astype(np.int64)
    narrow = cards.astype(np.uint8)
    # Which class an entry holds does not change the time of a look-up.
    table = rng.integers(1, 7463, comb(52, 7), dtype=np.uint16)
    rows = rng.integers(1, 7463, (BOARDS, 1326), dtype=np.uint16)
    board, hand = rng.integers(0, BOARDS, HANDS), rng.integers(0, 1326, HANDS)
    out, tested = np.zeros(HANDS, np.int64), np.zeros(HANDS, np.int64)
    one = np.array(parse_cards("QhJh2c4d7h"), np.uint8)
    classes, tables = np.zeros(1326, np.uint16), evaluator_tables.load()
    test_all_hands(cards[:500], PICKS, tested)
    better = evaluate_batch(narrow[:500]).astype(np.int64)
    order = np.argsort(-better, kind="stable")
    if (np.diff(tested[:500][order]) < 0).any():
        raise AssertionError("testing 21 hands orders hands otherwise than the evaluator")
    took = best_seconds(
        {
            "21 hands tested": lambda: test_all_hands(cards, PICKS, tested),
            "table of 268 MB": lambda: look_up(cards, BINOMIALS, table, out),
            "table by board and hand": lambda: look_up_rows(board, hand, rows, out),
            "ours, any seven cards": lambda: evaluate_batch(narrow, check=False),
            "ours, all hands of a board": lambda: classify_combos(one, classes, tables),
        },
        3,
        thread_time,
    )
    speeds = {
        name: (1326 if "all hands" in name else HANDS) / seconds / 1e6
        for name, seconds in took.items()
    }
    base = speeds["21 hands tested"]
    return [
        row_beside(name, speed, "million hands/s", "21 hands tested", base)
        for name, speed in speeds.items()
    ]


def leaves() -> list[Row]:
    board = parse_cards("QhJh2c4d7h")
    known = np.uint64(sum(1 << card for card in board))
    hands = np.flatnonzero(COMBO_MASKS & known == 0)
    masks, cards = COMBO_MASKS[hands], COMBO_CARDS[hands].astype(np.int64)
    codes = np.array([[*board, *pair] for pair in cards.tolist()], np.uint8)
    classes = evaluate_batch(codes).astype(np.int64)
    apart = (masks[:, None] & masks) == 0
    matrix = (np.sign(classes - classes[:, None]) * apart / 990).astype(np.float32)
    order = np.argsort(-classes, kind="stable")
    strength = -classes[order]
    reach = np.random.default_rng(0).random(len(hands))
    single, out = reach.astype(np.float32), np.zeros(len(hands))
    found, by_table = np.zeros(len(hands)), np.zeros(len(hands))
    leaf_by_pairs(classes, masks, reach, out)
    leaf_by_sweep(order, strength, cards, reach, found)
    np.testing.assert_allclose(out, found / 990, atol=1e-9)
    leaf_by_table(matrix, single, by_table)
    np.testing.assert_allclose(out, by_table, atol=1e-4)
    took = best_seconds(
        {
            "leaf, all computed": lambda: leaf_by_pairs(classes, masks, reach, out),
            "leaf, table of pairs": lambda: leaf_by_table(matrix, single, by_table),
            "leaf, sweep as in ours": lambda: leaf_by_sweep(order, strength, cards, reach, found),
        },
        5,
        thread_time,
    )
    notes = {"leaf, table of pairs": f"{matrix.nbytes / 1e6:.1f} MB a board"}
    return [
        Row(
            name,
            1e6 * seconds,
            "µs",
            "leaf, all computed",
            took["leaf, all computed"] / seconds,
            notes.get(name, ""),
        )
        for name, seconds in took.items()
    ]

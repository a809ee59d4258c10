"""All hands of five-card draw at once: their best discards, and the hands that come of them.

The hands after a discard are counted by inclusion and exclusion, as in
`pokerlab.players.bots.draw.discard_kernels`: of all hands with the kept cards, those that hold one
of the thrown cards are taken away, those that hold two are added again, and so on.
"""

from __future__ import annotations

import numpy as np

from pokerlab.cards.evaluator.evaluator_kernels import START, Bits, classify
from pokerlab.cards.evaluator.tables import EvaluatorTables
from pokerlab.players.bots.draw.discard_kernels import sum_by_kept
from pokerlab.runtime.arrays import Bytes, Floats, Int64s
from pokerlab.runtime.jit import kernel


@kernel
def find_best_discards(
    hands: Int64s,
    pair_sums: Int64s,
    worth: Int64s,
    ways: Floats,
    tables: EvaluatorTables,
    kept: Bytes,
    mean: Floats,
) -> None:
    """Write the cards that each hand (n, 5) keeps, as a set of bits, and their mean worth (n, 32).

    `ways` (6) has the number of replacements for 0 to 5 thrown cards. Of equal means the one
    that throws fewer cards counts.
    """
    sums = np.empty(32, np.int64)
    for hand in range(len(hands)):
        sum_by_kept(hands[hand], 5, pair_sums, sums, worth, tables)
        best, size = 31, 0
        for mask in range(31, -1, -1):
            thrown = 0
            for place in range(5):
                thrown += 1 - (mask >> place & 1)
            mean[hand, mask] = sums[mask] / ways[thrown]
            better = mean[hand, mask] > mean[hand, best]
            if better or (mean[hand, mask] == mean[hand, best] and thrown < size):
                best, size = mask, thrown
        kept[hand] = best


@kernel
def count_results(
    hands: Int64s,
    weights: Floats,
    kept: Bytes,
    ways: Floats,
    tables: EvaluatorTables,
    direct: Floats,
    with_pair: Floats,
    with_card: Floats,
    with_none: Floats,
) -> None:
    """Count the classes that come of the hands (n, 5), each with a weight.

    Hands of which three cards or more are given are counted one by one into `direct` (7463). Of
    the others it is noted how often all hands with a combo (1,326), with a card (52) and all hands
    at all (1) are to be counted.
    """
    held = np.empty(5, np.int64)
    for hand in range(len(hands)):
        mask = kept[hand]
        thrown = 0
        for place in range(5):
            thrown += 1 - (mask >> place & 1)
        each = weights[hand] / ways[thrown]
        for more in range(32):
            if more & mask:
                continue
            count, sign = 0, 1.0
            for place in range(5):
                if (mask | more) >> place & 1:
                    held[count] = hands[hand, place]
                    count += 1
                if more >> place & 1:
                    sign = -sign
            if count == 0:
                with_none[0] += sign * each
            elif count == 1:
                with_card[held[0]] += sign * each
            elif count == 2:
                high, low = max(held[0], held[1]), min(held[0], held[1])
                with_pair[high * (high - 1) // 2 + low] += sign * each
            else:
                _count_with(held, count, sign * each, tables, direct)


@kernel
def _count_with(
    held: Int64s, count: int, weight: float, tables: EvaluatorTables, found: Floats
) -> None:
    """Count all hands that hold the first `count` (2 to 5) of these cards."""
    key, bits, taken = START, np.uint64(0), np.uint64(0)
    for place in range(count):
        key += tables.card_key[held[place]]
        bits |= tables.card_bit[held[place]]
        taken |= np.uint64(1) << np.uint64(held[place])
    _count_below(key, bits, taken, 52, 5 - count, weight, tables, found)


@kernel
def _count_below(
    key: Bits,
    bits: Bits,
    taken: Bits,
    top: int,
    missing: int,
    weight: float,
    tables: EvaluatorTables,
    found: Floats,
) -> None:
    """Count all completions by `missing` (0 to 2) free cards below `top`."""
    if missing == 0:
        found[classify(key, bits, tables)] += weight
        return
    for first in range(top):
        if taken >> np.uint64(first) & np.uint64(1):
            continue
        key_first, bits_first = key + tables.card_key[first], bits | tables.card_bit[first]
        if missing == 1:
            found[classify(key_first, bits_first, tables)] += weight
            continue
        for second in range(first):
            if not taken >> np.uint64(second) & np.uint64(1):
                key_second = key_first + tables.card_key[second]
                bits_second = bits_first | tables.card_bit[second]
                found[classify(key_second, bits_second, tables)] += weight

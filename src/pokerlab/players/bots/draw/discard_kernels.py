"""Sums of a worth over hands of five cards, with some cards wanted and others out of play.

What a hand is worth is a whole number for each class (``worth``, 7,463 of them).

A draw gives back hands that hold the kept cards and no other card the player has seen. Counted
directly there are 2,598,960 of them over all ways to keep. Counted by inclusion and exclusion
there are a few thousand: hands *with* kept cards *and without* others are hands with the kept
cards, less those that hold one of the others too, plus those that hold two, and so on. "All
hands that hold these cards" is a table for none, one or two cards, 1,176 hands for three, 48 for
four, and one for five. All sums are whole numbers, so nothing is lost.
"""

from __future__ import annotations

import numpy as np

from pokerlab.cards.evaluator.evaluator_kernels import START, Bits, classify
from pokerlab.cards.evaluator.tables import EvaluatorTables
from pokerlab.runtime.arrays import Int64s
from pokerlab.runtime.jit import kernel


@kernel
def sum_over_pairs(pair_sums: Int64s, worth: Int64s, tables: EvaluatorTables) -> None:
    """Write the sum of the worth of all hands that hold a combo to `pair_sums` (1,326).

    Suits can be exchanged, so one suited and one offsuit combo of two ranks stand for all of them.
    """
    for high_rank in range(13):
        for low_rank in range(high_rank + 1):
            for suited in range(2):
                if suited and low_rank == high_rank:
                    continue
                high, low = 4 * high_rank + 1, 4 * low_rank + suited
                total = _sum_over_triples_with(high, low, worth, tables)
                for high_suit in range(4):
                    for low_suit in range(4):
                        same_suit = high_suit == low_suit
                        if same_suit != (suited == 1) or (
                            high_rank == low_rank and low_suit > high_suit
                        ):
                            continue
                        first, second = 4 * high_rank + high_suit, 4 * low_rank + low_suit
                        pair_sums[first * (first - 1) // 2 + second] = total


@kernel
def _sum_over_triples_with(high: int, low: int, worth: Int64s, tables: EvaluatorTables) -> int:
    """Sum of the worth of all hands that hold two cards."""
    cards = np.empty(3, np.int64)
    cards[0], cards[1] = high, low
    total = 0
    for third in range(52):
        if third != high and third != low:
            cards[2] = third
            total += _sum_with(cards, 3, worth, tables)
    return total // 3  # each hand was met with any of its other three cards as the third


@kernel
def _sum_with(held: Int64s, count: int, worth: Int64s, tables: EvaluatorTables) -> int:
    """Sum of the worth of all hands that hold the first `count` (3, 4 or 5) of these cards."""
    keys, bit = tables.card_key, tables.card_bit
    key, bits = START, np.uint64(0)
    taken = np.uint64(0)
    for place in range(count):
        key += keys[held[place]]
        bits |= bit[held[place]]
        taken |= np.uint64(1) << np.uint64(held[place])
    if count == 5:
        return int(worth[classify(key, bits, tables)])
    total = 0
    for first in range(52):
        if taken >> np.uint64(first) & np.uint64(1):
            continue
        key_first, bits_first = key + keys[first], bits | bit[first]
        if count == 4:
            total += int(worth[classify(key_first, bits_first, tables)])
            continue
        total += _sum_with_one_below(key_first, bits_first, first, taken, worth, tables)
    return total


@kernel
def _sum_with_one_below(
    key: Bits, bits: Bits, first: int, taken: Bits, worth: Int64s, tables: EvaluatorTables
) -> int:
    """Sum of the worth of all completions of four cards by a free card below `first`."""
    total = 0
    for second in range(first):
        if not taken >> np.uint64(second) & np.uint64(1):
            second_key, second_bits = tables.card_key[second], tables.card_bit[second]
            total += int(worth[classify(key + second_key, bits | second_bits, tables)])
    return total


@kernel
def sum_by_kept(
    seen: Int64s,
    hand_size: int,
    pair_sums: Int64s,
    kept_sums: Int64s,
    worth: Int64s,
    tables: EvaluatorTables,
) -> None:
    """Sum the worth of what each way to keep can become.

    Parameters
    ----------
    seen
        Different cards that the player has seen; the first `hand_size` are its hand.
    hand_size
        Five.
    pair_sums
        What `sum_over_pairs` gives.
    kept_sums
        To be filled (32): entry m keeps the cards of the hand whose bits are set in m.
    worth
        What a hand of each class is worth (7,463: classes begin at 1).
    tables
        Of the evaluator.
    """
    kept_sums[:] = 0
    single_sums = np.zeros(52, np.int64)
    for high in range(52):
        for low in range(high):
            total = pair_sums[high * (high - 1) // 2 + low]
            single_sums[high] += total
            single_sums[low] += total
    # A hand holds a card together with each of its four others, and has five cards.
    kept_sums[0] = single_sums.sum() // 20
    places = np.empty(5, np.int64)
    held = np.empty(5, np.int64)
    for count in range(1, 6):
        for position in range(count):
            places[position] = position
        while places[0] <= seen.size - count:
            mask = 0
            for position in range(count):
                held[position] = seen[places[position]]
                if places[position] < hand_size:
                    mask |= 1 << places[position]
            if count == 1:
                total = single_sums[held[0]] // 4
            elif count == 2:
                high, low = max(held[0], held[1]), min(held[0], held[1])
                total = pair_sums[high * (high - 1) // 2 + low]
            else:
                total = _sum_with(held, count, worth, tables)
            kept_sums[mask] += total if count % 2 == 0 else -total
            _next_places(places, count, seen.size)
    _add_supersets(kept_sums, hand_size)


@kernel
def _next_places(places: Int64s, count: int, size: int) -> None:
    """Step to the next choice of `count` places out of `size`; after the last, past the end."""
    position = count - 1
    while position > 0 and places[position] == size - count + position:
        position -= 1
    places[position] += 1
    for later in range(position + 1, count):
        places[later] = places[later - 1] + 1


@kernel
def _add_supersets(kept_sums: Int64s, hand_size: int) -> None:
    """Add to each set what all larger sets have, then undo the sign of its own size."""
    for bit in range(hand_size):
        for mask in range(kept_sums.size):
            if not mask >> bit & 1:
                kept_sums[mask] += kept_sums[mask | 1 << bit]
    for mask in range(kept_sums.size):
        size = 0
        for bit in range(hand_size):
            size += mask >> bit & 1
        if size % 2:
            kept_sums[mask] = -kept_sums[mask]

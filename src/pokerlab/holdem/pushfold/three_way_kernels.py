"""All-ins of three classes of starting hands: in which orders they finish, and what that pays.

A random deal takes about a twelfth of a microsecond and core: three hands, five cards and three
look-ups.
"""

from __future__ import annotations

import numpy as np

from pokerlab.cards.evaluator.evaluator_kernels import START, classify
from pokerlab.cards.evaluator.tables import EvaluatorTables
from pokerlab.cards.random_kernels import next_below
from pokerlab.runtime.arrays import Bytes, Floats, Int64s, Singles, Uint16s
from pokerlab.runtime.jit import kernel

_ONE = np.uint64(1)


@kernel
def sample_orders(
    triples: Int64s,
    deals: int,
    seed: int,
    first: Int64s,
    cards: Bytes,
    orders: Bytes,
    counts: Uint16s,
    tables: EvaluatorTables,
) -> None:
    """Add to `counts` (triples, orders) the orders of random deals of each triple of classes.

    Parameters
    ----------
    triples : (triples, 3)
        The classes; each triple must have hands that share no card.
    first, cards
        The combos of class c are rows ``first[c]`` to ``first[c + 1]`` of `cards` (1326, 2).
    orders : (27,)
        The number of an order by ``9 · sign(a, b) + 3 · sign(a, c) + sign(b, c)``, where a sign is
        0 for the first to win, 1 for a tie, 2 for the second to win.
    """
    state = np.zeros(1, np.uint64)
    classes = np.zeros(3, np.int64)
    for number in range(triples.shape[0]):
        state[0] = np.uint64(seed) + np.uint64(number) * np.uint64(0xD1342543DE82EF95)
        for _ in range(deals):
            used = np.uint64(0)
            while True:
                used = np.uint64(0)
                shared = False
                for hand in range(3):
                    kind = triples[number, hand]
                    row = first[kind] + next_below(state, first[kind + 1] - first[kind])
                    classes[hand] = row
                    mask = _ONE << np.uint64(cards[row, 0]) | _ONE << np.uint64(cards[row, 1])
                    shared = shared or used & mask != 0
                    used |= mask
                if not shared:
                    break
            key, bits = START, np.uint64(0)
            for _ in range(5):
                card = next_below(state, 52)
                while used >> np.uint64(card) & _ONE:
                    card = next_below(state, 52)
                used |= _ONE << np.uint64(card)
                key += tables.card_key[card]
                bits |= tables.card_bit[card]
            for hand in range(3):
                row = classes[hand]
                own_key, own_bits = key, bits
                for place in range(2):
                    own_key += tables.card_key[cards[row, place]]
                    own_bits |= tables.card_bit[cards[row, place]]
                classes[hand] = int(classify(own_key, own_bits, tables))
            code = 9 * _sign(classes[0], classes[1])
            code += 3 * _sign(classes[0], classes[2]) + _sign(classes[1], classes[2])
            counts[number, orders[code]] += np.uint16(1)


@kernel
def _sign(own: int, other: int) -> int:
    if own == other:
        return 1
    return 0 if own < other else 2


@kernel
def pay_sorted(
    orders: Singles, triples: Int64s, worths: Floats, sortings: Int64s, found: Singles
) -> None:
    """Write what three classes are worth on average, for each way to give them to three players.

    Sortings that come first win where equal classes let several write to one place.

    Parameters
    ----------
    orders : (triples, 13)
        The chances of the orders in which sorted triples finish.
    triples : (triples, 3)
        The classes, in ascending order.
    worths : (6, 13)
        By sorting what the orders are worth.
    sortings : (6, 3)
        Which axis of `found` the first, the second and the third class of a triple stand on.
    found : (classes, classes, classes)
        Is written.
    """
    one, two, three, four, five, six = worths
    own = np.zeros(3, np.int64)
    for number in range(triples.shape[0]):
        sums = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        for order in range(orders.shape[1]):
            chance = np.float64(orders[number, order])
            sums = (
                sums[0] + chance * one[order],
                sums[1] + chance * two[order],
                sums[2] + chance * three[order],
                sums[3] + chance * four[order],
                sums[4] + chance * five[order],
                sums[5] + chance * six[order],
            )
        for kind in range(len(sortings) - 1, -1, -1):
            for place in range(3):
                own[sortings[kind, place]] = triples[number, place]
            found[own[0], own[1], own[2]] = sums[kind]


@kernel
def count_sorted(
    orders: Singles, triples: Int64s, weights: Floats, sortings: Int64s, found: Floats
) -> None:
    """Add up by sorting how often three players finish in each order.

    Parameters
    ----------
    orders, triples
        See `pay_sorted`.
    weights : (3, classes)
        Of the classes of each player.
    sortings : (6, 3)
        Which player holds the first, the second and the third class of a triple. Of those that
        give each player the same class, the first alone counts.
    found : (6, 13)
        Is added to.
    """
    for number in range(triples.shape[0]):
        one, two, three = triples[number]
        for kind in range(sortings.shape[0]):
            first, second, third = sortings[kind]
            if (one == two and first > second) or (two == three and second > third):
                continue
            weight = weights[first, one] * weights[second, two] * weights[third, three]
            if weight != 0.0:
                for order in range(orders.shape[1]):
                    found[kind, order] += weight * np.float64(orders[number, order])

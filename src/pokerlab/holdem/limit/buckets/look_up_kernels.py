"""How kernels find the bucket of some cards: the one look-up of training, buckets and simulation.

Cards have a number (0.1 microseconds for a hand and a board up to suits), the number a value, and
the value with the bucket on the street before leads to the bucket. That is one or two reads of
tables of up to 246 MB, most of which the processor waits for.

What is called for each hand makes no arrays and takes the tables of its street one by one: to pick
them from a `BucketLookUp` by a street that is known only at run time costs more than the look-up,
and so does a call that is not inlined, because it copies all tables' addresses (measured with
outcome sampling: 2.7 microseconds a deal, inlined 1.3).
"""

from __future__ import annotations

from typing import NamedTuple

from pokerlab.cards.isomorphism.hand_index_kernels import IndexTables, deal_index
from pokerlab.runtime.arrays import Bytes, Int32s, Int64s, Uint16s
from pokerlab.runtime.jit import kernel
from pokerlab.trees.limit.cards_kernels import cards_number

BLIND, BY_CARDS, BY_HAND = 0, 1, 2
"""How a street finds the bucket of some cards: it has only one; by the number that `cards_number`
or `deal_index` gives them."""
LOOK_UP_STREETS = 4
"""The least number of streets with tables in a look-up, so that most games share compiled code;
only these first streets may number cards by `deal_index`."""


class BucketLookUp(NamedTuple):
    """The buckets of all streets; `street_buckets.bucket_look_up` makes it."""

    kinds: Int64s
    """(streets,): how each street finds the bucket of some cards."""
    seen: Int64s
    """(streets,): private cards and board cards so far."""
    place: Int64s
    """(52,): the place of each card in the sorted deck."""
    deck: int
    """How many cards the deck has."""
    indexers: tuple[IndexTables, ...]
    """By street, for the first `LOOK_UP_STREETS`."""
    values: tuple[Uint16s, ...]
    """By street, the value of each number that cards can have; empty where it is blind."""
    next_groups: tuple[Int32s, ...]
    """By street (buckets on the street before, values): the bucket; (0, 0) where the value is the
    bucket."""


@kernel(inline="always", makes_arrays=False)
def number_of_cards(
    kind: int, seen: int, place: Int64s, deck: int, indexer: IndexTables, cards: Bytes
) -> int:
    """Number some cards, private ones first, as a street does; 0 where it is blind."""
    number = 0
    if kind == BY_HAND:
        number = deal_index(indexer, cards)
    elif kind == BY_CARDS:
        number = cards_number(cards, seen, place, deck)
    return number


@kernel(inline="always", makes_arrays=False)
def next_bucket(kind: int, values: Uint16s, next_groups: Int32s, number: int, before: int) -> int:
    """The bucket of cards by their number and by their bucket on the street before."""
    value = 0 if kind == BLIND else int(values[number])
    return int(next_groups[before, value]) if len(next_groups) else value


@kernel(inline="always", makes_arrays=False)
def bucket_on_street(look_up: BucketLookUp, street: int, cards: Bytes, before: int) -> int:
    """The bucket of some cards on a street, by their bucket on the street before."""
    if street == 0:
        return _find(
            look_up,
            0,
            look_up.indexers[0],
            look_up.values[0],
            look_up.next_groups[0],
            cards,
            before,
        )
    if street == 1:
        return _find(
            look_up,
            1,
            look_up.indexers[1],
            look_up.values[1],
            look_up.next_groups[1],
            cards,
            before,
        )
    if street == 2:
        return _find(
            look_up,
            2,
            look_up.indexers[2],
            look_up.values[2],
            look_up.next_groups[2],
            cards,
            before,
        )
    if street == 3:
        return _find(
            look_up,
            3,
            look_up.indexers[3],
            look_up.values[3],
            look_up.next_groups[3],
            cards,
            before,
        )
    values, following = look_up.values[street], look_up.next_groups[street]
    return _find(look_up, street, look_up.indexers[3], values, following, cards, before)


@kernel(inline="always", makes_arrays=False)
def _find(
    look_up: BucketLookUp,
    street: int,
    indexer: IndexTables,
    values: Uint16s,
    next_groups: Int32s,
    cards: Bytes,
    before: int,
) -> int:
    kind = look_up.kinds[street]
    number = number_of_cards(
        kind, look_up.seen[street], look_up.place, look_up.deck, indexer, cards
    )
    return next_bucket(kind, values, next_groups, number, before)


@kernel(makes_arrays=False)
def buckets_of_cards(cards: Bytes, look_up: BucketLookUp, groups: Int64s) -> None:
    """Write the bucket of some cards, private ones first, into `groups` (streets,).

    The board may end early: `groups` then has a place for the first streets only.
    """
    group = 0
    for street in range(len(groups)):
        group = bucket_on_street(look_up, street, cards, group)
        groups[street] = group

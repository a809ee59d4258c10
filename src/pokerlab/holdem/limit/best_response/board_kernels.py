"""Laying out boards: which hands they leave, in the order of strength, and their groups.

A hand on a board costs an evaluation (10 ns), its part of a sort (40 ns) and a look-up of its
group, which mostly waits for memory (100 to 200 ns). Both heroes use what is found here.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.cards.isomorphism.hand_index_kernels import IndexTables
from pokerlab.holdem.limit.buckets.look_up_kernels import next_bucket, number_of_cards
from pokerlab.runtime.arrays import Bytes, Int16s, Int32s, Int64s, Uint16s
from pokerlab.runtime.jit import kernel
from pokerlab.trees.limit.cards_kernels import CardRules, cards_strength

_PLACE_BITS = 11


class StreetLookUp(NamedTuple):
    """What a street needs of a `BucketLookUp`; to pick it hand by hand takes 0.4 microseconds."""

    kind: int
    seen: int
    place: Int64s
    deck: int
    indexer: IndexTables
    values: Uint16s
    next_groups: Int32s


@kernel
def lay_out_boards(
    rules: CardRules,
    look_up: StreetLookUp,
    sort: bool,
    hands: Bytes,
    before: Int64s,
    board: Bytes,
    dealt: Bytes,
    order: Int16s,
    tie_end: Int16s,
    group: Int32s,
) -> None:
    """List the hands of some boards that follow one board.

    Parameters
    ----------
    rules, look_up
        The game, and the groups of the street whose cards are dealt.
    sort
        Whether the board is whole, and hands go by strength, the weakest first.
    hands, before : (hands of the board before, private cards), (hands,)
        Their cards, and their groups on the street before.
    board, dealt : (cards,), (boards, cards)
        The cards that were there, and those that are new.
    order, tie_end, group : (boards, hands of a board)
        Written: the number of each hand on the board before; where those end that are as strong;
        the group.
    """
    hole, known = hands.shape[1], len(board)
    boards, new = dealt.shape
    cards = np.empty(hole + known + new, np.uint8)
    keys = np.empty(order.shape[1], np.int64)
    found = np.empty(len(hands), np.int32)
    for place in range(known):
        cards[hole + place] = board[place]
    for number in range(boards):
        for place in range(new):
            cards[hole + known + place] = dealt[number, place]
        count = _list_hands(rules, look_up, sort, hands, before, dealt[number], cards, keys, found)
        if sort:
            keys.sort()
        end = count
        for back in range(count):
            place = count - 1 - back
            hand = keys[place] & ((1 << _PLACE_BITS) - 1)
            order[number, place] = hand
            group[number, place] = found[hand]
            above = keys[min(place + 1, count - 1)]
            if keys[place] >> _PLACE_BITS != above >> _PLACE_BITS:
                end = place + 1
            tie_end[number, place] = end


@kernel(makes_arrays=False)
def _list_hands(
    rules: CardRules,
    look_up: StreetLookUp,
    sort: bool,
    hands: Bytes,
    before: Int64s,
    dealt: Bytes,
    cards: Bytes,
    keys: Int64s,
    found: Int32s,
) -> int:
    """Write keys of the hands that are left, to sort by, and by hand its group; returns how many.

    `cards` has room for private cards, then the whole board.
    """
    hole = hands.shape[1]
    taken = np.uint64(0)
    for card in dealt:
        taken |= np.uint64(1) << np.uint64(card)
    count = 0
    for hand in range(len(hands)):
        held = np.uint64(0)
        for place in range(hole):
            cards[place] = hands[hand, place]
            held |= np.uint64(1) << np.uint64(hands[hand, place])
        if held & taken:
            continue
        keys[count] = hand
        if sort:
            keys[count] += np.int64(cards_strength(cards, rules)) << _PLACE_BITS
        number = number_of_cards(
            look_up.kind, look_up.seen, look_up.place, look_up.deck, look_up.indexer, cards
        )
        found[hand] = next_bucket(
            look_up.kind, look_up.values, look_up.next_groups, number, before[hand]
        )
        count += 1
    return count

"""The hands of some boards: how strong they are, and their buckets.

A hand on a board costs an evaluation (10 ns) and a look-up of its bucket, which mostly waits for
memory (100 to 200 ns). Both heroes use what is found here.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.cards.isomorphism.hand_index_kernels import IndexTables
from pokerlab.holdem.limit.buckets.look_up_kernels import next_bucket, number_of_cards
from pokerlab.runtime.arrays import Bytes, Int32s, Int64s, Uint16s
from pokerlab.runtime.jit import kernel
from pokerlab.trees.limit.cards_kernels import CardRules, cards_strength

IMPOSSIBLE = np.iinfo(np.int32).min
"""The strength of a hand that has a card of the board."""


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
def find_buckets(
    look_up: StreetLookUp,
    hands: Bytes,
    boards: Bytes,
    parent: Int64s,
    before: Int32s,
    found: Int32s,
) -> None:
    """Write the bucket of each hand on each board, 0 for hands that have a card of the board.

    Parameters
    ----------
    look_up
        The buckets of the street.
    hands, boards : (hands, private cards), (boards, cards)
        The cards.
    parent, before : (boards,), (boards of the street before, hands)
        The board before each, and the buckets there.
    found : (boards, hands)
        Written.
    """
    hole = hands.shape[1]
    cards = np.empty(hole + boards.shape[1], np.uint8)
    for board in range(len(boards)):
        for place in range(boards.shape[1]):
            cards[hole + place] = boards[board, place]
        for hand in range(len(hands)):
            found[board, hand] = 0
            if _take_hand(hands[hand], boards[board], cards):
                number = number_of_cards(
                    look_up.kind, look_up.seen, look_up.place, look_up.deck, look_up.indexer, cards
                )
                found[board, hand] = next_bucket(
                    look_up.kind,
                    look_up.values,
                    look_up.next_groups,
                    number,
                    before[parent[board], hand],
                )


@kernel
def compare_hands(rules: CardRules, hands: Bytes, boards: Bytes, strength: Int32s) -> None:
    """Write the strength of each hand on each board (boards, hands); greater wins."""
    hole = hands.shape[1]
    cards = np.empty(hole + boards.shape[1], np.uint8)
    for board in range(len(boards)):
        for place in range(boards.shape[1]):
            cards[hole + place] = boards[board, place]
        for hand in range(len(hands)):
            strength[board, hand] = IMPOSSIBLE
            if _take_hand(hands[hand], boards[board], cards):
                strength[board, hand] = cards_strength(cards, rules)


@kernel(inline="always", makes_arrays=False)
def _take_hand(hand: Bytes, board: Bytes, cards: Bytes) -> bool:
    """Write the private cards before those of the board; False if the board has one of them."""
    free = True
    for place in range(len(hand)):
        cards[place] = hand[place]
        for card in board:
            free &= card != hand[place]
    return free

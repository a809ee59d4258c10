"""Turn boards as the GPU takes them.

A hand on a river is 6 bytes, as ``kernels/rivers.cu`` has them. It costs an evaluation from the sum
of the board (5 ns), two steps of a sort by counting (5 ns), and the look-up of its group, which
mostly waits for memory (100 to 200 ns). Both heroes use what is written here.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pokerlab.cards.evaluator.evaluator_kernels import START, classify
from pokerlab.cards.evaluator.tables import EvaluatorTables
from pokerlab.cards.isomorphism.hand_index_kernels import IndexTables
from pokerlab.holdem.limit.buckets.look_up_kernels import next_bucket, number_of_cards
from pokerlab.runtime.arrays import Bytes, Int16s, Int32s, Int64s, Uint16s
from pokerlab.runtime.jit import kernel

Words = npt.NDArray[np.uint32]

CLASSES = 7463
"""More than the classes of hands, from 1 (the best)."""
MOST_GROUPS = 1 << 23
"""More groups than a word has bits for."""

_OTHER_CARD, _PLACE, _LAST, _ALONE, _HIGH_GROUP = 6, 12, 23, 24, 25


@kernel(makes_arrays=False)
def lay_out_rivers(
    evaluator: EvaluatorTables,
    kind: int,
    seen: int,
    place: Int64s,
    deck: int,
    indexer: IndexTables,
    values: Uint16s,
    next_groups: Int32s,
    hands: Bytes,
    before: Int64s,
    board: Bytes,
    dealt: Bytes,
    cards: Bytes,
    left: Int16s,
    class_of: Int16s,
    group_of: Int32s,
    counts: Int32s,
    words: Words,
    groups: Uint16s,
) -> None:
    """Sort the hands of each river of a turn board, and write them for the GPU.

    Parameters
    ----------
    kind, seen, place, deck, indexer, values, next_groups
        How groups are found on the last street: see `BucketLookUp`.
    hands, before : (hands of the turn, 2), (hands of the turn,)
        Their cards, and their groups on the turn. Neighbours have the second card in common.
    board, dealt : (cards,), (rivers,)
        The cards of the turn board, and the rivers.
    cards, left, class_of, group_of, counts
        Work space: (all cards of a hand,), (cards of the deck,), (hands of the turn,) twice,
        (`CLASSES`,).
    words, groups : (rivers, hands of a river)
        Written.
    """
    known = len(board)
    for card in range(known):
        cards[2 + card] = board[card]
    for river in range(len(dealt)):
        new = dealt[river]
        cards[2 + known] = new
        number_left(board, new, place, left)
        key, bits = START, np.uint64(0)
        for card in range(2, 3 + known):
            key += evaluator.card_key[cards[card]]
            bits |= evaluator.card_bit[cards[card]]
        for each in range(CLASSES):
            counts[each] = 0
        for hand in range(len(hands)):
            one, two = hands[hand, 0], hands[hand, 1]
            class_of[hand] = 0
            if new in (one, two):
                continue
            found = classify(
                key + evaluator.card_key[one] + evaluator.card_key[two],
                bits | evaluator.card_bit[one] | evaluator.card_bit[two],
                evaluator,
            )
            class_of[hand] = found
            counts[found] += 1
            cards[0], cards[1] = one, two
            number = number_of_cards(kind, seen, place, deck, indexer, cards)
            group_of[hand] = next_bucket(kind, values, next_groups, number, before[hand])
        # The weakest first; from now on, where the next hand of a class goes.
        begin = 0
        for back in range(CLASSES):
            each = CLASSES - 1 - back
            begin, counts[each] = begin + counts[each], begin
        for hand in range(len(hands)):
            if class_of[hand]:
                at = counts[class_of[hand]]
                counts[class_of[hand]] += 1
                words[river, at] = (
                    left[place[hands[hand, 1]]]
                    | left[place[hands[hand, 0]]] << _OTHER_CARD
                    | hand << _PLACE
                    | (group_of[hand] >> 16) << _HIGH_GROUP
                )
                groups[river, at] = group_of[hand] & 0xFFFF
        # A class ends where the next weaker one has stopped.
        end = 0
        for back in range(CLASSES):
            stop = counts[CLASSES - 1 - back]
            if stop > end:
                words[river, stop - 1] |= 1 << _LAST
                if stop == end + 1:
                    words[river, end] |= 1 << _ALONE
                end = stop


@kernel(makes_arrays=False)
def pack_cards(hands: Bytes, board: Bytes, place: Int64s, left: Int16s, packed: Uint16s) -> None:
    """Write both cards of the hands (hands, 2) of a board into `packed` (hands,), 6 bits each."""
    number_left(board, board[0], place, left)
    for hand in range(len(hands)):
        packed[hand] = left[place[hands[hand, 1]]] | left[place[hands[hand, 0]]] << _OTHER_CARD


@kernel(makes_arrays=False, inline="always")
def number_left(board: Bytes, new: int, place: Int64s, left: Int16s) -> None:
    """Number the cards that a board and a new card leave."""
    for card in range(len(left)):
        left[card] = 0
    for card in range(len(board)):
        left[place[board[card]]] = -1
    left[place[new]] = -1
    number = 0
    for card in range(len(left)):
        if left[card] == 0:
            left[card] = number
            number += 1

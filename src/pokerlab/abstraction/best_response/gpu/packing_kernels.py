"""Turn boards as the card takes them.

A hand on a river is 6 bytes, as ``kernels/rivers.cu`` has them. They are written once and go to the
card once, for both heroes; 2 ns a hand.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pokerlab.jit import kernel

__all__ = ["MOST_GROUPS", "pack_rivers", "pack_turn"]

Int16s = npt.NDArray[np.int16]
Int32s = npt.NDArray[np.int32]
Words = npt.NDArray[np.uint32]
Groups = npt.NDArray[np.uint16]

MOST_GROUPS = 1 << 23
"""More than a word has bits for."""

_OTHER_CARD, _PLACE, _LAST, _ALONE, _HIGH_GROUP = 6, 12, 23, 24, 25


@kernel(makes_arrays=False)
def pack_rivers(
    slots: Int16s,
    used: Int16s,
    order: Int16s,
    tie_end: Int16s,
    group: Int32s,
    left: Int16s,
    words: Words,
    groups: Groups,
) -> None:
    """Write the hands of all rivers of a turn board.

    Parameters
    ----------
    slots : (hands of the turn, 2)
        Of their cards, as places in the deck. Neighbours have the second one in common.
    used : (rivers, cards)
        The places of all cards on the board.
    order, tie_end, group
        Of `NextBoards`.
    left : (cards of the deck,)
        Work space.
    words, groups : (rivers, hands)
        Written.
    """
    for river in range(len(order)):
        _number_cards(used[river], left)
        begin = 0
        for place in range(order.shape[1]):
            hand, end = order[river, place], tie_end[river, place]
            word = left[slots[hand, 1]] | left[slots[hand, 0]] << _OTHER_CARD | hand << _PLACE
            if place + 1 == end:
                word |= 1 << _LAST
                if begin == place:
                    word |= 1 << _ALONE
                begin = end
            words[river, place] = word | (group[river, place] >> 16) << _HIGH_GROUP
            groups[river, place] = group[river, place] & 0xFFFF


@kernel(makes_arrays=False)
def pack_turn(slots: Int16s, used: Int16s, left: Int16s, cards: npt.NDArray[np.uint16]) -> None:
    """Write both cards of the hands (hands, 2) of a turn board into `cards` (hands,)."""
    _number_cards(used, left)
    for hand in range(len(slots)):
        cards[hand] = left[slots[hand, 1]] | left[slots[hand, 0]] << _OTHER_CARD


@kernel(makes_arrays=False)
def _number_cards(used: Int16s, left: Int16s) -> None:
    """Number the cards that a board leaves."""
    for card in range(len(left)):
        left[card] = 0
    for place in range(len(used)):
        left[used[place]] = -1
    number = 0
    for card in range(len(left)):
        if left[card] == 0:
            left[card] = number
            number += 1

"""The boards that may follow a board, street by street, up to the names of the suits."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from pokerlab.cards.isomorphism.suits import CardClass, card_classes
from pokerlab.runtime.arrays import Bytes


class StreetBoards(NamedTuple):
    """The boards of a street."""

    cards: Bytes
    """(boards, cards): the known cards first. Not to be written to."""
    classes: tuple[CardClass | None, ...]
    """For each board the cards that its last card stands for; None for the first board."""
    child_first: tuple[int, ...]
    """Where the boards of the next street begin, by board, and where the last end."""


def deal_run_outs(board: tuple[int, ...], group: Bytes) -> tuple[StreetBoards, ...]:
    """Deal turn and river to a board of 3 to 5 cards, one card of each class.

    Parameters
    ----------
    board
        The known cards.
    group
        Suit permutations that keep the board, as of `pokerlab.cards.isomorphism.suits.symmetries`.

    Returns
    -------
    A street for the board itself, and one for each card that comes. The last few are kept.

    Examples
    --------
    >>> from pokerlab.cards import parse_cards
    >>> from pokerlab.cards.isomorphism.suits import symmetries
    >>> board = parse_cards("Td9d6h")
    >>> [len(street.cards) for street in deal_run_outs(board, symmetries(board))]
    [1, 36, 1429]
    """
    return _deal(board, tuple(map(tuple, group.tolist())))


@lru_cache(maxsize=4)
def _deal(board: tuple[int, ...], group: tuple[tuple[int, ...], ...]) -> tuple[StreetBoards, ...]:
    streets = []
    dealt: list[tuple[int, ...]] = [board]
    classes: list[CardClass | None] = [None]
    while dealt:
        following: list[tuple[int, ...]] = []
        coming: list[CardClass | None] = []
        first = [0]
        for cards, found in zip(dealt, classes, strict=True):
            if len(cards) < 5:
                for each in card_classes(cards, group if found is None else found.group):
                    following.append((*cards, each.card))
                    coming.append(each)
            first.append(len(following))
        boards = np.array(dealt, np.uint8)
        boards.flags.writeable = False
        streets.append(StreetBoards(boards, tuple(classes), tuple(first)))
        dealt, classes = following, coming
    return tuple(streets)

"""The boards that may follow a board, street by street, up to the names of the suits."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pokerlab.cards.isomorphism.suits import (
    CardClass,
    board_orbits,
    card_classes,
    permute_cards,
)
from pokerlab.runtime.arrays import Bytes, Floats


class StreetBoards(NamedTuple):
    """The boards of a street."""

    cards: Bytes
    """(boards, cards): the known cards first. Not to be written to."""
    classes: tuple[CardClass | None, ...]
    """For each board the cards that its last card stands for; None for the first board. Where
    several cards come together, the highest card of each set that the board stands for."""
    child_first: tuple[int, ...]
    """Where the boards of the next street begin, by board, and where the last end."""
    weights: Floats | None = None
    """How many cards each card of a board stands for, where some are left out; None: itself."""


def deal_run_outs(
    board: tuple[int, ...],
    group: Bytes,
    *,
    sizes: tuple[int, ...] | None = None,
    dead: tuple[int, ...] = (),
) -> tuple[StreetBoards, ...]:
    """Deal the streets that follow a board, one board of each class.

    Parameters
    ----------
    board
        The known cards.
    group
        Suit permutations that keep the board, as of `pokerlab.cards.isomorphism.suits.symmetries`.
    sizes
        The number of cards of the board on each later street; by default those of hold'em, up to
        five.
    dead
        Cards that cannot come.

    Returns
    -------
    A street for the board itself, and one for each later street. The last few are kept.

    Examples
    --------
    >>> from pokerlab.cards import parse_cards
    >>> from pokerlab.cards.isomorphism.suits import symmetries
    >>> board = parse_cards("Td9d6h")
    >>> [len(street.cards) for street in deal_run_outs(board, symmetries(board))]
    [1, 36, 1429]
    >>> [len(street.cards) for street in deal_run_outs((), symmetries(()), sizes=(3, 4))]
    [1, 1755, 63193]
    """
    if sizes is None:
        sizes = tuple(range(len(board) + 1, 6))
    return _deal(board, tuple(map(tuple, group.tolist())), sizes, dead)


@lru_cache(maxsize=4)
def _deal(
    board: tuple[int, ...],
    group: tuple[tuple[int, ...], ...],
    sizes: tuple[int, ...],
    dead: tuple[int, ...],
) -> tuple[StreetBoards, ...]:
    streets = []
    dealt: list[tuple[int, ...]] = [board]
    classes: list[CardClass | None] = [None]
    for size in (*sizes, 0):
        following: list[tuple[int, ...]] = []
        coming: list[CardClass | None] = []
        first = [0]
        for cards, found in zip(dealt, classes, strict=True):
            kept = group if found is None else found.group
            if size == len(cards) + 1:
                for each in card_classes(cards, kept, dead):
                    following.append((*cards, each.card))
                    coming.append(each)
            elif size:
                for whole in board_orbits(cards, kept, dead, size=size)[0].tolist():
                    following.append(tuple(whole))
                    coming.append(_class_of_several(whole[len(cards) :], kept))
            first.append(len(following))
        boards = np.array(dealt, np.uint8).reshape(len(dealt), -1)
        boards.flags.writeable = False
        streets.append(StreetBoards(boards, tuple(classes), tuple(first)))
        dealt, classes = following, coming
    return tuple(streets)


def _class_of_several(cards: Sequence[int], group: npt.ArrayLike) -> CardClass:
    """Cards that come together, and the sets of cards that a group makes equal to them."""
    carriers: dict[frozenset[int], tuple[int, ...]] = {}
    elements = [tuple(suits) for suits in np.asarray(group).tolist()]
    images = [frozenset(permute_cards(cards, suits)) for suits in elements]
    for image, suits in zip(images, elements, strict=True):
        carriers.setdefault(image, suits)
    kept = [suits for image, suits in zip(images, elements, strict=True) if image == set(cards)]
    return CardClass(
        cards[0],
        tuple(max(image) for image in carriers),
        np.array(list(carriers.values()), np.uint8),
        np.array(kept, np.uint8),
    )

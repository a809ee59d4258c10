"""Boards merged by more than suits: cards of suits that can make no flush count as one.

The thesis on post-flop solving merges so. It is not exact: hands hold such cards, so the card that
comes takes other hands away than the one that stands for it (see `card_classes`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from pokerlab.cards.isomorphism.card_maps import swap_cards, to_card_map
from pokerlab.cards.isomorphism.run_outs import Following, StreetBoards, deal_streets
from pokerlab.cards.isomorphism.suits import CardClass, card_classes
from pokerlab.runtime.arrays import Bytes


def deal_merged_run_outs(board: tuple[int, ...], group: Bytes) -> tuple[StreetBoards, ...]:
    """Deal turn and river as `deal_run_outs`, with suits that can make no flush merged.

    Examples
    --------
    >>> from pokerlab.cards.codes import parse_cards
    >>> from pokerlab.cards.isomorphism.suits import symmetries
    >>> board = parse_cards("QhJs5c")
    >>> [len(street.cards) for street in deal_merged_run_outs(board, symmetries(board))]
    [1, 49, 1033]
    """

    def follow(cards: tuple[int, ...], kept: npt.ArrayLike, _: int) -> Iterator[Following]:
        for each in merged_classes(cards, kept):
            yield (*cards, each.card), each

    return deal_streets(board, group, range(len(board) + 1, 6), follow)


def merged_classes(board: Sequence[int], group: npt.ArrayLike) -> list[CardClass]:
    """The classes of `card_classes`, and those of one rank whose suits can make no flush as one.

    A suit can make a flush if the board has one card of it on a flop, two on a turn. The
    permutations are of all cards: where suits alone do not carry a card to another, the two are
    exchanged, and hands that hold one of them hold the other.

    Examples
    --------
    >>> from pokerlab.cards.codes import parse_cards
    >>> from pokerlab.cards.isomorphism.suits import symmetries
    >>> board = parse_cards("QhJs5cQd")
    >>> len(merged_classes(board, symmetries(board)))
    13
    """
    counts = np.bincount([card & 3 for card in board], minlength=4)
    flush = counts >= len(board) - 2
    merged: dict[int, list[CardClass]] = {}
    apart: list[list[CardClass]] = []
    for found in card_classes(tuple(board), group):
        if any(flush[card & 3] for card in found.members):
            apart.append([found])
        else:
            merged.setdefault(found.card >> 2, []).append(found)
    return [_joined(classes) for classes in (*apart, *merged.values())]


def _joined(classes: list[CardClass]) -> CardClass:
    """Several classes as one; the first one's card stands for all."""
    card = classes[0].card
    members = tuple(member for found in classes for member in found.members)
    maps = [
        to_card_map(suits)[swap_cards(card, found.card)]
        for found in classes
        for suits in found.permutations.tolist()
    ]
    return CardClass(card, members, np.array(maps, np.uint8), classes[0].group)

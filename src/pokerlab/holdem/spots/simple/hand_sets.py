"""Hands of a board that play one simple strategy together.

``hand``
    Each hand plays its own; those that suits make equal play the same.
``class``
    The 169 starting hands.
``made``
    Hands with the same made hand and the same best draw.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from pokerlab.cards.board_hands.draws import DRAWS, draws
from pokerlab.cards.board_hands.made_hands import made_hands
from pokerlab.cards.codes import N_COMBOS
from pokerlab.cards.hand_classes import CLASS_OF_COMBO
from pokerlab.cards.isomorphism.suits import permute_combos, symmetries
from pokerlab.engine.tables.runouts import board_combos
from pokerlab.holdem.spots.prepared import PreparedSpot
from pokerlab.runtime.arrays import Bytes, Int32s, Int64s
from pokerlab.runtime.errors import shorten

HAND_SETS = ("hand", "class", "made")
"""What may play one strategy together."""


def check_hand_set(by: str) -> None:
    """Refuse a name that is not one of `HAND_SETS`."""
    if by not in HAND_SETS:
        raise ValueError(f"by: {shorten(by)!r} is not one of {', '.join(HAND_SETS)}")


def board_groups(
    prepared: PreparedSpot, player: int, level: int, number: int, by: str
) -> tuple[Int32s, int]:
    """The group of each hand of a board in its order (−1: padding), and how many there are.

    Groups are numbered by their first hand in the order of the board, on the river the order of
    strength.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot
    >>> prepared = PreparedSpot.of(Spot("KsTs7d4c2h", "77, 65s", "AA", pot=100, stack=100))
    >>> [board_groups(prepared, 0, 0, 0, by)[1] for by in HAND_SETS]
    [7, 2, 2]
    """
    combos = board_combos(prepared.boards, player, level, number)
    kept = np.flatnonzero(combos >= 0)
    names = _names(prepared, level, number, by)[combos[kept]]
    _, first, inverse = np.unique(names, return_index=True, return_inverse=True)
    place = np.empty(len(first), np.int32)
    place[np.argsort(first)] = np.arange(len(first), dtype=np.int32)
    groups = np.full(len(combos), -1, np.int32)
    groups[kept] = place[inverse.ravel()]
    return groups, len(first)


def _names(prepared: PreparedSpot, level: int, number: int, by: str) -> Int64s:
    """(1326,): equal numbers for hands that play one strategy."""
    cards = prepared.boards.cards[level][number]
    if by == "class":
        return CLASS_OF_COMBO.astype(np.int64)
    if by == "made":
        best = np.argmax(draws(cards.tolist()), axis=0)  # on the river the last: no draw
        return np.asarray(made_hands(cards.tolist()).astype(np.int64) * len(DRAWS) + best)
    if not prepared.isomorphism:
        return np.arange(N_COMBOS)
    found = prepared.boards.classes[level][number]
    if level:
        return np.arange(N_COMBOS) if found is None else _orbits(found.group.tobytes())
    ranges = np.stack([each.weights for each in prepared.spot.ranges])
    return _orbits(symmetries(cards.tolist(), ranges).tobytes())


@cache
def _orbits(group: bytes) -> Int64s:
    """For each combo the smallest that a group of suit permutations carries it to."""
    suits: Bytes = np.frombuffer(group, np.uint8).reshape(-1, 4)
    return np.asarray(np.min([permute_combos(each) for each in suits], axis=0), np.int64)

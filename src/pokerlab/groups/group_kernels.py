"""How kernels find the group of some cards."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pokerlab.cards.isomorphism.hand_index_kernels import deal_index
from pokerlab.jit import kernel
from pokerlab.trees.limit.cards_kernels import CardRules, cards_number

__all__ = ["BLIND", "BY_CARDS", "BY_HAND", "GroupTables", "groups_of_cards"]

BLIND, BY_CARDS, BY_HAND = 0, 1, 2
"""How a street finds the group of some cards: it has only one; by the number that `cards_number`
or `deal_index` gives them."""


class GroupTables(NamedTuple):
    """The groups of all streets; see `StreetGroups`."""

    kinds: npt.NDArray[np.int64]
    """(streets,): how each street finds the group of some cards."""
    n_values: npt.NDArray[np.int64]
    """(streets,): how many different values it has."""
    values: tuple[npt.NDArray[np.uint16], ...]
    """By street, the value of each number that cards can have; empty where it is blind."""
    follow: tuple[npt.NDArray[np.int32], ...]
    """By street: empty where the value is the group; else the group is the entry
    ``n_values * group on the street before + value``."""


@kernel(makes_arrays=False)
def groups_of_cards(
    cards: npt.NDArray[np.uint8],
    rules: CardRules,
    tables: GroupTables,
    groups: npt.NDArray[np.int64],
) -> None:
    """Write the group of some cards, private ones first, into `groups` (streets,).

    The board may end early: `groups` then has a place for the first streets only.
    """
    group = 0
    for street in range(len(groups)):
        kind = tables.kinds[street]
        value = 0
        if kind == BY_CARDS:
            seen = rules.hole + rules.board_cards[street]
            number = cards_number(cards, seen, rules.place, len(rules.deck))
            value = int(tables.values[street][number])
        elif kind == BY_HAND:
            value = int(tables.values[street][deal_index(rules.indexers[street], cards)])
        follow = tables.follow[street]
        group = int(follow[tables.n_values[street] * group + value]) if len(follow) else value
        groups[street] = group

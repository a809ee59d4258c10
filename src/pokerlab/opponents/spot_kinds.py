"""Kinds of betting nodes: nodes with the same betting on their street are of one kind."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.abstraction.sampling.bucketed_game import BucketedGame
from pokerlab.arrays import Int64s
from pokerlab.trees.limit.betting import ACTIONS


class SpotKind(NamedTuple):
    """A kind of betting nodes.

    Attributes
    ----------
    street
        From 0.
    betting
        What was done on this street so far.
    legal
        Whether to fold, to call and to raise are legal.
    """

    street: int
    betting: str
    legal: tuple[bool, bool, bool]


def spot_kinds(game: BucketedGame) -> tuple[list[SpotKind], Int64s]:
    """All kinds, and the kind of each node.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> game = BucketedGame.of(load_betting_game("holdem.limit.2p"), "none")
    >>> kinds, of_node = spot_kinds(game)
    >>> len(kinds), len(of_node), kinds[0]
    (38, 6378, SpotKind(street=0, betting='', legal=(True, True, True)))
    """
    names: dict[SpotKind, int] = {}
    of_node = np.zeros(len(game.betting.nodes), np.int64)
    for number, node in enumerate(game.betting.nodes):
        fold, call, raise_ = (game.betting.tree.nodes[number, : len(ACTIONS)] >= 0).tolist()
        kind = SpotKind(node.street, node.text.rpartition("/")[2], (fold, call, raise_))
        of_node[number] = names.setdefault(kind, len(names))
    return list(names), of_node

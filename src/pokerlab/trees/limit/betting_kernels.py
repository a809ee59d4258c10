"""The betting tree of a limit game as kernels take it.

A step down the tree reads one row of 20 bytes; a leaf has 9 bytes a position.
"""

from __future__ import annotations

from typing import NamedTuple

from pokerlab.runtime.arrays import Bools, Int32s, Int64s

FOLD, CALL, RAISE = 0, 1, 2
"""The actions, as columns of the tables."""
POSITION, STREET = 3, 4
"""The other columns of `FlatTree.nodes`."""


class FlatTree(NamedTuple):
    """The betting tree of a game: decision nodes in preorder, then leaves."""

    nodes: Int32s
    """(nodes, 5): what follows a fold, a call, a raise (a node; the number of nodes plus that of
    a leaf; −1 where it is not legal); the position that acts; the street."""
    spent: Int64s
    """(leaves, positions): the chips that each position has put in."""
    live: Bools
    """(leaves, positions): who has not folded."""

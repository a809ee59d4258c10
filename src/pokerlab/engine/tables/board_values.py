"""What a player's hands are worth at every node of a board."""

from __future__ import annotations

from typing import NamedTuple

from pokerlab.runtime.arrays import Floats


class BoardValues(NamedTuple):
    """One player's values on a board, hand by hand as the board keeps them.

    A value is the sum over the opposing hands of their reach times the chips won against an even
    split of the first pot.
    """

    nodes: Floats
    """(nodes of the street, hands)."""
    actions: Floats
    """(slots of the player, hands): what lies behind each action of the player."""

    @property
    def nbytes(self) -> int:
        """The memory that they take."""
        return self.nodes.nbytes + self.actions.nbytes

"""The tree as the updates see it: sequences instead of nodes.

With perfect recall, all that counts of a player's play on the way to a node is the probability of
the player's own moves: one number for each *sequence*, which is empty or ends with a given slot.
So counterfactual values need no walk over the nodes. The value of a
slot is a sum over the terminal nodes at which it is the owner's last slot::

    value(slot) = Σ  chance · payoff · Π reach(last sequence of each other player)
                + the values of the owner's next information sets

A pass over a player's slots does all of that. For Leduc this is 9,840 products for both
players in place of four walks over 9,457 nodes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pokerlab.runtime.arrays import Floats, Int64s
from pokerlab.solvers.evaluation.restricted_player import RestrictedPlayer
from pokerlab.trees.game_tree import GameTree


@dataclass(frozen=True, eq=False)
class Sequences:
    """The coefficients of all counterfactual values.

    A sequence is a number: that of its last slot, or slots + player for the empty one. Indices
    are unsigned: compiled code then skips the test for negative ones.

    Attributes
    ----------
    players, slots
        How many there are; there are slots + players sequences.
    first
        Where the information sets of each player begin.
    offset
        Where the slots of each information set begin.
    parent
        The owner's last sequence before each information set.
    row
        Where the terms of each slot begin; one more entry than slots.
    coefficient
        Of each term: chance times the payoff to the slot's owner.
    others
        Of each term: the last sequences of the other players, one after the other.
    """

    players: int
    slots: int
    first: Int64s
    offset: npt.NDArray[np.uint32]
    parent: npt.NDArray[np.uint32]
    row: npt.NDArray[np.uint32]
    coefficient: Floats
    others: npt.NDArray[np.uint32]

    @classmethod
    def of(cls, tree: GameTree, restricted: RestrictedPlayer | None = None) -> Sequences:
        """Sort the terminal nodes of a tree by the slots they matter to.

        Whole hands that a restricted player plays by the model count as chance: they are a second
        set of terminal nodes, at which the player has made no move.
        """
        players, infosets = tree.players, tree.infosets
        chance, payoffs, ends = tree.terminal_chance, tree.payoffs, tree.terminal_slots
        if restricted is not None and restricted.restriction.whole > 0.0:
            whole = restricted.restriction.whole
            by_model = ends.copy()
            by_model[:, restricted.player] = -1
            share = whole * restricted.model_plan(ends[:, restricted.player])
            chance = np.concatenate([chance * (1.0 - whole), chance * share])
            payoffs, ends = np.concatenate([payoffs, payoffs]), np.concatenate([ends, by_model])
        empty = infosets.slots + np.arange(players)
        last = np.where(ends < 0, empty, ends)
        slots, coefficients, others = [], [], []
        for player in range(players):
            worth = chance * payoffs[:, player]
            counts = np.flatnonzero((ends[:, player] >= 0) & (worth != 0))
            slots.append(ends[counts, player])
            coefficients.append(worth[counts])
            others.append(np.delete(last[counts], player, axis=1))
        slot, coefficient, other = map(np.concatenate, (slots, coefficients, others))
        # Terms with the same slot and the same sequences of the others become one.
        order = np.lexsort((*other.T[::-1], slot))
        slot, coefficient, other = slot[order], coefficient[order], other[order]
        new = np.ones(len(slot), bool)
        new[1:] = (np.diff(slot) != 0) | (np.diff(other, axis=0) != 0).any(axis=1)
        starts = np.flatnonzero(new)
        if len(starts):
            coefficient = np.add.reduceat(coefficient, starts)
        return cls(
            players=players,
            slots=infosets.slots,
            first=np.searchsorted(infosets.player, np.arange(players + 1)),
            offset=infosets.offset.astype(np.uint32),
            parent=np.where(infosets.parent < 0, empty[infosets.player], infosets.parent).astype(
                np.uint32
            ),
            row=np.searchsorted(slot[starts], np.arange(infosets.slots + 1)).astype(np.uint32),
            coefficient=coefficient,
            others=other[starts].astype(np.uint32).ravel(),
        )

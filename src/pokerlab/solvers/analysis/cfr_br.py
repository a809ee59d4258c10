"""CFR-BR: a player learns by CFR against an opponent who always plays an exact best response.

The last strategy and the average both come near the least exploitable strategy of the player. Each
iteration costs a best response in the whole game: that is its price.

Reference: M. Johanson and others, "Finding optimal abstract strategies in extensive-form games"
(2012).
"""

from __future__ import annotations

import numpy as np

from pokerlab.runtime.arrays import Floats
from pokerlab.solvers.evaluation.tree_values import best_response, counterfactual_values
from pokerlab.solvers.strategy import Strategy
from pokerlab.trees.game_tree import GameTree


def cfr_br(tree: GameTree, player: int, checkpoints: tuple[int, ...]) -> dict[int, float]:
    """What a best response wins from the player's average, after some numbers of iterations.

    Examples
    --------
    The second player of Kuhn poker can be sure of 1/18:

    >>> from pokerlab.games import load_game
    >>> lost = cfr_br(GameTree.build(load_game("kuhn")), 1, (10, 1000))
    >>> lost[10] > lost[1000], -1 / 18 < lost[1000] < -0.05
    (True, True)
    """
    if tree.players != 2 or not 0 <= player < 2:
        raise ValueError(f"CFR-BR is for two players; {tree.game.name} has {tree.players}")
    infosets = tree.infosets
    mine = infosets.slot_player == player
    moved = np.flatnonzero(tree.slot >= 0)
    moved = moved[mine[tree.slot[moved]]]
    regret, total = np.zeros(infosets.slots), np.zeros(infosets.slots)
    found = {}
    for iteration in range(1, max(checkpoints) + 1):
        current = Strategy.from_weights(infosets, np.maximum(regret, 0.0))
        profile = best_response(tree, current, 1 - player).strategy
        worth = counterfactual_values(tree, profile, player)[moved, player]
        by_slot = np.bincount(tree.slot[moved], worth, infosets.slots)
        expected = np.add.reduceat(current.array * by_slot, infosets.offset[:-1])
        regret += np.where(mine, by_slot - np.repeat(expected, infosets.n_actions), 0.0)
        total += own_reach(tree, current.array, player)
        if iteration in checkpoints:
            average = Strategy.from_weights(infosets, total)
            found[iteration] = best_response(tree, average, 1 - player).value
    return found


def own_reach(tree: GameTree, chosen: Floats, player: int) -> Floats:
    """The chance that the player's own moves lead to each of their slots and take it."""
    infosets = tree.infosets
    found = np.zeros(infosets.slots + 1)
    found[-1] = 1.0  # "no move yet"
    for number in np.flatnonzero(infosets.player == player).tolist():  # parents come first
        here = slice(infosets.offset[number], infosets.offset[number + 1])
        found[here] = found[infosets.parent[number]] * chosen[here]
    return found[:-1]

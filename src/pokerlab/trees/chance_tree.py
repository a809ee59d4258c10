"""The leaves of the chance tree: how likely each deal is, and who wins a showdown then.

Together with the betting (the action tree) this is the whole game: a terminal node of the game
tree at which nobody folded is worth *stake × probability × result*, the coefficient k of the
linear program. With three players or more a showdown may be among any of them who are left, so
there is a result for each set: 1 for two players, 4 for three.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from pokerlab.arrays import Floats, Int32s
from pokerlab.games.showdown import SHOWDOWN_RULES
from pokerlab.games.state import HandState
from pokerlab.trees.views import View


@dataclass(frozen=True, eq=False)
class Showdowns:
    """The result of every deal.

    Attributes
    ----------
    leaves
        The terminal nodes of the chance tree.
    probability
        The absolute probability of each leaf; they sum to 1.
    sets
        The sets of seats that may be left at a showdown, the largest first; none in a game
        that is not poker.
    shares
        Which part of the pot each seat gets, shape (leaves, sets, seats); 0 for who is not in.
    """

    leaves: Int32s
    probability: Floats
    sets: tuple[tuple[int, ...], ...]
    shares: Floats

    @property
    def results(self) -> Floats:
        """The net winnings of a seat for each chip that everybody in the set has put in.

        With two players 1, 0 or -1. 0 for who is not in the set.
        """
        inside = np.zeros(self.shares.shape[1:])
        for number, seats in enumerate(self.sets):
            inside[number, list(seats)] = 1
        sizes = np.array([len(seats) for seats in self.sets])
        results: Floats = self.shares * sizes[:, None] - inside
        return results


def showdowns(view: View) -> Showdowns:
    """The leaves of a chance tree.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> from pokerlab.trees import GameTree, make_view
    >>> view = make_view(GameTree.build(load_game("kuhn")), "chance")
    >>> found = showdowns(view)
    >>> found.sets, view.path(found.leaves[1]), found.results[1]
    (((0, 1),), '0d{Js} 1d{Ks}', array([[-1.,  1.]]))
    """
    if view.name != "chance":
        raise ValueError(f"showdowns belong to the chance tree, not to the {view.name} tree")
    tree = view.tree
    leaves = np.flatnonzero(view.end == np.arange(1, len(view) + 1)).astype(np.int32)
    # All game nodes of a leaf have the same cards; take the first.
    leaf_at = {int(view.nodes(leaf)[0]): number for number, leaf in enumerate(leaves.tolist())}
    sets: tuple[tuple[int, ...], ...] = ()
    if isinstance(tree.game.start(), HandState):
        seats = range(tree.players)
        sets = tuple(chosen for size in seats[:0:-1] for chosen in combinations(seats, size + 1))
    shares = np.zeros((len(leaves), len(sets), tree.players))
    for node, state in tree.states() if sets else ():
        if node in leaf_at and isinstance(state, HandState):
            strength = SHOWDOWN_RULES[state.game.showdown].strength
            strengths = [strength(hole, state.board) for hole in state.holes]
            for number, left in enumerate(sets):
                best = max(strengths[seat] for seat in left)
                winners = [seat for seat in left if strengths[seat] == best]
                shares[leaf_at[node], number, winners] = 1 / len(winners)
    probability = chance_reach(view)[leaves]
    return Showdowns(leaves, probability, sets, shares)


def chance_reach(view: View) -> Floats:
    """The absolute probability of each node of a chance tree."""
    tree = view.tree
    reach = np.ones(len(view))
    for node in range(1, len(view)):
        first = view.nodes(node)[0]
        reach[node] = reach[view.parent[node]] * tree.chance[first]
    return reach

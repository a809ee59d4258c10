"""The influence of a move: from a player's tree to the game tree and the other trees.

A player decides without knowing the others' cards, so a decision in a player's tree is a decision
in several places of the game tree at once, one for each deal of the hidden cards. The subtrees
there are the *clusters* of the move: copies of the subtree in the player's own tree. Projected on
the tree of an opponent they spread over everything that the opponent may hold.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pokerlab.arrays import Int32s
from pokerlab.trees.game_tree import GameTree
from pokerlab.trees.views import View, make_view


@dataclass(frozen=True, eq=False)
class Influence:
    """Which nodes a decision, or one move of it, has an effect on.

    Attributes
    ----------
    view
        The tree of the player who moves.
    node
        Where in it: the decision, or the node that the move leads to.
    clusters
        The influenced nodes of the game tree, one array for each deal of the hidden cards.
    """

    view: View
    node: int
    clusters: tuple[Int32s, ...]

    def on(self, view: View) -> Int32s:
        """The influenced nodes of any view of the same tree."""
        return np.unique(view.node_of[np.concatenate(self.clusters)])

    def clusters_on(self, view: View) -> tuple[Int32s, ...]:
        """The same in clusters; those that fall together count once."""
        found = {
            tuple(np.unique(view.node_of[cluster]).tolist()): None for cluster in self.clusters
        }
        return tuple(np.array(nodes, np.int32) for nodes in found)


def influence(tree: GameTree, seat: int, move: str | int) -> Influence:
    """The nodes that a move of a player influences.

    Parameters
    ----------
    tree
        The game.
    seat
        Who moves.
    move
        A node of the tree of `seat`, or its path (see `paths`). If `seat` decides there, all
        that comes after the decision; if a move of `seat` leads there, the node and all that
        comes after it.

    Examples
    --------
    Player 1 holds K and answers a check in Kuhn poker:

    >>> from pokerlab.games import load_game
    >>> tree = GameTree.build(load_game("kuhn"))
    >>> found = influence(tree, 1, "1d{K} 0c")
    Traceback (most recent call last):
    ValueError: no path '1d{K} 0c' in kuhn, tree of player 1: it starts with 0d{}
    >>> found = influence(tree, 1, "0d{} 1d{K} 0c")
    >>> [len(cluster) for cluster in found.clusters]
    [4, 4]
    >>> opponent = make_view(tree, "player:0")
    >>> [opponent.path(cluster[0]) for cluster in found.clusters_on(opponent)]
    ['0d{Js} 1d{} 0c 1c', '0d{Qs} 1d{} 0c 1c']
    """
    view = make_view(tree, f"player:{seat}")
    node = view.find_one(move) if isinstance(move, str) else move
    if not 0 <= node < len(view):
        raise ValueError(f"no node {node} in {view}: it has {len(view)}, from 0")
    decides = view.player[node] == seat
    if not decides and (node == 0 or view.player[view.parent[node]] != seat):
        raise ValueError(
            f"{view.path(node)!r} is no move of player {seat} and no decision of that player"
        )
    clusters = tuple(
        np.arange(game_node + decides, tree.end[game_node], dtype=np.int32)
        for game_node in view.nodes(node).tolist()
    )
    return Influence(view, node, clusters)

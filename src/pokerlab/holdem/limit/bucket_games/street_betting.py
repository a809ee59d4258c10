"""The betting of a two-player game, cut into streets: what solvers of bucket games walk."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.games.betting_trees.betting_tree import BettingTree, EdgeKind
from pokerlab.runtime.arrays import Floats, Int64s
from pokerlab.trees.limit.betting import FlatBetting


class StreetBetting(NamedTuple):
    """The betting of one street: nodes in preorder, then leaves, then ways to the next street."""

    nodes: Int64s
    """The number of each node in the whole betting tree."""
    child: Int64s
    """(nodes, actions): the place after each; −1 where it is not legal, or where there are fewer.

    In limit games the actions are fold, call and raise.
    """
    actor: Int64s
    """(nodes,): who acts."""
    roots: Int64s
    """The nodes at which the street begins, in the order of the ways that lead there."""
    folds: Int64s
    """The places where somebody has folded."""
    fold_gains: Floats
    """(folds, 2): what each player wins there."""
    showdowns: Int64s
    stakes: Floats
    """(showdowns,): what the winner wins."""
    ways: Int64s
    """The places from which the next street begins."""

    @property
    def places(self) -> int:
        """How many there are of all kinds."""
        return len(self.nodes) + len(self.folds) + len(self.showdowns) + len(self.ways)


def cut_streets(betting: FlatBetting, root: int = 0) -> tuple[StreetBetting, ...]:
    """Cut a betting tree, or what follows a node at which a street begins, into its streets.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> from pokerlab.trees.limit.betting import flatten_betting
    >>> game = load_betting_game("holdem.limit.2p")
    >>> streets = cut_streets(flatten_betting(game))
    >>> [len(street.nodes) for street in streets], len(streets[3].showdowns)
    ([8, 70, 630, 5670], 5103)
    >>> flop = streets[1].nodes[0]
    >>> [len(street.nodes) for street in cut_streets(flatten_betting(game), flop)]
    [10, 90, 810]
    """
    found: list[StreetBetting] = []
    first = int(betting.streets[root])
    roots = np.array([root], np.int64)
    for street in range(first, len(betting.game.streets)):
        cut, roots = _street(betting, street, roots)
        found.append(cut)
    return tuple(found)


def betting_on(tree: BettingTree, level: int = 0) -> StreetBetting:
    """The betting of one street of a betting tree, in chips; an even split of the pot wins 0.

    Examples
    --------
    >>> from pokerlab.holdem.preflop import PreflopRules
    >>> street = betting_on(PreflopRules.push_fold(10).tree)
    >>> street.child.tolist(), street.fold_gains.tolist(), street.stakes.tolist()
    ([[2, 1], [3, 4]], [[-0.5, 0.5], [1.0, -1.0]], [10.0])
    """
    street = tree.streets[level]
    folds = np.flatnonzero(street.kind == EdgeKind.FOLD)
    showdowns = np.flatnonzero(np.isin(street.kind, (EdgeKind.SHOWDOWN, EdgeKind.ALLIN)))
    ways = np.flatnonzero(street.kind == EdgeKind.NEXT_STREET)
    places = street.target.copy()
    places[np.concatenate([folds, showdowns, ways])] = np.arange(
        street.nodes, street.nodes + len(folds) + len(showdowns) + len(ways)
    )
    child = np.full((street.nodes, int(np.diff(street.first_edge).max())), -1, np.int64)
    child[street.node, np.arange(street.edges) - street.first_edge[street.node]] = places
    stakes = (street.matched + tree.pot / 2) / tree.units
    folding = street.player[street.node[folds]][:, None] == np.arange(2)
    return StreetBetting(
        np.arange(street.nodes),
        child,
        street.player.astype(np.int64),
        street.root_first_node[:-1],
        places[folds],
        np.where(folding, -1.0, 1.0) * stakes[folds, None],
        places[showdowns],
        stakes[showdowns],
        places[ways],
    )


def _street(betting: FlatBetting, street: int, roots: Int64s) -> tuple[StreetBetting, Int64s]:
    """Cut a street out of a betting tree; also the nodes at which the next one begins."""
    tree = betting.tree
    nodes = _reached(betting, street, roots)
    local = {int(node): place for place, node in enumerate(nodes)}
    folds: list[int] = []
    showdowns: list[int] = []
    following: list[int] = []
    for targets in tree.nodes[nodes, :3]:
        for target in targets[targets >= 0].tolist():
            leaf = target - len(tree.nodes)
            if leaf >= 0:
                (showdowns if tree.live[leaf].all() else folds).append(target)
            elif target not in local:
                following.append(target)
    for place, target in enumerate([*folds, *showdowns, *following], len(nodes)):
        local[target] = place
    child = np.array(
        [[local.get(int(target), -1) for target in row] for row in tree.nodes[nodes, :3]], np.int64
    ).reshape(-1, 3)
    unit = float(betting.game.unit)
    spent = {target: tree.spent[target - len(tree.nodes)] for target in (*folds, *showdowns)}
    gains = [
        # The player who folded loses the chips that they put in.
        np.where(tree.live[target - len(tree.nodes)], spent[target][::-1], -spent[target]) / unit
        for target in folds
    ]
    first_fold = len(nodes)
    first_showdown = first_fold + len(folds)
    first_way = first_showdown + len(showdowns)
    return StreetBetting(
        nodes,
        child,
        tree.nodes[nodes, 3].astype(np.int64),
        np.array([local[int(root)] for root in roots], np.int64),
        np.arange(first_fold, first_showdown),
        np.array(gains, np.float64).reshape(-1, 2),
        np.arange(first_showdown, first_way),
        np.array([spent[target].min() for target in showdowns], np.float64) / unit,
        np.arange(first_way, first_way + len(following)),
    ), np.array(following, np.int64)


def _reached(betting: FlatBetting, street: int, roots: Int64s) -> Int64s:
    """The nodes of a street that play comes to from some of its first nodes, in preorder."""
    found = roots
    newest = roots
    while len(newest):
        after = betting.tree.nodes[newest, :3].ravel()
        after = after[(after >= 0) & (after < len(betting.nodes))]
        newest = after[betting.streets[after] == street].astype(np.int64)
        found = np.concatenate([found, newest])
    return np.sort(found)

"""A street's betting as one player sees it: what instructions need to know of nodes and edges."""

from __future__ import annotations

from functools import cache

import numpy as np

from pokerlab.engine.tables.layout import first_slots
from pokerlab.engine.tables.payoffs import Payoffs
from pokerlab.games.betting_trees.betting_tree import EdgeKind, StreetTree


class GpuStreet:
    """The betting of a street for a hero.

    Plain lists: a program is written by looking at nodes one by one, and arrays are slow at that.
    """

    def __init__(self, tree: StreetTree, hero: int, payoffs: Payoffs) -> None:
        self.tree = tree
        self.hero = hero
        self.payoffs = payoffs
        self.is_last = tree.number == 2
        self.has_ties = self.is_last and any(
            self.payoffs.tie_share(hero, each) for each in set(tree.matched.tolist())
        )
        self.mine: list[bool] = (tree.player == hero).tolist()
        self.slot: list[int] = first_slots(tree).tolist()
        self.kind: list[int] = tree.kind.tolist()
        self.target: list[int] = tree.target.tolist()
        self._matched: list[int] = tree.matched.tolist()
        self._node: list[int] = tree.node.tolist()
        self._first_edge: list[int] = tree.first_edge.tolist()
        self._first_node: list[int] = tree.root_first_node.tolist()
        all_ins = np.flatnonzero(tree.kind == EdgeKind.ALLIN).tolist()
        self.all_in: dict[int, int] = {edge: number for number, edge in enumerate(all_ins)}
        self.row_users = cache(self._row_users)
        self.size = cache(self._size)

    @property
    def roots(self) -> int:
        """How many there are."""
        return len(self._first_node) - 1

    def first_node(self, root: int) -> int:
        """The first decision below a root."""
        return self._first_node[root]

    def root_edges(self, root: int) -> int:
        """How many edges there are below a root."""
        first, last = self._first_node[root], self._first_node[root + 1]
        return self._first_edge[last] - self._first_edge[first]

    def edges_of(self, node: int) -> range:
        """The edges of a node."""
        return range(self._first_edge[node], self._first_edge[node + 1])

    def showdown(self, edge: int) -> tuple[float, float]:
        """Factors of (reach beaten − reach that beats us), and of the unblocked reach."""
        return self.payoffs.showdown(self.hero, self._matched[edge])

    def fold(self, edge: int) -> float:
        """What the hero wins for each unit of reach when somebody folds."""
        wins = not self.mine[self._node[edge]]
        return self.payoffs.fold(self.hero, self._matched[edge], wins=wins)

    def tie_share(self, edge: int) -> float | None:
        """What a tie counts at a showdown, where a win counts 1; None where none does anywhere."""
        return self.payoffs.tie_share(self.hero, self._matched[edge]) if self.has_ties else None

    def is_raked(self, edge: int) -> bool:
        """Whether cards decide a pot of which more is to be known than who beats whom.

        That is so where the house takes a part of it, and where prize money is paid.
        """
        ends = self.kind[edge] in (EdgeKind.SHOWDOWN, EdgeKind.ALLIN)
        return ends and (self.showdown(edge)[1] != 0 or bool(self.tie_share(edge)))

    def edge_users(self, edge: int) -> int:
        """How many nodes of the opponent split a row behind an edge; one more if leaves need it."""
        if self.kind[edge] == EdgeKind.NODE:
            return int(self.row_users(self.target[edge]))
        return int(self._needs_row(edge))

    def _needs_row(self, edge: int) -> bool:
        return self.kind[edge] in (EdgeKind.FOLD, EdgeKind.SHOWDOWN) or self.is_raked(edge)

    def _row_users(self, node: int) -> int:
        """The same at a node."""
        if not self.mine[node]:
            return 1
        edges = self.edges_of(node)
        below = sum(self.edge_users(edge) for edge in edges if self.kind[edge] == EdgeKind.NODE)
        return below + any(self._needs_row(edge) for edge in edges)

    def _size(self, node: int) -> int:
        """How many edges a subtree has."""
        below = (self.target[e] for e in self.edges_of(node) if self.kind[e] == EdgeKind.NODE)
        return len(self.edges_of(node)) + sum(self._size(target) for target in below)

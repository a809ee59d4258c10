"""The betting of a limit game for two, from some of its lines on, as a `BettingTree`.

The rules say what may follow. A solver that knows what a player never does leaves that out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from pokerlab.games.betting import Betting
from pokerlab.games.betting_trees.betting_tree import BettingTree, EdgeKind, StreetTree
from pokerlab.games.betting_trees.builder import join_street
from pokerlab.games.betting_trees.lines import ActionKind
from pokerlab.games.betting_trees.menus import STREETS
from pokerlab.games.rules import GameRules
from pokerlab.runtime.arrays import Int64s


class LimitTree(NamedTuple):
    """A betting tree, and for each street the decision of the rules that each node is.

    None stands where nobody has chips left to decide with.
    """

    tree: BettingTree
    decisions: tuple[tuple[Betting | None, ...], ...]


def build_limit_tree(
    game: GameRules,
    street: int,
    starts: Sequence[Betting],
    *,
    may_play: Callable[[Betting, str], bool] = lambda node, action: True,
    idle: int = 0,
) -> LimitTree:
    """Follow every line of a limit game for two from the beginning of a street on.

    Amounts are those that each player has put in during the whole hand; no pot lies there before.

    Parameters
    ----------
    game
        The rules.
    street
        The street; the last of the game gets the number of the river.
    starts
        Where it begins, a root each.
    may_play
        Whether an action is to be followed.
    idle
        Who checks, and can do nothing else, on streets where nobody has chips left.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> holdem = load_game("holdem.limit.2p")
    >>> start = holdem.first_betting.after("c").after("c")
    >>> tree, _ = build_limit_tree(holdem, 1, [start])
    >>> [(street.roots, street.nodes) for street in tree.streets]
    [(1, 10), (9, 90), (81, 810)]
    >>> calls, _ = build_limit_tree(holdem, 1, [start], may_play=lambda node, action: action == "c")
    >>> [street.nodes for street in calls.streets]
    [2, 2, 2]
    """
    last = len(game.streets) - 1
    roots, parents = list(starts), np.full(len(starts), -1, np.int64)
    streets: list[StreetTree] = []
    decisions: list[tuple[Betting | None, ...]] = []
    for number in range(street, last + 1):
        found = [_StreetBelow(root, number, last, may_play, idle) for root in roots]
        made = join_street(
            len(STREETS) - 1 - (last - number),
            1,
            0,
            [min(root.spent) for root in roots],
            [each.tables() for each in found],
            parents,
        )
        streets.append(made)
        decisions.append(tuple(decision for each in found for decision in each.decisions))
        roots = [following for each in found for following in each.following()]
        parents = np.flatnonzero(made.kind == EdgeKind.NEXT_STREET)
    stack = max((int(made.matched.max(initial=1)) for made in streets), default=1)
    return LimitTree(BettingTree(0, stack, 1, tuple(streets)), tuple(decisions))


class _StreetBelow:
    """The betting of a street below one root, in preorder."""

    def __init__(
        self,
        root: Betting,
        street: int,
        last: int,
        may_play: Callable[[Betting, str], bool],
        idle: int,
    ) -> None:
        self._street, self._last, self._may_play = street, last, may_play
        self._first = min(root.spent)
        self.decisions: list[Betting | None] = []
        self._nodes: list[tuple[int, ...]] = []
        self._edges: list[list[tuple[tuple[int, ...], Betting]]] = []
        if self._decides(root):
            self._visit(root)
        else:
            self.decisions.append(None)
            self._nodes.append((idle, *root.spent, 0))
            self._edges.append([self._edge(ActionKind.CHECK, root)])

    def tables(self) -> tuple[Int64s, Int64s]:
        """What `join_street` takes."""
        edges = [(node, *edge) for node, each in enumerate(self._edges) for edge, _ in each]
        return np.array(self._nodes, np.int64), np.array(edges, np.int64)

    def following(self) -> list[Betting]:
        """The roots of the next street, in the order of the edges that lead to them."""
        return [
            after for each in self._edges for edge, after in each if edge[2] == EdgeKind.NEXT_STREET
        ]

    def _decides(self, node: Betting) -> bool:
        return node.player >= 0 and node.street == self._street

    def _visit(self, node: Betting) -> int:
        number = len(self._nodes)
        self.decisions.append(node)
        self._nodes.append((node.player, *node.spent, node.raises))
        self._edges.append([])
        for action in node.actions():
            if self._may_play(node, action):
                self._edges[number].append(self._edge(_kind_of(node, action), node.after(action)))
        return number

    def _edge(self, action: ActionKind, after: Betting) -> tuple[tuple[int, ...], Betting]:
        """Action, amount, kind, what is matched, the node that it leads to; and what follows."""
        amount = max(after.spent) - self._first if action >= ActionKind.BET else 0
        kind, target = EdgeKind.NEXT_STREET, -1
        if self._decides(after):
            kind, target = EdgeKind.NODE, self._visit(after)
        elif any(after.folded):
            kind = EdgeKind.FOLD
        elif self._street == self._last:
            kind = EdgeKind.SHOWDOWN
        return (int(action), amount, int(kind), min(after.spent), target), after


def _kind_of(node: Betting, action: str) -> ActionKind:
    if action == "f":
        return ActionKind.FOLD
    if action == "c":
        return ActionKind.CALL if node.to_call else ActionKind.CHECK
    return ActionKind.RAISE if node.to_call else ActionKind.BET

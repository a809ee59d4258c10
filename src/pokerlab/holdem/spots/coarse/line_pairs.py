"""Which lines of a coarse betting tree stand for each line of the real one.

The coarse player sees the real bets and looks them up in a tree with fewer sizes. Who does what is
the same in both trees, only sizes differ:

- a bet of the opponent that the coarse tree does not have stands for its neighbours there
  (`pokerlab.games.betting_trees.translation`), measured by the share of the pot after a call in
  each tree; all-in stands for all-in;
- an own bet keeps its share of the pot, of the real one; all-in stays all-in, and where the
  opponent is all-in a raise is a call;
- a player who is all-in in the coarse tree but has chips left in the real one checks and calls.

Several lines of the coarse tree then stand for one real line, each with a probability: that of the
translations, and of what the player did on the way. The strategy at a real line is the mean over
them, which is the same as to draw a translation for each bet and to stay with it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from pokerlab.engine.tables.layout import first_slots
from pokerlab.games.betting_trees.betting_tree import BettingTree, EdgeKind
from pokerlab.games.betting_trees.lines import ActionKind
from pokerlab.games.betting_trees.translation import Translation
from pokerlab.holdem.spots.coarse.lift_kernels import LiftSteps

_OVER = -1
"""In place of a node: the coarse line has ended by an all-in."""


class SourceNode(NamedTuple):
    """A decision of a source: a tree that has strategies."""

    source: int
    node: int


Again = Callable[[SourceNode, int], SourceNode]
"""Answers a bet that a source does not have, by the decision at which the opponent makes it and the
amount: the decision after it, in a source that has it."""


class LinePairs:
    """Finds the pairs street by street; `steps` has what `lift_street` is to do.

    Parameters
    ----------
    real
        The tree to play in.
    sources
        The coarse tree; `again` may add others while pairs are found.
    player
        Whose strategy it is.
    translation
        What the opponent's sizes stand for.
    again
        Answers unknown bets of the first street in place of a translation.

    Examples
    --------
    >>> from pokerlab.games.betting_trees.translation import linear
    >>> from pokerlab.holdem.spots import Spot
    >>> def tree(menu):
    ...     return Spot("QhJh2c4d7h", "AA", "QQ", pot=100, stack=100, bet=menu, raise_="a").tree
    >>> pairs = LinePairs(tree("75%, a"), [tree("50%, a")], 1, linear)
    >>> pairs.steps[0].factors.round(2).tolist()
    [1.0, 1.0, 0.5, 0.5, 1.0, 1.0, 1.0, 1.0, 1.0]
    """

    def __init__(
        self,
        real: BettingTree,
        sources: Sequence[BettingTree],
        player: int,
        translation: Translation,
        again: Again | None = None,
    ) -> None:
        self.real, self.sources, self.player = real, sources, player
        self.translation, self.again = translation, again
        self.steps: list[LiftSteps] = []
        begins = {0: [(-1, SourceNode(0, 0))]}
        for level in range(len(real.streets)):
            begins = self._follow(level, begins)

    def _follow(
        self, level: int, begins: dict[int, list[tuple[int, SourceNode]]]
    ) -> dict[int, list[tuple[int, SourceNode]]]:
        """Follow a street from its roots: the pairs that the next one begins with, by root."""
        street = self.real.streets[level]
        slots = first_slots(street)
        pairs: list[tuple[int, int, int]] = []
        factors: list[float] = []
        parts: list[tuple[int, int, int, int]] = []
        nodes: list[tuple[int, int]] = []
        ends: list[tuple[int, int, int]] = []
        end_factors: list[float] = []
        following: dict[int, list[tuple[int, SourceNode]]] = {}
        waiting: dict[int, list[tuple[int, SourceNode]]] = {}

        def begin(node: int, pair: tuple[int, int, int], factor: float, to: SourceNode) -> None:
            waiting.setdefault(node, []).append((len(pairs), to))
            pairs.append(pair)
            factors.append(factor)

        for root, arriving in begins.items():
            for end, to in arriving:
                begin(int(street.root_first_node[root]), (end, -1, -1), 1.0, to)
        for node in range(street.nodes):
            own = int(street.player[node]) == self.player
            if own:
                nodes.append((int(slots[node]), len(street.edges_of(node))))
            for pair, at in waiting.pop(node, ()):
                for edge, source, slot, factor, to in self._choices(level, node, at, own=own):
                    if own:
                        place = int(slots[node]) + edge - int(street.first_edge[node])
                        parts.append((place, pair, source, slot))
                    target, kind = int(street.target[edge]), street.kind[edge]
                    if kind == EdgeKind.NODE:
                        begin(target, (pair, source, slot), factor, to)
                    elif kind == EdgeKind.NEXT_STREET:
                        following.setdefault(target, []).append((-1 - len(ends), to))
                        ends.append((pair, source, slot))
                        end_factors.append(factor)
        self.steps.append(
            LiftSteps(
                _table(pairs, 3),
                np.array(factors),
                _table(parts, 4),
                _table(nodes, 2),
                _table(ends, 3),
                np.array(end_factors),
            )
        )
        return following

    def _choices(
        self, level: int, node: int, at: SourceNode, *, own: bool
    ) -> list[tuple[int, int, int, float, SourceNode]]:
        """What may happen at a pair: real edge, own source and slot, factor, the source's node."""
        real = self.real.streets[level]
        if at.node == _OVER:
            passive = ActionKind.CALL if real.facing[node] else ActionKind.CHECK
            return [
                (edge, -1, -1, 1.0, at)
                for edge in real.edges_of(node)
                if (real.action[edge] == passive if own else real.action[edge] != ActionKind.FOLD)
            ]
        if own:
            street = self.sources[at.source].streets[level]
            slots = first_slots(street)[at.node] - street.first_edge[at.node]
            return [
                (
                    self._played(level, node, at, edge),
                    at.source,
                    int(slots + edge),
                    1.0,
                    self._after(level, at, edge),
                )
                for edge in street.edges_of(at.node)
            ]
        return [
            (edge, -1, -1, chance, to)
            for edge in real.edges_of(node)
            if real.action[edge] != ActionKind.FOLD
            for chance, to in self._stands_for(level, node, at, edge)
        ]

    def _after(self, level: int, at: SourceNode, edge: int) -> SourceNode:
        """Where an action leads in a source."""
        tree = self.sources[at.source]
        street = tree.streets[level]
        target = int(street.target[edge])
        if street.kind[edge] == EdgeKind.NEXT_STREET:
            target = int(tree.streets[level + 1].root_first_node[target])
        elif street.kind[edge] != EdgeKind.NODE:
            target = _OVER
        return at._replace(node=target)

    def _played(self, level: int, node: int, at: SourceNode, edge: int) -> int:
        """The real action for an own action of a source."""
        source, real = self.sources[at.source].streets[level], self.real.streets[level]
        action = ActionKind(int(source.action[edge]))
        choices = real.edges_of(node)
        if action < ActionKind.BET:
            return next(each for each in choices if real.action[each] == action)
        sized = [each for each in choices if real.action[each] >= ActionKind.BET]
        there = self.real.situation(level, node)
        if not sized:
            if there.most > there.facing:
                line = self.real.line(level, node)
                raise ValueError(f"line {line!r}: the real tree has no size for a raise")
            return next(each for each in choices if real.action[each] == ActionKind.CALL)
        if action == ActionKind.ALLIN:
            return sized[-1]
        wanted = there.facing + self._share(at, level, edge) * there.pot
        return min(sized, key=lambda each: abs(float(real.amount[each]) - wanted))

    def _share(self, at: SourceNode, level: int, edge: int) -> float:
        """What an action of a source adds, as a share of the pot after a call."""
        tree = self.sources[at.source]
        return _share(tree, level, at.node, int(tree.streets[level].amount[edge]))

    def _stands_for(
        self, level: int, node: int, at: SourceNode, edge: int
    ) -> list[tuple[float, SourceNode]]:
        """Where an action of the opponent leads in a source, with probabilities."""
        tree, real = self.sources[at.source], self.real.streets[level]
        source, action, amount = tree.streets[level], real.action[edge], int(real.amount[edge])
        choices = source.edges_of(at.node)
        sized = [each for each in choices if source.action[each] >= ActionKind.BET]
        same = [each for each in choices if source.action[each] == action]
        if action < ActionKind.BET or (action == ActionKind.ALLIN and same):
            return [(1.0, self._after(level, at, same[0]))]
        share = _share(self.real, level, node, amount)
        shares = [self._share(at, level, each) for each in sized]
        # Sizes are rounded to the smallest chip in both trees.
        close = (
            0.5 / self.real.situation(level, node).pot + 0.5 / tree.situation(level, at.node).pot
        )
        for each, known in zip(sized, shares, strict=True):
            if abs(share - known) <= close:
                return [(1.0, self._after(level, at, each))]
        if self.again is not None and level == 0:
            return [(1.0, self.again(at, amount))]
        if not sized:
            line = self.real.line(level, node)
            raise ValueError(f"line {line!r}: the coarse tree has no size that a bet stands for")
        return [
            (chance, self._after(level, at, sized[number]))
            for number, chance in self.translation(share, shares).items()
        ]


def _share(tree: BettingTree, level: int, node: int, amount: int) -> float:
    there = tree.situation(level, node)
    return (amount - there.facing) / there.pot


def _table(rows: Sequence[Sequence[int]], columns: int) -> np.ndarray:
    return np.array(rows, np.int64).reshape(-1, columns)

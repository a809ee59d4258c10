"""The game before the flop: 169 classes a player, exact card removal, values by class.

A strategy is a list with an entry for each node of the tree: at a decision an array (actions, 169)
of probabilities, at an end None. Values are in big blinds won, summed over the opposing classes
with the probability of each pair of classes: the sum over all classes is what a player wins a hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeAlias

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.preflop.betting import BIG_BLIND, SMALL_BLIND, PreflopNode, PreflopTree
from pokerlab.preflop.class_matchups import N_CLASSES, class_tables

Strategy: TypeAlias = "Sequence[Floats | None]"
Reaches: TypeAlias = "Mapping[int, Floats]"
"""By node, how often each class gets there."""
Choice: TypeAlias = Callable[[int, Floats], Floats]


class FlopValues(Protocol):
    """The values after a flop, at the ends of the betting that lead to one."""

    def values(
        self, reaches: Reaches, hero: int, *, best: bool, by_group: bool = False
    ) -> Mapping[int, Floats]:
        """By node, what each class of the hero wins against the opposing classes that get there.

        `reaches` is by node how often each opposing class plays so; all nodes are asked for at
        once, so that all cores have something to do. With `best`, the hero plays a best response
        after the flop, with `by_group` one that plays one strategy for each group.
        """


class PreflopGame:
    """A tree of bets before the flop, and what its ends are worth.

    Parameters
    ----------
    tree
        The bets.
    flops
        What follows a flop; by default nobody bets after it, and the pot is shown down.

    Examples
    --------
    >>> from pokerlab.preflop.betting import PreflopRules
    >>> game = PreflopGame(PreflopTree(PreflopRules.push_fold(10)))
    >>> float(game.best_values(game.uniform(), SMALL_BLIND).sum()) > 0
    True
    """

    def __init__(self, tree: PreflopTree, flops: FlopValues | None = None) -> None:
        self.tree = tree
        self.flops = flops
        tables = class_tables()
        self.chances: Floats = tables.pairs / tables.pairs.sum()
        """How likely each pair of classes is dealt."""
        self._margins: Floats = self.chances * (2 * tables.equities - 1)

    def uniform(self) -> list[Floats | None]:
        """The strategy that takes all actions equally often."""
        return [
            None
            if node.player is None
            else np.full((len(node.actions), N_CLASSES), 1 / len(node.actions))
            for node in self.tree.nodes
        ]

    def payoffs(self, node: PreflopNode, hero: int) -> Floats:
        """What the hero wins at a fold or a showdown with each pair of classes, times its chance.

        A flop counts as a showdown of what has been put in.
        """
        if node.folded is not None:
            lost = node.paid[node.folded] + self.tree.rules.ante
            return self.chances * (-lost if node.folded == hero else lost)
        return self._margins * (node.paid[hero] + self.tree.rules.ante)

    def end_values(self, number: int, hero: int, reach: Floats) -> Floats:
        """What each class of the hero wins at an end against opposing classes that get there.

        A flop counts as a showdown.
        """
        node = self.tree.nodes[number]
        if node.folded is not None:
            lost = node.paid[node.folded] + self.tree.rules.ante
            return (-lost if node.folded == hero else lost) * (self.chances @ reach)
        return (node.paid[hero] + self.tree.rules.ante) * (self._margins @ reach)

    def values(self, strategy: Strategy, hero: int, *, flop_best: bool = False) -> Floats:
        """The value of each class of a player when both play a strategy: (169,).

        With `flop_best`, the hero plays a best response after the flop.
        """
        return self._values(0, strategy, hero, None, _play(strategy), flop_best)

    def best_values(self, strategy: Strategy, hero: int, *, by_group: bool = False) -> Floats:
        """The same where the hero plays a best response, before and after the flop.

        With `by_group`, the hero plays one strategy for each group after the flop.
        """

        def take_best(_: int, of_actions: Floats) -> Floats:
            return np.asarray(of_actions.max(axis=0))

        return self._values(0, strategy, hero, None, take_best, True, by_group)

    def action_values(self, strategy: Strategy, number: int) -> Floats:
        """What each action of a decision wins for each class of who acts: (actions, 169).

        In big blinds for a class that gets there, whatever it did before; NaN where no opposing
        hand does.
        """
        node = self.tree.nodes[number]
        assert node.player is not None
        reach = self.reach(strategy, number, 1 - node.player)
        met = self.chances @ reach
        rows = [
            self._values(child, strategy, node.player, reach, _play(strategy), False)
            for child in node.children
        ]
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(rows) / met

    def reach(self, strategy: Strategy, number: int, player: int) -> Floats:
        """How often each class of a player does what leads to a node: (169,)."""
        reach = np.ones(N_CLASSES)
        here = 0
        for label in self.tree.nodes[number].line.split("/") if number else []:
            node = self.tree.nodes[here]
            action = node.actions.index(label)
            if node.player == player:
                reach = reach * _probabilities(strategy, here)[action]
            here = node.children[action]
        return reach

    def arrivals(
        self, strategy: Strategy, hero: int, number: int = 0, reach: Floats | None = None
    ) -> dict[int, Floats]:
        """By node, from one on: how often each class of the hero's opponent gets there.

        `reach` is how often it gets to the first one.
        """
        node = self.tree.nodes[number]
        here = np.ones(N_CLASSES) if reach is None else reach
        found = {number: here}
        for action, child in enumerate(node.children):
            if node.player == hero:
                found |= self.arrivals(strategy, hero, child, here)
            else:
                taken = _probabilities(strategy, number)[action]
                found |= self.arrivals(strategy, hero, child, here * taken)
        return found

    def at_flops(self, arrivals: Reaches) -> dict[int, Floats]:
        """Of `arrivals`, those at the flops."""
        nodes = self.tree.nodes
        return {n: reach for n, reach in arrivals.items() if nodes[n].ending == "flop"}

    def exploitability(self, strategy: Strategy, *, by_group: bool = False) -> float:
        """Half of what both players could win together by best responses, in big blinds."""
        best = [
            self.best_values(strategy, hero, by_group=by_group).sum()
            for hero in (SMALL_BLIND, BIG_BLIND)
        ]
        return float(sum(best)) / 2

    def _values(
        self,
        number: int,
        strategy: Strategy,
        hero: int,
        reach: Floats | None,
        choose: Choice,
        flop_best: bool,
        by_group: bool = False,
    ) -> Floats:
        arrivals = self.arrivals(strategy, hero, number, reach)
        after_flop: Mapping[int, Floats] = {}
        if self.flops is not None:
            reaches = self.at_flops(arrivals)
            after_flop = self.flops.values(reaches, hero, best=flop_best, by_group=by_group)
        return self.climb(number, hero, arrivals, choose, after_flop)

    def climb(
        self,
        number: int,
        hero: int,
        arrivals: Reaches,
        choose: Choice,
        after_flop: Mapping[int, Floats],
    ) -> Floats:
        """Values of the hero's classes at a node; `choose` makes them of those of their actions.

        `arrivals` are the opponent's, and `after_flop` the values at flops, where there are bets.
        """
        node = self.tree.nodes[number]
        if number in after_flop:
            return after_flop[number]
        if node.player is None:
            return self.end_values(number, hero, arrivals[number])
        rows = [self.climb(child, hero, arrivals, choose, after_flop) for child in node.children]
        if node.player == hero:
            return choose(number, np.asarray(rows))
        return sum(rows, np.zeros(N_CLASSES))


def _play(strategy: Strategy) -> Choice:
    """The values of actions if the hero plays a strategy."""

    def play(number: int, of_actions: Floats) -> Floats:
        return np.asarray((_probabilities(strategy, number) * of_actions).sum(axis=0))

    return play


def _probabilities(strategy: Strategy, number: int) -> Floats:
    found = strategy[number]
    assert found is not None  # a decision has probabilities
    return found

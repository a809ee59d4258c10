"""CFR on an explicit tree whose information sets are merged: the slow truth about groups.

Plain walks over all nodes, depth by depth, with the formulas of `pokerlab.solvers.rules`. Merged
information sets may be of imperfect recall. As in the post-flop engine, the players are updated in
turn, and a strategy enters the average when the opponent is updated.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from pokerlab.games.protocol import CHANCE
from pokerlab.solvers import PassedUpValue, Rule, parse_rule
from pokerlab.trees import GameTree

__all__ = ["MergedCfr"]

Floats: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.signedinteger[Any]]


class MergedCfr:
    """CFR for merged information sets.

    Parameters
    ----------
    tree
        A two-player game in which every information set belongs to one private hand.
    merged
        For each information set the number of the set that it is part of.
    weights
        For each information set the weight of its hand in the range.
    rule
        How to learn.
    """

    def __init__(
        self, tree: GameTree, merged: Sequence[int], weights: Floats, rule: str | Rule
    ) -> None:
        self.tree, self.rule, self.iteration = tree, parse_rule(rule), 0
        infosets = tree.infosets
        sets = np.asarray(merged)
        actions = np.zeros(sets.max() + 1, int)
        actions[sets] = infosets.n_actions
        self.first = np.concatenate([[0], np.cumsum(actions)])
        self.actions = actions
        own = infosets.slot_infoset
        number = np.arange(infosets.slots) - infosets.offset[own]
        self.merged_slot = self.first[sets[own]] + number
        """For each slot of the tree the one that it is merged into."""
        self.slot_player = np.zeros(self.first[-1], int)
        self.slot_player[self.merged_slot] = infosets.player[own]
        self.set_of_slot = np.repeat(np.arange(len(actions)), actions)
        self.weights = weights
        depth = np.zeros(len(tree), int)
        for node in range(1, len(tree)):
            depth[node] = depth[tree.parent[node]] + 1
        self.levels = [np.flatnonzero(depth == each) for each in range(depth.max() + 1)]
        self.chance = np.ones(len(tree))
        for nodes in self.levels[1:]:
            self.chance[nodes] = self.chance[tree.parent[nodes]] * tree.chance[nodes]
        self.edge = np.where(tree.slot >= 0, self.merged_slot[tree.slot], -1)
        """For each node the merged slot of the edge into it."""
        self.regret = np.zeros(self.first[-1])
        self.predicted = np.zeros(self.first[-1])
        self.greedy = 1.0 / np.repeat(actions, actions)
        self.sums = np.zeros(self.first[-1])
        if self.rule.plays_against_average:
            for player in range(2):
                self._record(player, 1.0)

    def iterate(self, iterations: int) -> None:
        for _ in range(iterations):
            self.iteration += 1
            step = self.rule.at(self.iteration)
            for hero in range(2):
                if not self.rule.plays_against_average and self.rule.averages:
                    self._record(1 - hero, step.average)
                self._update(hero)
                if self.rule.plays_against_average:
                    self._record(hero, 1.0)

    def current(self) -> Floats:
        """The strategy by merged slot."""
        if self.rule.greedy:
            return self.greedy
        return self._normalised(self.predicted)

    def answer(self) -> Floats:
        """The average if the rule has one."""
        return self._normalised(self.sums) if self.rule.averages else self.current()

    def by_hand(self, strategy: Floats) -> Floats:
        """A strategy by the slots of the tree."""
        return strategy[self.merged_slot]

    def best_by_group(self, strategy: Floats, hero: int) -> float:
        """The value of the response that takes, going up, the best action of each set."""
        return float(self._walk(hero, strategy, None)[0])

    def _normalised(self, weights: Floats) -> Floats:
        weights = np.maximum(weights, 0)
        totals = np.bincount(self.set_of_slot, weights)[self.set_of_slot]
        counts = self.actions[self.set_of_slot]
        return np.where(totals > 0, weights / np.where(totals > 0, totals, 1), 1 / counts)

    def _reach(self, strategy: Floats, player: int) -> Floats:
        """For each node the product of a player's probabilities on the way."""
        reach = np.ones(len(self.tree))
        for nodes in self.levels[1:]:
            parents = self.tree.parent[nodes]
            own = self.tree.player[parents] == player
            played = np.where(own, strategy[self.edge[nodes]], 1.0)
            reach[nodes] = reach[parents] * played
        return reach

    def _record(self, player: int, keep: float) -> None:
        """Add the current strategy of a player to the sums, weighted by reach and range."""
        strategy = self.current()
        reach = self._reach(strategy, player)
        infosets = self.tree.infosets
        new = np.zeros(len(self.sums))
        decisions = np.flatnonzero(self.tree.player == player)
        numbers, first = np.unique(self.tree.infoset[decisions], return_index=True)
        for number, node in zip(numbers.tolist(), decisions[first].tolist(), strict=True):
            for slot in range(infosets.offset[number], infosets.offset[number + 1]):
                merged = self.merged_slot[slot]
                new[merged] += self.weights[number] * reach[node] * strategy[merged]
        own = self.slot_player == player
        self.sums[own] = (self.sums * keep + new)[own]

    def _update(self, hero: int) -> None:
        against = self.answer() if self.rule.plays_against_average else self.current()
        strategy = np.where(self.slot_player == hero, self.current(), against)
        self._walk(hero, strategy, self.rule.at(self.iteration))

    def _walk(self, hero: int, strategy: Floats, step: Any) -> Floats:
        """Values of all nodes; learns with a step, and takes the best action without one."""
        tree = self.tree
        values = np.zeros(len(tree))
        values[tree.terminals] = tree.payoffs[:, hero]
        reach = self.chance * self._reach(strategy, 1 - hero)
        for nodes in self.levels[:0:-1]:
            parents = tree.parent[nodes]
            movers = tree.player[parents]
            own = movers == hero
            if own.any():
                edges = self.edge[nodes[own]]
                worth = np.bincount(
                    edges, (reach[nodes] * values[nodes])[own], minlength=len(strategy)
                )
                passed = self._learn(strategy, worth, np.unique(edges), step)
            factors = np.where(movers == CHANCE, tree.chance[nodes], 1.0)
            factors = np.where(movers == 1 - hero, strategy[self.edge[nodes]], factors)
            if own.any():
                factors = np.where(own, passed[self.edge[nodes]], factors)
            np.add.at(values, parents, factors * values[nodes])
        return values

    def _learn(self, strategy: Floats, worth: Floats, slots: Ints, step: Any) -> Floats:
        """Update some merged slots; with what probabilities their values are passed up."""
        best = np.zeros(len(strategy))
        for each in np.unique(self.set_of_slot[slots]).tolist():
            here = range(self.first[each], self.first[each + 1])
            best[max(here, key=lambda slot: (worth[slot], slot))] = 1.0
        if step is None:
            return best
        sets = self.set_of_slot
        mean = np.bincount(sets, strategy * worth, minlength=len(self.actions))[sets]
        if self.rule.greedy:
            away = step.hedge / self.actions[sets]
            less = np.maximum(self.greedy * (1 - step.greedy) - away, 0) * (1 - best)
            others = np.bincount(sets, less, minlength=len(self.actions))[sets]
            new = np.where(best > 0, 1 - others, less)
            self.greedy = self.greedy.copy()
            self.greedy[slots] = new[slots]
        else:
            gain = worth - mean
            kept = np.where(self.regret > 0, step.positive, step.negative) * self.regret
            self.regret[slots] = (kept + gain)[slots]
            ahead = np.where(self.regret > 0, step.prediction, step.prediction + step.trial)
            predicted = np.maximum(self.regret, 0) + ahead * gain
            self.predicted[slots] = predicted[slots]
        if self.rule.passes_up == PassedUpValue.BEST:
            return best
        return self.current() if self.rule.passes_up == PassedUpValue.NEW else strategy

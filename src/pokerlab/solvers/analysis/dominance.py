"""Obvious moves: iterated elimination of dominated actions, with the reason for each step.

Nobody calls a bet with the worst card, and nobody folds the best. In general: a player prefers
action a to action b at an information set if a with some plan for the later moves gets at least as
much as b with any plan, whatever the opponent does, and sometimes more.
An opponent's *cluster* is what the player does not see (the opponent's card); if in each cluster
the least coefficient of a is at least the largest of b, the preference is plain to see.

When a move has been removed, it no longer counts as something that the opponent may do, and
more moves become obvious. A move of the first round is dominated; one of a later round is a bad
move against an opponent who does not play the removed ones.

Two players: exact, for plans that are not mixed, wherever an action leaves at most 64 plans. More
players, or more plans: only what is plain from the least and the largest payoff at each node.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

import numpy as np

from pokerlab.arrays import Bools
from pokerlab.games.protocol import CHANCE
from pokerlab.trees.game_tree import GameTree

_MAX_PLANS = 64
_TOLERANCE = 1e-12

Plan: TypeAlias = dict[int, int]
"""Own later information sets, and the slot chosen at each."""
Coefficients: TypeAlias = dict[int, float]
"""Chance times payoff, summed by the opponent's last slot (-1: no move yet)."""


@dataclass(frozen=True)
class Cluster:
    """A possible holding of the opponents, and the values of two actions against it.

    Attributes
    ----------
    hidden
        The moves that the player has not seen, as `GameTree.path` writes them.
    preferred
        The least coefficient (chance times payoff) of the preferred action.
    removed
        The largest coefficient of the other action.
    """

    hidden: str
    preferred: float
    removed: float


@dataclass(frozen=True)
class Elimination:
    """One step: a move that need not be played, and why.

    Attributes
    ----------
    round
        1 for what is dominated, more for what follows from earlier rounds.
    player, infoset, action
        The move.
    preferred
        The action that is better.
    plan
        How the player goes on after the preferred action: action by information set.
    clusters
        The comparison for each cluster.
    """

    round: int
    player: int
    infoset: str
    action: str
    preferred: str
    plan: Mapping[str, str]
    clusters: tuple[Cluster, ...]

    @property
    def plain(self) -> bool:
        """Whether each cluster by itself shows the preference."""
        return all(one.preferred >= one.removed - _TOLERANCE for one in self.clusters)

    def explain(self) -> str:
        """The step in words."""
        later = ", ".join(f"{action} at {name!r}" for name, action in self.plan.items())
        reason = "whatever the others do, it is worth at least as much and sometimes more"
        if self.plain:
            listed = "; ".join(
                f"{one.hidden or 'always'}: {one.preferred:.4f} ≥ {one.removed:.4f}"
                for one in self.clusters
            )
            reason = f"in each cluster its coefficient is at least as large ({listed})"
        return (
            f"Player {self.player} at {self.infoset!r} prefers {self.preferred} to {self.action}"
            + (f" (then {later})" if later else "")
            + (", now that other moves are gone" if self.round > 1 else "")
            + f": {reason}."
        )


@dataclass(frozen=True, eq=False)
class ObviousMoves:
    """The game without obvious mistakes, and the reason for each.

    Attributes
    ----------
    eliminations
        The steps, in order.
    alive
        For each slot, whether it is left.
    """

    eliminations: tuple[Elimination, ...]
    alive: Bools


def obvious_moves(tree: GameTree, *, rounds: int | None = None) -> ObviousMoves:
    """Remove moves that are obviously worse than others, until there are none or `rounds` are up.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> found = obvious_moves(GameTree.build(load_game("kuhn")))
    >>> for step in found.eliminations[:2]:
    ...     print(step.round, step.player, step.infoset, step.action)
    1 0 Js:cr c
    1 0 Ks:cr f
    """
    alive = np.ones(tree.infosets.slots, bool)
    steps: list[Elimination] = []
    number = 0
    while rounds is None or number < rounds:
        number += 1
        found = list(_Round(tree, alive, number).eliminations())
        if not found:
            break
        for step, slot in found:
            steps.append(step)
            alive[slot] = False
    return ObviousMoves(tuple(steps), alive)


class _Round:
    """One round: all comparisons are made with the moves that were alive when it began."""

    def __init__(self, tree: GameTree, alive: Bools, number: int) -> None:
        self.tree = tree
        self.number = number
        infosets = tree.infosets
        self.alive = alive.copy()
        # A slot can be played when it and the owner's slots before it are alive.
        self.playable = np.append(alive, True)
        for infoset in range(len(infosets)):
            if not self.playable[infosets.parent[infoset]]:
                self.playable[infosets.offset[infoset] : infosets.offset[infoset + 1]] = False
        self.next_sets: dict[int, list[int]] = {}
        for infoset, slot in enumerate(infosets.parent.tolist()):
            self.next_sets.setdefault(slot, []).append(infoset)
        reachable = self.playable[tree.terminal_slots].all(axis=1)
        self.leaves: dict[int, list[int]] = {}
        for leaf in np.flatnonzero(reachable).tolist():
            for slot in tree.terminal_slots[leaf].tolist():
                self.leaves.setdefault(slot, []).append(leaf)
        self.histories: dict[int, list[int]] = {}
        open_node = self._open_nodes()
        for node in np.flatnonzero((tree.infoset >= 0) & open_node).tolist():
            self.histories.setdefault(int(tree.infoset[node]), []).append(node)

    def eliminations(self) -> Iterator[tuple[Elimination, int]]:
        """The moves that this round removes, with their slots."""
        for infoset in sorted(self.histories):
            slots = self._alive_slots(infoset)
            if len(slots) < 2:
                continue
            options = {slot: self._options(infoset, slot) for slot in slots}
            for removed in slots:
                for preferred in slots:
                    if preferred == removed:
                        continue
                    plan = self._better(infoset, preferred, removed, options)
                    if plan is not None:
                        yield self._elimination(infoset, removed, preferred, plan), removed
                        break

    def _better(
        self,
        infoset: int,
        preferred: int,
        removed: int,
        options: Mapping[int, list[tuple[Plan, Coefficients]] | None],
    ) -> Plan | None:
        """A plan after `preferred` that is never worse than `removed`, and sometimes better."""
        ours, theirs = options[preferred], options[removed]
        if ours is None or theirs is None:
            return {} if self._plainly_better(infoset, preferred, removed) else None
        for plan, gains in ours:
            if all(self._never_worse(gains, losses) for _, losses in theirs):
                return plan
        return None

    def _options(self, infoset: int, slot: int) -> list[tuple[Plan, Coefficients]] | None:
        """All plans after a slot with their coefficients; None if there are too many."""
        if self.tree.players != 2 or self._count_plans(slot) > _MAX_PLANS:
            return None
        return self._plans(int(self.tree.infosets.player[infoset]), slot)

    def _count_plans(self, slot: int) -> int:
        count = 1
        for infoset in self._next(slot):
            count *= sum(self._count_plans(later) for later in self._alive_slots(infoset))
            if count > _MAX_PLANS:
                break
        return count

    def _plans(self, player: int, slot: int) -> list[tuple[Plan, Coefficients]]:
        tree = self.tree
        sums: Coefficients = {}
        for leaf in self.leaves.get(slot, ()):
            last = int(tree.terminal_slots[leaf, 1 - player])
            gain = float(tree.terminal_chance[leaf] * tree.payoffs[leaf, player])
            sums[last] = sums.get(last, 0.0) + gain
        choices = [
            [
                ({infoset: later, **plan}, gains)
                for later in self._alive_slots(infoset)
                for plan, gains in self._plans(player, later)
            ]
            for infoset in self._next(slot)
        ]
        found = []
        for chosen in product(*choices):
            plan: Plan = {}
            total = dict(sums)
            for later_plan, gains in chosen:
                plan |= later_plan
                for last, gain in gains.items():
                    total[last] = total.get(last, 0.0) + gain
            found.append((plan, total))
        return found

    def _never_worse(self, gains: Coefficients, losses: Coefficients) -> bool:
        """Whether the difference is at least 0 against all an opponent can do, and not always 0."""
        difference = dict(gains)
        for last, loss in losses.items():
            difference[last] = difference.get(last, 0.0) - loss
        least, most = self._extremes(difference)
        return least >= -_TOLERANCE and most > _TOLERANCE

    def _extremes(self, difference: Coefficients) -> tuple[float, float]:
        """The least and the most that an opponent can make of coefficients on their slots.

        Up their tree from the last information set: the best of the actions at each set, the
        sum of all sets after an action.
        """
        infosets = self.tree.infosets
        low, high = dict(difference), dict(difference)
        waiting = {int(infosets.slot_infoset[slot]) for slot in difference if slot >= 0}
        while waiting:
            infoset = max(waiting)
            waiting.remove(infoset)
            slots = self._alive_slots(infoset)
            before = int(infosets.parent[infoset])
            low[before] = low.get(before, 0.0) + min(low.get(slot, 0.0) for slot in slots)
            high[before] = high.get(before, 0.0) + max(high.get(slot, 0.0) for slot in slots)
            if before >= 0:
                waiting.add(int(infosets.slot_infoset[before]))
        return low.get(-1, 0.0), high.get(-1, 0.0)

    def _plainly_better(self, infoset: int, preferred: int, removed: int) -> bool:
        clusters = self._clusters(infoset, preferred, removed, {})
        return all(one.preferred >= one.removed - _TOLERANCE for one in clusters) and any(
            one.preferred > one.removed + _TOLERANCE for one in clusters
        )

    def _elimination(self, infoset: int, removed: int, preferred: int, plan: Plan) -> Elimination:
        infosets = self.tree.infosets
        return Elimination(
            round=self.number,
            player=int(infosets.player[infoset]),
            infoset=infosets.names[infoset],
            action=infosets.action(removed),
            preferred=infosets.action(preferred),
            plan={infosets.names[later]: infosets.action(slot) for later, slot in plan.items()},
            clusters=self._clusters(infoset, preferred, removed, plan),
        )

    def _clusters(
        self, infoset: int, preferred: int, removed: int, plan: Plan
    ) -> tuple[Cluster, ...]:
        tree = self.tree
        player = int(tree.infosets.player[infoset])
        first = tree.infosets.offset[infoset]
        nodes = self.histories[infoset]
        paths = [tree.path(node).split() for node in nodes]
        found = []
        for node, path in zip(nodes, paths, strict=True):
            others = [set(path) - set(other) for other in paths]
            hidden = [move for move in path if any(move in unlike for unlike in others)]
            children = tree.children(node)
            chance = self._chance_before(node)
            least, _ = self._range(children[preferred - first], player, plan)
            _, most = self._range(children[removed - first], player, {})
            found.append(Cluster(" ".join(hidden), chance * least, chance * most))
        return tuple(found)

    def _range(self, root: int, player: int, plan: Plan) -> tuple[float, float]:
        """The least and the largest expected payoff from a node on, over all alive moves."""
        tree = self.tree
        low: dict[int, float] = {}
        high: dict[int, float] = {}
        for node in range(int(tree.end[root]) - 1, root - 1, -1):
            children = tree.children(node)
            if not children:
                leaf = int(np.searchsorted(tree.terminals, node))
                low[node] = high[node] = float(tree.payoffs[leaf, player])
            elif tree.player[node] == CHANCE:
                low[node] = sum(tree.chance[child] * low[child] for child in children)
                high[node] = sum(tree.chance[child] * high[child] for child in children)
            else:
                chosen = plan.get(int(tree.infoset[node]))
                left = [
                    child
                    for child in children
                    if self.alive[tree.slot[child]] and chosen in (None, int(tree.slot[child]))
                ]
                low[node] = min(low[child] for child in left)
                high[node] = max(high[child] for child in left)
        return low[root], high[root]

    def _chance_before(self, node: int) -> float:
        chance = 1.0
        while node > 0:
            chance *= float(self.tree.chance[node])
            node = int(self.tree.parent[node])
        return chance

    def _open_nodes(self) -> Bools:
        """Nodes to which only alive moves lead."""
        tree = self.tree
        open_node = np.append(self.alive, True)[tree.slot]
        for node in range(1, len(tree)):
            if not open_node[tree.parent[node]]:
                open_node[node] = False
        return open_node

    def _next(self, slot: int) -> list[int]:
        """The owner's next information sets after a slot that can still be reached."""
        return [one for one in self.next_sets.get(slot, ()) if one in self.histories]

    def _alive_slots(self, infoset: int) -> list[int]:
        offset = self.tree.infosets.offset
        return [slot for slot in range(offset[infoset], offset[infoset + 1]) if self.alive[slot]]

"""A small decision tree over the hands of a range, and the rules that it stands for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from pokerlab.holdem.spots.simple.conditions import HandCondition
from pokerlab.holdem.spots.simple.rounding import Rounding
from pokerlab.runtime.arrays import Bools, Floats

_DISTANCE = 0.1
"""What play that is all different from the full strategy costs, as a part of the pot: hands that
mix are indifferent between their actions, but the range is not."""


class RangeHands(NamedTuple):
    """The hands of a decision that count.

    Attributes
    ----------
    weights : (hands,)
        How likely each is.
    strategy, values : (actions, hands)
        The full strategy, and what each action is worth as a part of the pot.
    conditions, holds
        The conditions, and (conditions, hands) who fulfils them.
    """

    weights: Floats
    strategy: Floats
    values: Floats
    conditions: tuple[HandCondition, ...]
    holds: Bools

    def cost(
        self, masks: Floats, rounding: Rounding, *, second: bool = False
    ) -> tuple[Floats, Floats]:
        """What simple play costs sets of hands (sets, hands), and that play (sets, actions).

        It is their mean play, rounded; with `second`, as if they never took the action that they
        take most often.
        """
        weighed = masks * self.weights
        total = weighed.sum(axis=1)
        played, worth = weighed @ self.strategy.T, weighed @ self.values.T
        mean = played / np.maximum(total, 1e-300)[:, None]
        mean[total <= 0] = 1 / len(self.strategy)
        if second:
            largest = np.arange(len(mean)), mean.argmax(axis=1)
            mean = mean + 1e-3  # where all take one action, the others are as good as one another
            mean[largest] = 0.0
            mean /= mean.sum(axis=1, keepdims=True)
        play = rounding.round(np.ascontiguousarray(mean.T, np.float32)).T.astype(np.float64)
        full = weighed @ (self.strategy * self.values).sum(axis=0)
        spread = weighed @ (self.strategy**2).sum(axis=0)
        spread += (play**2).sum(axis=1) * total - 2 * (play * played).sum(axis=1)
        return full - (play * worth).sum(axis=1) + _DISTANCE * spread, play


@dataclass(eq=False)
class RuleNode:
    """A set of hands that play the same, or a condition that parts them."""

    mask: Bools
    play: Floats
    cost: float
    condition: HandCondition | None = None
    parts: list[RuleNode] = field(default_factory=list)
    """Those who fulfil the condition, and the others."""

    def leaves(self) -> list[RuleNode]:
        """The sets that play the same, those who fulfil a condition first."""
        return [leaf for part in self.parts for leaf in part.leaves()] if self.parts else [self]

    def strategy(self) -> Floats:
        """(actions, hands)."""
        found = np.zeros((len(self.play), len(self.mask)))
        for leaf in self.leaves():
            found[:, leaf.mask] = leaf.play[:, None]
        return found


class RuleSplit(NamedTuple):
    """A leaf and the two that a condition makes of it."""

    gain: float
    leaf: RuleNode
    condition: HandCondition
    parts: tuple[RuleNode, RuleNode]

    def apply(self) -> None:
        """Part the leaf."""
        self.leaf.condition, self.leaf.parts = self.condition, list(self.parts)

    def undo(self) -> None:
        """Make it a leaf again."""
        self.leaf.condition, self.leaf.parts = None, []


def first_leaf(hands: RangeHands, rounding: Rounding) -> RuleNode:
    """All hands as one set."""
    mask = np.ones(len(hands.weights), np.bool_)
    cost, play = hands.cost(mask[None].astype(np.float64), rounding)
    return RuleNode(mask, play[0], float(cost[0]))


def best_splits(
    hands: RangeHands, tree: RuleNode, rounding: Rounding, most: int
) -> list[RuleSplit]:
    """The splits of leaves that save most, the best first; none that changes nothing.

    Half of them are corrections: one part takes what it does second most often, so that the range
    as a whole takes each action often enough.
    """
    found: dict[bool, list[RuleSplit]] = {False: [], True: []}
    for leaf in tree.leaves():
        masks = np.stack([hands.holds & leaf.mask, ~hands.holds & leaf.mask])
        numbers = masks.astype(np.float64)
        there = (masks @ hands.weights > 0).all(axis=0)
        yes, no = (hands.cost(each, rounding) for each in numbers)
        swapped = [hands.cost(each, rounding, second=True) for each in numbers]
        for kind, first, other in (
            (False, yes, no),
            (True, swapped[0], no),
            (True, yes, swapped[1]),
        ):
            gains = leaf.cost - first[0] - other[0]
            parted = np.flatnonzero(there & (first[1] != other[1]).any(axis=1))
            for number in parted[np.argsort(-gains[parted], kind="stable")][:most].tolist():
                parts = (
                    RuleNode(masks[0, number], first[1][number], float(first[0][number])),
                    RuleNode(masks[1, number], other[1][number], float(other[0][number])),
                )
                gain, condition = float(gains[number]), hands.conditions[number]
                found[kind].append(RuleSplit(gain, leaf, condition, parts))
    best = [sorted(each, key=lambda split: -split.gain) for each in found.values()]
    corrections = best[1][: most // 2]
    return [*best[0][: most - len(corrections)], *corrections]


class PlayRule(NamedTuple):
    """A rule of a list: the first that fits a hand says what it plays.

    Attributes
    ----------
    alternatives
        Conditions that must all hold, or others in their place; one without conditions fits all.
    play
        How often each action is taken.
    share
        The part of the range to which it applies.
    """

    alternatives: tuple[tuple[HandCondition, ...], ...]
    play: tuple[float, ...]
    share: float


def list_rules(tree: RuleNode, weights: Floats) -> tuple[PlayRule, ...]:
    """The tree as a list of rules.

    Who fulfils a condition is listed before who does not, so a rule needs to name only what must
    hold. Neighbours that play the same are one rule.
    """
    total = float(weights.sum())
    found: list[PlayRule] = []

    def walk(node: RuleNode, needed: tuple[HandCondition, ...]) -> None:
        if node.parts and node.condition is not None:
            kept = tuple(each for each in needed if not node.condition.implies(each))
            implied = any(each.implies(node.condition) for each in kept)
            walk(node.parts[0], kept if implied else (*kept, node.condition))
            walk(node.parts[1], needed)
            return
        share = float(weights[node.mask].sum()) / total
        play = tuple(float(each) for each in node.play)
        if found and found[-1].play == play:
            last = found.pop()
            alternatives = _joined((*last.alternatives, needed))
            found.append(PlayRule(alternatives, play, last.share + share))
        else:
            found.append(PlayRule((needed,), play, share))

    walk(tree, ())
    return tuple(found)


def _joined(
    alternatives: Sequence[tuple[HandCondition, ...]],
) -> tuple[tuple[HandCondition, ...], ...]:
    """Without alternatives that another one contains."""
    kept: list[tuple[HandCondition, ...]] = []
    for each in alternatives:
        if any(_contains(other, each) for other in kept):
            continue
        kept = [*(other for other in kept if not _contains(each, other)), each]
    return tuple(kept)


def _contains(wide: tuple[HandCondition, ...], narrow: tuple[HandCondition, ...]) -> bool:
    return all(any(each.implies(needed) for each in narrow) for needed in wide)

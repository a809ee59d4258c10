"""How a player plays, from hands of which some were never shown.

To count only what was shown is wrong: players who fold their bad hands show the good ones. So
this is expectation-maximisation ("Maximum likelihood from incomplete data via the EM algorithm",
1977). Given a strategy, each deal that fits a hand has a probability, by how likely all would have
acted so with these cards; the hand is counted in these shares; and the counts are a better
strategy. The likelihood grows with every round. What the others may have held matters too, where
that is not known either, so a strategy of theirs is estimated beside that of the player.

Counts are smoothed by Dirichlet priors: at each information set, the prior counts as much as a
number of observations. With more and more hands the estimate converges to the true play, as far as
the visible actions depend on the cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

import numpy as np

from pokerlab.players.opponents.observations import Evidence
from pokerlab.runtime.arrays import Floats, Int32s
from pokerlab.solvers.strategy import Strategy, StrategyLike, probabilities
from pokerlab.trees.game_tree import GameTree
from pokerlab.trees.infosets import Infosets

_TOLERANCE = 1e-7
_ROUNDS = 5_000


@dataclass(frozen=True, eq=False)
class Estimate:
    """An estimated strategy.

    Attributes
    ----------
    strategy
        What the player does; the prior where nothing was observed.
    counts
        How often the player took each slot: expected numbers, with shares of hands not shown.
    shown
        The part of `counts` from hands in which the player's cards are known.
    rounds
        How many rounds of expectation and maximisation it took.
    """

    strategy: Strategy
    counts: Floats
    shown: Floats
    rounds: int


def estimate_strategy(
    tree: GameTree,
    evidence: Evidence,
    prior: StrategyLike | None = None,
    prior_weight: float = 1.0,
) -> Estimate:
    """Estimate how a player plays.

    Parameters
    ----------
    tree
        The game.
    evidence
        The hands of the player.
    prior
        How the player is assumed to play before anything was seen; by default uniformly.
    prior_weight
        As how many observations at each information set the prior counts.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> from pokerlab.players.opponents import observe
    >>> kuhn = load_game("kuhn")
    >>> tree = GameTree.build(kuhn)
    >>> hands = {observe(kuhn.replay("cc", kuhn.make_deal(["Js", "Ks"])), 0): 8,
    ...          observe(kuhn.replay("rc", kuhn.make_deal(["Js", "Ks"])), 0): 1}
    >>> found = estimate_strategy(tree, Evidence.of(tree, hands))
    >>> found.strategy["Js"], found.counts[:2].tolist()
    ({'c': 0.85, 'r': 0.15}, [8.0, 1.0])
    """
    if not (isfinite(prior_weight) and prior_weight >= 0.0):
        raise ValueError(f"prior weight: {prior_weight:g} is not a number from 0 on")
    infosets = tree.infosets
    uniform = Strategy.uniform(infosets).array
    before = prior_weight * (uniform if prior is None else probabilities(tree, prior))
    levels = _Levels(infosets)
    own, other = uniform, uniform
    rounds = 0
    while True:
        rounds += 1
        share = _posterior(evidence, levels.plan(own), levels.plan(other))
        counts = levels.visits([evidence.own], share)
        others = levels.visits(list(evidence.others.T), share)
        new = _normalised(infosets, counts + before)
        new_other = _normalised(infosets, others + prior_weight * uniform)
        change = max(np.abs(new - own).max(), np.abs(new_other - other).max())
        own, other = new, new_other
        if change <= _TOLERANCE or rounds == _ROUNDS:
            break
    known = np.where(evidence.shown[evidence.observation], share, 0.0)
    strategy = own
    if prior is not None:
        # Where nothing was observed and the prior has no weight, it is still the best guess.
        seen = np.repeat(np.add.reduceat(counts + before, infosets.offset[:-1]), infosets.n_actions)
        strategy = np.where(seen > 0.0, own, probabilities(tree, prior))
    return Estimate(
        Strategy(infosets, strategy), counts, levels.visits([evidence.own], known), rounds
    )


def _posterior(evidence: Evidence, own: Floats, other: Floats) -> Floats:
    """The share of its observations that each deal gets."""
    weight = own[evidence.own] * other[evidence.others].prod(axis=1)
    # A deal that a strategy cannot lead to may have to stand for a hand that was played.
    weight = np.maximum(weight, 1e-300)
    total = np.bincount(evidence.observation, weight, len(evidence.counts))
    share: Floats = weight * (evidence.counts / total)[evidence.observation]
    return share


def _normalised(infosets: Infosets, weights: Floats) -> Floats:
    return Strategy.from_weights(infosets, weights).array


class _Levels:
    """Passes over the slots by the number of own moves before, all of a level at once."""

    def __init__(self, infosets: Infosets) -> None:
        self._slots = infosets.slots
        parent = np.repeat(infosets.parent, infosets.n_actions)
        depth = np.zeros(infosets.slots + 1, np.int64)
        depth[-1] = -1
        for infoset, before in enumerate(infosets.parent.tolist()):
            depth[infosets.offset[infoset] : infosets.offset[infoset + 1]] = depth[before] + 1
        levels = range(int(depth.max(initial=-1)) + 1)
        self._levels = [np.flatnonzero(depth[:-1] == level) for level in levels]
        self._parents = [parent[slots] % (infosets.slots + 1) for slots in self._levels]

    def plan(self, chosen: Floats) -> Floats:
        """How likely each slot's owner plays up to it; 1 for slot -1, the last entry."""
        plan = np.ones(self._slots + 1)
        for slots, before in zip(self._levels, self._parents, strict=True):
            plan[slots] = plan[before] * chosen[slots]
        return plan

    def visits(self, last_slots: list[Int32s], weights: Floats) -> Floats:
        """How often each slot was taken in hands with these last slots."""
        size = self._slots + 1
        found = np.zeros(size)
        for last in last_slots:
            found += np.bincount(last % size, weights, size)
        for slots, before in zip(reversed(self._levels), reversed(self._parents), strict=True):
            found += np.bincount(before, found[slots], size)
        return found[:-1]

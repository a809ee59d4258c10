"""`resolve`: every subgame of a street solved again, and what that does to a strategy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from pokerlab.runtime.arrays import Floats, Indices
from pokerlab.runtime.errors import shorten
from pokerlab.solvers.evaluation.restricted_player import check_zero_sum
from pokerlab.solvers.evaluation.tree_values import (
    arrival,
    best_response,
    counterfactual_values,
    exploitability,
    reach,
)
from pokerlab.solvers.resolving.gadgets import Entrance, solve_gadget
from pokerlab.solvers.resolving.kinds import check_kind
from pokerlab.solvers.resolving.subgames import Subgame, subgames_from
from pokerlab.solvers.strategy import Strategy, StrategyLike, probabilities
from pokerlab.trees.game_tree import GameTree

VALUES: Final = ("exact", "strategy")
"""What a hand was worth: to a best response, or to the strategy itself."""


@dataclass(frozen=True, eq=False)
class Resolved:
    """A strategy whose subgames were solved again.

    Attributes
    ----------
    strategy
        The strategy as before up to the subgames, and as solved again in them.
    subgames
        How many subgames there are.
    left
        How many times a subgame was left as it was for a player, because nobody gets there.
    before, after
        The exploitability of both strategies.
    margin
        The least, over all hands of both players at the roots, that a hand was worth more to the
        gadget than it is now to a best response; below 0, some hand gains.
    """

    strategy: Strategy
    subgames: int
    left: int
    before: float
    after: float
    margin: float


def resolve(
    tree: GameTree,
    strategy: StrategyLike,
    start: int | Sequence[Subgame] = 2,
    *,
    gadget: str = "resolve",
    worth: str = "exact",
    gifts: float = 0.5,
) -> Resolved:
    """Solve every subgame of a two-player game again, for both players.

    Parameters
    ----------
    tree
        The game.
    strategy
        How both play before the subgames, and what the gadget's values are of.
    start
        The street with which subgames begin, or the subgames themselves.
    gadget
        ``unsafe``, ``resolve``, ``maxmargin`` or ``combined``, each with ``reach-`` before it: the
        hands are then worth more by what the opponent gave away on the way ("Safe and nested
        subgame solving for imperfect-information games", 2017).
    worth
        ``exact``: what a hand is worth to a best response; then neither ``resolve`` nor
        ``maxmargin`` makes the strategy easier to exploit. ``strategy``: what it is worth to the
        strategy.
    gifts
        The part of what was given away that counts with ``reach-``.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> tree = GameTree.build(load_game("leduc"))
    >>> uniform = Strategy.uniform(tree.infosets)
    >>> found = resolve(tree, uniform, gadget="maxmargin")
    >>> found.subgames, round(found.before, 4), found.after < 1.5
    (30, 2.3736, True)
    """
    check_zero_sum(tree, "subgames are solved again in")
    kind = check_kind(gadget)
    if worth not in VALUES:
        raise ValueError(f"hands cannot be worth {shorten(worth)!r} (it is {' or '.join(VALUES)})")
    subgames = subgames_from(tree, start) if isinstance(start, int) else start
    before = probabilities(tree, strategy)
    chosen, left = before.copy(), 0
    promised = []
    for hero in (0, 1):
        doors = _Doors.of(tree, before, hero, worth, gifts if gadget != kind else 0.0)
        for subgame in subgames:
            entrance = doors.entrance(subgame)
            unseen = entrance.prior.max() == 0 and kind in ("unsafe", "combined")
            if entrance.weights.sum() == 0 or unseen:
                left += 1
                continue
            slots, weights = solve_gadget(entrance, kind)
            chosen[slots] = _normalised(tree, slots, weights, before)
            promised.append((entrance, hero))
    after = Strategy(tree.infosets, chosen)
    return Resolved(
        after,
        len(subgames),
        left,
        exploitability(tree, before),
        exploitability(tree, after),
        _margin(tree, after, promised),
    )


@dataclass(frozen=True, eq=False)
class _Doors:
    """What all subgames of one hero share: who gets where, and what it was worth."""

    tree: GameTree
    hero: int
    weights: Floats
    own_reach: Floats
    values: Floats
    gifts: Floats

    @classmethod
    def of(cls, tree: GameTree, chosen: Floats, hero: int, worth: str, gifts: float) -> _Doors:
        opponent = 1 - hero
        best = best_response(tree, chosen, opponent)
        weights = reach(tree, chosen, without=opponent)
        own = np.where(tree.infosets.slot_player == opponent, chosen, 1.0)
        played = best.strategy if worth == "exact" else chosen
        return cls(
            tree,
            hero,
            weights,
            arrival(tree, own) / arrival(tree, np.ones(tree.infosets.slots)),
            counterfactual_values(tree, played, opponent)[:, opponent],
            gifts * _given_away(tree, best.action_values, weights, opponent),
        )

    def entrance(self, subgame: Subgame) -> Entrance:
        """How the opponent comes into a subgame."""
        roots = np.array(subgame.roots)
        _, first, hands = np.unique(
            subgame.seen[1 - self.hero], return_index=True, return_inverse=True
        )
        mass = np.bincount(hands, self.weights[roots])
        worth = np.bincount(hands, self.values[roots]) / np.where(mass > 0, mass, 1.0)
        at = roots[first]
        return Entrance(
            self.tree,
            self.hero,
            roots,
            self.weights[roots],
            hands,
            worth + self.gifts[at],
            self.own_reach[at],
        )


def _given_away(tree: GameTree, worth: Floats, weights: Floats, opponent: int) -> Floats:
    """For each node, how much the opponent's actions on the way there were below the best ones."""
    infosets = tree.infosets
    mass = np.zeros(len(infosets))
    deciding = tree.player == opponent
    np.add.at(mass, tree.infoset[deciding], weights[deciding])
    mine = infosets.slot_player == opponent
    worth = np.where(mine, worth, 0.0)
    best = np.maximum.reduceat(worth, infosets.offset[:-1])
    share = mass[infosets.slot_infoset]
    given = np.where(mine & (share > 0), best[infosets.slot_infoset] - worth, 0.0)
    given = np.append(given / np.where(share > 0, share, 1.0), 0.0)
    total = np.zeros(len(tree))
    for node in range(1, len(tree)):
        total[node] = total[tree.parent[node]] + given[tree.slot[node]]
    return total


def _normalised(tree: GameTree, slots: Indices, weights: Floats, before: Floats) -> Floats:
    """Probabilities from the weights of sequences; as before where the hero never gets."""
    infosets = tree.infosets
    whole = np.zeros(infosets.slots)
    whole[slots] = weights
    sums = np.repeat(np.add.reduceat(whole, infosets.offset[:-1]), infosets.n_actions)
    found: Floats = np.where(sums > 1e-12, whole / np.where(sums > 0, sums, 1.0), before)
    return found[slots]


def _margin(tree: GameTree, after: Strategy, promised: Sequence[tuple[Entrance, int]]) -> float:
    """The least that a hand was worth more in its entrance than now to a best response."""
    now = [
        counterfactual_values(tree, best_response(tree, after, seat).strategy, seat)[:, seat]
        for seat in (0, 1)
    ]
    least = np.inf
    for entrance, hero in promised:
        mass = np.bincount(entrance.hands, entrance.weights)
        won = np.bincount(entrance.hands, now[1 - hero][entrance.roots])
        likely = mass > 0
        least = min(least, float((entrance.worth - won / np.where(likely, mass, 1))[likely].min()))
    return least

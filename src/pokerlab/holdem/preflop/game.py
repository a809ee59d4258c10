"""The game before the flop: a game of 169 buckets, with what is won after the flop below it.

The buckets are the classes of starting hands, with exact card removal. A strategy is a table
(nodes, actions, 169) of probabilities for each street, in the order of the nodes of the betting
tree; there is one street. Values are in big blinds won, summed over the opposing classes with the
probability of each pair of classes: the sum over all classes is what a player wins a hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Protocol, TypeAlias

import numpy as np

from pokerlab.games.betting_trees.betting_tree import EdgeKind
from pokerlab.holdem.limit.bucket_games.bucket_pairs import BucketPairs
from pokerlab.holdem.limit.bucket_games.evaluation import BucketEvaluation
from pokerlab.holdem.limit.bucket_games.street_betting import betting_on
from pokerlab.holdem.preflop.betting import BIG_BLIND, SMALL_BLIND, PreflopRules
from pokerlab.holdem.preflop.class_matchups import N_CLASSES, class_tables
from pokerlab.holdem.preflop.flop_bets import flop_edges
from pokerlab.runtime.arrays import Floats

Strategy: TypeAlias = "Sequence[Floats]"


class FlopGains(Protocol):
    """What bets after the flop change, at the ends of the betting that lead to one."""

    def gains(self, reach: Floats, hero: int, *, best: bool, by_group: bool = False) -> Floats:
        """(flops, 169): what bets add to the values of the hero's classes.

        `reach` (flops, 169) is how often each opposing class gets to the flops; all are asked for
        at once, so that all cores have something to do. With `best`, the hero plays a best
        response after the flop, with `by_group` one that plays one strategy for each group.
        """


class PreflopGame(BucketPairs):
    """The bets before the flop, and what their ends are worth; a `BucketGame` of one street.

    Parameters
    ----------
    rules
        The bets.
    flops
        What follows a flop; by default nobody bets after it, and the pot is shown down.

    Examples
    --------
    >>> game = PreflopGame(PreflopRules.push_fold(10))
    >>> float(game.best_values(game.uniform(), SMALL_BLIND).sum()) > 0
    True
    """

    def __init__(self, rules: PreflopRules, flops: FlopGains | None = None) -> None:
        self.rules = rules
        self.tree = rules.tree
        self.flops = flops
        tables = class_tables()
        self.before = ()
        self.pairs = tables.pairs / tables.pairs.sum()
        self.margin = self.pairs * (2 * tables.equities - 1)
        self.streets = (betting_on(self.tree),)
        matched = self.tree.streets[0].matched[flop_edges(self.tree)]
        self.flop_stakes: Floats = (matched + self.tree.pot / 2) / self.tree.units
        """(flops,): what each player has put in where a flop comes."""
        self._evaluation = BucketEvaluation(self)

    @property
    def identity(self) -> dict[str, str]:
        """The game of a saved state of a solver."""
        return {"rules": repr(self.rules)}

    def uniform(self) -> list[Floats]:
        """The strategy that takes all actions equally often."""
        legal = self.streets[0].child >= 0
        shares = legal / legal.sum(axis=1, keepdims=True)
        return [np.repeat(shares[:, :, None], N_CLASSES, axis=2)]

    def place(self, line: str) -> int:
        """The place of `StreetBetting` after a line: a decision, or an end of the betting.

        Examples
        --------
        >>> game = PreflopGame(PreflopRules.push_fold(10))
        >>> game.place("a"), game.place("a/c") in game.streets[0].showdowns
        (1, True)
        """
        found = self.tree.find(line)
        if found.kind == EdgeKind.NODE:
            return found.node
        child = self.streets[0].child
        return int(child[child >= 0][found.edge])

    def reach(self, strategy: Strategy, player: int) -> Floats:
        """(places, 169): how often each class of a player does what leads to each place."""
        return self._evaluation.follow(player, strategy)[0]

    def values(self, strategy: Strategy, hero: int, *, flop_best: bool = False) -> Floats:
        """The value of each class of a player when both play a strategy: (169,).

        With `flop_best`, the hero plays a best response after the flop.
        """
        return np.asarray(self.place_values(strategy, hero, flop_best=flop_best)[0])

    def place_values(self, strategy: Strategy, hero: int, *, flop_best: bool = False) -> Floats:
        """The same at all places: (places, 169)."""
        return self._climb(strategy, hero, strategy, flop_best)

    def best_values(self, strategy: Strategy, hero: int, *, by_group: bool = False) -> Floats:
        """The same where the hero plays a best response, before and after the flop: (169,).

        With `by_group`, the hero plays one strategy for each group after the flop.
        """
        return np.asarray(self._climb(strategy, hero, None, True, by_group)[0])

    def exploitability(self, strategy: Strategy, *, by_group: bool = False) -> float:
        """Half of what both players could win together by best responses, in big blinds."""
        best = [
            self.best_values(strategy, hero, by_group=by_group).sum()
            for hero in (SMALL_BLIND, BIG_BLIND)
        ]
        return float(sum(best)) / 2

    def shown_down(self, reach: Floats) -> Floats:
        """(flops, 169): what each class wins if nobody bets after the flop, over all boards."""
        return np.asarray(self.flop_stakes[:, None] * self.win_margins(reach))

    def _climb(
        self,
        strategy: Strategy,
        hero: int,
        own: Strategy | None,
        flop_best: bool,
        by_group: bool = False,
    ) -> Floats:
        others = self._evaluation.follow(1 - hero, strategy)
        below = partial(self._after_flop, hero, flop_best, by_group)
        return self._evaluation.place_values(hero, others, own, below)

    def _after_flop(self, hero: int, best: bool, by_group: bool, reach: Floats) -> Floats:
        shown = self.shown_down(reach)
        if self.flops is None:
            return shown
        return shown + self.flops.gains(reach, hero, best=best, by_group=by_group)

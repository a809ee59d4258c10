"""`FlopBets`: what may be bet after the flop, and the spots that lines lead to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from pokerlab.cards.codes import Cards
from pokerlab.games.betting_trees.chips import exact, plain_number
from pokerlab.holdem.preflop.betting import BIG_BLIND, PreflopNode, PreflopTree
from pokerlab.holdem.spots.question.spot import Spot

WeightedBoards: TypeAlias = "Sequence[tuple[Cards, float]]"


@dataclass(frozen=True)
class FlopBets:
    """The menus after the flop, as `Spot` takes them."""

    bet: str = "flop: 50%; turn: a; river: a"
    """The sizes of bets."""
    raise_: str = "a"
    """The sizes of raises."""

    def spot(self, tree: PreflopTree, node: PreflopNode, board: Cards) -> Spot:
        """The spot that follows a line on a board, with all hands."""
        rules = tree.rules
        aggressor = None
        if node.aggressor is not None:
            aggressor = "oop" if node.aggressor == BIG_BLIND else "ip"
        return Spot(
            board,
            "any",
            "any",
            pot=plain_number(2 * (exact(node.paid[0]) + exact(rules.ante))),
            stack=plain_number(exact(rules.stack) - exact(node.paid[0])),
            bet=self.bet,
            raise_=self.raise_,
            aggressor=aggressor,
            smallest_chip=0.01,
        )

    def spots(self, tree: PreflopTree, board: Cards) -> dict[int, Spot]:
        """The spots of all lines that lead to a board, by node."""
        return {number: self.spot(tree, tree.nodes[number], board) for number in tree.flops}


DEFAULT_BETS = FlopBets()
"""A bet of half the pot on the flop, all-in later."""

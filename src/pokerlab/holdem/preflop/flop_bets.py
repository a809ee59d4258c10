"""`FlopBets`: what may be bet after the flop, and the spots that lines lead to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from pokerlab.cards.codes import Cards
from pokerlab.games.betting_trees.betting_tree import BettingTree, EdgeKind
from pokerlab.games.betting_trees.menus import PLAYERS
from pokerlab.holdem.preflop.betting import PreflopRules
from pokerlab.holdem.spots.question.spot import Spot
from pokerlab.runtime.arrays import Integers

WeightedBoards: TypeAlias = "Sequence[tuple[Cards, float]]"


@dataclass(frozen=True)
class FlopBets:
    """The menus after the flop, as `Spot` takes them."""

    bet: str = "flop: 50%; turn: a; river: a"
    """The sizes of bets."""
    raise_: str = "a"
    """The sizes of raises."""
    donk: str | None = None
    """The sizes of bets into the player who made the last bet or raise; None: those of bets."""
    add_allin: float = 0.0
    """All-in joins a menu if it is at most this many times the pot; 0 for never."""
    force_allin: float = 0.0
    """A size becomes all-in if the stack behind would then be at most this part of the pot."""
    max_bets: int | None = None
    """After this many bets and raises on a street only all-in is left; None for no cap."""
    runouts: str | None = None
    """A weighted subset of turns and rivers, ``12x10`` for example; None for all of them."""

    def spots(self, rules: PreflopRules, board: Cards) -> list[Spot]:
        """The spots that follow the lines to a flop on a board, with all hands."""
        tree, street = rules.tree, rules.tree.streets[0]
        found = []
        for edge in flop_edges(tree).tolist():
            node = int(street.node[edge])
            aggressor = None
            if street.bets[node]:  # a raise was called; the small blind is in position
                aggressor = PLAYERS[street.player[node]]
            spot = Spot(
                board,
                "any",
                "any",
                pot=tree.chips(street.end_pot[edge]),
                stack=tree.chips(tree.stack - street.matched[edge]),
                bet=self.bet,
                raise_=self.raise_,
                donk=self.donk,
                add_allin=self.add_allin,
                force_allin=self.force_allin,
                max_bets=self.max_bets,
                runouts=self.runouts,
                aggressor=aggressor,
                smallest_chip=0.01,
            )
            found.append(spot)
        return found


DEFAULT_BETS = FlopBets()
"""A bet of half the pot on the flop, all-in later."""


def flop_edges(tree: BettingTree) -> Integers:
    """The last actions of the lines that lead to a flop, in order."""
    return np.flatnonzero(tree.streets[0].kind == EdgeKind.NEXT_STREET)

"""A guess of what a state is worth: everybody calls, and the pot is shared out by equity."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pokerlab.arena.variance.shares import showdown_shares
from pokerlab.games import TERMINAL, Betting, BettingGame
from pokerlab.runtime.arrays import Floats

Cards = tuple[int, ...]

GROWTH = 1.35
"""How much more a lead is worth for each street of betting to come: of hands as they were dealt."""
GROWTH_OF_RANGES = 1.2
"""The same for the mean lead of all hands that a player might hold."""


class CallDown:
    """The value function: the payoff of each seat if all who are still in call.

    A lead counts `growth` times as much for each street of betting to come.

    Examples
    --------
    >>> from pokerlab.cards.codes import parse_cards
    >>> from pokerlab.games import load_game
    >>> leduc = load_game("leduc")
    >>> king, jack = parse_cards("Ks"), parse_cards("Js")
    >>> CallDown(leduc, 1.0).at(leduc.replay("cr").node, (king, jack), ()).tolist()
    [1.5, -1.5]
    """

    def __init__(self, game: BettingGame, growth: float) -> None:
        self.game = game
        self.growth = growth

    def at(self, node: Betting, holes: tuple[Cards, ...], board: Cards) -> Floats:
        """The value of a node with these cards, in the unit of payoffs."""
        even = self.even(node)
        if len(node.live) == 1:
            return even
        won = self._shared_out(node, lambda seats: self._shares(seats, holes, board))
        return even + self.weight(node) * (won - even)

    def even(self, node: Betting) -> Floats:
        """The value if all hands that are still in were worth the same."""
        return self._shared_out(node, lambda seats: (1 / len(seats),) * len(seats))

    def _shared_out(
        self, node: Betting, shares: Callable[[list[int]], tuple[float, ...]]
    ) -> Floats:
        """Cut the pot at the totals of those still in, and share out each layer."""
        live, paid = node.live, self.paid(node)
        won = -np.array(paid, np.float64)
        below = 0
        for level in sorted({paid[seat] for seat in live}):
            layer = sum(min(chips, level) - min(chips, below) for chips in paid)
            below = level
            entitled = [seat for seat in live if paid[seat] >= level]
            won[entitled] += layer * np.array(shares(entitled))
        return won / self.game.unit

    def paid(self, node: Betting) -> list[int]:
        """The chips of each seat once all who are still in have called."""
        if node.player == TERMINAL:
            return list(node.spent)
        return [
            spent if gone else max(spent, int(min(node.price, chips)))
            for spent, gone, chips in zip(node.spent, node.folded, self.game.chips, strict=True)
        ]

    def weight(self, node: Betting) -> float:
        """How much more a lead counts for the streets to come."""
        streets = 0 if node.player == TERMINAL else len(self.game.streets) - node.street
        return float(self.growth**streets)

    def _shares(
        self, entitled: list[int], holes: tuple[Cards, ...], board: Cards
    ) -> tuple[float, ...]:
        if len(entitled) == 1:
            return (1.0,)
        dead = tuple(
            card for seat, hole in enumerate(holes) if seat not in entitled for card in hole
        )
        return showdown_shares(self.game, [holes[seat] for seat in entitled], board, dead)

"""The games of the study: a board, one range for both players, chips and menus."""

from __future__ import annotations

from dataclasses import dataclass

from pokerlab.games.betting_trees.menus import PLAYERS, STREETS, Menus
from pokerlab.holdem.spots import Spot
from pokerlab.studies.abstraction.thesis import TOP_20_PERCENT


@dataclass(frozen=True)
class BetGame:
    """A game in which both players have the same hands; a big blind is a chip.

    Attributes
    ----------
    board
        A flop, turn or river.
    pot, stack
        In big blinds.
    bet, raises
        The menus.
    hands
        The range of both.
    max_bets
        From the next bet or raise of a street on only all-in is left.

    Examples
    --------
    >>> BetGame("QhJh2c", 2, 20, "50%, a", "a").spot.tree.streets[0].labels(0)
    ['x', 'b1', 'a']
    """

    board: str
    pot: float
    stack: float
    bet: str
    raises: str
    hands: str = TOP_20_PERCENT
    max_bets: int | None = None

    @property
    def spot(self) -> Spot:
        """The game for the solver."""
        return Spot(
            self.board,
            self.hands,
            self.hands,
            pot=self.pot,
            stack=self.stack,
            bet=self.bet,
            raise_=self.raises,
            max_bets=self.max_bets,
            smallest_chip=0.01,
            big_blind=1,
        )

    @property
    def street(self) -> str:
        """Where it begins."""
        return STREETS[len(self.board) // 2 - 3]

    def percent(self, chips: float) -> float:
        """Chips as percent of the pot."""
        return 100 * chips / self.pot


def menus_of_one(kind: str, own: str, others: str, player: int) -> Menus:
    """Menus of which one player has a text, and the other player another.

    Examples
    --------
    >>> print(menus_of_one("bet", "50%", "33%, 75%", 1))
    oop: 33%, 75%; ip: 50%
    """
    first, second = (Menus.of(kind, text).cells for text in (own, others))
    return Menus(
        kind,
        tuple(
            tuple(street[seat] if seat == player else other[seat] for seat in range(len(PLAYERS)))
            for street, other in zip(first, second, strict=True)
        ),
    )

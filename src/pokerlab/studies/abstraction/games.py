"""The games of chapter 7: a flop, one range for both players, chips and a menu."""

from __future__ import annotations

from dataclasses import dataclass

from pokerlab.holdem.spots import Spot
from pokerlab.studies.abstraction.thesis import TOP_20_PERCENT


@dataclass(frozen=True)
class FlopGame:
    """A game in which both players have the same hands and the same menu.

    Attributes
    ----------
    board
        The flop.
    hands
        The range of both.
    stack
        Behind, in big blinds; the pot is 2.
    menu
        Bets and raises.
    raises
        Raises, where they are others.
    max_bets
        From the next bet or raise of a street on only all-in is left.

    Examples
    --------
    >>> FlopGame("QhJh2c", menu="100%, a").spot.tree.streets[0].labels(0)
    ['x', 'b2', 'a']
    """

    board: str
    hands: str = TOP_20_PERCENT
    stack: float = 49
    menu: str = "100%, a"
    raises: str = ""
    max_bets: int | None = 4
    pot: float = 2

    @property
    def spot(self) -> Spot:
        """The game for the solver."""
        return Spot(
            self.board,
            self.hands,
            self.hands,
            pot=self.pot,
            stack=self.stack,
            bet=self.menu,
            raise_=self.raises or self.menu,
            max_bets=self.max_bets,
        )


def to_mbb(chips: float) -> float:
    """ε of the thesis from exploitability in chips: the sum of both gains, in thousandths.

    Examples
    --------
    >>> to_mbb(0.0109)
    21.8
    """
    return 2000 * chips

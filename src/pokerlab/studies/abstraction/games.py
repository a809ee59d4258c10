"""The games of chapter 7: a flop, one range for both players, chips and a menu."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np

from pokerlab.cards import Range
from pokerlab.cards.equities.showdowns import COMBO_MASKS
from pokerlab.postflop import Spot
from pokerlab.studies.abstraction.thesis import TOP_20_PERCENT

__all__ = ["FlopGame", "to_mbb"]


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
    >>> game = FlopGame("QhJh2c", menu="100%, a")
    >>> game.spot.tree.streets[0].labels(0), round(game.share_of_deals, 4)
    (['x', 'b2', 'a'], 0.0388)
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

    @property
    def share_of_deals(self) -> float:
        """How often both players hold a hand of the range, if hands come from the whole deck.

        The formulas of the thesis (section 4.1.3) begin with a reach of 1 for each hand of a range
        and give every hand of the deck the same chance, so its ε is this part of ε a game that is
        played.
        """
        masks = COMBO_MASKS[Range(self.hands).remove(self.spot.board).indices]
        pairs = int(np.count_nonzero(masks[:, None] & masks == 0))
        return pairs / (comb(49, 2) * comb(47, 2))


def to_mbb(chips: float) -> float:
    """ε of the thesis from exploitability in chips: the sum of both gains, in thousandths.

    Examples
    --------
    >>> to_mbb(0.0109)
    21.8
    """
    return 2000 * chips

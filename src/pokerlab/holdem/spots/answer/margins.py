"""`Margin`: how much the hands of a player lose by a solution that has a gadget."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pokerlab.cards.codes import combo_cards, format_cards
from pokerlab.cards.ranges.blockers import met_weights
from pokerlab.holdem.spots.question.gadget import Gadget
from pokerlab.holdem.spots.question.spot import Spot
from pokerlab.runtime.arrays import Floats


@dataclass(frozen=True)
class Margin:
    """The least, over all hands, by which a hand was worth more than a best response now takes.

    Attributes
    ----------
    chips
        In chips; below 0, the hand gains by the new solution.
    hand
        The hand.
    mean
        The same for the player's range as a whole: what it was worth, less what best responses
        take with it.
    pot
        What `percent` refers to.
    """

    chips: float
    hand: str
    mean: float
    pot: float

    @property
    def percent(self) -> float:
        """In percent of the pot."""
        return 100 * self.chips / self.pot


def least_margin(gadget: Gadget, best: Floats, spot: Spot) -> Margin:
    """The least margin, given what a best response takes with each hand (1326; NaN: none).

    Examples
    --------
    >>> spot = Spot("QhJh2c4d7h", "AA", "KK, 88", pot=100, stack=80)
    >>> best = np.full(1326, 12.0)
    >>> best[0] = 13.0
    >>> least_margin(Gadget("ip", np.full(1326, 10.0)), best, spot)
    Margin(chips=-3.0, hand='2d2c', mean=-2.0, pot=100)
    """
    margins = gadget.worth - best
    hand = int(np.nanargmin(margins))
    own, other = (spot.ranges[each].weights for each in (gadget.player, 1 - gadget.player))
    often = np.where(np.isnan(margins), 0.0, own * met_weights(other))
    mean = float(np.nan_to_num(margins) @ often / often.sum())
    return Margin(float(margins[hand]), format_cards(combo_cards(hand)), mean, spot.pot)

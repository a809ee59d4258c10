"""What is probably not meant in a spot that can be solved all the same.

A fault is an error of `Spot`. A doubt is a line for people: commands print it on stderr and go on.
"""

from __future__ import annotations

from pokerlab.games.betting_trees.chips import write_number
from pokerlab.games.betting_trees.menus import STREETS
from pokerlab.holdem.spots.question.spot import Spot

_DEEP = 100
"""A stack of more pots than this: even 200 big blinds in a limped pot are fewer."""
_SHALLOW = 0.25
"""A stack in fractions of a chip below this part of a pot in whole chips: hardly one unit."""


def spot_doubts(spot: Spot) -> list[str]:
    """What a person should look at again, a line each; none for most spots.

    Examples
    --------
    >>> spot_doubts(Spot("Td9d6h", "66+", "QQ-22", pot=9.2, stack=956))
    ['pot 9.2, stack 956: are both in chips, or both in big blinds? The stack is 104 times the pot']
    >>> spot_doubts(Spot("Td9d6hQc2s", "66+", "QQ-22", pot=200, stack=900, donk=""))
    ['donk: nobody is the aggressor on the river, so it changes nothing there; write aggressor =
    "ip" (--aggressor ip)']
    """
    doubts = []
    pot, stack = spot.pot, spot.effective_stack
    mixed = stack % 1 != 0 and pot % 1 == 0 and stack < _SHALLOW * pot
    if stack > _DEEP * pot or mixed:
        larger, smaller = ("stack", "pot") if stack > pot else ("pot", "stack")
        times = max(pot, stack) / max(min(pot, stack), 1e-3)
        doubts.append(
            f"pot {write_number(pot)}, stack {write_number(stack)}: are both in chips, or both in"
            f" big blinds? The {larger} is {times:.0f} times the {smaller}"
        )
    if spot.aggressor is None and spot.donk.at(spot.street, 0) is not None:
        doubts.append(
            f"donk: nobody is the aggressor on the {STREETS[spot.street]}, so it changes nothing"
            ' there; write aggressor = "ip" (--aggressor ip)'
        )
    return doubts

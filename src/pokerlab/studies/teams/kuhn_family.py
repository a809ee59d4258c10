"""The parameterised family of equilibria of three-player Kuhn poker.

Every member is an equilibrium, yet which of them is played decides who wins how much: the second
player's bluffs move chips from the first to the third, and cost the second player nothing.

Reference: D. Szafron, R. Gibson and N. Sturtevant, "A parameterized family of equilibrium profiles
for three-player Kuhn poker" (2013).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from pokerlab.solvers.strategy import Strategy
from pokerlab.trees.game_tree import GameTree

CARDS = ("Js", "Qs", "Ks", "As")
SITUATIONS = (
    ("", "ccr", "crf", "crc"),
    ("c", "r", "ccrf", "ccrc"),
    ("cc", "cr", "rf", "rc"),
)
"""The betting before each decision of each player, as the paper numbers them."""
_SLACK = 1e-12
"""What rounding may add to a parameter at its bound."""


@dataclass(frozen=True)
class KuhnEquilibrium:
    """A member of the family, by the free parameters of the paper.

    A parameter is the probability to bet or call: a, b, c for the first, second and third player,
    then the card (1 for the jack to 4 for the ace) and the situation (see `SITUATIONS`).

    Attributes
    ----------
    c11
        Bluffs of the third player with a jack after two checks: 0 to 1/2.
    b11, b21
        Bluffs of the second player with a jack and a queen after a check.
    b23
        Calls with a queen after two checks, a bet and a fold.
    b32, c33, c34
        Calls with a king of a bet of the first player, who never bets.

    Examples
    --------
    >>> KuhnEquilibrium(c11=0.0, b11=0.25, b21=0.25, b32=0.9375).b41
    1.0
    >>> KuhnEquilibrium(c11=0.6)
    Traceback (most recent call last):
    ValueError: c11: 0.6 is not in this family of equilibria (0 to 0.5)
    """

    c11: float = 0.0
    b11: float = 0.0
    b21: float = 0.0
    b23: float = 0.0
    b32: float = 0.5
    c33: float = 0.0
    c34: float = 0.0

    def __post_init__(self) -> None:
        for name, (low, high) in self.bounds().items():
            value = getattr(self, name)
            if not low - _SLACK <= value <= high + _SLACK:
                raise ValueError(
                    f"{name}: {value:g} is not in this family of equilibria ({low:g} to {high:g})"
                )

    @property
    def beta(self) -> float:
        """The more frequent of the second player's bluffs."""
        return max(self.b11, self.b21)

    @property
    def b33(self) -> float:
        """Calls with a king after two checks, a bet and a fold."""
        bluffs = self.b11 + self.b21 + self.beta
        return 0.5 + 0.5 * bluffs - self.b23 * (1.0 - self.b21)

    @property
    def b41(self) -> float:
        """Bets with an ace after a check: twice as often as both bluffs together."""
        return 2.0 * (self.b11 + self.b21)

    def bounds(self) -> dict[str, tuple[float, float]]:
        """From where to where each parameter may go, given those before it."""
        low_b21, high_b11, high_b21 = 0.0, 0.25, 0.25
        if self.c11 <= 0.0:
            high_b11 = min(self.b21, 0.25)
        elif self.c11 < 0.5:
            # The bound on c11 that the paper has for b11 above 1/6, solved for b11.
            high_b11 = max(1 / 6, min(0.25, (2 - 3 * self.c11) / (1 + 4 * self.c11)))
            low_b21 = high_b21 = self.b11
        else:
            high_b21 = min(self.b11, 0.5 - 2 * self.b11)
        more = 0.75 * (self.b11 + self.b21) + self.beta / 4
        return {
            "c11": (0.0, 0.5),
            "b11": (0.0, high_b11),
            "b21": (low_b21, high_b21),
            "b23": (0.0, max(0.0, (self.b11 - self.b21) / (2 * (1 - self.b21)))),
            "b32": (0.0, min(1.0, 0.5 + more)),
            "c33": (max(0.0, 0.5 - self.b32), min(1.0, 0.5 - self.b32 + more)),
            "c34": (0.0, 1.0),
        }

    def strategy(self, tree: GameTree) -> Strategy:
        """The equilibrium as a strategy of ``kuhn.3p``."""
        # By player, card and situation; the first player never bets, and aces call everything.
        table = np.zeros((3, 4, 4))
        table[:, 3, 1:] = 1.0
        table[0, 2, 2] = 0.5
        table[1, :, 0] = self.b11, self.b21, 0.0, self.b41
        table[1, 1, 2], table[1, 2, 1], table[1, 2, 2] = self.b23, self.b32, self.b33
        table[2, :, 0] = self.c11, 0.5 - self.c11, 0.0, 1.0
        table[2, 2, 2], table[2, 2, 3] = self.c33, self.c34
        choices = {}
        for player, card, place in product(range(3), range(4), range(4)):
            betting = SITUATIONS[player][place]
            probability = float(np.clip(table[player, card, place], 0.0, 1.0))
            passive, active = ("f", "c") if "r" in betting else ("c", "r")
            name = f"{CARDS[card]}:{betting}" if betting else CARDS[card]
            choices[name] = {passive: 1.0 - probability, active: probability}
        return Strategy.of(tree.infosets, choices)


def corners(steps: int = 3) -> Iterator[KuhnEquilibrium]:
    """Members at the corners of the family, and between them in the first three parameters.

    Where the bounds of a parameter meet, there is one member, not two.

    Examples
    --------
    >>> len(list(corners()))
    84
    """
    bluffs = np.linspace(0.0, 0.25, steps).tolist()
    for c11, b11, b21 in product(np.linspace(0.0, 0.5, steps).tolist(), bluffs, bluffs):
        try:
            member = KuhnEquilibrium(c11, b11, b21)
        except ValueError:
            continue
        bounds = member.bounds()
        for b23, b32 in product(*(dict.fromkeys(bounds[name]) for name in ("b23", "b32"))):
            member = replace(member, b23=b23, b32=b32, c33=max(0.0, 0.5 - b32))
            for c33, c34 in product(dict.fromkeys(member.bounds()["c33"]), (0.0, 1.0)):
                yield replace(member, c33=c33, c34=c34)

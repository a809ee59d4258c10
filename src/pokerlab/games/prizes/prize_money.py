"""`PrizeMoney`: what a win, a tie and a loss of a pot are worth to its two players in prize money.

Money is counted in chips that are worth the same: shares of the prize pool times all chips in play.
A winner who takes all has chips at their face value.

A player who loses all chips takes the prize of the last place that is left, and the opponent
their bounty: all of it, or of progressive bounties one half at once and one half on the own
head. Bounties that are not won yet are worth money in proportion to chips.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from pokerlab.games.prizes.chip_model import win_prizes


class Worth(NamedTuple):
    """What a pot is worth to a player: after a `win`, a `tie` and a `loss`."""

    win: float
    tie: float
    loss: float


@dataclass(frozen=True)
class PrizeMoney:
    """Two players with a pot between them, and the prizes of their tournament.

    Parameters
    ----------
    stacks
        Of the two players, behind.
    pot
        The chips in the middle.
    payouts
        What the first, the second, ... of all players win.
    others
        The stacks of the players who are not in the pot.
    bounties
        On the heads of the two, and of the others; empty for none.
    progressive
        Whether one half of a bounty goes on the winner's own head.

    Examples
    --------
    >>> money = PrizeMoney((900, 900), 200, (100.0,))
    >>> money.worths(100)[0], money.linear
    (Worth(win=200.0, tie=0.0, loss=-200.0), True)
    >>> bubble = PrizeMoney((900, 900), 200, (50.0, 50.0), (500,))
    >>> [round(each) for each in bubble.worths(900)[0]]
    [234, -58, -1016]
    """

    stacks: tuple[float, float]
    pot: float
    payouts: tuple[float, ...]
    others: tuple[float, ...] = ()
    bounties: tuple[float, ...] = ()
    progressive: bool = False

    @property
    def linear(self) -> bool:
        """Whether chips are worth their face value: the winner takes all."""
        return len(self.payouts) == 1 and not any(self.bounties)

    @cached_property
    def chips(self) -> float:
        """All chips in play."""
        return sum(self.stacks) + self.pot + sum(self.others)

    @cached_property
    def pool(self) -> float:
        """All prizes and bounties."""
        return sum(self.payouts) + sum(self.bounties)

    @cached_property
    def given_up(self) -> tuple[float, float]:
        """What each player has who gives up the pot at once, as shares of the prize pool."""
        first, second = self.stacks
        return self._shares(first, second + self.pot)[0], self._shares(first + self.pot, second)[1]

    def worths(self, matched: float) -> tuple[Worth, Worth]:
        """For both players the worth of a pot into which each has put `matched` chips.

        In chips that are worth the same, so that a player who gives up the pot at the beginning has
        minus one half of it: with a linear value these are chips against an even split.
        """
        if self.linear:
            worth = Worth(self.pot / 2 + matched, 0.0, -(self.pot / 2 + matched))
            return worth, worth
        first, second = (stack - matched for stack in self.stacks)
        pot = self.pot + 2 * matched
        oop, ip = zip(
            self.won(first + pot, second),
            self.won(first + pot / 2, second + pot / 2),
            self.won(first, second + pot),
            strict=True,
        )
        return Worth(*oop), Worth(*reversed(ip))

    def won(self, first: float, second: float) -> tuple[float, float]:
        """What two players have won who end with some chips, in the chips of `worths`.

        Examples
        --------
        >>> bubble = PrizeMoney((900, 900), 200, (50.0, 50.0), (500,))
        >>> [round(each) for each in bubble.won(2000, 0)]
        [234, -1016]
        """
        shares = zip(self._shares(first, second), self.given_up, strict=True)
        oop, ip = (self.chips * (each - least) - self.pot / 2 for each, least in shares)
        return oop, ip

    def share(self, player: int, taken: float) -> float:
        """The share of the prize pool of a player who takes some chips from the pot, on average.

        Chips are those that are worth the same, against giving up at the beginning.
        """
        base = self.given_up[player] if not self.linear else self.stacks[player] / self.chips
        return base + taken / self.chips

    def _shares(self, first: float, second: float) -> tuple[float, float]:
        """The shares of the prize pool of two players with some chips; one may have none."""
        heads = np.array(self.bounties or np.zeros(2 + len(self.others)))
        stacks = np.array([first, second, *self.others], float)
        alive, players = stacks > 0, len(stacks)
        money = np.zeros(players)
        prizes = np.array(self.payouts)
        if not alive.all():
            out = int(np.flatnonzero(~alive)[0])
            money[out] = prizes[players - 1] if len(prizes) == players else 0.0
            won = heads[out] / 2 if self.progressive else heads[out]
            money[1 - out] = won
            heads[1 - out] += heads[out] - won
            heads[out] = 0.0
            prizes = prizes[: players - 1]
        left = stacks[alive]
        money[alive] += win_prizes(left, prizes) + heads.sum() * left / left.sum()
        return float(money[0] / self.pool), float(money[1] / self.pool)

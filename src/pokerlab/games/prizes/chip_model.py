"""`icm`: what stacks are worth in prize money, by the independent chip model (Malmuth–Harville).

The chance to win is the share of chips; the second place is drawn among the others in the same
way, and so on. Up to `MOST_BY_SUBSETS` players the chances of all orders are added up over subsets.
Above that the same numbers are an integral over time (`finish_kernels`), by a trapezoid rule that
is exact to rounding and, from ten players on, faster.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pokerlab.games.betting_trees.chips import MAX_CHIPS
from pokerlab.runtime.arrays import Floats
from pokerlab.runtime.errors import shorten

MOST_BY_SUBSETS = 9
MOST_PLAYERS = 2000

_STEP = 1 / 12
"""Of the trapezoid rule, at most: the integrand is analytic in a strip of half the width π/2 around
the line, so its error is about exp(−π² / step), far below rounding."""
_STEP_OF_MANY = 0.6
"""The same, divided by the root of the number of prizes: the integrand is that narrow, and the
error is about exp(−2π² (width / step)²)."""


@dataclass(frozen=True, eq=False)
class PrizeShares:
    """What each stack is worth.

    Examples
    --------
    >>> found = icm([5000, 3000, 2000], [50, 30, 20])
    >>> [round(each, 4) for each in found.prizes.tolist()]
    [38.3929, 32.75, 28.8571]
    """

    stacks: Floats
    """The chips of each player."""
    payouts: Floats
    """The prizes of the first, the second, ... place."""
    bounties: Floats
    """On the head of each player; zeros where there are none."""
    prizes: Floats
    """Of `payouts`, what each stack is worth."""

    @property
    def shares(self) -> Floats:
        """Of all chips."""
        return np.asarray(self.stacks / self.stacks.sum())

    @property
    def bounty_money(self) -> Floats:
        """Of the bounties, by the model that they are won in proportion to chips."""
        return np.asarray(self.bounties.sum() * self.shares)

    @property
    def pool(self) -> float:
        """The prize pool, bounties included."""
        return float(self.payouts.sum() + self.bounties.sum())

    @property
    def money(self) -> Floats:
        """Prizes and bounties: what a deal by the chip model pays."""
        return np.asarray(self.prizes + self.bounty_money)

    @property
    def equities(self) -> Floats:
        """Shares of the prize pool."""
        return np.asarray(self.money / self.pool)

    @property
    def chip_chop(self) -> Floats:
        """What a chip chop pays: the least prize that is left to each, and the rest by chips.

        Examples
        --------
        >>> icm([5000, 3000, 2000], [50, 30, 20]).chip_chop.tolist()
        [40.0, 32.0, 28.0]
        """
        left = len(self.stacks)
        least = self.payouts[-1] if len(self.payouts) == left else 0.0
        rest = self.payouts.sum() - left * least
        return np.asarray(least + rest * self.shares + self.bounty_money)

    @cached_property
    def places(self) -> Floats:
        """(players, paid places): the chance of each player to take each."""
        return self.first_places(len(self.payouts))

    def first_places(self, most: int) -> Floats:
        """The same for this number of places at most: all places of a large field take long.

        Examples
        --------
        >>> icm([60, 40], [70, 30]).first_places(1).tolist()
        [[0.6], [0.4]]
        """
        prizes = np.eye(min(most, len(self.payouts)))
        return np.stack(
            [win_prizes(self.stacks, row[: place + 1]) for place, row in enumerate(prizes)], 1
        )


def icm(
    stacks: Sequence[float], payouts: Sequence[float], bounties: Sequence[float] = ()
) -> PrizeShares:
    """What stacks are worth in prize money (Malmuth–Harville).

    Parameters
    ----------
    stacks
        The chips of each player who is left.
    payouts
        What the first, the second, ... of them win, in any unit of money; later places win nothing.
    bounties
        On the head of each player: none, one for all, or one each. Bounties are worth money in
        proportion to chips.

    Examples
    --------
    >>> icm([1, 1, 1, 1], [50, 30, 20]).equities.tolist()
    [0.25, 0.25, 0.25, 0.25]
    >>> icm([75, 25], [100]).equities.tolist()
    [0.75, 0.25]
    >>> icm([10, 5], [50, 30, 20])
    Traceback (most recent call last):
    ValueError: payouts: 3 prizes for 2 players; give the prizes that are still to be won
    """
    chips = read_stacks("stacks", stacks)
    if len(chips) < 2:
        raise ValueError(f"stacks: {shorten(repr(list(stacks)))} is not at least two stacks")
    prizes = read_payouts(payouts, len(chips))
    heads = read_bounties(bounties, len(chips))
    return PrizeShares(chips, prizes, heads, win_prizes(chips, prizes))


def read_stacks(field: str, stacks: Sequence[float]) -> Floats:
    """Stacks above 0; `ValueError` names the field and the stack."""
    found = _read_numbers(field, stacks, "a number of chips above 0")
    if len(found) > MOST_PLAYERS:
        raise ValueError(f"{field}: {len(found)} stacks; at most {MOST_PLAYERS:,}")
    for given, number in zip(stacks, found.tolist(), strict=True):
        if not 0.001 <= number <= MAX_CHIPS:
            raise ValueError(
                f"{field}: {shorten(repr(given))} is not a number of chips from 0.001 to "
                f"{MAX_CHIPS:,}"
            )
    return found


def read_payouts(payouts: Sequence[float], players: int) -> Floats:
    """Prizes from the first place on, without the places that win nothing."""
    found = _read_numbers("payouts", payouts, "a prize from 0 on")
    for given, number in zip(payouts, found.tolist(), strict=True):
        if not 0 <= number <= 1e12:
            raise ValueError(f"payouts: {shorten(repr(given))} is not a prize from 0 to 10¹²")
    if np.any(np.diff(found) > 0):
        worse = int(np.flatnonzero(np.diff(found) > 0)[0])
        raise ValueError(
            f"payouts: place {worse + 2} would win {found[worse + 1]:g}, more than the place before"
        )
    found = found[found > 0]
    if not found.size:
        raise ValueError("payouts: no prize above 0")
    if len(found) > players:
        raise ValueError(
            f"payouts: {len(found)} prizes for {players} players; give the prizes that are still to"
            " be won"
        )
    return found


def read_bounties(bounties: Sequence[float], players: int) -> Floats:
    """A bounty for each player; none are zeros, one counts for all."""
    found = _read_numbers("bounties", bounties, "an amount from 0 on")
    for given, number in zip(bounties, found.tolist(), strict=True):
        if not 0 <= number <= 1e12:
            raise ValueError(f"bounties: {shorten(repr(given))} is not an amount from 0 to 10¹²")
    if len(found) not in (0, 1, players):
        raise ValueError(f"bounties: {len(found)} for {players} players; give one, or one each")
    return np.zeros(players) + (found if len(found) else 0.0)


def _read_numbers(field: str, values: Sequence[float], accepted: str) -> Floats:
    found = np.zeros(len(values))
    for place, value in enumerate(values):
        if isinstance(value, bool) or not isinstance(value, int | float | np.number):
            raise ValueError(f"{field}: {shorten(repr(value))} is not {accepted}")
        if not math.isfinite(value) or abs(value) > 1e300:
            raise ValueError(f"{field}: {shorten(repr(value))} is not {accepted}")
        found[place] = value
    return found


def win_prizes(stacks: Floats, prizes: Floats) -> Floats:
    """What each stack above 0 is worth: the sum over places of its chance times the prize."""
    shares = stacks / stacks.sum()
    if len(prizes) == 1:
        return np.asarray(shares * prizes[0])
    if np.all(prizes == prizes[0]) and len(prizes) == len(stacks):
        return np.full(len(stacks), prizes[0])
    if len(stacks) <= MOST_BY_SUBSETS:
        # Kernels load a compiler, which spots that pay chips do without.
        from pokerlab.games.prizes.finish_kernels import finish_by_subsets

        places = np.zeros((len(stacks), len(prizes)))
        finish_by_subsets(shares, places)
        return np.asarray(places @ prizes)
    return integrate_prizes(shares, prizes)


def integrate_prizes(shares: Floats, prizes: Floats) -> Floats:
    """The same as an integral over the time at which a player's clock rings.

    With t = exp(s − exp(−s)) the integrand falls doubly exponentially on both sides, and the
    trapezoid rule is exact to rounding. Clocks are read until the slowest has surely rung.
    """
    from pokerlab.games.prizes.finish_kernels import add_finishes

    # The last clocks to ring may be the small stacks', at times of 40 / share.
    last = math.log(45.0 / shares.min())
    step = min(_STEP, _STEP_OF_MANY / math.sqrt(len(prizes)))
    s = np.arange(-4.2, last + step, step)
    times = np.exp(s - np.exp(-s))
    weights = step * times * (1 + np.exp(-s))
    found = np.zeros(len(shares))
    add_finishes(shares, times, weights, prizes, found)
    return found

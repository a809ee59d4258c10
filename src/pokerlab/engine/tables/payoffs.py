"""What the ends of a hand are worth: three numbers a player, for a win, a tie and a loss.

Rake and prize money fill them in; walkers know no other form. Amounts are those of the betting
tree, in the smallest chip, against an even split of the pot at the beginning.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import isclose
from typing import NamedTuple, TypeAlias

from pokerlab.engine.game import PublicBetting
from pokerlab.engine.tables.boards import Boards
from pokerlab.games.prizes.prize_money import PrizeMoney, Worth

_LARGEST_VALUE = 1000.0
"""Values are scaled so that none at the root is larger: regrets then fit into 16 bits."""


Worths: TypeAlias = "Callable[[int], tuple[Worth, Worth]]"
"""By the chips that each player has put in, the worth of the pot to both players."""


def raked_worths(pot: float, rake_from: Callable[[float], float]) -> Worths:
    """Chips, less the rake that each player pays from what they take.

    Parameters
    ----------
    pot
        The pot at the beginning.
    rake_from
        What the house takes of a pot.

    Examples
    --------
    >>> worths = raked_worths(100, lambda pot: 0.05 * pot)
    >>> worths(50)[0]
    Worth(win=90.0, tie=-5.0, loss=-100.0)
    """

    @cache
    def worths(matched: int) -> tuple[Worth, Worth]:
        rake = rake_from(pot + 2 * matched)
        put_in = pot / 2 + matched
        worth = Worth(put_in - rake, -rake / 2, -put_in)
        return worth, worth

    return worths


def prize_worths(prizes: PrizeMoney, units: int) -> Worths:
    """Prize money, in the smallest chips that are worth the same."""

    @cache
    def worths(matched: int) -> tuple[Worth, Worth]:
        first, second = prizes.worths(matched / units)
        return Worth(*(units * each for each in first)), Worth(*(units * each for each in second))

    return worths


class Payoffs(NamedTuple):
    """What leaves are worth to a walker."""

    worths: Worths
    unit: float = 1.0
    """All values are multiplied by this."""
    parts: int = 1
    """Of what a check-down pays: 3 where ties pay something of their own, see `check_down`."""

    def fold(self, player: int, matched: int, *, wins: bool) -> float:
        """The value to a player when somebody folds."""
        worth = self.worths(matched)[player]
        return self.unit * (worth.win if wins else worth.loss)

    def showdown(self, player: int, matched: int) -> tuple[float, float]:
        """Factors of (reach beaten − reach that beats us), and of the unblocked reach.

        Where a tie does not lie midway between a win and a loss, `tie` is a third factor.
        """
        win, tie, loss = self.worths(matched)[player]
        if _is_midway(win, tie, loss):
            return self.unit * (tie - loss), self.unit * tie
        return self.unit * (win - loss) / 2, self.unit * (win + loss) / 2

    def tie(self, player: int, matched: int) -> float:
        """The factor of the reach that ties, beside those of `showdown`."""
        win, tie, loss = self.worths(matched)[player]
        return 0.0 if _is_midway(win, tie, loss) else self.unit * (tie - (win + loss) / 2)

    def check_down(self, player: int, matched: int) -> tuple[float, ...]:
        """What a check-down pays for (hands beaten − hands that beat us).

        With three `parts`, also for ties, and for all hands that are met.
        """
        beaten, unblocked = self.showdown(player, matched)
        return (beaten, self.tie(player, matched), unblocked)[: self.parts]

    def tie_share(self, player: int, matched: int) -> float:
        """What a tie counts in the margins of all-ins, where a win counts 1 and a loss −1."""
        tie = self.tie(player, matched)
        return tie / self.showdown(player, matched)[0] if tie else 0.0


def _is_midway(win: float, tie: float, loss: float) -> bool:
    return isclose(win - tie, tie - loss, rel_tol=1e-9, abs_tol=1e-9)


def make_payoffs(spot: PublicBetting, boards: Boards) -> Payoffs:
    """What the leaves of a spot are worth, in units that fit into 16 bits."""
    tree = spot.tree
    if spot.prizes is not None and not spot.prizes.linear:
        worths = prize_worths(spot.prizes, tree.units)
        return Payoffs(worths, value_unit(spot, boards) / tree.units, parts=3)

    def rake_from(pot: float) -> float:
        return spot.rake_from(pot / tree.units) * tree.units

    return Payoffs(raked_worths(tree.pot, rake_from), value_unit(spot, boards) / tree.units)


def value_unit(spot: PublicBetting, boards: Boards) -> float:
    """What all values in chips are multiplied by."""
    weight = max(float(weights.sum()) for weights in boards.weights)
    return _LARGEST_VALUE / (largest_win(spot) * weight)


def largest_win(spot: PublicBetting) -> float:
    """The most that a player can win or lose against an even split of the pot, in chips."""
    if spot.prizes is None or spot.prizes.linear:
        return spot.pot / 2 + spot.effective_stack
    ends = spot.prizes.worths(0), spot.prizes.worths(spot.effective_stack)
    return max(abs(each) for both in ends for worth in both for each in worth)

"""What the ends of a hand are worth: three numbers a player, for a win, a tie and a loss.

Rake is one way to fill them in; walkers know no other form. Amounts are those of the betting tree,
in the smallest chip, against an even split of the pot at the beginning.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import isclose
from typing import NamedTuple, TypeAlias

from pokerlab.engine.game import PublicBetting
from pokerlab.engine.tables.boards import Boards

_LARGEST_VALUE = 1000.0
"""Values are scaled so that none at the root is larger: regrets then fit into 16 bits."""


class Worth(NamedTuple):
    """What a pot is worth to a player who wins it, ties for it or loses it."""

    win: float
    tie: float
    loss: float


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


class Payoffs(NamedTuple):
    """What leaves are worth to a walker."""

    worths: Worths
    unit: float = 1.0
    """All values are multiplied by this."""

    def fold(self, player: int, matched: int, *, wins: bool) -> float:
        """The value to a player when somebody folds."""
        worth = self.worths(matched)[player]
        return self.unit * (worth.win if wins else worth.loss)

    def showdown(self, player: int, matched: int) -> tuple[float, float]:
        """Factors of (reach beaten − reach that beats us), and of the unblocked reach.

        Walkers add up these two sums alone, so a tie must lie midway between a win and a loss.
        """
        win, tie, loss = self.worths(matched)[player]
        if not isclose(win - tie, tie - loss, rel_tol=1e-9, abs_tol=1e-9):
            raise ValueError(f"a tie of {tie:g} is not midway between {loss:g} and {win:g}")
        return self.unit * (tie - loss), self.unit * tie


def make_payoffs(spot: PublicBetting, boards: Boards) -> Payoffs:
    """What the leaves of a spot are worth, in units that fit into 16 bits."""
    tree = spot.tree

    def rake_from(pot: float) -> float:
        return spot.rake_from(pot / tree.units) * tree.units

    return Payoffs(raked_worths(tree.pot, rake_from), value_unit(spot, boards) / tree.units)


def value_unit(spot: PublicBetting, boards: Boards) -> float:
    """What all values in chips are multiplied by."""
    weight = max(float(weights.sum()) for weights in boards.weights)
    return _LARGEST_VALUE / ((spot.pot / 2 + spot.effective_stack) * weight)

"""What a solution on a subset of run-outs is worth over all of them.

On cards that were left out the solution has no strategy, so only its first street can be judged:
it is locked in the game with all run-outs, one player at a time, and the rest is solved. What the
player then takes is the most that this flop strategy can take, however well the later streets are
played; what it takes less than the value of the game is its loss.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from pokerlab.holdem.spots.answer.node_view import Exploitability
from pokerlab.holdem.spots.answer.solution import PostflopSolution
from pokerlab.holdem.spots.coarse.lifting import alike_over_suits
from pokerlab.holdem.spots.solving import solve_spot
from pokerlab.runtime.arrays import Floats
from pokerlab.solvers.loop import Progress

Shares = dict[str, dict[str, Floats]]
"""By line and action the shares of all combos."""


@dataclass(frozen=True)
class AllRunOuts:
    """The first street of a solution in the game with all run-outs.

    Attributes
    ----------
    values
        What each player takes, in chips, with the own first street locked and the rest solved.
    errors
        How far each of them may be off: half of the distance of the bounds of its solve, and with
        rake that of the solve without a lock, too.
    total
        What both would take together without a lock: the pot, less the rake.
    pot, big_blind
        Of the spot.

    Examples
    --------
    >>> AllRunOuts((39.5, 59.75), (0.125, 0.125), 100.0, 100.0).exploitability.percent
    0.375
    """

    values: tuple[float, float]
    errors: tuple[float, float]
    total: float
    pot: float
    big_blind: float = 1

    @property
    def exploitability(self) -> Exploitability:
        """Half of what both lose together by their first street."""
        return Exploitability((self.total - sum(self.values)) / 2, self.pot, self.big_blind)

    @property
    def error(self) -> Exploitability:
        """How far the exploitability may be off."""
        return Exploitability(sum(self.errors) / 2, self.pot, self.big_blind)


def price_first_street(
    solution: PostflopSolution,
    *,
    target: float | str = "0.1%",
    threads: int | None = None,
    device: str = "auto",
    report: Callable[[Progress], None] | None = None,
) -> AllRunOuts:
    """Lock each player's first street in the game with all run-outs, and solve the rest.

    Parameters
    ----------
    solution
        Of a flop; with all run-outs its price is what the solve has left.
    target, threads, device, report
        Of the solves, as for `solve_spot`. Each takes the memory of the game with all run-outs.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot
    >>> spot = Spot("QsJh2h", "AA, QQ", "KK, AQs", 100, 80, bet="a", raise_="", runouts="6x6")
    >>> price = price_first_street(solve_spot(spot, target="0.1%"))
    >>> bool(-price.error.percent <= price.exploitability.percent < 2)
    True
    """
    # In prize money a game has no value to compare with: equilibria may be worth different sums.
    solution.spot.check_pays_chips("a lift from a subset of run-outs")
    spot = replace(solution.spot, runouts=None)

    def solve(locks: Shares | None) -> PostflopSolution:
        return solve_spot(
            spot,
            target=target,
            locks=locks,
            threads=threads,
            device=device,
            report=report,
            streets=1,
        )

    played = [solve(first_street_shares(solution, player)) for player in range(2)]
    first, second = (each.values[player] for player, each in enumerate(played))
    # A player who keeps to the lock takes at least what the opponent's best response leaves.
    errors = [each.exploitability.chips for each in played]
    total = spot.pot
    if spot.rake:
        free = solve(None)
        total = sum(free.values)
        errors = [each + free.exploitability.chips for each in errors]
    return AllRunOuts((first, second), (errors[0], errors[1]), total, spot.pot, spot.big_blind)


def first_street_shares(solution: PostflopSolution, player: int) -> Shares:
    """What a player does at all decisions of the first street, as locks.

    Where the solution merges suits, hands that they make equal do the same; rounding apart, they
    do so anyway. So the locked game merges them, too.
    """
    found: Shares = {}
    street = solution.spot.tree.streets[0]
    for node in np.flatnonzero(street.player == player).tolist():
        line = solution.spot.tree.line(0, node)
        decision = solution.decision(line)
        shares = alike_over_suits(solution, np.nan_to_num(decision.strategy, nan=0.0))
        found[line] = dict(zip(decision.actions, shares, strict=True))
    return found

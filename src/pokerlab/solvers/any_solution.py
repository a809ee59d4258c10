"""`AnySolution`: what solutions of games and of spots have in common.

A script that takes either asks for these members and no others::

    def summary(solution: AnySolution) -> str:
        return f"{solution.rule}: {float(solution.exploitability):.4f}"
"""

from __future__ import annotations

from pathlib import Path
from typing import Protocol, SupportsFloat

from pokerlab.runtime.arrays import Floats
from pokerlab.solvers.history import History


class AnyDecision(Protocol):
    """What solutions of games and of spots tell about one decision."""

    @property
    def line(self) -> str:
        """Where it is: the name of an information set, or a line of a spot."""

    @property
    def player(self) -> int:
        """Who decides."""

    @property
    def actions(self) -> tuple[str, ...]:
        """The texts of the actions."""

    @property
    def frequencies(self) -> Floats:
        """How often each action is taken; of a spot the mean over all hands that get there."""


class AnySolution(Protocol):
    """What solutions of games and of spots have in common.

    What was solved has two names, because it is two things: `Solution.game` is the name of a
    game, `PostflopSolution.spot` a `Spot`.

    Examples
    --------
    >>> import pokerlab as pl
    >>> def tell(solution: AnySolution, line: str) -> None:
    ...     found = solution.at(line)
    ...     shares = [f"{share:.1f}" for share in found.frequencies]
    ...     good = float(solution.exploitability) < 0.01
    ...     print(len(solution.values), good, dict(zip(found.actions, shares)))
    >>> tell(pl.solve("kuhn", "lp"), "Ks:r")
    2 True {'f': '0.0', 'c': '1.0'}
    >>> spot = pl.Spot("KsTs7d4c2h", "77, 65s", "AA", pot=100, stack=100, bet="a", raise_="")
    >>> tell(pl.solve(spot, target="0.01%"), "a")
    2 True {'f': '0.5', 'c': '0.5'}
    """

    @property
    def rule(self) -> str:
        """How it was solved."""

    @property
    def values(self) -> tuple[float, ...]:
        """What each player wins on average; of a spot, takes from the pot. In chips."""

    @property
    def exploitability(self) -> SupportsFloat:
        """The mean of what best responses gain; `float` of it is in chips."""

    @property
    def iterations(self) -> int:
        """How many were run."""

    @property
    def seconds(self) -> float:
        """How long it took."""

    @property
    def stopped(self) -> str:
        """Why it stopped: see `Run`."""

    @property
    def history(self) -> History:
        """Measurements on the way."""

    def at(self, line: str, /) -> AnyDecision:
        """A decision: an information set of a game by its name, or a line of a spot."""

    def save(self, path: str | Path, /) -> None:
        """Write one file that `pokerlab.load` opens."""

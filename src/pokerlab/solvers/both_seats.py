"""`BothSeats`: a solver for each seat, driven as one.

A response to a restricted opponent is another game for each seat of ours: so there are two solves,
and each leaves the part of its seat.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from pokerlab.solvers.loop import Solver

Seat = TypeVar("Seat", bound=Solver)


class BothSeats(Generic[Seat]):
    """Iterates the solvers of both seats; `pokerlab.solvers.run` drives it.

    Parameters
    ----------
    make
        Makes the solver of a seat, 0 or 1.
    join
        The answer of both seats, by that of each.
    identity
        What a saved state belongs to beside the game of the first seat.
    measure
        The exploitability of a joined answer; by default the mean of both solvers is taken.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> from pokerlab.solvers import CfrSolver, RestrictedPlayer, Strategy
    >>> from pokerlab.trees import GameTree
    >>> tree = GameTree.build(load_game("kuhn"))
    >>> caller = {name: {"c": 1} for name in tree.infosets.names}
    >>> first = tree.infosets.slot_player == 0
    >>> both = BothSeats(
    ...     lambda hero: CfrSolver(
    ...         tree, "pcfr+", restricted=RestrictedPlayer.of(tree, caller, 1 - hero, 0.5)
    ...     ),
    ...     lambda one, other: Strategy(tree.infosets, np.where(first, one.array, other.array)),
    ... )
    >>> both.iterate(200)
    >>> both.exploitability() < 1e-3, round(both.strategy()["Ks"]["r"], 3)
    (True, 1.0)
    """

    def __init__(
        self,
        make: Callable[[int], Seat],
        join: Callable[[Any, Any], Any],
        identity: Mapping[str, str] | None = None,
        measure: Callable[[Any], float] | None = None,
    ) -> None:
        self.seats = make(0), make(1)
        self.iteration = 0
        self.join, self._measure = join, measure
        self._identity = identity or {}

    @property
    def identity(self) -> dict[str, str]:
        """What a saved state belongs to."""
        return {**self.seats[0].identity, **self._identity}

    def iterate(self, iterations: int) -> None:
        """Run some more iterations for each seat."""
        for each in self.seats:
            each.iterate(iterations)
        self.iteration += iterations

    def strategy(self) -> Any:
        """The answer so far, of each seat by its own solver."""
        first, second = self.seats
        return self.join(first.strategy(), second.strategy())

    def exploitability(self) -> float:
        """How far the answer so far is from what it should be."""
        if self._measure is not None:
            return self._measure(self.strategy())
        return sum(each.exploitability() for each in self.seats) / 2

    def state(self) -> dict[str, npt.NDArray[np.generic]]:
        """All that the next iteration depends on, each with the number of its seat in its name."""
        return {
            f"{number}.{name}": tensor
            for number, seat in enumerate(self.seats)
            for name, tensor in seat.state().items()
        }

    def restore(self, state: Mapping[str, npt.NDArray[np.generic]]) -> None:
        """Go back to a state; `ValueError` says what is wrong with one of other solvers."""
        for number, seat in enumerate(self.seats):
            start = f"{number}."
            own = {name: each for name, each in state.items() if name.startswith(start)}
            seat.restore({name.removeprefix(start): each for name, each in own.items()})
        first, second = self.seats
        if first.iteration != second.iteration:
            raise ValueError("the solvers of the two seats have gone through different iterations")
        self.iteration = first.iteration

"""CFR with the average that the thesis writes down: every strategy counts the same everywhere.

The average for which CFR is proved to converge weighs a strategy at an information set by its
owner's own reach of it. Algorithm 3 of the thesis adds up the probabilities themselves and
divides by the number of iterations. The race asks what difference that makes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from pokerlab.solvers import CfrSolver, Rule, Strategy
from pokerlab.trees import GameTree


class PlainAverageSolver(CfrSolver):
    """A `CfrSolver` whose answer is the plain mean of its strategies.

    Examples
    --------
    >>> from pokerlab.solvers import as_tree
    >>> plain = PlainAverageSolver(as_tree("leduc"), "cfr")
    >>> weighted = CfrSolver(plain.tree, "cfr")
    >>> for solver in (plain, weighted):
    ...     solver.iterate(400)
    ...     print(f"{solver.exploitability():.3f}")
    0.055
    0.026
    """

    _weights: ClassVar[tuple[str, ...]] = ("total", "reach", "sum")

    def __init__(self, tree: GameTree, rule: str | Rule) -> None:
        self._sum = np.zeros(tree.infosets.slots)
        super().__init__(tree, rule)

    @property
    def identity(self) -> dict[str, str]:
        """What a saved state belongs to."""
        return {**super().identity, "average": "plain"}

    def iterate(self, iterations: int) -> None:
        """Run some more iterations."""
        for _ in range(iterations):
            super().iterate(1)
            self._sum += self.current().array

    def strategy(self) -> Strategy:
        """The mean of the strategies after each iteration."""
        return Strategy.from_weights(self.tree.infosets, self._sum)

    def state(self) -> dict[str, npt.NDArray[np.generic]]:
        """All that the next iteration depends on."""
        return {**super().state(), "sum": self._sum.copy()}

    def restore(self, state: Mapping[str, npt.NDArray[np.generic]]) -> None:
        """Go back to a `state` of a solver with the same `identity`."""
        super().restore(state)
        self._sum[:] = state["sum"]

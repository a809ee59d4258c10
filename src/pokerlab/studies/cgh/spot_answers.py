"""Three answers of a post-flop solve: the average by own reach, the plain mean, the last strategy.

Algorithm 3 of the thesis adds up the probabilities themselves and divides by the number of
iterations (see `pokerlab.studies.cgh.race.PlainAverageSolver`). `SpotAnswers` does that beside a
`PostflopSolver`, with or without groups of hands, and lends the engine each answer to be measured.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Literal

import numpy as np

from pokerlab.holdem.spots import PostflopSolver
from pokerlab.studies.cgh.answer_kernels import add_strategy

Answer = Literal["own reach", "plain mean", "last"]

ANSWERS: tuple[Answer, ...] = ("own reach", "plain mean", "last")


class SpotAnswers:
    """The answers of a solver.

    Parameters
    ----------
    solver
        Fresh; it is iterated here from now on.
    plain
        Whether to add up the plain mean, which takes the memory of a third table.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot
    >>> spot = Spot("QhJh2c4d7h", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80)
    >>> answers = SpotAnswers(PostflopSolver(spot, "cfr"))
    >>> answers.iterate(100)
    >>> for name in answers.names:
    ...     with answers.answered(name) as solver:
    ...         print(f"{name}: {solver.exploitability():.2f}")
    own reach: 0.87
    plain mean: 1.38
    last: 2.20
    """

    def __init__(self, solver: PostflopSolver, *, plain: bool = True) -> None:
        self.solver = solver
        averages = solver.rule.averages
        if plain and averages and solver.precision == 16:
            raise ValueError("a plain mean needs 32 or 64 bits: halves do not hold its sums")
        self.names: tuple[Answer, ...] = ("last",)
        if averages:
            self.names = ANSWERS if plain else ("own reach", "last")
        self._sums = [
            tuple(np.zeros_like(weights) for weights in street.strategy_weights)
            for street in (solver.storage if "plain mean" in self.names else ())
        ]
        self._pool = ThreadPoolExecutor(solver.threads)

    def iterate(self, iterations: int) -> None:
        """Run some more iterations."""
        if not self._sums:
            self.solver.iterate(iterations)
            return
        for _ in range(iterations):
            self.solver.iterate(1)
            self._add()

    def _add(self) -> None:
        """Add the strategies of all boards, a share of them in each thread."""
        list(self._pool.map(self._add_share, range(self.solver.threads)))

    def _add_share(self, thread: int) -> None:
        solver = self.solver
        for both, street, sums in zip(
            solver.layout.streets, solver.storage, self._sums, strict=True
        ):
            for player, layout in enumerate(both):
                boards = len(layout.rows)
                begin, end = (boards * number // solver.threads for number in (thread, thread + 1))
                add_strategy(
                    street.strategy_weights[player],
                    layout.first[begin : end + 1],
                    layout.own_actions,
                    sums[player],
                )

    @contextmanager
    def answered(self, name: Answer) -> Iterator[PostflopSolver]:
        """The solver, whose answer is the one of that name until the block ends."""
        if name not in self.names:
            raise ValueError(f"{self.solver.rule} has no answer {name!r}: {', '.join(self.names)}")
        stored = self.solver.storage
        if name == "plain mean":
            lent = tuple(
                street._replace(sums=sums) for street, sums in zip(stored, self._sums, strict=True)
            )
        elif name == "last" and self.solver.rule.averages:
            lent = tuple(street._replace(sums=street.strategy_weights) for street in stored)
        else:
            lent = stored
        self.solver.storage = lent
        try:
            yield self.solver
        finally:
            self.solver.storage = stored

"""What merging hands costs, in the games in which boards and bets are merged."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import Any

from pokerlab.holdem.spots import PostflopSolver
from pokerlab.studies.bets.games import BetGame


@dataclass(frozen=True)
class HandsTask:
    """A game solved with groups of hands.

    Attributes
    ----------
    game
        What is solved.
    groups
        See `PostflopSolver`; no text: every hand by itself.
    iterations
        How many.
    """

    game: BetGame
    groups: str
    iterations: int

    def run(self, device: str, threads: int) -> dict[str, Any]:
        """Solve; the record as JSON."""
        groups = self.groups or None
        solver = PostflopSolver(self.game.spot, groups=groups, device=device, threads=threads)
        solver.iterate(1)  # compiles what is not compiled yet
        began = perf_counter()
        solver.iterate(self.iterations - 1)
        seconds = perf_counter() - began
        return {
            "entries": solver.prepared.size.entries,
            "seconds": seconds,
            "exploitability": solver.exploitability(),
        }

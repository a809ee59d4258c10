"""What merging boards costs beyond suits that are truly the same."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from pokerlab.holdem.spots.coarse.merged_boards import solve_merged
from pokerlab.studies.bets.games import BetGame


@dataclass(frozen=True)
class BoardTask:
    """A game solved with boards merged by suits alone, and by suits that can make no flush.

    Attributes
    ----------
    game
        What is solved.
    iterations
        Of both solves.
    """

    game: BetGame
    iterations: int

    def run(self, device: str, threads: int) -> dict[str, Any]:
        """Solve both; the record as JSON."""
        exact, merged = (
            solve_merged(
                self.game.spot,
                iterations=self.iterations,
                threads=threads,
                device=device,
                merge=merge,
            )
            for merge in (False, True)
        )
        return {"exact": asdict(exact), "merged": asdict(merged)}

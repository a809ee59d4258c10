"""The appendix of the thesis, solved until nothing is left to gain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pokerlab.holdem.spots import solve_spot
from pokerlab.studies.abstraction.extracts import extract_row, river_lines
from pokerlab.studies.abstraction.solves import FlopGame, to_mbb


@dataclass(frozen=True)
class AppendixTask:
    """A solve of the appendix, and what it does on every line to the river.

    Attributes
    ----------
    game
        The flop, ranges and menus.
    rule
        Where equilibria leave a choice, another rule may end at another one: two rules show which
        numbers are settled.
    epsilon
        The target: ε in mbb a game, as the thesis counts it.
    iterations
        The most iterations.
    """

    game: FlopGame
    rule: str
    epsilon: float
    iterations: int

    def run(self, device: str, threads: int) -> dict[str, Any]:
        """Solve; the record as JSON."""
        solution = solve_spot(
            self.game.spot,
            self.rule,
            target=self.epsilon / to_mbb(1.0),
            iterations=self.iterations,
            device=device,
            threads=threads,
            stall=False,
        )
        rows = [extract_row(solution, line) for line in river_lines(solution.spot)]
        return {
            "epsilon": to_mbb(solution.exploitability.chips),
            "iterations": solution.iterations,
            "seconds": solution.seconds,
            "value": 1000 * (solution.values[0] - self.game.pot / 2),
            "rows": [list(row) for row in rows],
        }

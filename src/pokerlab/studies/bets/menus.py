"""What a coarse menu loses against a finer one, by how it answers sizes that it does not have."""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

from pokerlab.games.betting_trees import Menus
from pokerlab.games.betting_trees.menus import PLAYERS
from pokerlab.holdem.spots import PostflopSolution, Spot, solve_together
from pokerlab.holdem.spots.coarse.menu_loss import menu_losses
from pokerlab.studies.bets.games import BetGame, menus_of_one

BEST = "best answer"
"""The equilibrium of a player who has the coarse menu against one who has the finer one: the least
that any strategy of the coarse menu loses."""


@dataclass(frozen=True)
class MenuTask:
    """A coarse solution judged in a finer game.

    Attributes
    ----------
    game
        With the coarse menus.
    fine_bet, fine_raises
        The finer menus.
    answers
        See `menu_losses`.
    target
        Of all solves, in percent of the pot.
    """

    game: BetGame
    fine_bet: str
    fine_raises: str
    answers: tuple[str, ...]
    target: float

    def run(self, device: str, threads: int) -> dict[str, Any]:
        """Solve and judge; the record as JSON."""
        spot = self.game.spot
        fine_spot = replace(
            spot,
            bet=Menus.of("bet", self.fine_bet),
            raise_=Menus.of("raise", self.fine_raises),
        )
        coarse, fine = self._solve(spot, device, threads), self._solve(fine_spot, device, threads)
        rows = []
        began = perf_counter()
        options: dict[str, Any] = {
            "target": f"{self.target}%",
            "threads": threads,
            "device": device,
        }
        for loss in menu_losses(coarse, fine, self.answers, **options):
            seconds = perf_counter() - began
            rows.append([loss.player, loss.answer, loss.least, loss.most, loss.solves, seconds])
            began = perf_counter()
        for player in range(len(PLAYERS)):
            mixed = replace(
                spot,
                bet=menus_of_one("bet", self.game.bet, self.fine_bet, player),
                raise_=menus_of_one("raise", self.game.raises, self.fine_raises, player),
            )
            found = self._solve(mixed, device, threads)
            # Both values are known up to best responses.
            least = (spot.pot - fine.best_values[1 - player]) - found.best_values[player]
            most = fine.best_values[player] - (spot.pot - found.best_values[1 - player])
            rows.append([player, BEST, least, most, 0, found.seconds])
        return {
            "rows": rows,
            "coarse": _size(coarse),
            "fine": _size(fine),
        }

    def _solve(self, spot: Spot, device: str, threads: int) -> PostflopSolution:
        (found,) = solve_together([spot], target=f"{self.target}%", device=device, threads=threads)
        return found


def _size(solution: PostflopSolution) -> dict[str, float]:
    streets = solution.layout.streets
    return {
        "entries": sum(each.size for both in streets for each in both),
        "seconds": solution.seconds,
        "iterations": solution.iterations,
        "exploitability": solution.exploitability.chips,
    }

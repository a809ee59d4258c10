"""Table 8 and figure 21: the strategies of two solves play each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pokerlab.studies.abstraction.solves import SolveTask

SEATS = ("oop", "ip", "sum")
_CURVE_POINTS = 200


@dataclass(frozen=True)
class DuelTask:
    """A match between the answers of two solves that were kept.

    Attributes
    ----------
    first, second
        The solves, and which of their answers play.
    games
        In each seat.
    curve_games
        How many of them the win curve shows.
    """

    first: tuple[SolveTask, str]
    second: tuple[SolveTask, str]
    games: int
    curve_games: int
    seed: int = 1

    def run(self, folder: Path, threads: int) -> dict[str, Any]:
        """Play; the record as JSON, in mbb a game and seat."""
        from pokerlab.holdem.spots import load_postflop, simulate_match

        solutions = [
            load_postflop(folder / task.file(name)) for task, name in (self.first, self.second)
        ]
        first, second = solutions
        result = simulate_match(first, second, 2 * self.games, self.seed, threads=threads)
        short = simulate_match(first, second, 2 * self.curve_games, self.seed, threads=threads)
        hands, won = short.curve.hands, short.curve.chips
        chosen = np.unique(np.linspace(0, len(hands) - 1, _CURVE_POINTS).astype(int))
        return {
            "games": self.games,
            "seconds": result.seconds,
            "seats": {
                name: {
                    seat: [
                        None if number is None else 1000 * number
                        for number in (each.chips, each.stderr, each.exact, each.at_least)
                    ]
                    for seat, each in seats.items()
                }
                for name, seats in zip(("first", "second"), result.seats.values(), strict=True)
            },
            "curve": [[int(hands[place]) // 2, *won[place].tolist()] for place in chosen],
        }


class DuelSeat(NamedTuple):
    """What a strategy won in a seat (or both), in mbb a game.

    Attributes
    ----------
    won, error
        In simulated games, with the standard error.
    exact
        What was computed for the pair of strategies.
    guaranteed
        Against a best response.
    """

    won: float
    error: float
    exact: float | None
    guaranteed: float | None


@dataclass(frozen=True, eq=False)
class DuelRecord:
    """What was noted of a match.

    Attributes
    ----------
    games
        In each seat.
    seats
        For both strategies (``first``, ``second``), by seat (``oop``, ``ip``, ``sum``).
    curve
        Games, and the big blinds that the first had won out of position, in position and together.
    """

    games: int
    seats: Mapping[str, Mapping[str, DuelSeat]]
    curve: tuple[tuple[float, ...], ...]

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> DuelRecord:
        """The record that a task made."""
        seats = {
            name: {seat: DuelSeat(*numbers) for seat, numbers in of_name.items()}
            for name, of_name in data["seats"].items()
        }
        for name in ("first", "second"):
            if set(seats[name]) != set(SEATS):
                raise ValueError("a match without its seats")
        return cls(int(data["games"]), seats, tuple(tuple(point) for point in data["curve"]))

"""A solution put to the test by play: concrete random deals, both players following it.

Hands come from both ranges, cards from the rest of the deck, and at every decision an action is
drawn from the strategy that the solution holds for that hand on that board. The chips are counted
by the rules of the game (`spot_rules`). So the average checks values, strategies, boards up to
suits, chips and rake together, and shares nothing with the walks that computed them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from pokerlab.postflop.answer.dealing import hand_pairs
from pokerlab.postflop.answer.play_outs import PlayOuts, check_playable
from pokerlab.postflop.answer.play_totals import Totals, standardised
from pokerlab.postflop.answer.solution import PostflopSolution
from pokerlab.postflop.question.lines import LineLike, to_line
from pokerlab.postflop.question.menus import PLAYERS

Pair: TypeAlias = tuple[float, float]


def simulate_solution(
    solution: PostflopSolution,
    hands: int,
    seed: int = 0,
    line: LineLike = "",
    *,
    threads: int | None = None,
    report: Callable[[int], None] | None = None,
) -> Simulation:
    """Play a solution against itself.

    Parameters
    ----------
    solution
        What both players follow; a whole one, the river included.
    hands
        How many hands, at least 2.
    seed
        The same seed gives the same result.
    line
        Where the hands begin: both players then hold what they arrive with.
    threads
        How many; by default all cores. The result does not depend on it.
    report
        Called with the number of hands played, from time to time.

    Examples
    --------
    >>> from pokerlab.postflop import Spot, solve_spot
    >>> spot = Spot("QhJh2c4d7h", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80)
    >>> solution = solve_spot(spot, target="0.1%")
    >>> played = simulate_solution(solution, 100_000, 1, "x")
    >>> max(map(abs, played.z)) < 4
    True
    """
    play = SolutionPlay(solution, hands, seed, line, threads=threads)
    for played in play:
        if report is not None:
            report(played)
    return play.result()


@dataclass(frozen=True, kw_only=True)
class Simulation:
    """What play gave, and what was computed.

    Attributes
    ----------
    line, hands, planned_hands, seed, threads
        Where the hands began, and how many there were.
    mean, stderr
        For each player the chips taken from there on, chips put in before not counted: their
        average and its standard error (NaN for one hand).
    expected
        What the solution says.
    seconds, cpu_seconds
        How long it took, preparation not counted; and the time that the threads were really
        running, added up.
    """

    line: str
    hands: int
    planned_hands: int
    seed: int
    threads: int
    mean: Pair
    stderr: Pair
    expected: Pair
    seconds: float
    cpu_seconds: float

    @property
    def complete(self) -> bool:
        """Whether all hands were played."""
        return self.hands == self.planned_hands

    @property
    def z(self) -> Pair:
        """How many standard errors the averages are from what the solution says."""
        first, second = (
            standardised(mean - expected, error)
            for mean, error, expected in zip(self.mean, self.stderr, self.expected, strict=True)
        )
        return first, second

    def to_json(self) -> dict[str, Any]:
        """The result as JSON, by player."""
        return {
            "line": self.line,
            "hands": self.hands,
            "planned_hands": self.planned_hands,
            "seed": self.seed,
            "threads": self.threads,
            "seconds": self.seconds,
            "cpu_seconds": self.cpu_seconds,
            "hands_per_second": self.hands / self.seconds if self.seconds else 0.0,
            "players": {
                name: {
                    "mean": self.mean[player],
                    "stderr": known(self.stderr[player]),
                    "expected": self.expected[player],
                    "z": known(self.z[player]),
                }
                for player, name in enumerate(PLAYERS)
            },
        }


class SolutionPlay:
    """A solution that is played block by block; see `simulate_solution` for the parameters.

    Iterate over it for the number of hands played so far; ask for the result at any time.
    """

    def __init__(
        self,
        solution: PostflopSolution,
        hands: int,
        seed: int = 0,
        line: LineLike = "",
        *,
        threads: int | None = None,
    ) -> None:
        if isinstance(hands, bool) or not isinstance(hands, int) or hands < 2:
            raise ValueError(f"hands: {hands!r} is not a number of hands (2 or more)")
        check_playable(solution)
        spot = solution.spot
        place = spot.find(line)
        self._line = str(to_line(line))
        view = solution.at(line) if self._line else None
        weights = (spot.ranges[0].weights, spot.ranges[1].weights) if view is None else view.weights
        try:
            pairs = hand_pairs(weights)
        except ValueError as error:
            raise ValueError(f"line {self._line!r}: {error}") from None
        self._play = PlayOuts((solution, solution), place, pairs, hands, 1, seed, threads)
        self._expected = solution.values if view is None else (view.mean_ev(0), view.mean_ev(1))
        committed = spot.tree.streets[place.level].committed[place.node] / spot.units
        self._taken_before = spot.pot / 2 + committed
        self._totals = Totals(2, hands)

    def __iter__(self) -> Iterator[int]:
        """Play from the first hand on; a solution is played once."""
        for chips in self._play:
            self._totals.add(chips[:, 0] + self._taken_before)
            yield self._play.played

    def result(self) -> Simulation:
        """What has been played so far."""
        mean, stderr = self._totals.last.mean, self._totals.last.stderr
        return Simulation(
            line=self._line,
            hands=self._play.played,
            planned_hands=self._play.deals,
            seed=self._play.seed,
            threads=self._play.threads,
            mean=(float(mean[0]), float(mean[1])),
            stderr=(float(stderr[0]), float(stderr[1])),
            expected=self._expected,
            seconds=self._play.seconds,
            cpu_seconds=self._play.cpu_seconds,
        )


def known(number: float) -> float | None:
    """A number for JSON, which has neither NaN nor infinity."""
    return number if abs(number) < float("inf") else None

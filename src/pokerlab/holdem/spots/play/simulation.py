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

from pokerlab.games.betting_trees.lines import LineLike, to_line
from pokerlab.games.betting_trees.menus import PLAYERS
from pokerlab.games.play_runs import PlayResult, Totals, known, standardised
from pokerlab.holdem.spots.answer.solution import PostflopSolution
from pokerlab.holdem.spots.play.dealing import hand_pairs
from pokerlab.holdem.spots.play.play_outs import PlayOuts, check_playable
from pokerlab.runtime.arrays import Floats

Pair: TypeAlias = tuple[float, float]


def simulate_solution(
    solution: PostflopSolution,
    hands: int,
    seed: int = 0,
    line: LineLike = "",
    *,
    threads: int | None = None,
    report: Callable[[int], None] | None = None,
) -> SpotSimulation:
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
    >>> from pokerlab.holdem.spots import Spot, solve_spot
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
class SpotSimulation(PlayResult):
    """Simulated results beside computed ones.

    Attributes
    ----------
    line
        Where the hands began.
    mean, stderr
        For each player the chips taken from there on, chips put in before not counted: their
        average and its standard error (NaN for one hand).
    expected
        What the solution says.
    """

    line: str
    mean: Pair
    stderr: Pair
    expected: Pair

    @property
    def z(self) -> Pair:
        """The distance of the averages from the solution's values, in standard errors."""
        return z_scores(self.mean, self.stderr, self.expected)

    def to_json(self) -> dict[str, Any]:
        """The result as JSON, by player."""
        return {
            "line": self.line,
            **self.run_json(),
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
        check_hands(hands)
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
        self._taken_before = [spot.given_up(each, committed[each]) for each in range(2)]
        self._totals = Totals(2, hands)

    def __iter__(self) -> Iterator[int]:
        """Play from the first hand on; a solution is played once."""
        for chips in self._play:
            self._totals.add(chips[:, 0] + self._taken_before)
            yield self._play.run.played

    def result(self) -> SpotSimulation:
        """The result of the hands played so far."""
        last = self._totals.last
        return SpotSimulation(
            line=self._line,
            hands=self._play.run.played,
            planned_hands=self._play.deals,
            seed=self._play.seed,
            threads=self._play.threads,
            mean=pair_of(last.mean),
            stderr=pair_of(last.stderr),
            expected=self._expected,
            seconds=self._play.run.seconds,
            cpu_seconds=self._play.run.cpu_seconds,
        )


def check_hands(hands: int) -> None:
    """`ValueError` for fewer than two hands: they have no error."""
    if isinstance(hands, bool) or not isinstance(hands, int) or hands < 2:
        raise ValueError(f"hands: {hands!r} is not a number of hands (2 or more)")


def z_scores(mean: Pair, stderr: Pair, expected: Pair) -> Pair:
    """The distance of both players' averages from the expected values, in standard errors."""
    first, second = (
        standardised(played - computed, error)
        for played, error, computed in zip(mean, stderr, expected, strict=True)
    )
    return first, second


def pair_of(values: Floats) -> Pair:
    """The numbers of both players."""
    return float(values[0]), float(values[1])

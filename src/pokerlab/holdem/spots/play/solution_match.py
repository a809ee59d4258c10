"""Two solutions of one spot play each other: every deal in both seatings, beside the exact values.

In each seat a profile wins or loses chips against an even split of the pot; the sum of both seats
is by how much it beats the other. The games are concrete ones (`play_outs`). Beside them stands
what was computed: the exact value of each pairing, by a walk over the tree with the strategies of
one player from one solution and those of the other player from the other solution, and what a
strategy wins at least, whoever plays against it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from pokerlab.cards.ranges.blockers import unblocked_weights
from pokerlab.engine.tables.hand_groups import join_groups
from pokerlab.engine.walker import Storage, Walker, make_walker
from pokerlab.games.play_runs import PlayResult, Totals, known, standardised
from pokerlab.holdem.spots.answer.solution import PostflopSolution
from pokerlab.holdem.spots.play.dealing import hand_pairs
from pokerlab.holdem.spots.play.play_outs import PlayOuts, check_playable
from pokerlab.holdem.spots.question.spot import Spot
from pokerlab.holdem.spots.reports.diff import check_same_spot
from pokerlab.runtime.arrays import Floats, Int64s
from pokerlab.runtime.errors import shorten

SEATS = ("oop", "ip", "sum")

_BETTING = (
    *("bet", "raise", "donk", "add_allin", "force_allin", "merge", "max_bets", "aggressor"),
    *("added", "removed", "smallest_chip", "big_blind"),
)
"""The fields of a spot that the betting tree is made from, beside pot and stack."""


def simulate_match(
    first: PostflopSolution,
    second: PostflopSolution,
    hands: int,
    seed: int = 0,
    *,
    names: tuple[str, str] = ("first", "second"),
    threads: int | None = None,
    report: Callable[[int], None] | None = None,
) -> SolutionMatchResult:
    """Play two solutions of one spot against each other, each deal in both seatings.

    Parameters
    ----------
    first, second
        Whole solutions, the river included, with the same cards, chips and bet sizes; rule,
        precision, locks and merging of suits may differ.
    hands
        How many hands, both seatings counted: an even number.
    seed
        The same seed gives the same result, and deal k the same cards whoever plays.
    names
        What the solutions are called in the result.
    threads
        How many; by default all cores. The result does not depend on it.
    report
        Called with the number of hands played, from time to time.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot, solve_spot
    >>> spot = Spot("QhJh2c4d7h", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80)
    >>> good, rough = solve_spot(spot, target="0.1%"), solve_spot(spot, iterations=3)
    >>> result = simulate_match(good, rough, 200_000, seed=1, names=("good", "rough"))
    >>> result.seats["good"]["sum"].chips > 0, abs(result.seats["good"]["sum"].z) < 4
    (True, True)
    """
    match = SolutionMatch(first, second, hands, seed, names=names, threads=threads)
    for played in match:
        if report is not None:
            report(played)
    return match.result()


@dataclass(frozen=True, kw_only=True)
class SeatResult:
    """The winnings of a profile in a seat, or in both together; chips a hand in each seat.

    Attributes
    ----------
    chips, stderr
        The average, the pot split evenly being nothing, and its standard error.
    exact
        What was computed; None if the solutions merge suits differently.
    at_least
        What the strategy wins against a best response; None if the spot has rake, or if a best
        response would have to keep to locks: nothing is guaranteed then.
    """

    chips: float
    stderr: float
    exact: float | None
    at_least: float | None

    @property
    def z(self) -> float | None:
        """The distance of the average from the computed value, in standard errors."""
        return None if self.exact is None else standardised(self.chips - self.exact, self.stderr)


@dataclass(frozen=True, eq=False)
class MatchCurve:
    """The winnings of the first profile on the way: oop, ip and the sum.

    Attributes
    ----------
    hands : (points,)
        How many hands had been played, both seatings counted.
    chips, stderr : (points, 3)
        The chips won until then, and the standard error of that.
    """

    hands: Int64s
    chips: Floats
    stderr: Floats


@dataclass(frozen=True, kw_only=True, eq=False)
class SolutionMatchResult(PlayResult):
    """The result of a match between two solutions; its hands are those of both seatings.

    Attributes
    ----------
    names
        What the solutions are called.
    pot, big_blind
        Of the spot, in chips.
    seats
        By name and then by ``oop``, ``ip`` and ``sum``, what was won.
    curve
        The way to it.
    """

    names: tuple[str, str]
    pot: float
    big_blind: float
    seats: dict[str, dict[str, SeatResult]]
    curve: MatchCurve

    @property
    def mbb(self) -> float:
        """A chip in thousandths of the big blind."""
        return 1000.0 / self.big_blind

    def to_json(self) -> dict[str, Any]:
        """The result as JSON, by name and seat."""
        return {
            "profiles": list(self.names),
            **self.run_json(),
            "results": {
                name: {seat: self._seat_json(result) for seat, result in seats.items()}
                for name, seats in self.seats.items()
            },
        }

    def _seat_json(self, seat: SeatResult) -> dict[str, float | None]:
        found: dict[str, float | None] = {}
        for unit, factor in (("chips", 1.0), ("mbb", self.mbb), ("percent", 100 / self.pot)):
            found[unit] = seat.chips * factor
            found[f"{unit}_stderr"] = known(seat.stderr * factor)
        found["exact_chips"] = seat.exact
        found["at_least_chips"] = seat.at_least
        found["z"] = None if seat.z is None else known(seat.z)
        return found


class SolutionMatch:
    """A match that is played block by block; see `simulate_match` for the parameters.

    Iterate over it for the number of hands played so far; ask for the result at any time.
    """

    def __init__(
        self,
        first: PostflopSolution,
        second: PostflopSolution,
        hands: int,
        seed: int = 0,
        *,
        names: tuple[str, str] = ("first", "second"),
        threads: int | None = None,
    ) -> None:
        if isinstance(hands, bool) or not isinstance(hands, int) or hands < 2 or hands % 2:
            raise ValueError(
                f"hands: {hands!r} is not an even number of hands (2 or more, two for each deal)"
            )
        if names[0] == names[1]:
            raise ValueError(f"names: both solutions are called {names[0]!r}; give them two names")
        for solution, name in zip((first, second), names, strict=True):
            check_playable(solution, name)
        check_same_spot(first.spot, second.spot)
        _check_same_betting(first.spot, second.spot)
        self._spot, self._names = first.spot, names
        pairs = hand_pairs((first.spot.ranges[0].weights, first.spot.ranges[1].weights))
        place = first.spot.find("")
        self._play = PlayOuts((first, second), place, pairs, hands // 2, 2, seed, threads, names)
        self._exact = _exact_values(first, second, self._play.threads)
        self._at_least = _guaranteed(first), _guaranteed(second)
        self._totals = Totals(6, hands // 2)

    def __iter__(self) -> Iterator[int]:
        """Play from the first hand on; a match is played once."""
        for chips in self._play:
            oop, ip = chips[:, :, 0], chips[:, :, 1]
            # In the first seating the first profile is out of position, in the second the other.
            first, second = (oop[:, 0], ip[:, 1]), (oop[:, 1], ip[:, 0])
            self._totals.add(np.stack([*first, sum(first), *second, sum(second)], axis=1))
            yield 2 * self._play.run.played

    def result(self) -> SolutionMatchResult:
        """The result of the hands played so far."""
        last = self._totals.last
        mean, stderr = last.mean.reshape(2, 3), last.stderr.reshape(2, 3)
        seats = {
            name: {
                seat: SeatResult(
                    chips=float(mean[profile, number]),
                    stderr=float(stderr[profile, number]),
                    exact=None if self._exact is None else self._exact[profile][number],
                    at_least=self._at_least[profile][number],
                )
                for number, seat in enumerate(SEATS)
            }
            for profile, name in enumerate(self._names)
        }
        points = self._totals.curve
        return SolutionMatchResult(
            names=self._names,
            hands=2 * self._play.run.played,
            planned_hands=2 * self._play.deals,
            seed=self._play.seed,
            threads=self._play.threads,
            pot=self._spot.pot,
            big_blind=self._spot.big_blind,
            seats=seats,
            curve=MatchCurve(
                np.array([2 * point.deals for point in points], np.int64),
                np.array([point.total[:3] for point in points]).reshape(-1, 3),
                np.array([point.stderr[:3] * point.deals for point in points]).reshape(-1, 3),
            ),
            seconds=self._play.run.seconds,
            cpu_seconds=self._play.run.cpu_seconds,
        )


def _check_same_betting(first: Spot, second: Spot) -> None:
    """`ValueError` if bet sizes or big blinds differ; it names the field of the spots that does."""
    same_tree = first.units == second.units and all(
        np.array_equal(getattr(one, name), getattr(other, name))
        for one, other in zip(first.tree.streets, second.tree.streets, strict=True)
        for name in ("player", "first_edge", "action", "amount", "kind", "target")
    )
    if same_tree and first.big_blind == second.big_blind:
        return
    old, new = first.fields(), second.fields()
    names = ("big_blind",) if same_tree else [name for name in {**old, **new} if name in _BETTING]
    for name in names:
        if old.get(name) != new.get(name):
            one, other = (shorten(str(each.get(name, "by default"))) for each in (old, new))
            raise ValueError(f"the solutions are of different spots: {name} {one} and {other}")
    raise ValueError("the solutions are of different spots: their betting differs")


Seats: TypeAlias = tuple[float, float, float]


def _exact_values(
    first: PostflopSolution, second: PostflopSolution, threads: int
) -> tuple[Seats, Seats] | None:
    """For each profile the exact value oop, ip and in both seats; None without common boards."""
    if not _same_boards(first, second):
        return None
    spot, boards = first.spot, first.boards
    weights = boards.weights
    ranges = [each.weights for each in spot.ranges]
    deals = float(ranges[0] @ unblocked_weights(ranges[1]))

    def value(walker: Walker, storage: Storage, hero: int) -> float:
        rows = walker.values(storage, hero, average=True)[: len(weights[hero])]
        return float(rows.astype(np.float64) @ weights[hero]) / deals / walker.unit

    def pairing(oop: PostflopSolution, ip: PostflopSolution) -> tuple[float, float]:
        mixed = tuple(
            one._replace(
                sums=(one.sums[0], other.sums[1]),
                first=(one.first[0], other.first[1]),
                rows=(one.rows[0], other.rows[1]),
            )
            for one, other in zip(oop.storage, ip.storage, strict=True)
        )
        groups = join_groups(boards, oop.groups, ip.groups)
        walker = make_walker(spot, boards, np.float64, threads, groups=groups)
        won = value(walker, mixed, 0)
        return won, -won if spot.constant_sum else value(walker, mixed, 1)

    ahead, behind = pairing(first, second), pairing(second, first)
    return (
        (ahead[0], behind[1], ahead[0] + behind[1]),
        (behind[0], ahead[1], behind[0] + ahead[1]),
    )


def _same_boards(first: PostflopSolution, second: PostflopSolution) -> bool:
    """Whether the strategies of both are stored for the same hands on the same boards."""
    return all(
        np.array_equal(one, other)
        for one, other in zip(first.boards.cards, second.boards.cards, strict=True)
    ) and all(
        np.array_equal(one, other)
        for one, other in zip(first.boards.combos, second.boards.combos, strict=True)
    )


def _guaranteed(solution: PostflopSolution) -> tuple[float | None, float | None, float | None]:
    """The least winnings of a profile oop, ip and in both seats, against anybody."""
    if not solution.spot.constant_sum or solution.locks:
        return None, None, None
    half = solution.spot.pot / 2
    oop, ip = (half - best for best in reversed(solution.best_values))
    return oop, ip, oop + ip

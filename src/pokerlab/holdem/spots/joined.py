"""`JoinedSolver`: solves several spots at once on a GPU, where their betting trees are the same.

All spots take the same iterations. How far a spot is from equilibrium is measured for each, and
each gets a certificate of its own: values and best responses in float64.

Values of all spots are counted in the unit of the spot that needs the smallest (see
`value_unit`). No rule depends on the unit, but regrets of other spots are smaller than when they
are solved alone, by the ratio of the units.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from pokerlab.engine.gpu.joined_walker import JoinedWalker, WalkedGame
from pokerlab.engine.gpu.level import Tuning
from pokerlab.engine.tables.layout import StrategyLayout
from pokerlab.engine.walker import Probabilities, Storage, as_storage
from pokerlab.holdem.spots.answer.solution import PostflopSolution, certified_solution
from pokerlab.holdem.spots.prepared import PreparedSpot, mean_chips
from pokerlab.holdem.spots.solver import (
    DEFAULT_RULE,
    PRECISIONS,
    Certified,
    fill_uniform,
    predicts,
)
from pokerlab.runtime.arrays import Floats, Singles
from pokerlab.solvers.loop import Run
from pokerlab.solvers.rules import Rule, parse_rule

if TYPE_CHECKING:
    from pokerlab.runtime.gpu.machine import Machine


COARSE = Tuning(sum_step=128)
"""Kernels are compiled for numbers that depend on the boards; coarse ones are seldom new."""


class JoinedSolver:
    """Solves spots together; `pokerlab.solvers.run` runs it.

    Parameters
    ----------
    machine
        The GPU.
    spots
        One or more, with the same betting tree; all have groups, or none has.
    rule, precision
        See `PostflopSolver`.
    """

    def __init__(
        self,
        machine: Machine,
        spots: Sequence[PreparedSpot],
        rule: str | Rule = DEFAULT_RULE,
        *,
        precision: int = 32,
    ) -> None:
        self.machine = machine
        self.spots = spots
        self.rule = parse_rule(rule)
        self.precision = precision
        self.iteration = 0
        self._deals = np.array([each.deals for each in spots])
        self.layout = StrategyLayout.join([each.layout for each in spots])
        self._walker = self._make_walker(np.float64 if precision == 64 else np.float32)
        self.storage = self._walker.make_storage(
            self.layout,
            PRECISIONS[precision],
            regrets=predicts(self.rule),
            sums=self.rule.averages,
        )
        self._measured: dict[int, Floats] = {}
        self._measured_abstract: dict[int, Floats] = {}
        if self.rule.greedy:
            fill_uniform(self._walker, self.storage, self.layout, precision)
        if self.rule.plays_against_average:
            self._walker.record(self.storage)

    def _make_walker(self, kind: npt.DTypeLike) -> JoinedWalker:
        games = [WalkedGame(s.spot, s.boards, s.placed_locks, s.groups) for s in self.spots]
        return JoinedWalker(self.machine, games, kind, COARSE)

    def iterate(self, iterations: int) -> None:
        """Run some more iterations."""
        self._walker.iterate(self.storage, self.rule, self.iteration + 1, iterations)
        self.iteration += iterations

    # ---- how exact it is

    def exploitability(self) -> float:
        """That of the spot which is farthest from equilibrium, in chips."""
        found = self._exploitabilities(by_group=False)
        self._measured[self.iteration] = found
        return float(found.max())

    def exploitability_abstract(self) -> float | None:
        """The same where each group must be played by one strategy; None without groups."""
        if self.spots[0].groups is None:
            return None
        found = self._exploitabilities(by_group=True)
        self._measured_abstract[self.iteration] = found
        return float(found.max())

    def _exploitabilities(self, *, by_group: bool) -> Floats:
        spot, walker, average = self.spots[0].spot, self._walker, self.rule.averages
        best = self._chips(walker, self.storage, average=average, best=True, by_group=by_group)
        # Without rake and prizes the values sum to the pot, whatever the strategies.
        values: Any = spot.pot
        if not spot.constant_sum:
            values = self._chips(walker, self.storage, average=average).sum(axis=0)
        found: Floats = (best.sum(axis=0) - values) / 2
        return found

    def _chips(
        self,
        walker: JoinedWalker,
        storage: Storage,
        *,
        average: bool = True,
        best: bool = False,
        by_group: bool = False,
    ) -> Floats:
        """(players, spots): what each player takes from the pot on average."""
        totals = [
            walker.totals(storage, hero, average=average, best=best, by_group=by_group)
            for hero in range(2)
        ]
        pot = self.spots[0].spot.pot
        chips: Floats = mean_chips(np.array(totals), self._deals, walker.unit, pot)
        return chips

    # ---- what it leaves behind

    def solutions(
        self, result: Run, target: float | None, streets: int | None = None
    ) -> Iterator[PostflopSolution]:
        """The solution of each spot, given how the run went.

        A spot that has reached the target says so, whatever ended the run. The seconds of a spot
        are its share of those of all. With `streets`, only those of the first streets are kept.
        """
        shares = self._walker.shares(self.storage, self.layout, average=self.rule.averages)
        if not self.rule.averages:
            for number, prepared in enumerate(self.spots):
                parts = self._parts(shares, number)
                prepared.put_in_locks(parts, self._walker.read, self._walker.write)
        walker = self._walker if self.precision == 64 else self._make_walker(np.float64)
        averages = as_storage(self.layout, shares)
        certified = self._certify(walker, averages)
        below: list[tuple[Singles, ...]] = [()] * len(self.spots)
        if streets is not None and streets < len(shares):
            both = [walker.values_below_each(averages, hero, streets - 1) for hero in range(2)]
            below = list(zip(*both, strict=True))
        part = 1 / len(self.spots)
        for number, (spot, found) in enumerate(zip(self.spots, certified, strict=True)):
            history = tuple(
                point._replace(
                    seconds=part * point.seconds,
                    exploitability=float(self._measured[point.iteration][number]),
                    exploitability_abstract=self._abstract(point.iteration, number),
                )
                for point in result.history
            )
            reached = target is not None and history[-1].exploitability <= target
            yield certified_solution(
                spot,
                self._strategies(shares[:streets], number),
                found,
                rule=str(self.rule),
                iterations=self.iteration,
                seconds=part * (result.seconds + result.measuring),
                stopped="target" if reached else result.stopped,
                history=history,
                values_below=below[number],
            )

    def _abstract(self, iteration: int, number: int) -> float | None:
        found = self._measured_abstract.get(iteration)
        return None if found is None else float(found[number])

    def _certify(self, walker: JoinedWalker, averages: Storage) -> list[Certified]:
        """The values of all spots, and those of best responses, computed in float64."""
        found = [self._chips(walker, averages), self._chips(walker, averages, best=True)]
        if self.spots[0].groups is not None:
            found.append(self._chips(walker, averages, best=True, by_group=True))
        by_spot = np.array(found).transpose(2, 0, 1).tolist()
        return [
            Certified(tuple(values), tuple(best), tuple(by_group[0]) if by_group else None)
            for values, best, *by_group in by_spot
        ]

    def _strategies(self, shares: Sequence[tuple[Any, Any]], number: int) -> Probabilities:
        """The strategies of a spot, from those of all."""
        read = self._walker.read
        return tuple(
            (read(first).view(np.float16), read(second).view(np.float16))
            for first, second in self._parts(shares, number)
        )

    def _parts(self, shares: Sequence[tuple[Any, Any]], number: int) -> list[tuple[Any, Any]]:
        """The arrays of a spot, as parts of those of all."""

        def part(level: int, player: int) -> Any:
            ends = self._ends[level][player]
            return shares[level][player][ends[number] : ends[number + 1]]

        return [(part(level, 0), part(level, 1)) for level in range(len(shares))]

    @cached_property
    def _ends(self) -> list[list[list[int]]]:
        """By street and player, where the storage of each spot begins and where the last ends."""
        return [
            [
                np.cumsum(
                    [0, *(spot.layout.at(level, player).size for spot in self.spots)]
                ).tolist()
                for player in range(2)
            ]
            for level in range(len(self.layout.streets))
        ]

"""Counterfactual regret minimisation on the boards of Rhode Island hold'em, by a GPU in float64.

One kernel does a street for one player: three launches a player and iteration, the last street
first. Best responses, which judge the result, are those of `boards` on the processor.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pokerlab.runtime.arrays import AnyArray
from pokerlab.runtime.gpu.machine import Kernel, Machine
from pokerlab.runtime.gpu.sources import register_kernels
from pokerlab.solvers.rules import Rule
from pokerlab.studies.rhode_island.boards import STREETS, RhodeIslandBoards, RoundBetting
from pokerlab.studies.rhode_island.regrets import RegretSolver

register_kernels(__package__, {"street_regrets": ("types", "device", "street_regrets")})

_WARP = 32


class _Launch(NamedTuple):
    """A street of an iteration: all but the numbers of the rule."""

    kernel: Kernel
    grid: tuple[int, int]
    arguments: list[Any]


class GpuRegretSolver(RegretSolver):
    """A `RegretSolver` whose tables are on a GPU.

    Parameters
    ----------
    machine
        The GPU.
    boards
        The game.
    rule
        A regret rule.
    """

    def __init__(self, machine: Machine, boards: RhodeIslandBoards, rule: Rule) -> None:
        super().__init__(boards, rule)
        self.machine = machine
        self._choices, self._regrets, self._sums = (
            [[machine.array(each) for each in plan] for plan in tables]
            for tables in (self._choices, self._regrets, self._sums)
        )
        self._launches = [self._prepare(boards, player) for player in (0, 1)]

    def _fetch(self, table: Any) -> AnyArray:
        return self.machine.fetch(table)

    def _put(self, array: AnyArray) -> Any:
        return self.machine.array(array)

    def _update(self, player: int) -> None:
        step = self.rule.at(self.iterations)
        numbers = step.positive, step.negative, step.average, step.prediction, step.trial
        for kernel, grid, arguments in self._launches[player]:
            kernel(grid, [*arguments, *map(np.float64, numbers)])

    def _prepare(self, boards: RhodeIslandBoards, hero: int) -> list[_Launch]:
        """The launches of an iteration for a player, the last street first."""
        machine, betting = self.machine, boards.betting
        table = machine.array(_table(betting, hero))
        mine, theirs = self._choices[hero], self._choices[1 - hero]
        values = [
            machine.zeros((*boards.shape(street), boards.hands(street)), np.float64)
            for street in range(STREETS)
        ]
        launches = []
        for street in reversed(range(STREETS)):
            count, lines = boards.shape(street)
            together, hands = min(lines, len(betting.calls)), boards.hands(street)
            below = min(street + 1, STREETS - 1)
            options = {
                "STREET": street,
                "HANDS": hands,
                "LINES": together,
                "ALL_LINES": lines,
                "FAN": boards.shape(below)[0] // count,
                "BOARDS_A_FLOP": boards.shape(STREETS - 1)[0] // boards.shape(1)[0],
                "HERO_SETS": len(betting.sets[hero]),
                "OTHER_SETS": len(betting.sets[1 - hero]),
                "HERO_SLOTS": betting.slots[hero],
                "OTHER_SLOTS": betting.slots[1 - hero],
                "ENDS": len(betting.ends),
                "CALLS": len(betting.calls),
                "DEPTH": _depth(betting),
            }
            rows = 2 * hands + together * sum(betting.slots)
            kernel = machine.kernel("street_regrets", options, _WARP * together, 8 * hands * rows)
            weights = machine.array(boards.weights[street])
            showdowns = machine.array(boards.showdowns) if street == STREETS - 1 else weights
            arguments = [
                *(table, mine[0], mine[1], mine[street]),
                *(self._regrets[hero][street], self._sums[hero][street]),
                *(theirs[0], theirs[1], theirs[street], weights, showdowns),
                *(machine.array(betting.stakes[street]), values[below], values[street]),
            ]
            launches.append(_Launch(kernel, (count, lines // together), arguments))
        return launches


def _paths(betting: RoundBetting, player: int) -> list[list[int]]:
    """For each call: the slots of a player that lead there."""
    before = {slot: base for base, slots in betting.sets[player] for slot in slots}
    paths = []
    for call in betting.calls:
        path = [betting.ends[call].slots[player]]
        while before[path[-1]] >= 0:
            path.append(before[path[-1]])
        paths.append(path)
    return paths


def _depth(betting: RoundBetting) -> int:
    return max(len(path) for player in (0, 1) for path in _paths(betting, player))


def _table(betting: RoundBetting, hero: int) -> AnyArray:
    """The betting as the kernel reads it."""
    seats, depth = (hero, 1 - hero), _depth(betting)
    numbers = [number for seat in seats for number in betting.rows(seat).ravel().tolist()]
    for end in betting.ends:
        folds = 0 if end.folds < 0 else -1 if end.folds == hero else 1
        numbers += [end.slots[hero], end.slots[1 - hero], folds]
    for seat in seats:
        for path in _paths(betting, seat):
            numbers += [*path, *[-1] * (depth - len(path))]
    return np.array(numbers, np.int32)

"""`GpuWalker`: walks over the public tree of a spot on a graphics card.

The card holds what is learned in the layout of the processor's engine, so files, checkpoints and
certificates are the same. A walk goes down street by street, a kernel each: reach to the river;
the river down and up; then values up to the first street. Values of boards are added up in their
order: the result does not depend on the run.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pokerlab.postflop.cpu.tasks import BEST, BEST_BY_GROUP, LEARN, MEAN, RECORD, SEED
from pokerlab.postflop.gpu.all_ins import AllIns
from pokerlab.postflop.gpu.groups import LevelGroups
from pokerlab.postflop.gpu.level import Level, Tuning
from pokerlab.postflop.gpu.locks import LevelLocks
from pokerlab.postflop.gpu.machine import Kernel, Machine
from pokerlab.postflop.gpu.programs import FULL, REACH, RECORD_SUMS
from pokerlab.postflop.gpu.shape import round_up
from pokerlab.postflop.question.spot import Spot
from pokerlab.postflop.tables.arrays import Locks, StreetStorage
from pokerlab.postflop.tables.boards import Boards
from pokerlab.postflop.tables.hand_groups import BoardGroups
from pokerlab.postflop.tables.layout import StrategyLayout
from pokerlab.postflop.tables.program import make_payoffs, value_unit
from pokerlab.solvers.rules import Rule, Step

__all__ = ["GpuWalker"]

_REGRETS, _PREDICTED_REGRETS, _GREEDY = range(3)
_SMALLEST = np.float32(2.0**-14)
"""Smaller halves are denormal, and nobody may see them (as on the processor)."""

Storage = tuple[StreetStorage, ...]


class GpuWalker:
    """Walks over one spot on a card; see `pokerlab.postflop.walker.Walker`.

    Parameters
    ----------
    machine
        Where kernels run.
    spot, boards
        The game.
    kind
        The precision of reach and values.
    locks
        Strategies that are fixed, street by street.
    tuning
        How work is cut.
    groups
        Hands that share storage.
    """

    def __init__(
        self,
        machine: Machine,
        spot: Spot,
        boards: Boards,
        kind: npt.DTypeLike,
        locks: Sequence[Locks] | None = None,
        tuning: Tuning | None = None,
        groups: BoardGroups | None = None,
    ) -> None:
        self.machine = machine
        self.boards = boards
        self.kind: np.dtype[Any] = np.dtype(kind)
        self.unit = value_unit(spot, boards)
        payoffs = make_payoffs(spot, boards)
        tuning = tuning or Tuning()
        self.levels: list[Level] = []
        for number, tree in enumerate(spot.tree.streets):
            if tree.roots == 0:
                break
            above = self.levels[-1] if self.levels else None
            self.levels.append(
                Level(machine, tree, number, boards, payoffs, self.kind, above, tuning, groups)
            )
        self._all_ins = [
            AllIns(machine, level, boards) if level.all_ins else None for level in self.levels
        ]
        self._locks = [
            LevelLocks.of(machine, level, locks[level.number]) if locks else None
            for level in self.levels
        ]
        self._groups = [
            LevelGroups.of(machine, level, boards, groups) if groups else None
            for level in self.levels
        ]
        self._ranges = []
        for player in range(2):
            row = np.zeros(self.levels[0].lengths[player], self.kind)
            row = np.zeros(max(len(row), boards.padded[player]), self.kind)
            row[: len(boards.weights[player])] = boards.weights[player]
            self._ranges.append(machine.array(row))
        self._kernels: dict[tuple[Any, ...], Kernel] = {}
        self._lock = threading.Lock()

    # ---- storage

    def make_storage(
        self, layout: StrategyLayout, kind: npt.DTypeLike, *, regrets: bool, sums: bool
    ) -> Storage:
        """Zeros for all strategies of a spot; see `walker.make_storage`."""

        def pair(level: int, kept: bool) -> tuple[Any, Any]:
            first, second = (
                self.machine.zeros(each.size if kept else 0, kind) for each in layout.streets[level]
            )
            return first, second

        return tuple(
            StreetStorage(
                pair(level, True),
                pair(level, regrets),
                pair(level, sums),
                layout.first(level),
                layout.rows(level),
            )
            for level in range(len(layout.streets))
        )

    def read(self, array: Any) -> npt.NDArray[Any]:
        """An array of storage as one of the host: a copy."""
        return self.machine.fetch(array)

    def write(self, array: Any, numbers: npt.NDArray[Any]) -> None:
        """Replace the numbers of an array of storage."""
        array[...] = self.machine.array(numbers)

    def hold(self, storage: Storage) -> Storage:
        """The same storage on the card; what lies there already is not copied."""
        machine = self.machine

        def pair(arrays: Any) -> Any:
            return tuple(each if machine.holds(each) else machine.array(each) for each in arrays)

        return tuple(
            StreetStorage(
                pair(each.strategy_weights),
                pair(each.regret),
                pair(each.sums),
                each.first,
                each.rows,
            )
            for each in storage
        )

    # ---- what a solve asks for

    def iterate(self, storage: Storage, rule: Rule, first: int, iterations: int) -> None:
        """Run iterations of a rule, the number `first` and those after it."""
        for number in range(first, first + iterations):
            step = rule.at(number)
            if rule.plays_against_average:
                step = step._replace(average=1.0)  # all best responses weigh the same
            for hero in range(2):
                against_average = rule.plays_against_average
                self._walk(storage, hero, LEARN, step, average=against_average, rule=rule)
                if against_average:
                    self._walk(storage, 1 - hero, RECORD, step, average=False)
        self.machine.synchronize()

    def record(self, storage: Storage, *, average: bool = False) -> None:
        """Write the sums that one iteration with the current strategies gives."""
        for hero in range(2):
            self._walk(storage, hero, RECORD, Step(average=0.0), average=average)

    def seed_regrets(self, storage: Storage, positive: float, negative: float) -> None:
        """Write regrets from the action values of the average strategies."""
        for hero in range(2):
            self._walk(storage, hero, SEED, Step(positive, negative), average=True)

    def values(self, storage: Storage, hero: int, *, average: bool) -> npt.NDArray[Any]:
        """What each hand is worth at the root."""
        return self._root_values(storage, hero, MEAN, average=average)

    def best_values(
        self, storage: Storage, hero: int, *, average: bool, by_group: bool = False
    ) -> npt.NDArray[Any]:
        """The same for a best response; without groups, each hand is one."""
        task = BEST_BY_GROUP if by_group and self._groups[0] is not None else BEST
        return self._root_values(storage, hero, task, average=average)

    def values_below(self, storage: Storage, hero: int, level: int) -> npt.NDArray[np.float32]:
        """The average strategies' values where the next street begins: (boards, roots, hands)."""
        here = self.levels[level]
        with self._lock:
            self._walk(self.hold(storage), hero, MEAN, Step(), average=True)
            rows = self.machine.fetch(here.next_values)
        shape = here.links, here.boards, here.lengths[hero]
        found = rows[: np.prod(shape)].reshape(shape)[:, :, : self.boards.padded[hero]]
        return np.ascontiguousarray(found.transpose(1, 0, 2), np.float32)

    def probabilities(
        self, storage: Storage, layout: StrategyLayout, *, average: bool
    ) -> tuple[tuple[npt.NDArray[np.float16], npt.NDArray[np.float16]], ...]:
        """The strategies of all streets as probabilities; current ones where averages are 0."""
        machine, found = self.machine, []
        for both, stored in zip(layout.streets, storage, strict=True):
            pair = []
            for player, here in enumerate(both):
                source = stored.sums if average else stored.strategy_weights
                out = machine.zeros(here.size, np.uint16)
                options = {"STORED_BITS": 8 * source[player].dtype.itemsize}
                write = machine.kernel("write_probabilities", options, 128)
                slots = np.cumsum(here.own_actions) - here.own_actions
                if here.size:
                    write(
                        (len(slots), len(here.rows)),
                        (
                            source[player],
                            stored.strategy_weights[player],
                            machine.array(here.first),
                            machine.array(here.rows.astype(np.int32)),
                            machine.array(slots.astype(np.int32)),
                            machine.array(here.own_actions.astype(np.int32)),
                            _SMALLEST,
                            out,
                        ),
                    )
                pair.append(machine.fetch(out).view(np.float16))
            found.append((pair[0], pair[1]))
        return tuple(found)

    # ---- walks

    def _root_values(
        self, storage: Storage, hero: int, task: int, *, average: bool
    ) -> npt.NDArray[Any]:
        level = self.levels[0]
        with self._lock:
            self._walk(self.hold(storage), hero, task, Step(), average=average)
            row = self.machine.fetch(level.values)[: level.lengths[hero]]
        place = level.positions[hero][0]
        known = place < len(row)
        found = np.zeros(self.boards.padded[hero], self.kind)
        found[known] = row[place[known]]
        return found

    def _walk(
        self,
        storage: Storage,
        hero: int,
        task: int,
        step: Step,
        *,
        average: bool,
        rule: Rule | None = None,
    ) -> None:
        """Walk for a hero; his values at the root are then in the first level."""

        def launch(level: Level, kind: str) -> None:
            stored = storage[level.number]
            self._launch(level, kind, stored, hero, task, step, average=average, rule=rule)

        if task == RECORD:
            for level in self.levels:
                launch(level, RECORD_SUMS)
            return
        upper, all_ins = list(self.levels), []
        for level, evaluated in zip(self.levels, self._all_ins, strict=True):
            if not level.last_street:
                launch(level, REACH)
            if evaluated is not None:
                all_ins.append((evaluated, self.machine.mark()))
        if upper[-1].last_street:
            launch(upper.pop(), FULL)
        for evaluated, mark in all_ins:  # they take what the river leaves free at its end
            with self.machine.beside(mark):
                evaluated.evaluate(hero)
        for level in reversed(upper):
            if level.links:
                self._add_boards(self.levels[level.number + 1], level, hero)
            if level.all_ins:
                self.machine.join()
            launch(level, FULL)

    def _launch(
        self,
        level: Level,
        kind: str,
        stored: StreetStorage,
        hero: int,
        task: int,
        step: Step,
        *,
        average: bool,
        rule: Rule | None,
    ) -> None:
        other = 1 - hero
        weights, sums = stored.strategy_weights, stored.sums
        strategy = sums if average else weights
        writes_sums = task == RECORD or (task == LEARN and not average)
        writes_sums = writes_sums and sums[other].size > 0
        predicts = stored.regret[hero].size > 0
        learning = _PREDICTED_REGRETS if predicts else _REGRETS
        if rule is not None and rule.greedy:
            learning = _GREEDY
        bits = 8 * strategy[other].dtype.itemsize
        passed_up = int(rule.passes_up) if rule is not None else 0
        kernel = self._kernel(level, task, learning, passed_up, writes_sums, bits)
        words, first = level.d_programs[hero, kind]
        jobs = level.programs.lists[hero, kind].jobs
        parts = 1 if level.last_street else jobs
        above = self.levels[level.number - 1] if level.number else None
        reach = above.next_reach if above else self._ranges[other]
        reach_length = above.lengths[other] if above else self._ranges[other].size
        tables = level.d_tables[hero]
        own_second = stored.regret[hero] if task == LEARN and predicts else strategy[hero]
        locks = self._locks[level.number]
        groups = self._groups[level.number]
        starts = groups.first if groups is not None else level.d_first
        imposed = locks is not None and not average
        number = np.int32
        kernel(
            (parts * -(-level.boards // level.shape.boards),),
            (
                words,
                first,
                number(jobs),
                number(parts),
                number(level.boards),
                level.d_hands[other],
                level.d_hands[hero],
                level.d_true_hands[hero],
                starts[other],
                starts[hero],
                level.d_order[other],
                number(level.lengths[other]),
                level.d_parent,
                reach,
                number(reach_length),
                number(level.boards_above),
                tables["lists"],
                tables["lane_info"],
                tables["ends"],
                tables["showdowns"],
                tables["cards"],
                number(level.table_length),
                strategy[other],
                sums[other],
                weights[hero],
                own_second,
                level.values,
                number(level.lengths[hero]),
                level.next_reach,
                level.all_in_reach,
                number(level.lengths[other]),
                level.next_values,
                level.all_in_values,
                number(level.all_ins),
                locks.start[other] if locks is not None and imposed else np.uint64(0),
                locks.start[hero] if locks is not None else np.uint64(0),
                number(level.slots[other]),
                number(level.slots[hero]),
                locks.shares if locks is not None else np.uint64(0),
                *_group_tables(groups, other),
                *_group_tables(groups, hero),
                level.spilled,
                number(level.programs.spilled),
                level.d_factors,
                *map(self.kind.type, step),
                number(level.programs.needs.slots),
                number(kind == FULL),
            ),
        )

    def _kernel(
        self,
        level: Level,
        task: int,
        learning: int,
        passed_up: int,
        writes_sums: bool,
        stored_bits: int,
    ) -> Kernel:
        key = (level.number, task, learning, passed_up, writes_sums, stored_bits)
        if key not in self._kernels:
            options = {
                **level.options(),
                "STORED_BITS": stored_bits,
                "TASK": task,
                "LEARNING": learning,
                "PASSED_UP": passed_up,
                "WRITES_SUMS": int(writes_sums),
                "LOCKED": int(self._locks[level.number] is not None),
                "GROUPED": int(self._groups[level.number] is not None),
                "HALVED_ALL_INS": int(level.halved_all_ins),
            }
            threads = level.shape.threads * level.teams
            self._kernels[key] = self.machine.kernel("walk", options, threads, level.shared_bytes)
        return self._kernels[key]

    def _add_boards(self, level: Level, above: Level, hero: int) -> None:
        """Add the values of a level's boards up for the boards above."""
        padded, length = level.padded[hero], level.lengths[hero]
        key = ("add_boards", padded, length)
        if key not in self._kernels:
            options = {"REAL_BITS": 8 * self.kind.itemsize}
            threads, shared = round_up(-(-padded // 4), 32), 2 * length * self.kind.itemsize
            self._kernels[key] = self.machine.kernel("add_boards", options, threads, shared)
        self._kernels[key](
            (level.tree.roots * above.boards,),
            (
                level.values,
                np.int32(length),
                np.int32(level.boards),
                level.d_positions[hero],
                np.int32(padded),
                level.d_owner,
                level.d_member_first,
                above.next_values,
                np.int32(above.lengths[hero]),
                np.int32(above.boards),
                np.float64(level.chance),
            ),
        )


def _group_tables(groups: LevelGroups | None, player: int) -> tuple[Any, ...]:
    """What a kernel takes of a player's groups; nothing where there are none."""
    if groups is None:
        return (np.uint64(0),) * 4
    return (
        groups.numbers[player],
        groups.columns[player],
        groups.members[player],
        groups.shares[player],
    )

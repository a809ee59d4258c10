"""`CpuWalker`: walks over the public tree of a spot in one precision, on any number of threads.

It owns the programs of the streets and a pool of workspaces; strategies come from outside. Each
board below the first street leaves its values in a place of its own, and they are added up in the
order of the boards: the result does not depend on the number of threads.

A walk takes a workspace from the pool, and makes one if none is free. So several threads may ask
one walker at the same time, as long as none of them changes the strategies.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from math import prod
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from pokerlab.postflop.cpu.all_in_kernels import ALL_INS_TOGETHER
from pokerlab.postflop.cpu.leaf_kernels import LEAVES
from pokerlab.postflop.cpu.learning_kernels import Update
from pokerlab.postflop.cpu.probability_kernels import write_probabilities
from pokerlab.postflop.cpu.solve_kernels import (
    ascend,
    descend,
    finish_walk,
    iterate_river,
    start_walk,
    walk_rivers,
    walk_turns,
    walk_turns_from_river_values,
)
from pokerlab.postflop.cpu.street_kernels import StreetArrays, Walk, fill_next_values
from pokerlab.postflop.cpu.tasks import BEST, BEST_BY_GROUP, LEARN, MEAN, RECORD, SEED
from pokerlab.postflop.cpu.vector_kernels import LANES
from pokerlab.postflop.cpu.workspaces import Workspaces, aligned
from pokerlab.postflop.question.spot import Spot
from pokerlab.postflop.tables.arrays import Locks, Program, StreetStorage
from pokerlab.postflop.tables.board_values import BoardValues
from pokerlab.postflop.tables.boards import Boards
from pokerlab.postflop.tables.group_tables import make_group_tables
from pokerlab.postflop.tables.hand_groups import BoardGroups
from pokerlab.postflop.tables.layout import StrategyLayout
from pokerlab.postflop.tables.placed_locks import no_locks
from pokerlab.postflop.tables.program import compile_streets, value_unit
from pokerlab.postflop.tables.shape import WalkerShape
from pokerlab.solvers.rules import Dcfr, Rule, Step

__all__ = ["CPU_SHAPE", "CpuWalker"]

Rows: TypeAlias = npt.NDArray[np.floating[Any]]
Storage: TypeAlias = tuple[StreetStorage, ...]

CPU_SHAPE = WalkerShape(hands=LANES, leaves=LEAVES, all_ins=ALL_INS_TOGETHER, batch_bytes=1 << 20)
"""Vectors of 16 hands, blocks of 32 leaves; batches that fit into a second-level cache."""

_SMALLEST = np.float32(2.0**-14)
"""Smaller halves are denormal: kernels take them for zero, so nobody may see anything else."""


class CpuWalker:
    """Walks over one spot with the processor; see `pokerlab.postflop.walker.Walker`.

    Parameters
    ----------
    spot, boards
        The game.
    kind
        The precision of reach and values.
    threads
        How many to use.
    locks
        Strategies that are fixed, street by street.
    groups
        Which hands share storage; None where each has its own.
    """

    def __init__(
        self,
        spot: Spot,
        boards: Boards,
        kind: npt.DTypeLike,
        threads: int,
        locks: Sequence[Locks] | None = None,
        groups: BoardGroups | None = None,
    ) -> None:
        self.locks = locks or [no_locks() for _ in boards.tables]
        self.boards = boards
        self.kind: np.dtype[Any] = np.dtype(kind)
        self.unit = value_unit(spot, boards)
        self.streets = compile_streets(spot, boards, self.kind, CPU_SHAPE)
        self._groups = make_group_tables(spot.tree, boards, groups, self.kind)
        # The chance of a card on each street to come, and of a run-out, given both hands.
        cards = [1.0 / (52 - known - 4) for known in range(len(spot.board), 5)]
        make: Any = self.kind.type
        self._chances = [make(chance) for chance in cards]
        self._run_outs = [make(prod(cards[level:])) for level in range(len(self.streets))]
        self._threads = threads
        self._pool = ThreadPoolExecutor(max(threads - 1, 1))
        self._shares = self._split_boards()
        zero = np.zeros(1, np.int64)
        self._top = self.streets[0].programs[0]._replace(next_reach=zero, next_value=zero)
        self._ranges = [aligned(width, self.kind) for width in boards.widths]
        for row, weights in zip(self._ranges, boards.weights, strict=True):
            row[: len(weights)] = weights
        self._free: list[Workspaces] = []
        self._lock = threading.Lock()

    @contextmanager
    def _workspaces(self) -> Iterator[Workspaces]:
        """Workspaces that nobody else uses until the block ends."""
        with self._lock:
            works = self._free.pop() if self._free else None
        if works is None:
            works = Workspaces.of_spot(self.streets, self.boards, self._groups, self.kind)
        try:
            yield works
        finally:
            with self._lock:
                self._free.append(works)

    def _split_boards(self) -> list[int]:
        """Where the boards of each thread begin on the second street, and where the last end.

        A board weighs as much as it has boards below.
        """
        if len(self.streets) == 1:
            return [0] * (self._threads + 1)
        below = np.maximum(np.diff(self.boards.tables[1].child_first), 1)
        ends = np.cumsum(below)
        goals = np.linspace(0, ends[-1], self._threads + 1)
        # A board goes to the thread in whose share its middle lies.
        return [int(first) for first in np.searchsorted(ends - below / 2, goals)]

    def make_storage(
        self, layout: StrategyLayout, kind: npt.DTypeLike, *, regrets: bool, sums: bool
    ) -> Storage:
        """Zeros for all strategies; `regrets` and `sums` are empty where none are kept."""

        def pair(sizes: Sequence[int], kept: bool) -> tuple[npt.NDArray[Any], ...]:
            return tuple(aligned(size if kept else 0, kind) for size in sizes)

        return tuple(
            StreetStorage(
                pair(sizes, True),
                pair(sizes, regrets),
                pair(sizes, sums),
                layout.first(level),
                layout.rows(level),
            )
            for level, sizes in enumerate([each.size for each in both] for both in layout.streets)
        )

    def read(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The array itself."""
        return array

    def write(self, array: npt.NDArray[Any], numbers: npt.NDArray[Any]) -> None:
        """Replace the numbers of an array."""
        array[:] = numbers

    def hold(self, storage: Storage) -> Storage:
        """The storage itself."""
        return storage

    def iterate(self, storage: Storage, rule: Rule, first: int, iterations: int) -> None:
        """Run iterations of a rule, the number `first` and those after it."""
        numbers = range(first, first + iterations)
        if len(self.streets) == 1 and not rule.plays_against_average:
            steps = np.array([rule.at(number) for number in numbers], np.float64)
            self._iterate_river(storage, rule, steps.reshape(-1, 6))
            return
        for number in numbers:
            update = self._update(rule, rule.at(number))
            for hero in range(2):
                self._walk(storage, hero, LEARN, update, average=rule.plays_against_average)
                if rule.plays_against_average:
                    self._walk(storage, 1 - hero, RECORD, update, average=False)

    def learn(self, storage: Storage, rule: Rule, number: int, hero: int) -> Rows:
        """Run the half of an iteration in which one player learns.

        Gives the value of each of his hands at the root before he learnt, times `unit`.
        """
        return self._walk(storage, hero, LEARN, self._update(rule, rule.at(number)), average=False)

    def set_range(self, player: int, weights: npt.NDArray[np.float64]) -> None:
        """Let a player hold his hands with other weights from now on, none above those before."""
        self._ranges[player][: len(weights)] = weights

    def record(self, storage: Storage, *, average: bool = False) -> None:
        """Write the sums that one iteration with the current strategies gives.

        With `average`, the sums hold probabilities and are multiplied by the players' own reach.
        """
        update = self._plain_update._replace(average=self.kind.type(0))
        for hero in range(2):
            self._walk(storage, hero, RECORD, update, average=average)

    def seed_regrets(self, storage: Storage, positive: float, negative: float) -> None:
        """Write regrets from the values of the average strategies (see `learning_kernels`)."""
        make: Any = self.kind.type
        update = self._plain_update._replace(positive=make(positive), negative=make(negative))
        for hero in range(2):
            self._walk(storage, hero, SEED, update, average=True)

    def values(self, storage: Storage, hero: int, *, average: bool) -> Rows:
        """The value of each of a player's hands at the root, times `unit`."""
        return self._walk(storage, hero, MEAN, self._plain_update, average=average)

    def best_values(
        self, storage: Storage, hero: int, *, average: bool, by_group: bool = False
    ) -> Rows:
        """The same for a best response, or for one that treats the hands of a group alike."""
        task = BEST_BY_GROUP if by_group else BEST
        return self._walk(storage, hero, task, self._plain_update, average=average)

    def shares(
        self, storage: Storage, layout: StrategyLayout, *, average: bool
    ) -> list[tuple[npt.NDArray[np.uint16], npt.NDArray[np.uint16]]]:
        """The strategies of all streets as probabilities, in 16 bits; see `Learner.shares`."""
        found = []
        for both, stored in zip(layout.streets, storage, strict=True):
            pair = []
            for player, here in enumerate(both):
                source = stored.sums if average else stored.strategy_weights
                out = np.zeros(here.size, np.uint16)
                write_probabilities(
                    source[player],
                    stored.strategy_weights[player],
                    here.first,
                    here.own_actions,
                    _SMALLEST,
                    out,
                )
                pair.append(out)
            found.append((pair[0], pair[1]))
        return found

    def _update(self, rule: Rule, step: Step) -> Update:
        """The coefficients of a step in the walker's precision."""
        if rule.plays_against_average:
            step = step._replace(average=1.0)  # sums of reach: all best responses weigh the same
        positive, negative, average, prediction, greedy, hedge = map(self.kind.type, step)
        return Update(
            positive,
            negative,
            average,
            prediction,
            greedy,
            hedge,
            rule.greedy,
            int(rule.passes_up),
        )

    @property
    def _plain_update(self) -> Update:
        """For walks that do not learn: what it says is not looked at."""
        return self._update(Dcfr(), Dcfr().at(1))

    def _walk(
        self, storage: Storage, hero: int, task: int, update: Update, *, average: bool
    ) -> Rows:
        """Walk for a hero; the value of each of his hands at the root, scaled by `unit`."""
        with self._workspaces() as works:
            self._walk_in(works, storage, hero, task, update, average=average)
            return works.results[hero].copy()

    def _walk_in(
        self,
        works: Workspaces,
        storage: Storage,
        hero: int,
        task: int,
        update: Update,
        *,
        average: bool,
    ) -> None:
        walk = Walk(hero, task, average, update, self.boards.widths, self.boards.padded)
        streets = self._with_storage(storage, hero)
        work = works.of(0, 0, hero)
        start_walk(streets[0], walk, self._top, self._ranges[1 - hero], work)
        if len(streets) > 1:
            self._walk_below(works, streets, walk)
        if task != RECORD:
            finish_walk(streets[0], walk, self._top, works.parts[hero], work, works.results[hero])

    def _with_storage(
        self, storage: Storage, hero: int, count: int | None = None
    ) -> list[StreetArrays]:
        """All streets, or the first ones, as kernels take them."""
        return [
            StreetArrays(
                self.streets[level].programs[hero],
                self.boards.tables[level],
                storage[level],
                self._groups[level],
                self.locks[level],
                self._win_margins(level),
                self._run_outs[level],
            )
            for level in range(len(self.streets) if count is None else count)
        ]

    def _win_margins(self, level: int) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.uint16]]:
        """For the all-ins of a street; made when a walk first goes there."""
        if len(self.streets[level].programs[0].all_ins.reach_starts):
            return self.boards.win_margins(level)
        none = np.zeros(0, np.uint16)
        return none, none

    def _walk_below(self, works: Workspaces, streets: list[StreetArrays], walk: Walk) -> None:
        hero, parts = walk.hero, works.parts[walk.hero]
        above = _next_values_to_parts(streets[0].program, parts.shape[2])
        reach = works.of(0, 0, hero).reach
        chances = self._chances

        def work(thread: int) -> None:
            first, last = self._shares[thread : thread + 2]
            own = works.of(thread, 1, hero)
            if len(streets) == 2:
                walk_rivers(streets[1], walk, first, last, chances[0], above, reach, parts, own)
            else:
                walk_turns(
                    streets[1],
                    streets[2],
                    walk,
                    first,
                    last,
                    chances[0],
                    chances[1],
                    above,
                    reach,
                    parts,
                    own,
                    works.of(thread, 2, hero),
                )

        others = [self._pool.submit(work, thread) for thread in range(1, self._threads)]
        work(0)
        for other in others:
            other.result()

    def values_below(self, storage: Storage, hero: int, level: int) -> npt.NDArray[np.float32]:
        """The hero's values where the next street begins: (boards of the level, roots, hands).

        With them, the streets down to this level can be evaluated without the strategies below.
        """
        program = self.streets[level].programs[hero]
        count, hands = len(self.boards.cards[level]), self.boards.padded[hero]
        found = np.zeros((count, len(program.next_value), hands), np.float32)

        def write(board: int) -> None:
            with self._workspaces() as works:
                values = works.of(0, level, hero).values
                for _ in self._walk_board(works, storage, hero, [board] if level else [], None):
                    for root, start in enumerate(program.next_value):
                        found[board, root] = values[start : start + hands]

        for board in range(count):
            write(board)
        return found

    def board_values(
        self,
        storage: Storage,
        hero: int,
        boards: Sequence[int],
        values_below: Rows | None = None,
    ) -> BoardValues:
        """The hero's values at all nodes of a board, under the average strategies.

        `boards` are the numbers of the boards on the way, one for each street after the first.
        Only what lies below the last of them is walked over. Where the strategies of the last
        streets are not at hand, `values_below` are what the method of that name gave.
        """
        level, board = len(boards), boards[-1] if boards else 0
        first = self.boards.tables[level].hands[hero].first
        hands = int(first[board + 1] - first[board])
        program = self.streets[level].programs[hero]
        own_edges = np.flatnonzero(np.repeat(program.mine, np.diff(program.first_edge)))
        nodes = np.zeros((len(program.value_start), hands))
        actions = np.zeros((len(own_edges), hands))
        with self._workspaces() as works:
            values = works.of(0, level, hero).values
            for batch in self._walk_board(works, storage, hero, boards, values_below):
                begin, end = program.batches[batch, :2]
                for node in range(begin, end):
                    start = program.value_start[node]
                    nodes[node] = values[start : start + hands]
                edges = program.first_edge[[begin, end]]
                for slot in range(*np.searchsorted(own_edges, edges)):
                    start = program.edge_start[own_edges[slot]]
                    factor = program.edge_factor[own_edges[slot]]
                    actions[slot] = values[start : start + hands] * factor
        return BoardValues(nodes / self.unit, actions / self.unit)

    def _walk_board(
        self,
        works: Workspaces,
        storage: Storage,
        hero: int,
        boards: Sequence[int],
        values_below: Rows | None,
    ) -> Iterator[int]:
        """Leave the values of a board in its workspace, batch by batch: their numbers."""
        update, level = self._plain_update, len(boards)
        if level == 0 and values_below is None:
            self._walk_in(works, storage, hero, MEAN, update, average=True)
            yield 0
            return
        walk = Walk(hero, MEAN, True, update, self.boards.widths, self.boards.padded)
        top_alone = values_below is not None and len(values_below) == 1
        streets = self._with_storage(storage, hero, 1 if top_alone else None)
        own = [works.of(0, each, hero) for each in range(len(streets))]
        start_walk(streets[0], walk, self._top, self._ranges[1 - hero], own[0])
        for upper in range(level - 1):
            above, reach = streets[upper].program, own[upper].reach
            descend(streets[upper + 1], walk, boards[upper], 0, above, reach, own[upper + 1])
        if values_below is not None:
            self._walk_from_values(works, streets, walk, boards, values_below)
            yield 0
        elif level + 1 < len(streets):
            self._walk_one_turn(works, streets, walk, boards[-1])
            yield 0
        else:
            above, reach = streets[level - 1].program, own[level - 1].reach
            for batch in range(len(streets[level].program.batches)):
                descend(streets[level], walk, boards[-1], batch, above, reach, own[level])
                ascend(streets[level], walk, boards[-1], batch, own[level])
                yield batch

    def _walk_one_turn(
        self, works: Workspaces, streets: list[StreetArrays], walk: Walk, board: int
    ) -> None:
        parts = works.parts[walk.hero]
        walk_turns(
            streets[1],
            streets[2],
            walk,
            board,
            board + 1,
            self._chances[0],
            self._chances[1],
            _next_values_to_parts(streets[0].program, parts.shape[2]),
            works.of(0, 0, walk.hero).reach,
            parts,
            works.of(0, 1, walk.hero),
            works.of(0, 2, walk.hero),
        )

    def _walk_from_values(
        self,
        works: Workspaces,
        streets: list[StreetArrays],
        walk: Walk,
        boards: Sequence[int],
        values_below: Rows,
    ) -> None:
        """Leave the values of a turn board, or of the first street, in its workspace."""
        top = works.of(0, 0, walk.hero)
        if len(values_below) == 1:  # one board: they are those of the street below the first
            fill_next_values(streets[0].program, values_below[0], top.values)
            ascend(streets[0], walk, 0, 0, top)
            return
        parts = works.parts[walk.hero]
        first, last = (boards[0], boards[0] + 1) if boards else (0, len(parts))
        walk_turns_from_river_values(
            streets[1],
            walk,
            first,
            last,
            self._chances[0],
            _next_values_to_parts(streets[0].program, parts.shape[2]),
            top.reach,
            parts,
            values_below,
            works.of(0, 1, walk.hero),
        )
        if not boards:
            finish_walk(streets[0], walk, self._top, parts, top, works.results[walk.hero])

    def _iterate_river(self, storage: Storage, rule: Rule, steps: npt.NDArray[Any]) -> None:
        """Run iterations of a spot that begins on the river, a row of `steps` each."""
        update = self._update(rule, rule.at(1))
        widths, padded = self.boards.widths, self.boards.padded
        with self._workspaces() as works:
            iterate_river(
                (self._with_storage(storage, 0)[0], self._with_storage(storage, 1)[0]),
                (
                    Walk(0, LEARN, False, update, widths, padded),
                    Walk(1, LEARN, False, update, widths, padded),
                ),
                steps.astype(self.kind),
                self._top,
                (self._ranges[0], self._ranges[1]),
                (works.of(0, 0, 0), works.of(0, 0, 1)),
                (works.results[0], works.results[1]),
            )


def _next_values_to_parts(program: Program, width: int) -> Program:
    """The same program, with values of the next street that go to the rows of a part."""
    return program._replace(next_value=np.arange(len(program.next_value)) * width)

"""`CpuWalker`: walks over the public tree of a spot in one precision, on any number of threads.

It owns the programs of the streets and a pool of workspaces; strategies come from outside. Each
board of the second street leaves its values in a place of its own, and they are added up in the
order of the boards: the result does not depend on the number of threads, nor on which of them
took which board.

A walk takes a workspace from the pool, and makes one if none is free. So several threads may ask
one walker at the same time, as long as none of them changes the strategies.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from math import ceil, prod
from time import perf_counter
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from pokerlab.engine.cpu.kernels.float_mode_kernels import flush_denormals, restore_mode
from pokerlab.engine.cpu.kernels.leaf_kernels import LEAVES
from pokerlab.engine.cpu.kernels.learning_kernels import Update
from pokerlab.engine.cpu.kernels.probability_kernels import write_probabilities
from pokerlab.engine.cpu.kernels.sharing_kernels import dismiss_helpers, make_counters
from pokerlab.engine.cpu.kernels.solve_kernels import (
    DOWN,
    EVALUATE,
    UP,
    Plan,
    SpotArrays,
    add_parts,
    walk_boards,
    walk_spot,
    walk_turns,
)
from pokerlab.engine.cpu.kernels.street_kernels import StreetArrays, Walk, Workspace
from pokerlab.engine.cpu.records import as_record
from pokerlab.engine.cpu.tasks import BEST, BEST_BY_GROUP, LEARN, MEAN, RECORD, SEED
from pokerlab.engine.cpu.workspaces import Workspaces, aligned, plan_sweeps
from pokerlab.engine.gadget_kernels import RootChoices
from pokerlab.engine.game import PublicBetting
from pokerlab.engine.subsets.check_downs import check_down_corrections, hand_scales
from pokerlab.engine.tables.arrays import Locks, StreetStorage, Subset
from pokerlab.engine.tables.board_values import BoardValues
from pokerlab.engine.tables.boards import Boards, WalkerShape
from pokerlab.engine.tables.group_tables import make_group_tables
from pokerlab.engine.tables.hand_groups import BoardGroups
from pokerlab.engine.tables.layout import StrategyLayout
from pokerlab.engine.tables.payoffs import make_payoffs, value_unit
from pokerlab.engine.tables.placed_locks import no_locks
from pokerlab.engine.tables.program import StreetProgram, compile_streets
from pokerlab.runtime.arrays import AnyArray, Floats, Int64s, Reals, Singles, Uint16s
from pokerlab.runtime.forks import renew_after_fork
from pokerlab.runtime.vector_kernels import LANES
from pokerlab.solvers.rules import Dcfr, Rule, Step

Storage: TypeAlias = tuple[StreetStorage, ...]

CPU_SHAPE = WalkerShape(hands=LANES, leaves=LEAVES, all_ins=1, batch_bytes=1 << 20)
"""Vectors of 16 hands, blocks of 16 leaves; batches that fit into a second-level cache."""

_CALL_SECONDS = 0.2
"""What a call of a kernel may take, about: until it is over, Python cannot stop it."""

_HELPER_NUMBERS = 400_000
"""A helper thread pays off from this many numbers to learn on: half a millisecond of work. Each
must wait for Python's lock before it can begin."""

_BUSY = 0.9
"""Below this part of the threads at work, boards of the second street are cut into pieces."""

_COEFFICIENTS = len(Step._fields)
"""How many numbers of an `Update`, from the first on, change from iteration to iteration."""

_NO_STORAGE = StreetStorage((), (), (), (), ())

_NONE, _NO_TABLE = np.zeros(0), np.zeros((0, 0))
_NO_CHOICES = as_record(
    RootChoices(
        player=-1,
        among_hands=0,
        scale=1.0,
        must=_NONE,
        free=_NONE,
        values=_NONE,
        met=np.zeros(0, np.bool_),
        first=_NO_TABLE,
        regrets=_NO_TABLE,
        played=_NO_TABLE,
        sums=_NO_TABLE,
        gains=_NO_TABLE,
    )
)
_NO_STEPS = np.zeros((0, _COEFFICIENTS))

_SMALLEST = np.float32(2.0**-14)
"""Smaller halves are denormal: probabilities that need one are zero, as they are on a GPU."""


class _Team(NamedTuple):
    """Threads that walk over a spot in the same workspaces."""

    spot: SpotArrays
    counters: Int64s
    helpers: dict[int, Future[None]]
    """Those that were called, by the number of the thread."""


class _Kept(NamedTuple):
    """What was made of a storage for kernels."""

    streets: dict[tuple[int, int], StreetArrays]
    """By level and hero."""
    teams: dict[int, _Team]
    """By the identity of the workspaces, which live as long as the walker."""


class CpuWalker:
    """Walks over one spot with the processor; see `pokerlab.engine.walker.Walker`.

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
    streets
        The programs of another walker for the same tree, with as many hands of the same weight.
    """

    def __init__(
        self,
        spot: PublicBetting,
        boards: Boards,
        kind: npt.DTypeLike,
        threads: int,
        locks: Sequence[Locks] | None = None,
        groups: BoardGroups | None = None,
        streets: tuple[StreetProgram, ...] | None = None,
    ) -> None:
        self.locks = locks or [no_locks() for _ in boards.tables]
        self.boards = boards
        self.kind: np.dtype[Any] = np.dtype(kind)
        self.unit = value_unit(spot, boards)
        cut = _leaves_threads_waiting(boards, threads)
        shape = replace(CPU_SHAPE, batch_bytes=CPU_SHAPE.batch_bytes // 2) if cut else CPU_SHAPE
        self.streets = streets or compile_streets(spot, boards, self.kind, shape)
        batches = max(len(program.batches) for program in self.streets[-1].programs)
        self._pieces = batches if cut and batches > 1 else 0
        payoffs, stack = make_payoffs(spot, boards), spot.tree.stack
        self._ties = payoffs.tie_share(0, stack), payoffs.tie_share(1, stack)
        self._parts = payoffs.parts
        self._roots = spot.tree.streets[0].roots
        self._groups = make_group_tables(spot.tree, boards, groups, self.kind)
        make: Any = self.kind.type
        self._chances = np.array(boards.chances, self.kind)
        self._run_outs = [
            make(prod(boards.chances[level + 1 :])) for level in range(len(self.streets))
        ]
        self._threads = threads
        self._boards_below = len(boards.cards[1]) if len(self.streets) > 1 else 0
        self._helpers = min(threads - 1, self._boards_below * max(self._pieces, 1))
        self._together = 1
        if self._roots > 1 and boards.widths[0] != boards.widths[1]:
            raise ValueError("players must have as many hands where betting has several roots")
        self._top_starts = np.arange(self._roots) * boards.widths[0]
        roots = np.arange(len(self.streets[0].programs[0].next_value))
        self._part_starts = roots * boards.widths[0], roots * boards.widths[1]
        self._fixed: dict[int, tuple[StreetArrays, StreetArrays]] = {}
        self._ranges = [aligned(self._roots * width, self.kind) for width in boards.widths]
        for player, weights in enumerate(boards.weights):
            self.set_range(player, weights)
        self.renew()
        renew_after_fork(self)

    def renew(self) -> None:
        """Begin without threads, and without what they were at."""
        self._pool = ThreadPoolExecutor(max(self._threads - 1, 1), initializer=flush_denormals)
        self._learning: tuple[Storage, _Kept] = (), _Kept({}, {})
        self._free: list[Workspaces] = []
        self._lock = threading.Lock()

    @contextmanager
    def _workspaces(self) -> Iterator[Workspaces]:
        """Workspaces that nobody else uses until the block ends, and the mode for walks."""
        with self._lock:
            works = self._free.pop() if self._free else None
        if works is None:
            parts = self.streets, self.boards, self._groups, self.kind, self._pieces
            works = Workspaces.of_spot(*parts)
        mode = flush_denormals()
        try:
            yield works
        finally:
            restore_mode(mode)
            with self._lock:
                self._free.append(works)

    def make_storage(
        self, layout: StrategyLayout, kind: npt.DTypeLike, *, regrets: bool, sums: bool
    ) -> Storage:
        """Zeros for all strategies; `regrets` and `sums` are empty where none are kept."""

        def pair(sizes: Sequence[int], kept: bool) -> tuple[AnyArray, ...]:
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

    def read(self, array: AnyArray) -> AnyArray:
        """The array itself."""
        return array

    def write(self, array: AnyArray, numbers: AnyArray) -> None:
        """Replace the numbers of an array."""
        array[:] = numbers

    def hold(self, storage: Storage) -> Storage:
        """The storage itself."""
        return storage

    def iterate(
        self,
        storage: Storage,
        rule: Rule,
        first: int,
        iterations: int,
        choices: RootChoices = _NO_CHOICES,
    ) -> None:
        """Run iterations of a rule, the number `first` and those after it.

        With the choices of a gadget (a record), a player comes with the hands that they choose,
        and learns the choices; their range then stays the last one.
        """
        if rule.plays_against_average:
            for number in range(first, first + iterations):
                update = self._update(rule, number)
                for hero in range(2):
                    self._walk(storage, hero, LEARN, update, average=True)
                    self._walk(storage, 1 - hero, RECORD, update, average=False)
            return
        steps = rule.steps(first, iterations)
        coefficients, done = steps.astype(self.kind), 0
        with self._workspaces() as works:
            while done < iterations:
                together, began = self._together, perf_counter()
                here, update = slice(done, done + together), self._update(rule, first + done)
                rows, chosen = coefficients[here], (choices, steps[here])
                self._take_walks(
                    works, storage, LEARN, update, rows, (0, 2), average=False, chosen=chosen
                )
                done += together
                took = perf_counter() - began
                if took > _CALL_SECONDS:
                    self._together = max(together // 2, 1)
                elif took < _CALL_SECONDS / 4 and len(rows) == together:
                    self._together = 2 * together

    def compile_kernels(self, storage: Storage, rule: Rule) -> None:
        """Compile what iterations and measurements call, by walks that take no steps."""
        none = np.zeros((0, _COEFFICIENTS), self.kind)
        with self._workspaces() as works:
            update = self._update(rule, 1)
            self._take_walks(works, storage, LEARN, update, none, (0, 2), average=False)

    def learn(self, storage: Storage, rule: Rule, number: int, hero: int) -> Reals:
        """Run the half of an iteration in which one player learns.

        Gives the value of each of the player's hands at the root before learning, times `unit`.
        """
        update = self._update(rule, number)
        return self._walk(storage, hero, LEARN, update, average=False)

    def set_range(self, player: int, weights: Floats) -> None:
        """Change the weights of a player's hands from now on."""
        rows = self._ranges[player].reshape(self._roots, -1)
        rows[:, : weights.shape[-1]] = weights

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

    def values(self, storage: Storage, hero: int, *, average: bool) -> Reals:
        """The value of each of a player's hands at the root, times `unit`."""
        return self._walk(storage, hero, MEAN, self._plain_update, average=average)

    def values_and_below(self, storage: Storage, hero: int) -> tuple[Reals, Singles]:
        """The average strategies' `values` and `values_below` the first street, in one walk."""
        hands = self.boards.padded[hero]
        with self._workspaces() as works:
            self._walk_in(works, storage, hero, MEAN, self._plain_update, average=True)
            rows, values = works.results[hero].copy(), works.of(0, 0, hero).values
            starts = self.streets[0].programs[hero].next_value
            below = [values[start : start + hands] for start in starts]
            return rows, np.array(below, np.float32).reshape(1, len(starts), hands)

    def best_values(
        self, storage: Storage, hero: int, *, average: bool, by_group: bool = False
    ) -> Reals:
        """The same for a best response, or for the best one that plays by group."""
        task = BEST_BY_GROUP if by_group else BEST
        return self._walk(storage, hero, task, self._plain_update, average=average)

    def shares(
        self, storage: Storage, layout: StrategyLayout, *, average: bool
    ) -> list[tuple[Uint16s, Uint16s]]:
        """The strategies of all streets as probabilities, in 16 bits; see `Learner.shares`."""
        found = [
            (np.zeros(first.size, np.uint16), np.zeros(second.size, np.uint16))
            for first, second in layout.streets
        ]

        def write(thread: int) -> None:
            for both, stored, out in zip(layout.streets, storage, found, strict=True):
                source = stored.sums if average else stored.strategy_weights
                for player, here in enumerate(both):
                    begin, end = (
                        len(here.rows) * each // self._threads for each in (thread, thread + 1)
                    )
                    write_probabilities(
                        source[player],
                        stored.strategy_weights[player],
                        here.first[begin : end + 1],
                        here.own_actions,
                        _SMALLEST,
                        out[player],
                    )

        self._in_threads(write)
        return found

    def _update(self, rule: Rule, iteration: int) -> Update:
        """How a rule learns in an iteration, in the walker's precision."""
        step = rule.at(iteration)
        if rule.plays_against_average:
            step = step._replace(average=1.0)  # sums of reach: all best responses weigh the same
        positive, negative, average, prediction, greedy, hedge, trial = map(self.kind.type, step)
        return Update(
            positive,
            negative,
            average,
            prediction,
            greedy,
            hedge,
            trial,
            rule.greedy,
            int(rule.passes_up),
            iteration,
        )

    @cached_property
    def _plain_update(self) -> Update:
        """For walks that do not learn: what it says is not looked at."""
        return self._update(Dcfr(), 1)

    def _walk(
        self, storage: Storage, hero: int, task: int, update: Update, *, average: bool
    ) -> Reals:
        """Walk for a hero; the value of each of the hero's hands at the root, times `unit`."""
        with self._workspaces() as works:
            self._walk_in(works, storage, hero, task, update, average=average)
            found = works.results[hero].copy()
            return found if self._roots == 1 else found.reshape(self._roots, -1)

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
        """Walk for a hero; values stay in the workspaces."""
        coefficients = np.array([update[:_COEFFICIENTS]], self.kind)
        heroes = hero, hero + 1
        self._take_walks(works, storage, task, update, coefficients, heroes, average=average)

    def _take_walks(
        self,
        works: Workspaces,
        storage: Storage,
        task: int,
        update: Update,
        coefficients: Reals,
        heroes: tuple[int, int],
        *,
        average: bool,
        chosen: tuple[RootChoices, Floats] = (_NO_CHOICES, _NO_STEPS),
    ) -> None:
        """Walk over the spot for some heroes, in turn, once for each row of coefficients."""
        steps = DOWN if task == RECORD else DOWN | EVALUATE | UP
        plan = as_record(
            Plan(
                task,
                int(average),
                int(update.is_greedy),
                update.returned,
                update.iteration,
                heroes[0],
                heroes[1] - heroes[0],
                steps,
                coefficients,
                *chosen,
            )
        )
        team, stays = self._team(works, storage)
        if self._helpers:
            walks = len(coefficients) * (heroes[1] - heroes[0])
            helpers = int(walks * _count_numbers(storage) / _HELPER_NUMBERS)
            for thread in range(1, 1 + min(helpers, self._helpers)):
                self._call_helper(team, thread, plan, works)
        walk_spot(team.spot, plan, works.all_of(0), team.counters, 0)
        if not stays:
            dismiss_helpers(team.counters)

    def _call_helper(self, team: _Team, thread: int, plan: Plan, works: Workspaces) -> None:
        """Start a helper thread if none is running."""
        called = team.helpers.get(thread)
        if called is not None:
            if not called.done():
                return
            called.result()
        arguments = team.spot, plan, works.all_of(thread), team.counters, thread
        team.helpers[thread] = self._pool.submit(walk_spot, *arguments)

    def _team(self, works: Workspaces, storage: Storage) -> tuple[_Team, bool]:
        """Who walks over a storage in these workspaces, and whether they stay for other walks."""
        learning, kept = self._learning
        if learning is storage and id(works) in kept.teams:
            return kept.teams[id(works)], True
        streets = self._with_storage(storage, 0) + self._with_storage(storage, 1)
        learning, kept = self._learning
        spot = as_record(
            SpotArrays(
                as_record(tuple(streets)),
                as_record((works.of(0, 0, 0), works.of(0, 0, 1))),
                len(self.streets),
                self._boards_below,
                self._pieces,
                (self._ranges[0], self._ranges[1]),
                works.results,
                (works.parts[0].reshape(-1), works.parts[1].reshape(-1)),
                self._part_starts,
                self._top_starts,
                self._chances,
                self.boards.widths,
                self.boards.padded,
            )
        )
        team = _Team(spot, make_counters(1 + self._helpers), {})
        if learning is storage:
            kept.teams[id(works)] = team
        return team, learning is storage

    def _walk_top(self, works: Workspaces, street: StreetArrays, walk: Walk, steps: int) -> None:
        """Take steps on the first street; the values at the root are the results."""
        hero, one_board = walk.hero, (0, 1)
        walk_boards(
            street,
            walk,
            one_board,
            one_board,
            steps,
            self.kind.type(1),
            self._top_starts,
            self._ranges[1 - hero],
            self._top_starts,
            works.results[hero],
            len(works.results[hero]),
            works.of(0, 0, hero),
        )

    def _walk_up_from_parts(self, works: Workspaces, street: StreetArrays, walk: Walk) -> None:
        """Go up the first street, once the boards below have left their parts."""
        parts = works.parts[walk.hero].reshape(-1)
        add_parts(street, walk, parts, works.of(0, 0, walk.hero))
        self._walk_top(works, street, walk, EVALUATE | UP)

    def _as_records(self, level: int) -> tuple[StreetArrays, StreetArrays]:
        """What walks of each hero need of a street, without the storage; made once."""
        if level in self._fixed:
            return self._fixed[level]
        tables, locks = as_record(self.boards.tables[level]), as_record(self.locks[level])
        groups = self._groups[level]
        first, second = (
            StreetArrays(
                as_record(program),
                tables,
                _NO_STORAGE,
                groups if groups is None else as_record(groups),
                1 if groups is None else None,
                locks,
                self._win_margins(level, ()),
                self._run_outs[level],
                sweep,
                subset,
            )
            for program, sweep, subset in zip(
                self.streets[level].programs,
                plan_sweeps(self.boards)[level],
                self._subset(level),
                strict=True,
            )
        )
        self._fixed[level] = first, second
        return first, second

    def _subset(self, level: int) -> list[Subset]:
        """For each hero what a street has where cards are left out."""
        boards = self.boards
        corrections = check_down_corrections(boards, level, self._threads, self._parts)

        def flat(numbers: Floats | None) -> Reals:
            return np.zeros(0, self.kind) if numbers is None else numbers.ravel().astype(self.kind)

        return [
            Subset(
                flat(boards.board_weights[level]),
                flat(self._arriving(level, 1 - hero)),
                flat(hand_scales(boards, level, hero)),
                corrections[hero],
            )
            for hero in range(2)
        ]

    def _arriving(self, level: int, player: int) -> Floats | None:
        """How much more each entry of a player counts on the board where it is."""
        boards = self.boards
        scales = hand_scales(boards, level - 1, player) if level else None
        if scales is None:
            return None
        children = np.diff(boards.tables[level - 1].child_first)
        hands = boards.tables[level].hands[player]
        above = np.repeat(np.repeat(np.arange(len(children)), children), np.diff(hands.first))
        return np.asarray(scales[above, np.minimum(hands.order, boards.padded[player] - 1)])

    def _with_storage(
        self,
        storage: Storage,
        hero: int,
        count: int | None = None,
        boards: Sequence[int] | None = None,
    ) -> list[StreetArrays]:
        """All streets, or the first ones, as kernels take them.

        With `boards`, for the one board to which they lead and those below it.
        """
        made = _Kept({}, {})
        if any(weights.size for stored in storage for weights in stored.strategy_weights):
            # To make them takes as long as ten iterations of a river; a solve asks again and again.
            kept = self._learning
            if kept[0] is not storage:
                kept = self._learning = storage, made
            made = kept[1]
        else:
            # Nobody learns, and kernels do without the code for it.
            storage = tuple(stored._replace(regret=(None, None)) for stored in storage)
        levels = range(len(self.streets) if count is None else count)
        for level in levels:
            if boards is None:
                self._win_margins(level)
            elif level == len(boards):
                self._win_margins(level, boards[-1:] or [0])
        for level in levels:
            if (level, hero) not in made.streets:
                own = self._as_records(level)[hero]._replace(storage=storage[level])
                made.streets[level, hero] = as_record(own)
        return [made.streets[level, hero] for level in levels]

    def _win_margins(
        self, level: int, boards: Sequence[int] | None = None
    ) -> tuple[Uint16s, Uint16s]:
        """For the all-ins of a street; counted when a walk first goes to a board."""
        if len(self.streets[level].programs[0].all_ins.reach_starts):
            return self.boards.win_margins(level, boards, self._threads, self._ties)
        none = np.zeros(0, np.uint16)
        return none, none

    def _in_threads(self, work: Callable[[int], None]) -> None:
        """Call a function with the number of each thread, and wait for all."""
        teams = self._learning[1].teams
        while teams:
            dismiss_helpers(teams.popitem()[1].counters)
        others = [self._pool.submit(work, thread) for thread in range(1, self._threads)]
        work(0)
        for other in others:
            other.result()

    def _walk_second_street(
        self,
        works: Workspaces,
        streets: list[StreetArrays],
        walk: Walk,
        boards: tuple[int, int],
        steps: int,
    ) -> None:
        """Take steps on boards of the second street and on all below; each leaves a part."""
        hero, chances = walk.hero, self._chances[1:]
        parts, own = works.parts[hero], works.of(0, 1, hero)
        above = (
            streets[0].program.next_reach,
            works.of(0, 0, hero).reach,
            self._part_starts[hero],
            parts.reshape(-1),
            parts.shape[1] * parts.shape[2],
        )
        if len(streets) == 2:
            batches = 0, len(streets[1].program.batches)
            walk_boards(streets[1], walk, boards, batches, steps, chances[0], *above, own)
        else:
            turn, river = streets[1:]
            river_work = works.of(0, 2, hero)
            chance, river_chance = chances
            walk_turns(
                turn, river, walk, boards, steps, chance, river_chance, *above, own, river_work
            )

    def values_below(self, storage: Storage, hero: int, level: int) -> Singles:
        """The hero's values where the next street begins: (boards of the level, roots, hands).

        With them, the streets down to this level can be evaluated without the strategies below.
        """
        program = self.streets[level].programs[hero]
        count, hands = len(self.boards.cards[level]), self.boards.padded[hero]
        found = np.zeros((count, len(program.next_value), hands), np.float32)
        for board in range(count):
            with self._workspaces() as works:
                values = works.of(0, level, hero).values
                for _ in self._walk_board(works, storage, hero, [board] if level else [], None):
                    for root, start in enumerate(program.next_value):
                        found[board, root] = values[start : start + hands]
        return found

    def board_values(
        self,
        storage: Storage,
        hero: int,
        boards: Sequence[int],
        values_below: Reals | None = None,
        *,
        best: bool = False,
    ) -> BoardValues:
        """The hero's values at all nodes of a board, under the average strategies.

        With `best`, those of a best response, which does not look at the hero's own strategies.
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
            task = BEST if best else MEAN
            for batch in self._walk_board(works, storage, hero, boards, values_below, task):
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
        values_below: Reals | None,
        task: int = MEAN,
    ) -> Iterator[int]:
        """Leave the values of a board in its workspace, batch by batch: their numbers."""
        update, level = self._plain_update, len(boards)
        if level == 0 and values_below is None:
            self._walk_in(works, storage, hero, task, update, average=True)
            yield 0
            return
        walk = Walk(hero, task, True, update, self.boards.widths, self.boards.padded)
        top_alone = values_below is not None and len(values_below) == 1
        everywhere = values_below is not None and not boards and not top_alone
        streets = self._with_storage(
            storage, hero, 1 if top_alone else None, None if everywhere else boards
        )
        for upper in range(1, level + 1):  # hands arrive at the board itself as they are
            subset = streets[upper].subset._replace(arriving=np.zeros(0, self.kind))
            streets[upper] = as_record(streets[upper]._replace(subset=subset))
        own = [works.of(0, each, hero) for each in range(len(streets))]
        self._walk_top(works, streets[0], walk, DOWN)
        for upper in range(level - 1):
            self._walk_batch(streets, walk, upper + 1, boards[upper], 0, DOWN, own)
        if values_below is not None:
            self._walk_from_values(works, streets, walk, boards, values_below)
            yield 0
        elif level + 1 < len(streets):
            board = boards[-1]
            self._walk_second_street(works, streets, walk, (board, board + 1), DOWN | EVALUATE | UP)
            yield 0
        else:
            for batch in range(len(streets[level].program.batches)):
                self._walk_batch(streets, walk, level, boards[-1], batch, DOWN | EVALUATE | UP, own)
                yield batch

    def _walk_batch(
        self,
        streets: list[StreetArrays],
        walk: Walk,
        level: int,
        board: int,
        batch: int,
        steps: int,
        works: list[Workspace],
    ) -> None:
        """Take steps on one batch of a board below the first street."""
        above = streets[level - 1].program
        walk_boards(
            streets[level],
            walk,
            (board, board + 1),
            (batch, batch + 1),
            steps,
            self._chances[level],
            above.next_reach,
            works[level - 1].reach,
            above.next_value,
            works[level - 1].values,
            0,
            works[level],
        )

    def _walk_from_values(
        self,
        works: Workspaces,
        streets: list[StreetArrays],
        walk: Walk,
        boards: Sequence[int],
        values_below: Reals,
    ) -> None:
        """Leave the values of a turn board, or of the first street, in its workspace."""
        if len(values_below) == 1:  # one board: they are those of the street below the first
            _fill_next_values(streets[0], values_below[0], works.of(0, 0, walk.hero))
            self._walk_top(works, streets[0], walk, EVALUATE | UP)
            return
        turns, work = streets[:2], works.of(0, 1, walk.hero)
        for board in boards or range(len(values_below)):
            here = board, board + 1
            self._walk_second_street(works, turns, walk, here, DOWN)
            _fill_next_values(streets[1], values_below[board], work)
            self._walk_second_street(works, turns, walk, here, EVALUATE | UP)
        if not boards:
            self._walk_up_from_parts(works, streets[0], walk)


def _leaves_threads_waiting(boards: Boards, threads: int) -> bool:
    """Whether turns that are shared out whole would leave threads waiting at the end of a walk."""
    if len(boards.cards) < 3 or threads == 1:
        return False
    turns = len(boards.cards[1])
    return turns < _BUSY * threads * ceil(turns / threads)


def _count_numbers(storage: Storage) -> int:
    """How many probabilities a storage stands for."""
    return sum(
        max(weights.size, sums.size)
        for stored in storage
        for weights, sums in zip(stored.strategy_weights, stored.sums, strict=True)
    )


def _fill_next_values(street: StreetArrays, known: Reals, work: Workspace) -> None:
    """Write known values of the next street's roots (root, hand) to their rows."""
    for row, start in zip(known, street.program.next_value, strict=True):
        work.values[start : start + len(row)] = row

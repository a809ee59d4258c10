"""`JoinedWalker`: walks over the public trees of several spots at once, on a GPU.

Spots that have the same betting tree follow the same instructions, whatever their boards and
ranges: a walk over all of them takes the launches of a walk over one.

The GPU holds what is learned in the layout of the processor's engine, so files, checkpoints and
certificates are the same. A walk goes down street by street, a kernel each: reach to the river;
the river down and up; then values up to the first street. Values of boards are added up in their
order: the result does not depend on the run.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pokerlab.engine.cpu.tasks import BEST, BEST_BY_GROUP, LEARN, MEAN, RECORD, SEED
from pokerlab.engine.game import PublicBetting
from pokerlab.engine.gpu.all_ins import GpuAllIns
from pokerlab.engine.gpu.gpu_storage import GpuStorage, Storage
from pokerlab.engine.gpu.level import KnownPrograms, Level, Tuning
from pokerlab.engine.gpu.level_boards import NO_HAND
from pokerlab.engine.gpu.level_tables import LevelGroups, LevelLocks
from pokerlab.engine.gpu.programs import FULL, REACH, RECORD_SUMS
from pokerlab.engine.gpu.subsets import LevelSubset, board_weights
from pokerlab.engine.tables.arrays import Locks, StreetStorage
from pokerlab.engine.tables.boards import Boards
from pokerlab.engine.tables.hand_groups import BoardGroups
from pokerlab.engine.tables.payoffs import Payoffs, make_payoffs, value_unit
from pokerlab.engine.tables.placed_locks import no_locks
from pokerlab.runtime.arrays import AnyArray, Floats, Singles, Uint16s
from pokerlab.runtime.gpu.machine import Kernel, Machine
from pokerlab.runtime.machine import core_count
from pokerlab.solvers.rules import Rule, Step

_BY_GROUP, _BY_BUCKET = 1, 2
"""How hands share storage, as ``kernels/program.cu`` names it."""

_REGRETS, _PREDICTED_REGRETS, _GREEDY, _TRIED_REGRETS = range(4)


class WalkedGame(NamedTuple):
    """A spot with its boards, and what is fixed or shared on them.

    Attributes
    ----------
    spot, boards
        The game.
    locks
        Strategies that are fixed, street by street.
    groups
        Hands that share storage.
    """

    spot: PublicBetting
    boards: Boards
    locks: Sequence[Locks] | None = None
    groups: BoardGroups | None = None


class JoinedWalker(GpuStorage):
    """Walks over one or several games on a GPU.

    Storage is that of all games, one behind the other (`StrategyLayout.join`).

    Parameters
    ----------
    machine
        Where kernels run.
    games
        One or more, with the same betting tree; all have groups, or none has.
    kind
        The precision of reach and values.
    tuning
        How work is cut.
    known
        What other walkers for the same tree have found.
    beside
        A walker over the same boards with another tree, whose memory this one uses, too. The two
        must not walk at the same time.
    """

    def __init__(
        self,
        machine: Machine,
        games: Sequence[WalkedGame],
        kind: npt.DTypeLike,
        tuning: Tuning | None = None,
        known: KnownPrograms | None = None,
        beside: JoinedWalker | None = None,
    ) -> None:
        super().__init__(machine)
        self.games = games
        self.kind: np.dtype[Any] = np.dtype(kind)
        spot, parts = games[0].spot, [game.boards for game in games]
        self.unit = min(value_unit(game.spot, game.boards) for game in games)
        payoffs = make_payoffs(spot, parts[0])._replace(unit=self.unit / spot.tree.units)
        groups = [(game.boards, game.groups) for game in games if game.groups is not None]
        tuning, shared = tuning or Tuning(), [each for _, each in groups]
        self.levels: list[Level] = []
        for number, tree in enumerate(spot.tree.streets):
            if tree.roots == 0:
                break
            above = self.levels[-1] if self.levels else None
            same = beside.levels[number] if beside and number < len(beside.levels) else None
            self.levels.append(
                Level(
                    machine,
                    tree,
                    number,
                    parts,
                    payoffs,
                    self.kind,
                    above,
                    tuning,
                    shared,
                    known,
                    same,
                )
            )
        self._known_groups: dict[int, LevelGroups]
        self._known_subsets: dict[int, LevelSubset]
        self._known_subsets = {} if beside is None else dict(beside._known_subsets)
        self._margins: dict[Any, list[Any]] = {} if beside is None else dict(beside._margins)
        self._all_ins = [self._evaluate_all_ins(level, parts, payoffs) for level in self.levels]
        self._subsets = [self._correct_subset(level, parts, payoffs) for level in self.levels]
        self._board_weights = [board_weights(machine, level, parts) for level in self.levels]
        self._locks = [
            LevelLocks.of(
                machine,
                level,
                [game.locks[level.number] if game.locks else no_locks() for game in games],
            )
            for level in self.levels
        ]
        self._grouped = 0 if not groups else _BY_BUCKET if shared[0].shared else _BY_GROUP
        self._known_groups = {} if beside is None else dict(beside._known_groups)
        self._groups = [self._group_hands(level, groups) for level in self.levels]
        self._weights: list[Sequence[Floats]] = []
        self._ranges: list[Any] = []
        for player in range(2):
            weights = [part.weights[player] for part in parts]
            self._weights.append(weights)
            self._ranges.append(self.machine.array(self._range_rows(weights, player)))
        self._kernels: dict[tuple[Any, ...], Kernel] = {}
        self._lock = threading.Lock()

    def _evaluate_all_ins(
        self, level: Level, parts: Sequence[Boards], payoffs: Payoffs
    ) -> GpuAllIns | None:
        """The all-ins of a level; margins that a walker beside has are not counted again."""
        if not level.all_ins:
            return None
        stack = self.games[0].spot.tree.stack
        ties = payoffs.tie_share(0, stack), payoffs.tie_share(1, stack)
        known = self._margins.get((level.number, ties))
        found = GpuAllIns(self.machine, level, parts, known, ties)
        self._margins[level.number, ties] = found.margins
        return found

    def _correct_subset(
        self, level: Level, parts: Sequence[Boards], payoffs: Payoffs
    ) -> LevelSubset | None:
        """What a subset of run-outs changes; a walker beside has tables of the same boards."""
        if not level.links or not any(part.leaves_out(level.number) for part in parts):
            return None
        known = self._known_subsets.get(level.number)
        found = LevelSubset(self.machine, level, parts, payoffs, known)
        self._known_subsets[level.number] = found
        return found

    def _group_hands(
        self, level: Level, groups: Sequence[tuple[Boards, BoardGroups]]
    ) -> LevelGroups | None:
        """The groups of a level; tables that a walker beside has are not made again."""
        if not groups:
            return None
        found = LevelGroups.of(self.machine, level, groups, self._known_groups.get(level.number))
        self._known_groups[level.number] = found
        return found

    def _range_rows(self, weights: Sequence[Floats], player: int) -> AnyArray:
        """(roots, games, hands): the weights that the games begin with."""
        first, padded = self.levels[0], (game.boards.padded[player] for game in self.games)
        length = max(first.lengths[player], *padded, 0)
        rows = np.zeros((first.tree.roots, len(weights), length), self.kind)
        for game, each in enumerate(weights):
            rows[:, game, : each.shape[-1]] = each
        return rows

    def _weights_by_place(self, player: int) -> Floats:
        """(games, places): the weights of the first root, in the order of the first boards."""
        rows = np.zeros((len(self.games), self.levels[0].lengths[player]))
        for row, each, place in zip(rows, self._weights[player], self._places(player), strict=True):
            weights = np.atleast_2d(each)[0]
            known = np.flatnonzero(place[: len(weights)] != NO_HAND)
            row[place[known]] = weights[known]
        return rows

    def _places(self, player: int) -> Uint16s:
        """(games, hands): where each hand stands on the first board."""
        places: Uint16s = self.levels[0].on.positions[player]
        return places

    # ---- what a solve asks for

    def iterate(self, storage: Storage, rule: Rule, first: int, iterations: int) -> None:
        """Run iterations of a rule, the number `first` and those after it."""
        for number in range(first, first + iterations):
            step = rule.at(number)
            if rule.plays_against_average:
                step = step._replace(average=1.0)  # all best responses weigh the same
            for hero in range(2):
                against_average = rule.plays_against_average
                self._walk(storage, hero, LEARN, step, number, average=against_average, rule=rule)
                if against_average:
                    self._walk(storage, 1 - hero, RECORD, step, number, average=False)
        self.machine.synchronize()

    def learn_each(self, storage: Storage, rule: Rule, number: int, hero: int) -> AnyArray:
        """Run the half of an iteration in which one player learns: (roots, games, hands).

        Gives what each of the player's hands was worth at the root before.
        """
        with self._lock:
            self._walk(storage, hero, LEARN, rule.at(number), number, average=False, rule=rule)
            rows = self._fetch_root(hero)
        return self._rows_by_hand(rows, hero)

    def set_ranges(self, player: int, weights: Sequence[Floats]) -> None:
        """Let a player hold the hands of each game with other weights; see `Learner.set_range`."""
        with self._lock:
            self._weights[player] = weights
            self.write(self._ranges[player], self._range_rows(weights, player))

    def values_each(
        self,
        storage: Storage,
        hero: int,
        *,
        average: bool,
        best: bool = False,
        by_group: bool = False,
    ) -> AnyArray:
        """What each hand is worth at the roots: (roots, games, hands); see `totals`."""
        rows = self._root_rows(storage, hero, average=average, best=best, by_group=by_group)
        return self._rows_by_hand(rows, hero)

    def wanted_kernels(self, storage: Storage, rule: Rule) -> dict[Any, Callable[[], Kernel]]:
        """What makes each kernel of a rule and of measurements, by its compile-time numbers."""
        by_group = (BEST_BY_GROUP,) if self._groups[0] is not None else ()
        found: dict[Any, Callable[[], Kernel]] = {}
        for level, hero, task in product(self.levels, range(2), (LEARN, MEAN, BEST, *by_group)):
            learns = task == LEARN
            step, of_rule = (rule.at(1), rule) if learns else (Step(), None)
            key = self._kernel_key(
                level, storage[level.number], hero, task, step, average=not learns, rule=of_rule
            )
            numbers = tuple(sorted(self._options(level, *key).items()))
            found[numbers] = partial(self._kernel, level, *key)
        return found

    def record(self, storage: Storage, *, average: bool = False) -> None:
        """Write the sums that one iteration with the current strategies gives."""
        for hero in range(2):
            self._walk(storage, hero, RECORD, Step(average=0.0), average=average)

    def seed_regrets(self, storage: Storage, positive: float, negative: float) -> None:
        """Write regrets from the action values of the average strategies."""
        for hero in range(2):
            self._walk(storage, hero, SEED, Step(positive, negative), average=True)

    def totals(
        self,
        storage: Storage,
        hero: int,
        *,
        average: bool,
        best: bool = False,
        by_group: bool = False,
    ) -> Floats:
        """For each game the sum over the hero's hands of weight times value at the root.

        With `best`, values of a best response; with `by_group`, of one that does the same with all
        hands of a group (see `pokerlab.engine.walker.Learner`).
        """
        rows = self._root_rows(storage, hero, average=average, best=best, by_group=by_group)[0]
        weights = self._weights_by_place(hero)
        # Where no hand stands a number may, too.
        rows = np.where(weights > 0, rows.astype(np.float64), 0.0)
        totals: Floats = (rows * weights).sum(axis=1)
        return totals

    def values_below_each(self, storage: Storage, hero: int, level: int) -> list[Singles]:
        """For each game what `Learner.values_below` gives where it is alone, in the same unit."""
        with self._lock:
            self._walk(self.hold(storage), hero, MEAN, Step(), average=True)
            return self._fetch_below(hero, level)

    def _fetch_below(self, hero: int, level: int) -> list[Singles]:
        """What the last walk left where the next street begins, for each game in its unit."""
        here = self.levels[level]
        shape = here.links, here.boards, here.lengths[hero]
        rows = self.machine.fetch(here.next_values[: math.prod(shape)])
        rows = rows.reshape(shape).transpose(1, 0, 2)
        found = []
        for number, game in enumerate(self.games):
            own = rows[here.on.of_spot(number), :, : game.boards.padded[hero]]
            scale = value_unit(game.spot, game.boards) / self.unit
            found.append(np.ascontiguousarray(scale * own, np.float32))
        return found

    # ---- walks

    def _root_rows(
        self, storage: Storage, hero: int, *, average: bool, best: bool, by_group: bool = False
    ) -> AnyArray:
        """(roots, games, places): what each hand is worth, in the order of the first boards.

        Without groups, each hand is one.
        """
        task = MEAN
        if best:
            task = BEST_BY_GROUP if by_group and self._groups[0] is not None else BEST
        with self._lock:
            self._walk(self.hold(storage), hero, task, Step(), average=average)
            return self._fetch_root(hero)

    def _rows_by_hand(self, rows: AnyArray, hero: int) -> AnyArray:
        """Rows of places (roots, games, places) in the order of each game's hands, 0 for none."""
        places = self._places(hero)
        known = places != NO_HAND
        found = np.take_along_axis(rows, np.where(known, places, 0)[None].astype(np.intp), axis=2)
        return np.where(known, found, 0).astype(self.kind)

    def _fetch_root(self, hero: int) -> AnyArray:
        """(roots, games, places): what the last walk left at the roots."""
        level = self.levels[0]
        size = level.tree.roots * level.boards * level.lengths[hero]
        rows = self.machine.fetch(level.values[:size])
        return rows.reshape(level.tree.roots, level.boards, -1)

    def _walk(
        self,
        storage: Storage,
        hero: int,
        task: int,
        step: Step,
        iteration: int = 1,
        *,
        average: bool,
        rule: Rule | None = None,
    ) -> None:
        """Walk for a hero; the hero's values at the root are then in the first level."""
        if self._grouped == _BY_BUCKET and task != BEST:
            raise ValueError("groups that share storage on all boards are for best responses only")

        def launch(level: Level, kind: str) -> None:
            stored = storage[level.number]
            self._launch(
                level, kind, stored, hero, task, step, iteration, average=average, rule=rule
            )
            subset = self._subsets[level.number]
            if subset is not None and kind != FULL:
                subset.pass_down(hero)

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
                subset = self._subsets[level.number]
                if subset is not None:
                    subset.pass_up(hero)
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
        iteration: int,
        *,
        average: bool,
        rule: Rule | None,
    ) -> None:
        other = 1 - hero
        weights, sums = stored.strategy_weights, stored.sums
        strategy = sums if average else weights
        predicts = stored.regret[hero].size > 0
        kernel = self._kernel(
            level,
            *self._kernel_key(level, stored, hero, task, step, average=average, rule=rule),
        )
        words, first = level.d_programs[hero, kind]
        jobs = level.programs.lists[hero, kind].jobs
        parts = 1 if level.last_street else jobs
        above = self.levels[level.number - 1] if level.number else None
        reach = above.next_reach if above else self._ranges[other]
        reach_length = above.lengths[other] if above else self._ranges[other].shape[2]
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
                number(level.on.above),
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
                locks.free[other] if locks is not None else np.uint64(0),
                locks.free[hero] if locks is not None else np.uint64(0),
                number(level.slots[other]),
                number(level.slots[hero]),
                locks.shares if locks is not None else np.uint64(0),
                number(average),
                *_group_tables(groups, other),
                *_group_tables(groups, hero),
                level.spilled,
                number(level.programs.spilled),
                level.d_factors,
                *map(self.kind.type, step),
                number(iteration),
                number(level.programs.needs.slots),
                number(kind == FULL),
            ),
        )

    def _kernel_key(
        self,
        level: Level,
        stored: StreetStorage,
        hero: int,
        task: int,
        step: Step,
        *,
        average: bool,
        rule: Rule | None,
    ) -> tuple[int, int, int, bool, int]:
        """What the kernel of a walk over a level depends on."""
        other = 1 - hero
        writes_sums = task == RECORD or (task == LEARN and not average)
        writes_sums = writes_sums and stored.sums[other].size > 0
        predicts = stored.regret[hero].size > 0
        learning = _PREDICTED_REGRETS if predicts else _TRIED_REGRETS if step.trial else _REGRETS
        if rule is not None and rule.greedy:
            learning = _GREEDY
        strategy = stored.sums if average else stored.strategy_weights
        bits = 8 * strategy[other].dtype.itemsize
        passed_up = int(rule.passes_up) if rule is not None else 0
        return task, learning, passed_up, writes_sums, bits

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
            options = self._options(level, task, learning, passed_up, writes_sums, stored_bits)
            threads = level.shape.threads * level.teams
            self._kernels[key] = self.machine.kernel("walk", options, threads, level.shared_bytes)
        return self._kernels[key]

    def _options(
        self,
        level: Level,
        task: int,
        learning: int,
        passed_up: int,
        writes_sums: bool,
        stored_bits: int,
    ) -> dict[str, int]:
        """The compile-time numbers of a kernel."""
        return {
            **level.options(),
            "STORED_BITS": stored_bits,
            "TASK": task,
            "LEARNING": learning,
            "PASSED_UP": passed_up,
            "WRITES_SUMS": int(writes_sums),
            "LOCKED": int(self._locks[level.number] is not None),
            "GROUPED": self._grouped,
            "HALVED_ALL_INS": int(level.halved_all_ins),
        }

    def _add_boards(self, level: Level, above: Level, hero: int) -> None:
        """Add the values of a level's boards up for the boards above."""
        weights = self._board_weights[level.number]
        weighted = int(weights is not None)
        key = ("add_boards", weighted)
        if key not in self._kernels:
            options = {"REAL_BITS": 8 * self.kind.itemsize, "WEIGHTED": weighted}
            self._kernels[key] = self.machine.kernel("add_boards", options, 128)
        padded, roots = level.on.positions[hero].shape[1], level.tree.roots
        self._kernels[key](
            (-(-roots // 2) * above.boards, -(-padded // 128)),
            (
                level.values,
                np.int32(level.lengths[hero]),
                np.int32(level.boards),
                level.d_positions[hero],
                np.int32(padded),
                level.d_owner,
                level.d_member_first,
                above.next_values,
                np.int32(above.lengths[hero]),
                np.int32(above.boards),
                np.int32(roots),
                np.float64(level.chance),
                weights if weights is not None else np.uint64(0),
            ),
        )


def compile_together(wanted: Mapping[Any, Callable[[], Kernel]]) -> None:
    """Compile the kernels of `JoinedWalker.wanted_kernels`, several at a time."""
    with ThreadPoolExecutor(core_count()) as pool:
        for _ in pool.map(lambda make: make(), wanted.values()):
            pass


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

"""`Walker`: walks over the public tree of a spot in one precision, on any number of threads.

It owns the programs of the streets and the scratch space of the threads; strategies come from
outside. Each board below the first street leaves its values in a place of its own, and they are
added up in the order of the boards: the result does not depend on the number of threads.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from math import prod
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from pokerlab.postflop.cpu.leaf_kernels import BLOCK, LeafSpace
from pokerlab.postflop.cpu.row_kernels import Update
from pokerlab.postflop.cpu.solve_kernels import (
    RECORD,
    Locks,
    Space,
    Street,
    StreetStorage,
    Walk,
    ascend,
    descend,
    fill_links,
    finish_walk,
    iterate_river,
    start_walk,
    walk_rivers,
    walk_turns,
    walk_turns_from_links,
)
from pokerlab.postflop.question.spot import Spot
from pokerlab.postflop.tables.boards import Boards
from pokerlab.postflop.tables.program import Payoffs, Program, StreetProgram, compile_street

__all__ = ["Walker", "aligned", "compile_streets", "no_locks"]

Rows: TypeAlias = npt.NDArray[np.floating[Any]]

_LARGEST_VALUE = 1000.0
"""Values are scaled so that none at the root is larger: regrets then fit into 16 bits."""


def compile_streets(spot: Spot, boards: Boards, kind: npt.DTypeLike) -> tuple[StreetProgram, ...]:
    """The programs of all streets of a spot."""
    tree = spot.tree

    def rake_from(pot: int) -> float:
        return spot.rake_from(pot / tree.units) * tree.units

    payoffs = Payoffs(tree.pot, rake_from, value_unit(spot, boards) / tree.units)
    return tuple(
        compile_street(street, payoffs, boards.widths, kind, whole=street.number < 2)
        for street in tree.streets
    )


def value_unit(spot: Spot, boards: Boards) -> float:
    """What all values in chips are multiplied by."""
    weight = max(float(weights.sum()) for weights in boards.weights)
    return _LARGEST_VALUE / ((spot.pot / 2 + spot.effective_stack) * weight)


class Walker:
    """Walks over one spot.

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
    """

    def __init__(
        self,
        spot: Spot,
        boards: Boards,
        kind: npt.DTypeLike,
        threads: int,
        locks: Sequence[Locks] | None = None,
    ) -> None:
        self.locks = locks or [no_locks() for _ in boards.tables]
        self.spot = spot
        self.boards = boards
        self.kind: np.dtype[Any] = np.dtype(kind)
        self.streets = compile_streets(spot, boards, self.kind)
        self.unit = value_unit(spot, boards)
        none = np.zeros(0, np.uint16)
        self._margins = [
            boards.margins(level) if len(street.programs[0].all_ins.reach_starts) else (none, none)
            for level, street in enumerate(self.streets)
        ]
        # The chance of a card on each street to come, and of a run-out, given both hands.
        cards = [1.0 / (52 - known - 4) for known in range(len(spot.board), 5)]
        make: Any = self.kind.type
        self._chances = [make(chance) for chance in cards]
        self._run_outs = [make(prod(cards[level:])) for level in range(len(self.streets))]
        self._threads = threads
        self._pool = ThreadPoolExecutor(max(threads - 1, 1))
        self._shares = self._split_boards()
        self._spaces = [
            [self._make_spaces(street) for street in self.streets] for _ in range(threads)
        ]
        zero = np.zeros(1, np.int64)
        self._top = self.streets[0].programs[0]._replace(next_reach=zero, next_value=zero)
        self._results = [aligned(width, self.kind) for width in boards.widths]
        self._ranges = [aligned(width, self.kind) for width in boards.widths]
        for row, weights in zip(self._ranges, boards.weights, strict=True):
            row[: len(weights)] = weights
        below = len(boards.cards[1]) if len(self.streets) > 1 else 0
        links = len(self.streets[0].programs[0].next_value)
        self._parts = [
            aligned(below * links * width, self.kind).reshape(below, links, width)
            for width in boards.widths
        ]

    def _make_spaces(self, street: StreetProgram) -> tuple[Space, Space]:
        # Each hero has rows of his own: the last place of a row is zero and stays so.
        hands = max(self.boards.padded)
        leaves = LeafSpace(
            aligned((hands + 1) * BLOCK, self.kind),
            aligned(hands * BLOCK, self.kind),
            aligned(53 * BLOCK, self.kind),
        )
        first, second = (
            Space(
                aligned(street.reach_size, self.kind), aligned(street.value_size, self.kind), leaves
            )
            for _ in range(2)
        )
        return first, second

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

    def update(self, step: Sequence[float], *, is_greedy: bool, returned: int) -> Update:
        """The coefficients of a `Step` in the walker's precision."""
        positive, negative, average, prediction, greedy, hedge = map(self.kind.type, step)
        return Update(positive, negative, average, prediction, greedy, hedge, is_greedy, returned)

    def walk(
        self,
        storage: tuple[StreetStorage, ...],
        hero: int,
        task: int,
        update: Update,
        *,
        average: bool,
        weights: Rows | None = None,
    ) -> Rows:
        """Walk for a hero; returns the value of each of his hands at the root, scaled by `unit`.

        `weights` replace the opponent's range (a row of the opponent's width).
        """
        walk = Walk(hero, task, average, update, self.boards.widths, self.boards.padded)
        streets = self._with_storage(storage, hero)
        space = self._spaces[0][0][hero]
        ranges = self._ranges[1 - hero] if weights is None else weights
        start_walk(streets[0], walk, self._top, ranges, space)
        if len(streets) > 1:
            self._walk_below(streets, walk, space)
        result = self._results[hero]
        if task != RECORD:
            finish_walk(streets[0], walk, self._top, self._parts[hero], space, result)
        return result

    def _with_storage(self, storage: tuple[StreetStorage, ...], hero: int) -> list[Street]:
        return [
            Street(program.programs[hero], tables, kept, locks, margins, run_out)
            for program, tables, kept, locks, margins, run_out in zip(
                self.streets,
                self.boards.tables,
                storage,
                self.locks,
                self._margins,
                self._run_outs,
                strict=True,
            )
        ]

    def _walk_below(self, streets: list[Street], walk: Walk, space: Space) -> None:
        hero, parts = walk.hero, self._parts[walk.hero]
        above = _links_to_parts(streets[0].program, parts.shape[2])
        chances = self._chances

        def work(thread: int) -> None:
            first, last = self._shares[thread : thread + 2]
            own = self._spaces[thread]
            if len(streets) == 2:
                walk_rivers(
                    streets[1],
                    walk,
                    first,
                    last,
                    chances[0],
                    above,
                    space.reach,
                    parts,
                    own[1][hero],
                )
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
                    space.reach,
                    parts,
                    own[1][hero],
                    own[2][hero],
                )

        others = [self._pool.submit(work, thread) for thread in range(1, self._threads)]
        work(0)
        for other in others:
            other.result()

    def link_values(
        self, storage: tuple[StreetStorage, ...], hero: int, task: int, update: Update
    ) -> npt.NDArray[np.float32]:
        """The hero's values at the roots of the river: (turn boards, roots, hands).

        With them, the turn and the flop can be evaluated without the river's strategies.
        """
        streets = self._with_storage(storage, hero)
        level = len(streets) - 2
        program = streets[level].program
        count, hands = len(self.boards.cards[level]), self.boards.padded[hero]
        found = np.zeros((count, len(program.next_value), hands), np.float32)
        space = self._spaces[0][level][hero]
        for board in range(count):
            if level == 0:
                self.walk(storage, hero, task, update, average=True)
            else:
                self.node_values(storage, hero, task, update, [board], 0, average=True)
            for link, start in enumerate(program.next_value):
                found[board, link] = space.values[start : start + hands]
        return found

    def node_values(
        self,
        storage: tuple[StreetStorage, ...],
        hero: int,
        task: int,
        update: Update,
        boards: Sequence[int],
        node: int,
        *,
        average: bool,
        links: Rows | None = None,
    ) -> Rows:
        """The hero's values at a node, hand by hand as they are kept on the board.

        `boards` are the numbers of the boards on the way, one for each street after the first.
        Only what lies below the node's street is walked over. Where the river's strategies are
        not at hand, `links` are what `link_values` gave.
        """
        walk = Walk(hero, task, average, update, self.boards.widths, self.boards.padded)
        streets = self._with_storage(storage, hero)
        level = len(boards)
        spaces = [both[hero] for both in self._spaces[0]]
        start_walk(streets[0], walk, self._top, self._ranges[1 - hero], spaces[0])
        for upper in range(level - 1):
            descend(
                streets[upper + 1],
                walk,
                boards[upper],
                0,
                streets[upper].program,
                spaces[upper].reach,
                spaces[upper + 1],
            )
        board = boards[-1] if boards else 0
        program = streets[level].program
        batch = int(np.searchsorted(program.batches[:, 1], node, side="right"))
        if links is not None:
            self._walk_from_links(streets, walk, spaces, level, board, links)
        elif level == 0:
            self.walk(storage, hero, task, update, average=average)
        elif level + 1 < len(streets):
            self._walk_one_turn(streets, walk, spaces, board)
        else:
            above, reach = streets[level - 1].program, spaces[level - 1].reach
            descend(streets[level], walk, board, batch, above, reach, spaces[level])
            ascend(streets[level], walk, board, batch, spaces[level])
        first = self.boards.tables[level].hands[hero].first
        start = int(program.value_start[node])
        return spaces[level].values[start : start + int(first[board + 1] - first[board])].copy()

    def _walk_one_turn(
        self, streets: list[Street], walk: Walk, spaces: list[Space], board: int
    ) -> None:
        parts = self._parts[walk.hero]
        chances = self._chances
        walk_turns(
            streets[1],
            streets[2],
            walk,
            board,
            board + 1,
            chances[0],
            chances[1],
            _links_to_parts(streets[0].program, parts.shape[2]),
            spaces[0].reach,
            parts,
            spaces[1],
            spaces[2],
        )

    def _walk_from_links(
        self,
        streets: list[Street],
        walk: Walk,
        spaces: list[Space],
        level: int,
        board: int,
        links: Rows,
    ) -> None:
        """Leave the values of a turn board, or of the flop, in the space of its street."""
        if len(streets) == 2:  # the spot begins on the turn
            fill_links(streets[0].program, links[0], spaces[0].values)
            ascend(streets[0], walk, 0, 0, spaces[0])
            return
        parts = self._parts[walk.hero]
        above = _links_to_parts(streets[0].program, parts.shape[2])
        first, last = (board, board + 1) if level == 1 else (0, parts.shape[0])
        walk_turns_from_links(
            streets[1],
            walk,
            first,
            last,
            self._chances[0],
            above,
            spaces[0].reach,
            parts,
            links,
            spaces[1],
        )
        if level == 0:
            result = self._results[walk.hero]
            finish_walk(streets[0], walk, self._top, parts, spaces[0], result)

    def iterate_river(
        self, storage: tuple[StreetStorage, ...], steps: npt.NDArray[Any], walks: tuple[Walk, Walk]
    ) -> None:
        """Run iterations of a spot that begins on the river, a row of `steps` each."""
        streets = (self._with_storage(storage, 0)[0], self._with_storage(storage, 1)[0])
        iterate_river(
            streets,
            walks,
            steps.astype(self.kind),
            self._top,
            (self._ranges[0], self._ranges[1]),
            self._spaces[0][0],
            (self._results[0], self._results[1]),
        )


def no_locks() -> Locks:
    """A street in which nothing is fixed."""
    return Locks(np.zeros(0, np.int64), np.zeros(0, np.float32))


def _links_to_parts(program: Program, width: int) -> Program:
    """The same links down, with values that come up to a part's rows."""
    return program._replace(next_value=np.arange(len(program.next_value)) * width)


def aligned(size: int, kind: npt.DTypeLike) -> npt.NDArray[Any]:
    """Zeros that begin at a multiple of 64 bytes: vectors then never cross a cache line."""
    width = np.dtype(kind).itemsize
    block = np.zeros(size + 64 // width, kind)
    skip = (-block.ctypes.data % 64) // width
    return block[skip : skip + size]

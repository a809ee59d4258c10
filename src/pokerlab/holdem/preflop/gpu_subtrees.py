"""`GpuSubtrees`: the lines of all boards of a subset on a GPU, a line on all its boards at once.

Walks over one line take the same launches for all boards. Regrets and strategies of all lines stay
on the GPU; the tables of the boards and the rows that a walk works in are there once, since lines
are walked one after the other. How often classes get to a line goes there, and what hands win
comes back, 1,176 numbers a board.

Groups save memory and have a price: where hands are grouped, lines are stored by hand all the same
as long as there is room, the largest first; a walk takes no longer
(``docs/measurements/preflop.md``).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import reduce
from itertools import pairwise
from typing import Any

import numpy as np

from pokerlab.engine.device import walker_bytes
from pokerlab.engine.gpu.joined_walker import JoinedWalker, WalkedGame, compile_together
from pokerlab.engine.tables.layout import PlayerLayout, StrategyLayout
from pokerlab.engine.walker import Storage
from pokerlab.games.betting_trees.betting_tree import BettingTree
from pokerlab.holdem.preflop.class_matchups import N_CLASSES
from pokerlab.holdem.preflop.prepared_flops import PreparedFlops
from pokerlab.holdem.spots.joined import COARSE
from pokerlab.holdem.spots.prepared import SpotSize
from pokerlab.holdem.spots.question.spot import Spot
from pokerlab.holdem.spots.solver import PRECISIONS, predicts
from pokerlab.runtime.arrays import AnyArray, Floats
from pokerlab.runtime.gpu.machine import GpuRefusalError, Machine
from pokerlab.runtime.machine import size_text
from pokerlab.solvers.rules import Rule

_ROOM = 0.92
"""The part of the free memory that may be filled by storing lines by hand."""


class GpuSubtrees:
    """The spots of all lines on all boards.

    Parameters
    ----------
    spots
        By line the spots of all boards, in the order of `flops`.
    flops
        The boards.
    rule, precision, by_hand
        See `FlopSubtrees`.
    machine
        The GPU, where no walker of `flops` has one.

    Raises GpuRefusalError where there is too little memory.
    """

    def __init__(
        self,
        spots: Sequence[Sequence[Spot]],
        flops: PreparedFlops,
        rule: Rule,
        precision: int,
        machine: Machine,
        by_hand: Collection[int] | None = None,
    ) -> None:
        self.boards = slice(0, len(flops.cards))
        self.size = len(flops.cards)
        self._flops, self._rule = flops, rule
        machine = flops.beside.machine if flops.beside is not None else machine
        machine.release()
        trees = [line[0].tree for line in spots]
        layouts = [_join_layouts(tree, flops, grouped=True) for tree in trees]
        entry_bytes = (2 + predicts(rule)) * precision // 8
        tables = entry_bytes * sum(map(_entries, layouts))
        counted = _walker_bytes(trees, flops)
        self.needed = tables + (counted if counted > flops.walker_bytes else 0)
        free = machine.free_bytes()
        self.by_hand: list[int] = []
        """The lines whose hands have numbers of their own, though hands are grouped."""
        if flops.groups is not None:
            single = [_join_layouts(tree, flops, grouped=False) for tree in trees]
            for line in sorted(range(len(spots)), key=lambda line: -_entries(layouts[line])):
                more = entry_bytes * (_entries(single[line]) - _entries(layouts[line]))
                fits = self.needed + more <= _ROOM * free
                if fits if by_hand is None else line in by_hand:
                    self.needed += more
                    layouts[line] = single[line]
                    self.by_hand.append(line)
        if self.needed > free:
            raise GpuRefusalError(
                f"device: {len(flops.cards)} flops after {len(spots)} lines need about "
                f"{size_text(self.needed)} on the GPU, and {size_text(free)} are free there; take "
                "fewer flops or sizes, 16 bits, or store hands in groups (--groups)"
            )
        found: dict[int, tuple[JoinedWalker, Storage]] = {}
        # Lines that need most come first: those that follow find room for their rows.
        for line in sorted(range(len(spots)), key=lambda line: -_entries(layouts[line])):
            games = [
                WalkedGame(spot, on.boards, None, None if line in self.by_hand else on.groups)
                for spot, on in zip(spots[line], flops.spots, strict=True)
            ]
            walker = JoinedWalker(machine, games, np.float32, COARSE, beside=flops.beside)
            storage = walker.make_storage(
                layouts[line], PRECISIONS[precision], regrets=predicts(rule), sums=True
            )
            found[line] = walker, storage
            flops.beside, flops.walker_bytes = walker, max(flops.walker_bytes, counted)
        self._lines = [found[line] for line in range(len(spots))]
        self._layouts = layouts
        self._compile()
        length = max(map(len, flops.classes))
        self._places = np.full((len(flops.classes), length), N_CLASSES)
        for row, (own, classes) in enumerate(zip(self._places, flops.classes, strict=True)):
            own[: len(classes)] = classes
            own += row * (N_CLASSES + 1)

    def _compile(self) -> None:
        wanted: dict[Any, Any] = {}
        for walker, storage in self._lines:
            wanted |= walker.wanted_kernels(storage, self._rule)
        compile_together(wanted)

    def learn(self, line: int, hero: int, reach: Floats, iteration: int) -> Floats:
        """The hero's half of an iteration on a line: (boards, 169), what each class wins."""
        walker, storage = self._walker(line, hero, reach)
        rows = walker.learn_each(storage, self._rule, iteration, 1 - hero)
        return self._by_class(rows[0], walker.unit)

    def wins(self, line: int, hero: int, reach: Floats, best: bool, by_group: bool) -> Floats:
        """(boards, 169): what each class wins with the average strategies."""
        walker, storage = self._walker(line, hero, reach)
        rows = walker.values_each(storage, 1 - hero, average=True, best=best, by_group=by_group)
        return self._by_class(rows[0], walker.unit)

    def arrays(self) -> dict[str, tuple[JoinedWalker, Any]]:
        """All arrays of storage by board and line, each with the walker that has it."""
        return {
            f"board.{place}.{line}.{kind}.{level}.{player}": (walker, array[start:end])
            for line, (walker, storage) in enumerate(self._lines)
            for level, street in enumerate(storage)
            for kind in ("strategy_weights", "regret", "sums")
            for player in range(2)
            for array in [getattr(street, kind)[player]]
            for place, (start, end) in enumerate(self._ends(line, level, player))
            if len(array) and start < end
        }

    def _ends(self, line: int, level: int, player: int) -> list[tuple[int, int]]:
        """Where the storage of each board of the subset begins and ends."""
        first = self._layouts[line].at(level, player).first
        counts = [len(spot.boards.cards[level]) for spot in self._flops.spots]
        ends = first[np.cumsum([0, *counts])].tolist()
        return list(pairwise(ends))

    def _walker(self, line: int, hero: int, reach: Floats) -> tuple[JoinedWalker, Storage]:
        """The walker of a line, with the opponent's range; BB acts first after the flop."""
        walker, storage = self._lines[line]
        walker.set_ranges(hero, [reach[classes] for classes in self._flops.classes])
        return walker, storage

    def _by_class(self, rows: AnyArray, unit: float) -> Floats:
        boards, length = self._places.shape
        by_hand = rows[:, :length].astype(np.float64) / unit
        size = boards * (N_CLASSES + 1)
        found = np.bincount(self._places.ravel(), by_hand.ravel(), size)
        return np.asarray(found.reshape(boards, -1)[:, :N_CLASSES])


def _join_layouts(tree: BettingTree, flops: PreparedFlops, *, grouped: bool) -> StrategyLayout:
    """The storage of a line on all boards, one behind the other, by group or by hand."""

    def rows(level: int, player: int) -> Any:
        if grouped:
            return np.concatenate([spot.layout.at(level, player).rows for spot in flops.spots])
        tables = [spot.boards.tables[level].hands[player] for spot in flops.spots]
        return np.concatenate([np.diff(hands.first) for hands in tables])

    return StrategyLayout(
        tuple(
            (
                PlayerLayout.of(street, 0, rows(level, 0)),
                PlayerLayout.of(street, 1, rows(level, 1)),
            )
            for level, street in enumerate(tree.streets)
        )
    )


def _entries(layout: StrategyLayout) -> int:
    return sum(each.size for both in layout.streets for each in both)


def _walker_bytes(trees: Sequence[BettingTree], flops: PreparedFlops) -> int:
    """What the walkers of all lines keep beside their storage: that of the largest."""
    size = reduce(SpotSize.with_other, [spot.size for spot in flops.spots])
    grouped = flops.groups is not None
    return max(walker_bytes(tree, size.boards, size.lengths, 4, grouped=grouped) for tree in trees)

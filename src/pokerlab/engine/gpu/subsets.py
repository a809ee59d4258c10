"""Subsets of run-outs, on the GPU: how hands count after a street, and corrected check-downs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pokerlab.engine.gpu.level import Level
from pokerlab.engine.subsets.check_downs import check_down_corrections, hand_scales
from pokerlab.engine.tables.boards import Boards
from pokerlab.engine.tables.payoffs import Payoffs
from pokerlab.games.betting_trees.betting_tree import EdgeKind
from pokerlab.runtime.gpu.machine import GpuRefusalError, Machine
from pokerlab.runtime.machine import core_count

_MOST_COUNTS = 2.7
"""How much more a hand may count after a street: with two such streets and the largest weight of a
range (`LARGEST_WEIGHT`), 2,048 times the reach still fits into a half."""


class LevelSubset:
    """What happens between a street and the next one, of which cards are left out.

    See `pokerlab.engine.subsets.check_downs`. Reach is scaled once it has been passed down, for
    nobody else reads it then. `beside` has the same boards with other betting; its tables and rows
    are used.
    """

    def __init__(
        self,
        machine: Machine,
        level: Level,
        parts: Sequence[Boards],
        payoffs: Payoffs,
        beside: LevelSubset | None = None,
    ) -> None:
        self._level = level
        self._scales: list[Any]
        self._corrections: list[Any]
        self._missed: Any
        if beside is not None:
            self._scales, self._corrections = beside._scales, beside._corrections
        else:
            self._scales, self._corrections = _tables(machine, level, parts, payoffs.parts)
        edges = np.flatnonzero(level.tree.kind == EdgeKind.NEXT_STREET)
        edges = edges[np.argsort(level.tree.target[edges])]
        matched, real = level.tree.matched[edges].tolist(), level.real
        self._stakes = [
            machine.array(np.array([payoffs.check_down(player, each) for each in matched], real))
            for player in range(2)
        ]
        # Of several parts each has a stake of its own: what is missed is then counted with them.
        self._in_parts = payoffs.parts > 1
        self._ones = machine.array(np.ones(len(matched), real))
        size = level.links * level.boards * max(level.lengths)
        if beside is not None and beside._missed.size >= size:
            self._missed = beside._missed
        else:
            self._missed = machine.zeros(size, real)
        options = {"REAL_BITS": 8 * real.itemsize, "WEIGHTED": 0}
        in_parts = {"PARTS": payoffs.parts} if self._in_parts else {}
        self._find = machine.kernel("find_missed", options | in_parts, 128)
        self._scale = machine.kernel("scale_rows", options, 128)

    def _grid(self, length: int) -> tuple[int, int, int]:
        return -(-length // 128), self._level.boards, self._level.links

    def pass_down(self, hero: int) -> None:
        """Keep what the hero misses, and scale the opponent's reach."""
        level, other = self._level, 1 - hero
        own, opposing, boards = level.lengths[hero], level.lengths[other], np.int32(level.boards)
        self._find(
            self._grid(own),
            (
                level.next_reach,
                self._corrections[hero],
                self._missed,
                boards,
                np.int32(opposing),
                np.int32(own),
                *((self._stakes[hero],) if self._in_parts else ()),
            ),
        )
        self._run_scale(level.next_reach, other, np.uint64(0))

    def pass_up(self, hero: int) -> None:
        """Scale the hero's values, and add what is missed."""
        stakes = self._ones if self._in_parts else self._stakes[hero]
        self._run_scale(self._level.next_values, hero, stakes)

    def _run_scale(self, rows: Any, player: int, stakes: Any) -> None:
        length = self._level.lengths[player]
        numbers = np.int32(self._level.boards), np.int32(length)
        self._scale(
            self._grid(length), (rows, self._scales[player], stakes, self._missed, *numbers)
        )


def board_weights(machine: Machine, level: Level, parts: Sequence[Boards]) -> Any | None:
    """How many cards each card of a level's boards stands for; None where none is left out."""
    found = [part.board_weights[level.number] for part in parts]
    if all(each is None for each in found):
        return None
    counts = [len(part.cards[level.number]) for part in parts]
    return machine.array(
        np.concatenate(
            [
                np.ones(count) if each is None else each
                for each, count in zip(found, counts, strict=True)
            ]
        ).astype(level.real)
    )


def _tables(
    machine: Machine, level: Level, parts: Sequence[Boards], kinds: int
) -> tuple[list[Any], list[Any]]:
    """For each player how hands count after the street, and what check-downs miss, of each kind."""
    number = level.number
    scales = [np.ones((level.boards, length), level.real) for length in level.lengths]
    first, second = level.lengths
    shapes = (second, first), (first, second)
    missing = [np.zeros((level.boards, kinds, *shape), np.uint16) for shape in shapes]
    for spot, boards in enumerate(parts):
        here = level.on.of_spot(spot)
        for player in range(2):
            own, other = boards.padded[player], boards.padded[1 - player]
            counts = hand_scales(boards, number, player)
            if counts is not None:
                if counts.max() > _MOST_COUNTS:
                    raise GpuRefusalError(
                        "device: on a subset of so few run-outs hands count too often for a GPU; "
                        "take more run-outs, or device cpu"
                    )
                scales[player][here, :own] = counts
                found = check_down_corrections(boards, number, core_count(), kinds)[player]
                missing[player][here, :, :other, :own] = found.reshape(-1, kinds, other, own)
    return [machine.array(each) for each in scales], [machine.array(each) for each in missing]

"""`GpuStorage`: strategies on the GPU, in the layout of the processor's engine."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from pokerlab.engine.tables.arrays import StreetStorage
from pokerlab.engine.tables.layout import PlayerLayout, StrategyLayout
from pokerlab.runtime.arrays import AnyArray
from pokerlab.runtime.gpu.machine import Machine

_SMALLEST = np.float32(2.0**-14)
"""Smaller halves are denormal, and nobody may see them (as on the processor)."""

_MOST_BLOCKS = 65_535
"""Of the second dimension of a grid."""

Storage: TypeAlias = tuple[StreetStorage, ...]


class GpuStorage:
    """Makes, reads and writes what is stored on a machine."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine

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

    def read(self, array: Any) -> AnyArray:
        """An array of storage as one of the host: a copy."""
        return self.machine.fetch(array)

    def write(self, array: Any, numbers: AnyArray) -> None:
        """Replace the numbers of an array of storage."""
        array[...] = self.machine.array(numbers)

    def hold(self, storage: Storage) -> Storage:
        """The same storage on the GPU; what lies there already is not copied."""
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

    def shares(
        self, storage: Storage, layout: StrategyLayout, *, average: bool
    ) -> list[tuple[Any, Any]]:
        """The strategies of all streets as probabilities, in 16 bits on the GPU.

        Where averages are 0 they are the current ones.
        """
        found = []
        for both, stored in zip(layout.streets, storage, strict=True):
            source = stored.sums if average else stored.strategy_weights
            first, second = (
                self._shares(here, source[player], stored.strategy_weights[player])
                for player, here in enumerate(both)
            )
            found.append((first, second))
        return found

    def _shares(self, here: PlayerLayout, source: Any, spare: Any) -> Any:
        machine = self.machine
        out = machine.zeros(here.size, np.uint16)
        options = {"STORED_BITS": 8 * source.dtype.itemsize}
        write = machine.kernel("write_probabilities", options, 128)
        slots = machine.array((np.cumsum(here.own_actions) - here.own_actions).astype(np.int32))
        actions = machine.array(here.own_actions.astype(np.int32))
        starts, rows = machine.array(here.first), machine.array(here.rows.astype(np.int32))
        for first in range(0, len(here.rows) if here.size else 0, _MOST_BLOCKS):
            boards = min(len(here.rows) - first, _MOST_BLOCKS)
            grid = (len(here.own_actions), boards)
            numbers = (starts[first:], rows[first:], slots, actions)
            write(grid, (source, spare, *numbers, _SMALLEST, out))
        return out

"""Locked decisions of a level, on the GPU."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pokerlab.arrays import Singles
from pokerlab.gpu.machine import Machine
from pokerlab.postflop.gpu.level import Level
from pokerlab.postflop.tables.arrays import Locks
from pokerlab.postflop.tables.layout import first_slots


@dataclass(frozen=True, eq=False)
class LevelLocks:
    """Where locked strategies are.

    Attributes
    ----------
    start
        For each player (boards × slots): where the probabilities of the node whose first action has
        that slot begin; −1 if it is free.
    free
        The same places: what the weight of a lock leaves free.
    shares
        ``[action][hand]`` for each locked node of a board, times the weight of the lock; −1 for
        hands that are free.
    """

    start: tuple[Any, Any]
    free: tuple[Any, Any]
    shares: Any

    @classmethod
    def of(cls, machine: Machine, level: Level, parts: Sequence[Locks]) -> LevelLocks | None:
        """The locks of a level, one for each spot; None where nothing is fixed."""
        if not any(len(part.start) for part in parts):
            return None
        by_node = np.full((level.boards, level.tree.nodes), -1, np.int64)
        free_by_node = np.zeros((level.boards, level.tree.nodes), np.float32)
        shares: list[Singles] = []
        size = 0
        for spot, part in enumerate(parts):
            if len(part.start):
                start = part.start.reshape(-1, level.tree.nodes)
                by_node[level.on.of_spot(spot)] = np.where(start < 0, -1, start + size)
                free_by_node[level.on.of_spot(spot)] = part.free.reshape(start.shape)
                shares.append(part.shares)
                size += len(part.shares)
        slot = first_slots(level.tree)
        starts, parts_free = [], []
        for player in range(2):
            start = np.full((level.boards, level.slots[player]), -1, np.int32)
            free = np.zeros(start.shape, np.float32)
            nodes = np.flatnonzero(level.tree.player == player)
            start[:, slot[nodes]] = by_node[:, nodes]
            free[:, slot[nodes]] = free_by_node[:, nodes]
            starts.append(machine.array(start))
            parts_free.append(machine.array(free))
        return cls(
            (starts[0], starts[1]),
            (parts_free[0], parts_free[1]),
            machine.array(np.concatenate(shares)),
        )

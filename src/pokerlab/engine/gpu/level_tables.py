"""What a level has beside its walk, on the GPU: groups of hands that share storage, and locks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pokerlab.engine.gpu.level import Level
from pokerlab.engine.tables.arrays import Locks
from pokerlab.engine.tables.boards import Boards
from pokerlab.engine.tables.hand_groups import BoardGroups
from pokerlab.engine.tables.layout import first_slots
from pokerlab.runtime.arrays import Singles
from pokerlab.runtime.gpu.machine import Machine


@dataclass(frozen=True, eq=False)
class LevelGroups:
    """The groups of a level, for both players.

    Attributes
    ----------
    first
        Where the storage of each board begins.
    numbers
        Four for each board: where its columns begin, where its groups begin among these numbers,
        the length of a row of storage, and how many groups there are. Then, board by board, for
        each group (and one more) its first member.
    columns
        Board by board, the column of each hand.
    members, shares
        The places of the hands of each group, and their parts of its weight.
    """

    first: tuple[Any, Any]
    numbers: tuple[Any, Any]
    columns: tuple[Any, Any]
    members: tuple[Any, Any]
    shares: tuple[Any, Any]

    @classmethod
    def of(
        cls, machine: Machine, level: Level, parts: Sequence[tuple[Boards, BoardGroups]]
    ) -> LevelGroups:
        """The groups of a level, given those of each spot."""
        if parts[0][1].shared:
            return cls._of_buckets(machine, level, parts)
        both = [_tables(level, parts, player) for player in range(2)]
        pairs = [tuple(map(machine.array, pair)) for pair in zip(*both, strict=True)]
        return cls(*pairs)

    @classmethod
    def _of_buckets(
        cls, machine: Machine, level: Level, parts: Sequence[tuple[Boards, BoardGroups]]
    ) -> LevelGroups:
        """Groups that have one storage on all boards: only their columns are looked at."""
        nothing = machine.zeros(4, np.uint16)
        found: list[list[Any]] = []
        for player in range(2):
            if player and level.on.entries[0] is level.on.entries[1]:
                found.append(found[0])
                break
            here = [groups.at(level.number, player) for _, groups in parts]
            heads = np.zeros((level.boards, 4), np.int32)
            heads[:, 0] = level.on.entries[player]
            heads[:, 2] = np.concatenate([each.rows for each in here])
            heads[:, 3] = np.concatenate([each.counts for each in here])
            by_hand = np.concatenate([each.column for each in here]).astype(np.uint16)
            begins = np.zeros(level.boards + 1, np.int64)
            found.append([machine.array(each) for each in (begins, heads.ravel(), by_hand)])
        first, numbers, columns = ((one, other) for one, other in zip(*found, strict=True))
        return cls(first, numbers, columns, (nothing, nothing), (nothing, nothing))


def _tables(
    level: Level, parts: Sequence[tuple[Boards, BoardGroups]], player: int
) -> tuple[Any, ...]:
    heads, firsts, columns, members, shares, sizes = [], [], [], [], [], [0]
    at, found, entry = 4 * level.boards, 0, 0
    for boards, groups in parts:
        here = groups.at(level.number, player)
        hands = boards.tables[level.number].hands[player]
        for board, (count, row) in enumerate(zip(here.counts, here.rows, strict=True)):
            entries = slice(int(hands.first[board]), int(hands.first[board + 1]))
            order, column = hands.order[entries], here.column[entries]
            alive = np.flatnonzero(order < len(boards.combos[player]))
            own = column[alive]
            weights = boards.weights[player][order[alive]]
            totals = np.bincount(own, weights, minlength=count)
            by_group = np.argsort(own, kind="stable")
            first = found + np.cumsum([0, *np.bincount(own, minlength=count)])
            found = int(first[-1])
            heads.append((entry + entries.start, at, row, count))
            firsts.append(first)
            at += len(first)
            members.append(alive[by_group])
            shares.append((weights / totals[own])[by_group])
            sizes.append(int(row) * level.slots[player])
        columns.append(here.column)
        entry += len(here.column)
    return (
        np.cumsum(sizes, dtype=np.int64),
        np.concatenate([np.ravel(heads), *firsts]).astype(np.int32),
        np.concatenate(columns).astype(np.uint16),
        np.concatenate([*members, [0]]).astype(np.uint16),
        np.concatenate([*shares, [0.0]]).astype(level.real),
    )


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

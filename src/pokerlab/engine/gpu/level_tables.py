"""What a level has beside its walk, on the GPU: groups of hands that share storage, and locks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pokerlab.engine.gpu.level import Level
from pokerlab.engine.tables.arrays import Locks
from pokerlab.engine.tables.boards import Boards
from pokerlab.engine.tables.hand_groups import BoardGroups
from pokerlab.engine.tables.layout import first_slots
from pokerlab.runtime.arrays import AnyArray, Int64s, Singles
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
        cls,
        machine: Machine,
        level: Level,
        parts: Sequence[tuple[Boards, BoardGroups]],
        beside: LevelGroups | None = None,
    ) -> LevelGroups:
        """The groups of a level, given those of each spot.

        `beside` has those of the same boards with other betting: only storage begins elsewhere.
        """
        if parts[0][1].shared:
            return cls._of_buckets(machine, level, parts)
        begins = [machine.array(_starts(level, parts, player)) for player in range(2)]
        first = begins[0], begins[1]
        if beside is not None:
            return replace(beside, first=first)
        tables = [_tables(level, parts, 0)]
        same = all(
            each.at(level.number, 0) is each.at(level.number, 1) and np.array_equal(*boards.weights)
            for boards, each in parts
        )
        tables.append(tables[0] if same else _tables(level, parts, 1))
        on_machine = [tuple(map(machine.array, tables[0]))]
        on_machine.append(on_machine[0] if same else tuple(map(machine.array, tables[1])))
        return cls(first, *zip(*on_machine, strict=True))

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


def _starts(level: Level, parts: Sequence[tuple[Boards, BoardGroups]], player: int) -> Int64s:
    """Where the storage of each board begins."""
    rows = [groups.at(level.number, player).rows for _, groups in parts]
    return np.cumsum(np.concatenate([[0], *rows]) * level.slots[player], dtype=np.int64)


def _tables(
    level: Level, parts: Sequence[tuple[Boards, BoardGroups]], player: int
) -> tuple[AnyArray, ...]:
    """`LevelGroups.numbers`, `columns`, `members` and `shares` of a player."""
    heads, firsts, columns, members, shares = [], [], [], [], []
    at, found, entry = 4 * level.boards, 0, 0
    for boards, groups in parts:
        here = groups.at(level.number, player)
        hands = boards.tables[level.number].hands[player]
        count, begin = len(here.counts), hands.first[:-1]
        board = np.repeat(np.arange(count), np.diff(hands.first))
        alive = np.flatnonzero(hands.order < len(boards.combos[player]))
        # Groups are numbered through; each board has one number more, for its end.
        before = np.cumsum(here.counts) - here.counts
        own = before[board[alive]] + here.column[alive]
        weights = boards.weights[player][hands.order[alive]]
        total = int(here.counts.sum())
        starts = found + np.concatenate([[0], np.cumsum(np.bincount(own, minlength=total))])
        places = np.arange(total + count) - np.repeat(np.arange(count), here.counts + 1)
        by_group = np.argsort(own, kind="stable")
        begins = at + before + np.arange(count)
        heads.append(np.stack([entry + begin, begins, here.rows, here.counts], axis=1))
        firsts.append(starts[places])
        members.append((alive - begin[board[alive]])[by_group])
        shares.append((weights / np.bincount(own, weights, minlength=total)[own])[by_group])
        columns.append(here.column)
        at, found, entry = at + total + count, int(starts[-1]), entry + len(here.column)
    return (
        np.concatenate([np.concatenate(heads).ravel(), *firsts]).astype(np.int32),
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

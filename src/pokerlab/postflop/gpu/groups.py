"""Groups of hands that share storage, on the card."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pokerlab.postflop.gpu.level import Level
from pokerlab.postflop.gpu.machine import Machine
from pokerlab.postflop.tables.boards import Boards
from pokerlab.postflop.tables.hand_groups import BoardGroups

__all__ = ["LevelGroups"]


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
    def of(cls, machine: Machine, level: Level, boards: Boards, groups: BoardGroups) -> LevelGroups:
        """The groups of a level."""
        both = [_tables(level, boards, groups, player) for player in range(2)]
        pairs = [tuple(map(machine.array, pair)) for pair in zip(*both, strict=True)]
        return cls(*pairs)


def _tables(level: Level, boards: Boards, groups: BoardGroups, player: int) -> tuple[Any, ...]:
    here = groups.at(level.number, player)
    hands = boards.tables[level.number].hands[player]
    heads, firsts, members, shares = [], [], [], []
    at, found = 4 * level.boards, 0
    for board, (count, row) in enumerate(zip(here.counts, here.rows, strict=True)):
        entries = slice(int(hands.first[board]), int(hands.first[board + 1]))
        order, column = hands.order[entries], here.column[entries]
        alive = np.flatnonzero(order < len(boards.combos[player]))
        own = column[alive]
        weights = boards.weights[player][order[alive]]
        totals = np.bincount(own, weights, minlength=count)
        by_group = np.argsort(own, kind="stable")
        sizes = np.bincount(own, minlength=count)
        first = found + np.concatenate([[0], np.cumsum(sizes)])
        found = int(first[-1])
        heads.append((entries.start, at, row, count))
        firsts.append(first)
        at += len(first)
        members.append(alive[by_group])
        shares.append((weights / totals[own])[by_group])
    starts = np.concatenate([[0], np.cumsum(here.rows * level.slots[player])])
    return (
        starts.astype(np.int64),
        np.concatenate([np.ravel(heads), *firsts]).astype(np.int32),
        here.column.astype(np.uint16),
        np.concatenate([*members, [0]]).astype(np.uint16),
        np.concatenate([*shares, [0.0]]).astype(level.real),
    )

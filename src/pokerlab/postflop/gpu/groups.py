"""Groups of hands that share storage, on the GPU."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pokerlab.gpu.machine import Machine
from pokerlab.postflop.gpu.level import Level
from pokerlab.postflop.tables.boards import Boards
from pokerlab.postflop.tables.hand_groups import BoardGroups


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
        both = [_tables(level, parts, player) for player in range(2)]
        pairs = [tuple(map(machine.array, pair)) for pair in zip(*both, strict=True)]
        return cls(*pairs)


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

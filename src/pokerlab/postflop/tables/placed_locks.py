"""Locked decisions on the boards of a spot, in the order of their hands, as walks take them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from pokerlab.postflop.question.locks import NodeLock
from pokerlab.postflop.question.spot import Spot
from pokerlab.postflop.tables.arrays import Locks
from pokerlab.postflop.tables.boards import Boards
from pokerlab.postflop.tables.layout import StrategyLayout
from pokerlab.postflop.tables.runouts import find_run_out

__all__ = ["no_locks", "place_locks"]


def no_locks() -> Locks:
    """A street in which nothing is fixed."""
    return Locks(np.zeros(0, np.int64), np.zeros(0, np.float32))


def place_locks(
    spot: Spot, boards: Boards, locks: Sequence[NodeLock], layout: StrategyLayout
) -> list[Locks]:
    """The locks as walks take them: for every board, in the order of its rows.

    Where hands are in groups, all of a group must be locked in the same way.
    """
    placed = []
    for level, street in enumerate(spot.tree.streets):
        here = [lock for lock in locks if lock.level == level]
        if not here:
            placed.append(no_locks())
            continue
        count = len(boards.cards[level])
        start = np.full(count * street.nodes, -1, np.int64)
        rows: list[npt.NDArray[np.float32]] = []
        size = 0
        for lock in here:
            player = int(street.player[lock.node])
            chosen = list(range(count))
            if lock.cards:
                chosen = [find_run_out(boards, lock.cards)[-1].number]
            hands = boards.tables[level].hands[player]
            for board in chosen:
                order = hands.order[hands.first[board] : hands.first[board + 1]]
                combos = boards.combos[player]
                known = order < len(combos)
                stored = layout.at(level, player)
                row = np.full((len(lock.shares), int(stored.rows[board])), -1.0, np.float32)
                places = stored.by_hand(np.arange(stored.rows[board]), board)
                row[:, places[known]] = lock.shares[:, combos[order[known]]]
                start[board * street.nodes + lock.node] = size
                rows.append(row.ravel())
                size += row.size
        placed.append(Locks(start, np.concatenate(rows)))
    return placed

"""Locked decisions on the boards of a spot, in the order of their hands, as walks take them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np

from pokerlab.engine.game import PublicGame
from pokerlab.engine.locks import NodeLock
from pokerlab.engine.tables.arrays import Locks
from pokerlab.engine.tables.boards import Boards
from pokerlab.engine.tables.layout import PlayerLayout, StrategyLayout
from pokerlab.engine.tables.runouts import find_run_out
from pokerlab.runtime.arrays import AnyArray, Halves, Singles


def no_locks() -> Locks:
    """A street in which nothing is fixed."""
    return Locks(np.zeros(0, np.int64), np.zeros(0, np.float32), np.zeros(0, np.float32))


def place_locks(
    spot: PublicGame, boards: Boards, locks: Sequence[NodeLock], layout: StrategyLayout
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
        free = np.zeros(count * street.nodes, np.float32)
        rows: list[Singles] = []
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
                shares = lock.shares[:, combos[order[known]]]
                row[:, places[known]] = np.where(shares < 0, -1.0, lock.weight * shares)
                start[board * street.nodes + lock.node] = size
                free[board * street.nodes + lock.node] = 1.0 - lock.weight
                rows.append(row.ravel())
                size += row.size
        placed.append(Locks(start, np.concatenate(rows), free))
    return placed


def with_locked_part(shares: Halves, locks: Locks, layout: PlayerLayout, owner: AnyArray) -> Halves:
    """What a player plays on a street, from what the free parts of soft locks play.

    `owner` says whose each node is.
    """
    found = shares
    for played, fixed, free in _soft_nodes(locks, layout, owner):
        found = shares.copy() if found is shares else found
        now = played(found)
        now[:] = np.where(fixed < 0, now, free * now.astype(np.float32) + fixed)
    return found


def without_locked_part(
    shares: Halves, locks: Locks, layout: PlayerLayout, owner: AnyArray
) -> Halves:
    """The inverse: what the free parts play. Where a strategy lacks a lock, it is taken as free."""
    found = shares
    for played, fixed, _ in _soft_nodes(locks, layout, owner):
        found = shares.copy() if found is shares else found
        now = played(found)
        left = np.maximum(now.astype(np.float32) - fixed, 0)
        total = left.sum(axis=0)
        now[:] = np.where((fixed < 0) | (total <= 0), now, left / np.where(total > 0, total, 1))
    return found


def _soft_nodes(
    locks: Locks, layout: PlayerLayout, owner: AnyArray
) -> Iterator[tuple[Callable[[AnyArray], AnyArray], Singles, float]]:
    """The soft locks of a player: the rows there, the locked part, and the free part."""
    for place in np.flatnonzero(locks.free).tolist():
        board, node = divmod(place, len(owner))
        if owner[node] == layout.player:
            shape = int(layout.actions[node]), int(layout.rows[board])
            start = int(locks.start[place])
            fixed = locks.shares[start : start + shape[0] * shape[1]].reshape(shape)
            yield partial(layout.node, board=board, node=node), fixed, float(locks.free[place])

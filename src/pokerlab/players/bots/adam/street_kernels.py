"""Fictitious play on one street of limit hold'em, between buckets.

Arrays of a street, with N nodes, C places (nodes, then folds, showdowns and ways to the next
street; see `StreetBetting`) and B buckets, weakest first: ``child`` [N, 3], ``actor`` [N],
``reach`` [2, C, B], ``value`` and ``played`` [C, B]; ``basis`` [R, B] and ``cores`` [ways, R, R]
are those of `Continuations`, all float32. An iteration of both players with nine ways, 265 buckets
and R = 32 multiplies 300,000 numbers; all of it stays in the cache.
"""

from __future__ import annotations

import numpy as np

from pokerlab.holdem.limit.buckets.look_up_kernels import BucketLookUp, bucket_on_street
from pokerlab.runtime.arrays import Bytes, Floats, Int64s, Singles
from pokerlab.runtime.jit import kernel

_ACTIONS = 3


@kernel(makes_arrays=False)
def count_on_board(
    street: int, board: Bytes, look_up: BucketLookUp, cards: Bytes, deal: Bytes, counts: Floats
) -> None:
    """Count the hands of each bucket on a board, for buckets that forget earlier streets.

    `cards` are those of the combos (1326, 2), `deal` (7) is room to work in.
    """
    counts[:] = 0.0
    for place in range(len(board)):
        deal[2 + place] = board[place]
    for hand in range(len(cards)):
        blocked = False
        for place in range(len(board)):
            blocked |= board[place] == cards[hand, 0] or board[place] == cards[hand, 1]
        if not blocked:
            deal[0] = cards[hand, 0]
            deal[1] = cards[hand, 1]
            counts[bucket_on_street(look_up, street, deal, 0)] += 1.0


@kernel(fastmath=True)
def play_street(
    iterations: int,
    weight: float,
    child: Int64s,
    actor: Int64s,
    folds: Int64s,
    fold_gains: Singles,
    showdowns: Int64s,
    stakes: Singles,
    ways: Int64s,
    basis: Singles,
    cores: Singles,
    reach: Singles,
) -> None:
    """Mix best responses into the average `reach`, which counts as `weight` of them at first.

    The reach at place 0, where the street begins, stays as it is.
    """
    value = np.zeros(reach.shape[1:], np.float32)
    played = np.zeros(reach.shape[1:], np.float32)
    for iteration in range(iterations):
        for player in range(2):
            _leaf_values(
                player,
                folds,
                fold_gains,
                showdowns,
                stakes,
                ways,
                basis,
                cores,
                reach[1 - player],
                value,
            )
            _respond(player, child, actor, value, reach[player], played)
            share = np.float32(1.0 / (weight + iteration + 1.0))
            for place in range(1, reach.shape[1]):
                for bucket in range(reach.shape[2]):
                    now = reach[player, place, bucket]
                    reach[player, place, bucket] = now + share * (played[place, bucket] - now)


@kernel(fastmath=True)
def _leaf_values(
    player: int,
    folds: Int64s,
    fold_gains: Singles,
    showdowns: Int64s,
    stakes: Singles,
    ways: Int64s,
    basis: Singles,
    cores: Singles,
    others: Singles,
    value: Singles,
) -> None:
    buckets = others.shape[1]
    for number in range(len(folds)):
        value[folds[number]] = fold_gains[number, player] * others[folds[number]].sum()
    for number in range(len(showdowns)):
        place = showdowns[number]
        below, above = np.float32(0.0), others[place].sum()
        for bucket in range(buckets):  # on any board the higher bucket wins
            above -= others[place, bucket]
            value[place, bucket] = stakes[number] * (below - above)
            below += others[place, bucket]
    met = np.empty(len(basis), np.float32)
    for number in range(len(ways)):
        place = ways[number]
        for row in range(len(basis)):
            total = np.float32(0.0)
            for bucket in range(buckets):
                total += basis[row, bucket] * others[place, bucket]
            met[row] = total
        value[place] = 0.0
        for row in range(len(basis)):
            worth = np.float32(0.0)
            for column in range(len(basis)):
                if player == 0:
                    worth += cores[number, row, column] * met[column]
                else:
                    worth -= cores[number, column, row] * met[column]
            for bucket in range(buckets):
                value[place, bucket] += worth * basis[row, bucket]


@kernel(fastmath={"reassoc", "contract"})
def _respond(
    player: int, child: Int64s, actor: Int64s, value: Singles, reach: Singles, played: Singles
) -> None:
    """Write the reach of the player's best response to `played`, the last of equal actions."""
    buckets = value.shape[1]
    best = np.empty((len(child), buckets), np.int8)
    for node in range(len(child) - 1, -1, -1):
        for bucket in range(buckets):
            total, top = np.float32(0.0), np.float32(-np.inf)
            for action in range(_ACTIONS):
                place = child[node, action]
                if place >= 0:
                    total += value[place, bucket]
                    if value[place, bucket] >= top:
                        top = value[place, bucket]
                        best[node, bucket] = action
            value[node, bucket] = top if actor[node] == player else total
    played[0] = reach[0]
    for node in range(len(child)):
        for action in range(_ACTIONS):
            place = child[node, action]
            if place >= 0:
                for bucket in range(buckets):
                    chosen = actor[node] != player or best[node, bucket] == action
                    played[place, bucket] = played[node, bucket] if chosen else 0.0

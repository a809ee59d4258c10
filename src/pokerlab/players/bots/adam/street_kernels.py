"""Fictitious play on one street of limit hold'em, between buckets.

Arrays of a street, with N nodes, C places (nodes, then folds, showdowns and ways to the next
street; see `StreetBetting`) and B buckets, weakest first: ``child`` [N, 3], ``actor`` [N],
``reach`` [2, C, B], ``value``, ``played`` and ``change`` [C, B]; ``rest`` [.., B, B] are the values
of `Continuations`, all float32; ``numbers`` [ways] says which of them are those of the ways.

What a way is worth is linear in the reach of the opponent, and a best response differs from the one
before in few buckets. So the worth is not multiplied anew, nine matrices of 70,000 numbers for each
player and iteration: the columns of the buckets that changed are added to it.
"""

from __future__ import annotations

import numpy as np

from pokerlab.holdem.limit.buckets.look_up_kernels import BucketLookUp, bucket_on_street
from pokerlab.runtime.arrays import Bytes, Floats, Int32s, Int64s, Singles
from pokerlab.runtime.jit import kernel


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
    numbers: Int64s,
    rest: Singles,
    reach: Singles,
) -> None:
    """Mix best responses into the average `reach`, which counts as `weight` of them at first.

    The reach at place 0, where the street begins, stays as it is.
    """
    places, buckets = reach.shape[1:]
    value = np.zeros((places, buckets), np.float32)
    played = np.zeros((2, places, buckets), np.float32)
    change = np.zeros((places, buckets), np.float32)
    best = np.empty((len(child), buckets), np.int32)
    # By player, what the ways are worth against the average and against the last response.
    average = np.zeros((2, len(ways), buckets), np.float32)
    newest = np.zeros((2, len(ways), buckets), np.float32)
    for player in range(2):
        _add_rest(player, ways, numbers, rest, reach[1 - player], average[player])
    for iteration in range(iterations):
        share = np.float32(1.0 / (weight + iteration + 1.0))
        for player in range(2):
            others = reach[1 - player]
            _leaf_values(player, folds, fold_gains, showdowns, stakes, others, value)
            for number in range(len(ways)):
                for bucket in range(buckets):
                    value[ways[number], bucket] = average[player, number, bucket]
            played[player, 0] = reach[player, 0]
            _respond(player, child, actor, value, best, played[player], change)
            _add_rest(1 - player, ways, numbers, rest, change, newest[1 - player])
            _mix(share, newest[1 - player], average[1 - player])
            _mix(share, played[player, 1:], reach[player, 1:])


@kernel(fastmath=True)
def _mix(share: np.float32, newest: Singles, average: Singles) -> None:
    for row in range(len(average)):
        for bucket in range(average.shape[1]):
            now = average[row, bucket]
            average[row, bucket] = now + share * (newest[row, bucket] - now)


@kernel(fastmath=True)
def _add_rest(
    player: int, ways: Int64s, numbers: Int64s, rest: Singles, others: Singles, worth: Singles
) -> None:
    """Add to `worth` [ways, B] what the ways are worth to a player against a reach [C, B]."""
    for number in range(len(ways)):
        matrix, row, out = rest[numbers[number]], others[ways[number]], worth[number]
        for other in range(len(row)):
            chance = row[other]
            if chance == 0.0:
                continue
            if player == 0:
                for bucket in range(len(row)):
                    out[bucket] += chance * matrix[bucket, other]
            else:
                for bucket in range(len(row)):
                    out[bucket] -= chance * matrix[other, bucket]


@kernel(fastmath=True)
def _leaf_values(
    player: int,
    folds: Int64s,
    fold_gains: Singles,
    showdowns: Int64s,
    stakes: Singles,
    others: Singles,
    value: Singles,
) -> None:
    buckets = others.shape[1]
    for number in range(len(folds)):
        total = np.float32(0.0)
        for bucket in range(buckets):
            total += others[folds[number], bucket]
        for bucket in range(buckets):
            value[folds[number], bucket] = fold_gains[number, player] * total
    for number in range(len(showdowns)):
        place = showdowns[number]
        below, above = np.float32(0.0), np.float32(0.0)
        for bucket in range(buckets):
            above += others[place, bucket]
        for bucket in range(buckets):  # on any board the higher bucket wins
            above -= others[place, bucket]
            value[place, bucket] = stakes[number] * (below - above)
            below += others[place, bucket]


@kernel(fastmath={"reassoc", "contract"})
def _respond(
    player: int,
    child: Int64s,
    actor: Int64s,
    value: Singles,
    best: Int32s,
    played: Singles,
    change: Singles,
) -> None:
    """Replace the reach of a best response by that of the player's best response to `value`.

    Of equal actions the last is taken. `change` is by how much the reach is more at each place,
    `best` [N, B] is a workspace.
    """
    buckets = value.shape[1]
    for node in range(len(child) - 1, -1, -1):
        top, chosen = value[node], best[node]
        begun = False
        for action in range(child.shape[1]):
            place = child[node, action]
            if place < 0:
                continue
            worth = value[place]
            for bucket in range(buckets):
                now = worth[bucket]
                if not begun:
                    top[bucket] = now
                    chosen[bucket] = action
                elif actor[node] != player:
                    top[bucket] += now
                else:
                    better = now >= top[bucket]
                    chosen[bucket] = action if better else chosen[bucket]
                    top[bucket] = now if better else top[bucket]
            begun = True
    for node in range(len(child)):
        chosen, above = best[node], played[node]
        for action in range(child.shape[1]):
            place = child[node, action]
            if place < 0:
                continue
            below, more = played[place], change[place]
            for bucket in range(buckets):
                taken = actor[node] != player or chosen[bucket] == action
                now = above[bucket] if taken else np.float32(0.0)
                more[bucket] = now - below[bucket]
                below[bucket] = now

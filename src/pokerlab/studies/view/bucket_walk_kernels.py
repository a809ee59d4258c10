"""A street of Rhode Island hold'em with hands in buckets: the compiled loops.

Choices are lines × slots × buckets, the same for all hands of a bucket. Sets of a player are rows
(slot before or -1, first slot, slots), ends are rows (slot of player 0, of player 1, who folds or
-1). Cost: for each board, line and end one product of a matrix of hands with a vector.
"""

from __future__ import annotations

import numpy as np

from pokerlab.runtime.arrays import Floats, Int64s
from pokerlab.runtime.jit import kernel


@kernel(inner=True)
def follow(start: Floats, choices: Floats, buckets: Int64s, sets: Int64s, reach: Floats) -> None:
    """Write to `reach` (slots × hands) how likely a player comes to each slot of a line."""
    for number in range(sets.shape[0]):
        before, first = sets[number, 0], sets[number, 1]
        for slot in range(first, first + sets[number, 2]):
            for hand in range(start.size):
                base = start[hand] if before < 0 else reach[before, hand]
                reach[slot, hand] = base * choices[slot, buckets[hand]]


@kernel
def arrive(
    start: Floats, choices: Floats, buckets: Int64s, sets: Int64s, calls: Int64s, next_start: Floats
) -> None:
    """Write how likely a player comes to each line of the next street, by board and hand.

    `start` is that of this street, by board of the street before; `calls` are the player's slots
    that lead on. The first street has ranks for hands, the others two hands of each rank.
    """
    boards, hands = buckets.shape
    split = next_start.shape[2] // hands
    reach = np.empty((choices.shape[1], hands))
    for board in range(boards):
        above = board * start.shape[0] // boards
        for line in range(choices.shape[0]):
            follow(start[above, line], choices[line], buckets[board], sets, reach)
            for call in range(calls.size):
                for hand in range(next_start.shape[2]):
                    place = line * calls.size + call
                    next_start[board, place, hand] = reach[calls[call], hand // split]


@kernel
def walk_street(
    hero: int,
    first: int,
    last: int,
    start: Floats,
    other_start: Floats,
    choices: Floats,
    other_choices: Floats,
    buckets: Int64s,
    sets: Int64s,
    other_sets: Int64s,
    ends: Int64s,
    stakes: Floats,
    weights: Floats,
    showdowns: Floats,
    following: Floats,
    values: Floats,
    gains: Floats,
    sums: Floats,
) -> None:
    """Values of the lines on some boards to the hero, and what the hero learns there.

    Adds to `gains` (lines × slots × buckets) by how much each action is better than the mean, and
    to `sums` how likely the hero comes to it, both over all hands of a bucket. `following` are the
    values of the next street by board, line, call and hand; on the last street it is empty, and
    `showdowns` decide.
    """
    hands, slots = buckets.shape[1], choices.shape[1]
    reach, other = np.empty((slots, hands)), np.empty((other_choices.shape[1], hands))
    worth, met = np.empty((slots, hands)), np.empty(hands)
    boards = buckets.shape[0]
    for board in range(first, last):
        above = board * start.shape[0] // boards
        for hand in range(hands):
            met[hand] = weights[board, hand].sum()
        for line in range(choices.shape[0]):
            follow(start[above, line], choices[line], buckets[board], sets, reach)
            follow(other_start[above, line], other_choices[line], buckets[board], other_sets, other)
            worth[:] = 0.0
            call = 0
            for number in range(ends.shape[0]):
                mine, theirs, folds = ends[number, hero], ends[number, 1 - hero], ends[number, 2]
                if folds < 0 and following.size:
                    for hand in range(hands):
                        worth[mine, hand] += following[board, line, call, hand]
                    call += 1
                    continue
                stake = -stakes[line, number] if folds == hero else stakes[line, number]
                # Weights are symmetric; showdowns change their sign with the player.
                matrix = weights[board] if folds >= 0 else showdowns[board]
                sign = -stake if folds < 0 else stake
                for opposing in range(hands):
                    factor = sign * other[theirs, opposing]
                    for hand in range(hands):
                        worth[mine, hand] += factor * matrix[opposing, hand]
            for hand in range(hands):
                values[board, line, hand] = 0.0
            for number in range(sets.shape[0] - 1, -1, -1):
                before, begin = sets[number, 0], sets[number, 1]
                for hand in range(hands):
                    bucket, mean = buckets[board, hand], 0.0
                    for slot in range(begin, begin + sets[number, 2]):
                        mean += choices[line, slot, bucket] * worth[slot, hand]
                    for slot in range(begin, begin + sets[number, 2]):
                        gains[line, slot, bucket] += worth[slot, hand] - mean
                        sums[line, slot, bucket] += met[hand] * reach[slot, hand]
                    if before < 0:
                        values[board, line, hand] += mean
                    else:
                        worth[before, hand] += mean

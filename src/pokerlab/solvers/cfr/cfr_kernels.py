"""Iterations of the CFR family, of greedy hedging and of fictitious play on sequences.

An iteration makes three passes over the slots of each player. The first reads each term once
(12 bytes for two players, and the reach it points to, which is in cache), the second reads and
writes regret, strategy and average once, the third writes the reach. Leduc: 0.4 MB.

Arrays, with S slots, I information sets and P players: ``first`` [P + 1], ``offset`` [I + 1],
``parent`` [I], ``row`` [S + 1], ``coefficient`` [terms] and ``others`` [terms × (P − 1)] are
those of `Sequences`; ``strategy`` is [S]; ``regret`` and ``total`` are [S], or empty where a rule
keeps none; ``reach``, ``played`` and ``value`` are [S + P], one for each sequence. ``held`` [S] and
``free`` [I] restrict a player: a slot is played with probability ``held`` in any case, and by the
player's strategy with the rest, ``free``. Both are empty where nobody is restricted.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pokerlab.runtime.arrays import Floats, Int64s
from pokerlab.runtime.jit import kernel
from pokerlab.solvers.regret_kernels import discounted_regret, matching_weight
from pokerlab.solvers.rules import PassedUpValue

Indices = npt.NDArray[np.uint32]

NEW_VALUE, BEST_VALUE = int(PassedUpValue.NEW), int(PassedUpValue.BEST)


@kernel
def iterate(
    steps: Floats,
    alternating: bool,
    greedy: bool,
    passes_up: int,
    against_average: bool,
    first: Int64s,
    offset: Indices,
    parent: Indices,
    row: Indices,
    coefficient: Floats,
    others: Indices,
    regret: Floats,
    strategy: Floats,
    total: Floats,
    reach: Floats,
    played: Floats,
    value: Floats,
    held: Floats,
    free: Floats,
) -> None:
    """Run an iteration for each row of `steps` (the fields of a `Step`).

    `passes_up` is a `PassedUpValue`. With `against_average`, what was played is mixed into `reach`
    instead of replacing it.
    """
    players = len(first) - 1
    for step in range(len(steps)):
        average = steps[step, 2]
        for player in range(players):
            here, end = first[player], first[player + 1]
            value[len(strategy) + player] = 0.0
            evaluate(offset[here], offset[end], players - 1, row, coefficient, others, reach, value)
            if len(total) > 0:
                for slot in range(offset[here], offset[end]):
                    total[slot] = total[slot] * average + reach[slot]
            if greedy:
                hedge(
                    here,
                    end,
                    steps[step, 4],
                    steps[step, 5],
                    passes_up,
                    offset,
                    parent,
                    strategy,
                    value,
                    held,
                    free,
                )
            else:
                match_regrets(
                    here,
                    end,
                    steps[step],
                    passes_up,
                    offset,
                    parent,
                    regret,
                    strategy,
                    value,
                    held,
                    free,
                )
            if alternating or player == players - 1:  # each at once, or all after the last one
                follow(
                    here if alternating else first[0],
                    end,
                    offset,
                    parent,
                    strategy,
                    against_average,
                    average,
                    reach,
                    played,
                    held,
                    free,
                )


@kernel
def evaluate(
    start: int,
    stop: int,
    opponents: int,
    row: Indices,
    coefficient: Floats,
    others: Indices,
    reach: Floats,
    value: Floats,
) -> None:
    """Write to `value` of some slots what the terminal nodes after them are worth."""
    if opponents == 1:
        for slot in range(start, stop):
            worth = 0.0
            for term in range(row[slot], row[slot + 1]):
                worth += coefficient[term] * reach[others[term]]
            value[slot] = worth
    else:
        for slot in range(start, stop):
            worth = 0.0
            for term in range(row[slot], row[slot + 1]):
                weight = coefficient[term]
                for other in range(term * opponents, (term + 1) * opponents):
                    weight *= reach[others[other]]
                worth += weight
            value[slot] = worth


@kernel
def match_regrets(
    here: int,
    end: int,
    step: Floats,
    passes_up: int,
    offset: Indices,
    parent: Indices,
    regret: Floats,
    strategy: Floats,
    value: Floats,
    held: Floats,
    free: Floats,
) -> None:
    """Update the information sets of a player by their regrets, children before parents."""
    positive, negative, prediction, trial = step[0], step[1], step[3], step[6]
    for infoset in range(end - 1, here - 1, -1):
        start, stop = offset[infoset], offset[infoset + 1]
        expected = 0.0
        for slot in range(start, stop):
            expected += strategy[slot] * value[slot]
        weights = 0.0
        for slot in range(start, stop):
            gain = value[slot] - expected
            regret[slot] = discounted_regret(regret[slot], gain, positive, negative)
            weight = matching_weight(regret[slot], gain, prediction, trial)
            strategy[slot] = weight
            weights += weight
        share = 1.0 / weights if weights > 0.0 else 0.0
        uniform = 0.0 if weights > 0.0 else 1.0 / (stop - start)
        for slot in range(start, stop):
            strategy[slot] = strategy[slot] * share + uniform
        own = passed_up(passes_up, start, stop, expected, strategy, value)
        value[parent[infoset]] += restricted_value(infoset, start, stop, own, value, held, free)


@kernel
def hedge(
    here: int,
    end: int,
    greed: float,
    away: float,
    passes_up: int,
    offset: Indices,
    parent: Indices,
    strategy: Floats,
    value: Floats,
    held: Floats,
    free: Floats,
) -> None:
    """Move the information sets of a player towards their best slots, the last of equals."""
    for infoset in range(end - 1, here - 1, -1):
        start, stop = offset[infoset], offset[infoset + 1]
        best, expected = start, 0.0
        for slot in range(start, stop):
            expected += strategy[slot] * value[slot]
            if value[slot] >= value[best]:
                best = slot
        share = away / (stop - start)
        others = 0.0
        for slot in range(start, stop):
            if slot != best:
                strategy[slot] = max(0.0, (1.0 - greed) * strategy[slot] - share)
                others += strategy[slot]
        strategy[best] = 1.0 - others
        own = passed_up(passes_up, start, stop, expected, strategy, value)
        value[parent[infoset]] += restricted_value(infoset, start, stop, own, value, held, free)


@kernel(makes_arrays=False)
def passed_up(
    passes_up: int, start: int, stop: int, expected: float, strategy: Floats, value: Floats
) -> float:
    """What an updated information set is worth to the one before; `expected` is its old mean."""
    if passes_up == NEW_VALUE:
        mean = 0.0
        for slot in range(start, stop):
            mean += strategy[slot] * value[slot]
        return mean
    if passes_up == BEST_VALUE:
        best: float = value[start]
        for slot in range(start + 1, stop):
            best = max(best, value[slot])
        return best
    return expected


@kernel(makes_arrays=False)
def restricted_value(
    infoset: int, start: int, stop: int, own: float, value: Floats, held: Floats, free: Floats
) -> float:
    """What an information set is worth where only a part of the play is one's own."""
    if len(held) == 0:
        return own
    mean: float = free[infoset] * own
    for slot in range(start, stop):
        mean += held[slot] * value[slot]
    return mean


@kernel
def follow(
    here: int,
    end: int,
    offset: Indices,
    parent: Indices,
    strategy: Floats,
    mixes: bool,
    average: float,
    reach: Floats,
    played: Floats,
    held: Floats,
    free: Floats,
) -> None:
    """Bring the reach of some information sets up to date with the strategy, parents first.

    With `mixes`, the strategy's reach (`played`) is mixed into `reach`, of which a share of
    `average` stays.
    """
    restricted = len(held) > 0
    if mixes:
        for infoset in range(here, end):
            before = played[parent[infoset]]
            for slot in range(offset[infoset], offset[infoset + 1]):
                chance = strategy[slot]
                if restricted:
                    chance = held[slot] + free[infoset] * chance
                played[slot] = before * chance
                reach[slot] = average * reach[slot] + (1.0 - average) * played[slot]
    else:
        for infoset in range(here, end):
            before = reach[parent[infoset]]
            for slot in range(offset[infoset], offset[infoset + 1]):
                chance = strategy[slot]
                if restricted:
                    chance = held[slot] + free[infoset] * chance
                reach[slot] = before * chance

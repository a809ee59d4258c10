"""Chances to finish first, second, ... when each place is drawn in proportion to chips.

Malmuth–Harville: the winner is drawn with chances that are shares of chips, the second among the
others likewise, and so on. `finish_by_subsets` adds up over the sets of players that may hold the
first places: 2ⁿ sets and n steps each. `add_finishes` uses the same law in another form: each
player has a clock that rings at an exponential time of the rate of their chips, and the order of
the rings is the order of finish. At a time t the others have rung independently, so the number of
them is a Poisson-binomial count; it costs players × prizes steps for each t of a quadrature.
"""

from __future__ import annotations

import numpy as np

from pokerlab.runtime.arrays import Floats
from pokerlab.runtime.jit import kernel


@kernel
def finish_by_subsets(shares: Floats, places: Floats) -> None:
    """Write the chance of each player to take each place: (players, places), from zeros."""
    players, prizes = places.shape
    chance = np.zeros(1 << players)
    chance[0] = 1.0
    for taken in range(1 << players):
        here = chance[taken]
        count, left = 0, 0.0
        for player in range(players):
            if taken >> player & 1:
                count += 1
            else:
                left += shares[player]
        if here == 0.0 or count >= prizes:
            continue
        for player in range(players):
            if not taken >> player & 1:
                drawn = here * (shares[player] / left)
                places[player, count] += drawn
                chance[taken | 1 << player] += drawn


@kernel
def add_finishes(
    shares: Floats, times: Floats, weights: Floats, prizes: Floats, found: Floats
) -> None:
    """Add to `found` what each player wins of the prizes, over the times of a quadrature.

    `weights` are those of the integral over times; prizes are those of the first places, and all
    later places win nothing.
    """
    players, paid = shares.size, prizes.size
    before = np.empty((players, paid))
    after = np.empty(paid)
    for number in range(times.size):
        time = times[number]
        # before[i, k]: the chance that k of the players before i have rung.
        for k in range(paid):
            before[0, k] = 0.0
            after[k] = prizes[k]
        before[0, 0] = 1.0
        for player in range(1, players):
            rung = -np.expm1(-shares[player - 1] * time)
            waits = np.exp(-shares[player - 1] * time)
            for k in range(paid - 1, 0, -1):
                before[player, k] = before[player - 1, k] * waits + before[player - 1, k - 1] * rung
            before[player, 0] = before[player - 1, 0] * waits
        # after[k]: the mean prize of a player whom k others came before, so far, over those behind.
        for player in range(players - 1, -1, -1):
            mean = 0.0
            for k in range(paid):
                mean += before[player, k] * after[k]
            rung = -np.expm1(-shares[player] * time)
            waits = np.exp(-shares[player] * time)
            found[player] += weights[number] * shares[player] * waits * mean
            for k in range(paid - 1):
                after[k] = after[k] * waits + after[k + 1] * rung
            after[paid - 1] *= waits

"""How long does Adam take for a street, and would multiplying all matrices anew be slower?

A flop of limit hold'em after a raise and a call, 265 buckets, 50 iterations of fictitious play from
uniform play; nine ways lead to the turn, each worth a smooth random matrix. Peer: what an iteration
cannot do without if it multiplies anew, nine products of a matrix and a vector for each player, by
NumPy in float32 (70,225 multiplications each, read from the last cache: 2.5 MB an iteration and
player). Adam adds the columns of the buckets that changed. Both in turn on one thread, by its own
time (`OPENBLAS_NUM_THREADS=1`).

Measured 2026-11-18 on one core of an x86-64 server with much other work beside it: 2.1 and 2.3 ms,
the products alone 12.9 and 11.7 ms, 5 to 6 times as long.
"""

from __future__ import annotations

import time

import numpy as np

from benchmarks.common import Row, best_seconds
from pokerlab.games import load_betting_game
from pokerlab.holdem.limit.bucket_games.independent_game import streets_after
from pokerlab.players.bots.adam.street_kernels import play_street

BUCKETS, ITERATIONS = 265, 50


def run() -> list[Row]:
    """The rows of this benchmark."""
    rng = np.random.default_rng(1)
    betting = streets_after(load_betting_game("holdem.limit.2p"), "rc/")[0]
    place = np.linspace(-1.0, 1.0, BUCKETS)
    speed, shift = rng.uniform(0.5, 3.0, (2, len(betting.ways)))
    tilt = speed[:, None, None] * (place[:, None] - place) + 0.2 * shift[:, None, None] * place
    rest = (10.0 * np.tanh(tilt)).astype(np.float32)
    start = rng.dirichlet(np.ones(BUCKETS), 2).astype(np.float32)
    reach = np.zeros((2, betting.places, BUCKETS), np.float32)
    reach[:, 0] = start
    for node, children in enumerate(betting.child):
        legal = children[children >= 0]
        reach[:, legal] = reach[:, node, None]
        reach[betting.actor[node], legal] /= len(legal)
    gains = betting.fold_gains.astype(np.float32)
    stakes = betting.stakes.astype(np.float32)
    tree = betting.child, betting.actor, betting.folds, gains, betting.showdowns, stakes
    numbers = np.arange(len(betting.ways))

    def search() -> None:
        play_street(ITERATIONS, 1.0, *tree, betting.ways, numbers, rest, reach.copy())

    def products() -> None:
        for _ in range(ITERATIONS):
            for player in (0, 1):
                others = reach[1 - player, betting.ways]
                for matrix, row in zip(rest, others, strict=True):
                    _ = matrix @ row if player == 0 else row @ matrix

    best = best_seconds({"took": search, "anew": products}, 20, time.thread_time)
    took, anew = best["took"], best["anew"]
    return [
        Row(
            "a street of Adam, all of it",
            took * 1e3,
            "ms",
            "the products alone, multiplied anew",
            anew / took,
            f"{anew * 1e3:.2f} ms",
        )
    ]

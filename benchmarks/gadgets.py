"""What does a gadget at the root of a spot cost an iteration?

Spots: a river and a turn with every hand for both players, so that the walks are the same with and
without a gadget.

Floor. A gadget decides for some thousand hands once an iteration and sets a range: microseconds,
inside the compiled loop of the walks. On a GPU Python stands between the walks of the two players.

The ratio is an iteration with a gadget to one without, measured in turn in the same run.

Last measured (2026-11-18) by the time of one core of a Xeon, best of six: on the river 1.10 to 1.16
for the three kinds (0.14 ms without), on the turn 1.01 to 1.06 (7.3 ms). With Python between the
walks it was 2.4 to 2.7 on the river, and 1.05 to 1.08 on the turn.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks.common import Row, best_seconds
from pokerlab.holdem.spots import Gadget, PostflopSolver, Spot

KINDS = (None, "resolve", "combined", "maxmargin")


def run() -> list[Row]:
    rich = {"bet": "33%, 75%, 150%", "raise_": "60%, a", "max_bets": 3}
    spots = {
        "river": (Spot("Ks7h2d5c9s", "random", "random", pot=100, stack=400, **rich), 50),
        "turn": (
            Spot("Ks7h2d5c", "random", "random", pot=100, stack=400, bet="66%", raise_="a"),
            4,
        ),
    }
    values = np.random.default_rng(1).uniform(20, 120, 1326)
    rows = []
    for name, (spot, iterations) in spots.items():
        jobs = {}
        for kind in KINDS:
            gadget = None if kind is None else Gadget("ip", values, kind=kind)
            solver = PostflopSolver(spot, gadget=gadget, isomorphism=False)
            jobs[str(kind)] = partial(solver.iterate, iterations)
        seconds = best_seconds(jobs, turns=4)
        rows += [
            Row(
                f"{name}, gadget {kind}: an iteration",
                1e3 * seconds[str(kind)] / iterations,
                "ms",
                "an iteration without",
                seconds[str(kind)] / seconds["None"],
            )
            for kind in KINDS
        ]
    return rows

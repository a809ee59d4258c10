"""What do groups of hands save in a solve, and what does an iteration with them cost?

Spots: S1 (``examples/spots``, narrow ranges), and a flop with full ranges and one bet size.

Floor. Memory falls by groups over hands; rows are padded to sixteen numbers, which costs narrow
ranges more. An iteration moves fewer bytes by the same factor, but has the same leaves to evaluate:
reach and card removal stay those of the hands. What comes on top is, for each hand and action, one
permutation to look up what its group plays when reach is split, one when a player learns, and one
gathered number for the sum over a group: a gather of sixteen takes about 16 cycles, so some 2
cycles a hand and action, where an iteration without groups takes 8 to 9. So groups gain where the
tables do not fit into the caches, and cost up to a fifth where they do.

The ratio is an iteration with groups to one without, measured in turn in the same run; below 1
groups are faster.
"""

from __future__ import annotations

from functools import partial

from benchmarks.common import Row, best_seconds
from benchmarks.postflop import SPOTS
from pokerlab.holdem.spots import PostflopSolver, Spot

GROUPS = (None, "view/river", "strength/river", "rank/river", "kmeans:200,100,50")
ALL_HANDS = "22+, A2+, K2+, Q2+, J2+, T2+, 92+, 82+, 72+, 62+, 52+, 42+, 32"


def run() -> list[Row]:
    spots = {
        "s1-flop": (Spot.from_file(SPOTS / "s1-flop.toml"), 4),
        "full ranges": (
            Spot("Td9d6h", ALL_HANDS, ALL_HANDS, pot=200, stack=900, bet="100%", raise_=""),
            2,
        ),
    }
    rows = []
    for name, (spot, iterations) in spots.items():
        solvers = {text: PostflopSolver(spot, groups=text) for text in GROUPS}
        jobs = {str(text): partial(solver.iterate, iterations) for text, solver in solvers.items()}
        seconds = best_seconds(jobs, turns=4)
        plain = solvers[None]
        for text, solver in solvers.items():
            rows.append(
                Row(
                    f"{name}, groups {text}: tables",
                    solver.nbytes / 1e6,
                    "MB",
                    "tables without groups",
                    solver.nbytes / plain.nbytes,
                )
            )
            rows.append(
                Row(
                    f"{name}, groups {text}: an iteration",
                    1e3 * seconds[str(text)] / iterations,
                    "ms",
                    "an iteration without groups",
                    seconds[str(text)] / seconds["None"],
                )
            )
    return rows

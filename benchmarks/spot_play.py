"""How many games of a solved flop does the compiled loop play, on two threads?

S1 (``examples/spots/s1-flop.toml``: Td9d6h, 180 and 265 hands, 411 actions in the betting tree)
after 20 iterations, 156 MB of strategies in half precision; against itself, and against the
profile after 5 iterations with every deal in both seatings (two files of that size).

Floor. What a game cannot do without is reading the numbers of each decision that it meets: a
number for each action, each on a cache line of its own, because the hands of an action are
neighbours in a file and the actions of a hand are not; and before that, for each street and
player, the place of the hand on the board. On S1 that is 17 reads a game, most of them beyond the
caches. Beside it, in the same run: as many reads from random places of the river's strategies by
NumPy's ``take``, which overlaps misses as well as can be, and the evaluation of both hands. The
ratio is the time of these two to the time of a game: 1 would be the floor. Random numbers (2 for
the cards, 1 for the hands, 1 a decision, some 2 ns each) and the bookkeeping of games that are
played side by side come on top.

The time is what the threads were really running, so that other work on the machine does not count:
games divided by the mean processor time of the two threads. The clock on the wall, with the
counting of chips by the rules that one thread does, stands in the note.

Measured 2026-11-15 on 2 cores of a shared Xeon with four times as much other work beside it, three
runs, in million games a second of processor time: against itself 3.2, 3.3 and 4.1 (ratios 0.28 to
0.45), two profiles 3.8, 3.9 and 5.4 (0.33 to 0.53). In an undisturbed block a game takes 400 ns of
a core: 100 for dealing and comparing hands, 60, 75 and 155 for the three streets. The loop over
arrays in NumPy that was here before took 1,860 ns (400,000 games at once).
"""

from __future__ import annotations

from pathlib import Path
from time import thread_time

import numpy as np

from benchmarks.common import Row
from benchmarks.simulation import evaluator_speed
from pokerlab.holdem.spots import (
    PostflopSolution,
    Spot,
    simulate_match,
    simulate_solution,
    solve_spot,
)
from pokerlab.holdem.spots.play.dealing import hand_pairs
from pokerlab.holdem.spots.play.play_outs import PlayOuts

SPOT = Path(__file__).parent.parent / "examples" / "spots" / "s1-flop.toml"
THREADS = 2
GAMES = 2_000_000
TURNS = 3
READS = 2_000_000


def reads_of_a_game(solution: PostflopSolution) -> float:
    """Numbers that a game reads on average: those of its decisions, and two places a street."""
    spot = solution.spot
    pairs = hand_pairs((spot.ranges[0].weights, spot.ranges[1].weights))
    outs = PlayOuts((solution, solution), spot.find(""), pairs, 1, 1, 0, 1)
    reads = 0
    games = outs.play_block(0, 5000)
    numbers = np.cumsum([0, *(street.edges for street in spot.tree.streets)])
    for end in games.end.tolist():
        level = int(np.searchsorted(numbers, end, side="right")) - 1
        edge = end - int(numbers[level])
        while edge >= 0:
            street = spot.tree.streets[level]
            node = int(street.node[edge])
            reads += len(street.edges_of(node))
            edge = int(street.parent_edge[node])
            if edge < 0:
                reads += 2
                edge = int(street.root_parent_edge[street.root[node]])
                level -= 1
    return reads / len(games.end)


def seconds_of_a_read(solution: PostflopSolution) -> float:
    numbers = solution.strategies[-1][0].view(np.uint16)
    places = np.random.default_rng(0).integers(0, len(numbers), READS)
    best = np.inf
    for _ in range(TURNS):
        began = thread_time()
        np.take(numbers, places)
        best = min(best, thread_time() - began)
    return best / READS


def run() -> list[Row]:
    spot = Spot.from_file(SPOT)
    solution, rough = (solve_spot(spot, iterations=number) for number in (20, 5))
    reads = reads_of_a_game(solution)
    floor = reads * seconds_of_a_read(solution) + 1 / evaluator_speed() * 2
    rows = []
    for claim, play in (
        ("against itself", lambda: simulate_solution(solution, GAMES, threads=THREADS)),
        ("two profiles", lambda: simulate_match(solution, rough, GAMES, threads=THREADS)),
    ):
        results = [play() for _ in range(TURNS)]
        speed = max(result.hands / (result.cpu_seconds / THREADS) for result in results)
        wall = max(result.hands / result.seconds for result in results)
        rows.append(
            Row(
                f"games of a solved flop, {claim}, two threads",
                speed / 1e6,
                "million games/s",
                f"{reads:.1f} random reads, 2 evaluations",
                floor * speed / THREADS,
                f"{wall / 1e6:.2f} by the clock on the wall",
            )
        )
    return rows

"""What does prize money cost, beside chips and beside the plain way to compute it?

Floors. ICM: the sum over subsets takes 2ⁿ · n additions and divisions; the integral over time takes
players × prizes × some 150 times, so from ten players on it is the faster of the two (they agree to
2e-14). A spot: prize money adds to each river showdown a sum over ties, and to an all-in nothing;
the rest of an iteration is the same, so the ratio to the spot with chips can be no less than 1. On
a GPU ties change two factors of sums that a showdown needs anyway; what they cost there is that
the reach behind a showdown is kept beside its values, a row more in shared memory.
Push or fold: an iteration of two players is four products of a matrix of 169 × 169 and a vector.
Before the first iteration of three and more players each of their all-ins of three is paid: for
818,805 triples of classes and six ways to seat them 13 products, 64 million in all (some 20 ms at
one a cycle), and 4.8 million places to write to.

Measured on a shared machine of two cores (18 Nov 2026), processor time, and on an H200 (19 Nov
2026): see docs/prizes.md.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import partial
from itertools import permutations
from pathlib import Path
from time import perf_counter, thread_time

import numpy as np

from benchmarks.common import Row, best_seconds
from pokerlab.games.prizes.chip_model import icm, integrate_prizes
from pokerlab.games.prizes.finish_kernels import finish_by_subsets
from pokerlab.holdem.preflop import solve_push_fold
from pokerlab.holdem.preflop.class_matchups import N_CLASSES
from pokerlab.holdem.pushfold import HandTables, PushFoldRules, solve_push_fold_table
from pokerlab.holdem.pushfold.hand_tables import sorted_triples
from pokerlab.holdem.pushfold.rules import ORDERS
from pokerlab.holdem.spots import PostflopSolver, Spot
from pokerlab.runtime.arrays import Floats, Singles
from pokerlab.runtime.gpu.machine import CudaMachine

SPOTS = Path(__file__).parent.parent / "examples" / "spots"


def by_orders(stacks: list[int], payouts: list[int]) -> list[float]:
    """The plain way: every order of finish."""
    found = [0.0] * len(stacks)
    for order in permutations(range(len(stacks))):
        left, chance = sum(stacks), 1.0
        for player in order:
            chance *= stacks[player] / left if left else 1.0
            left -= stacks[player]
        for place, prize in enumerate(payouts):
            found[order[place]] += chance * prize
    return found


def run() -> list[Row]:
    return [*_models(), *_spots("cpu"), *_spots("gpu"), *_push_or_fold()]


def _models() -> list[Row]:
    seven, payouts = [9000, 7000, 5200, 3000, 1500, 800, 100], [50, 30, 20]
    rng = np.random.default_rng(1)
    stacks = rng.lognormal(size=18)
    shares, prizes = stacks / stacks.sum(), np.sort(rng.random(5))[::-1].copy()
    found = best_seconds(
        {
            "orders": lambda: by_orders(seven, payouts),
            "icm": lambda: icm(seven, payouts),
            "subsets": lambda: finish_by_subsets(shares, np.zeros((18, 5))),
            "integral": lambda: integrate_prizes(shares, prizes),
        },
        clock=thread_time,
    )
    return [
        Row("icm, 7 players", 1e6 * found["icm"], "µs", "all orders in Python",
            found["orders"] / found["icm"]),
        Row("icm, 18 players, 5 prizes", 1e6 * found["integral"], "µs", "sum over subsets",
            found["subsets"] / found["integral"]),
    ]  # fmt: skip


def _spots(device: str) -> list[Row]:
    spots, where, clock = (("s3-river", 100), ("s2-turn", 4)), "", thread_time
    if device == "gpu":
        try:
            CudaMachine()
        except ValueError as error:
            print(f"prizes: nothing measured on a GPU ({error})", file=sys.stderr)
            return []
        spots, where, clock = (("s2-turn", 50), ("s1-flop", 20)), " on a GPU", perf_counter
    rows = []
    for name, iterations in spots:
        chips = replace(Spot.from_file(SPOTS / f"{name}.toml"), rake=0.0, rake_cap=0.0)
        stack = chips.effective_stack
        prizes = replace(chips, payouts=(50, 30, 20), others=(stack, 2 * stack))
        solvers = [PostflopSolver(spot, threads=1, device=device) for spot in (chips, prizes)]
        jobs = {
            each: partial(solver.iterate, iterations)
            for each, solver in zip(("chips", "prizes"), solvers, strict=True)
        }
        found = best_seconds(jobs, clock=clock)
        rows.append(
            Row(
                f"{name}: an iteration with prizes{where}",
                1e3 * found["prizes"] / iterations,
                "ms",
                "the same with chips",
                found["prizes"] / found["chips"],
            )
        )
    return rows


def _push_or_fold() -> list[Row]:
    rules = PushFoldRules((10, 10))
    tables, worths = random_orders(), np.random.default_rng(3).normal(size=13)
    paid = best_seconds(
        {
            "kernel": lambda: tables.pay_triples(worths),
            "arrays": lambda: by_arrays(tables.orders, worths),
        },
        turns=3,
        clock=thread_time,
    )
    found = best_seconds(
        {
            "regrets": lambda: solve_push_fold_table(rules, target=1e-4),
            "program": lambda: solve_push_fold(10),
        },
        turns=2,
        clock=thread_time,
    )
    return [
        Row("push or fold, 10 bb, to 0.1 mbb", found["regrets"], "s", "linear program",
            found["program"] / found["regrets"]),
        Row("push or fold: to pay an all-in of three", 1e3 * paid["kernel"], "ms", "in NumPy",
            paid["arrays"] / paid["kernel"]),
    ]  # fmt: skip


def random_orders() -> HandTables:
    """Tables of 169 classes with random orders of triples, which need no sampling of deals."""
    count = len(sorted_triples(N_CLASSES))
    orders = np.random.default_rng(2).dirichlet(np.ones(13), count).astype(np.float32)
    none = np.zeros(0)
    return HandTables(np.ones(N_CLASSES), none, none, none, orders)


def by_arrays(orders: Singles, worths: Floats) -> Singles:
    """The plain way: the worth of each triple for each way to seat it, and a place in a table."""
    triples = sorted_triples(N_CLASSES)
    found = np.zeros((N_CLASSES,) * 3, np.float32)
    for sorting in reversed(list(permutations(range(3)))):
        own = [
            ORDERS[3].index(tuple(ranks[sorting.index(player)] for player in range(3)))
            for ranks in ORDERS[3]
        ]
        places = [triples[:, sorting.index(player)] for player in range(3)]
        found[tuple(places)] = orders @ worths[own]
    return found

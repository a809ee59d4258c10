"""Which update rule should the post-flop solver use by default?

Iterations to 0.5% and to 0.1% of the pot on seven spots that no rule was tuned on: dry and wet
boards, narrow and wide ranges, shallow and deep stacks, on the river and on the turn. Iterations
do not depend on the machine; an iteration costs the same for all of these rules but ``pcfr+``
(which keeps a third table).

Rows: the geometric mean over the spots, beside that of the default; a ratio above 1 means that
the rule needs more iterations. ``--`` in a note: spots on which it did not arrive within the
limit, which counts as the limit.

Measured 2026-11-15: see docs/postflop.md.
"""

from __future__ import annotations

import numpy as np

from benchmarks.common import Row
from pokerlab.postflop import PostflopSolver, Spot
from pokerlab.postflop.engine import DEFAULT_RULE
from pokerlab.solvers import run as run_solver

LIMIT = 1500

WIDE = "22+, A2s+, K5s+, Q8s+, J8s+, T8s+, 97s+, 86s+, 75s+, 65s, 54s, A7o+, K9o+, QTo+, JTo"
TIGHT = "77+, ATs+, KTs+, QJs, JTs, T9s, 98s, AJo+, KQo"
CALLS = "22-JJ, A2s-AJs, K8s-KJs, Q9s+, J9s+, T8s+, 97s+, 87s, 76s, 65s, A9o-AJo, KTo+, QJo"

SPOTS = {
    "river, dry, wide": Spot("Ks7d2c4h9s", WIDE, CALLS, pot=100, stack=300, bet="33%, 75%, a"),
    "river, four to a flush": Spot("Ah8h5h2c9h", WIDE, WIDE, pot=120, stack=200, bet="50%, a"),
    "river, deep": Spot("QsJd6c6h3s", TIGHT, CALLS, pot=60, stack=900, bet="75%, 150%, a"),
    "river, polar against bluff catchers": Spot(
        "Qs8h3dTc2s",
        "KK, QJs, AQo, A8s, T9s, 99",
        "AA, QQ, TT, AJs, KJs, J9s, 65s, 54s",
        pot=180,
        stack=240,
        bet="66%, a",
    ),
    "turn, monotone": Spot("Jh9h4hKd", TIGHT, CALLS, pot=100, stack=400, bet="50%, a"),
    "turn, paired": Spot("Td8s8c3h", WIDE, TIGHT, pot=80, stack=300, bet="33%, 100%"),
    "turn, shallow": Spot("AdQc7s5h", TIGHT, TIGHT, pot=200, stack=260, bet="40%, a"),
}

RULES = (
    DEFAULT_RULE,
    "dcfr(1.5,0,3)",
    "dcfr(1.5,0.5,3)",
    "dcfr(1.5,0,2)",
    "dcfr(1.5,0.25,4)",
    "linear",
    "cfr+(2)",
    "pcfr+(2)",
    "cgh(0.2)",
)


def iterations_to(spot: Spot, rule: str, percents: tuple[float, ...]) -> list[int]:
    """Iterations until the exploitability is at most so many percent of the pot."""
    solver = PostflopSolver(spot, rule)
    found = []
    for percent in percents:
        target = percent / 100 * spot.pot
        reached = run_solver(solver, target=target, iterations=LIMIT, growth=1.05)
        found.append(reached.iterations)
    return found


def run() -> list[Row]:
    goals = (0.5, 0.1)
    counts = {
        rule: np.array([iterations_to(spot, rule, goals) for spot in SPOTS.values()], float)
        for rule in RULES
    }
    means = {rule: np.exp(np.log(found).mean(axis=0)) for rule, found in counts.items()}
    rows = []
    for rule in RULES:
        for number, goal in enumerate(goals):
            missed = int((counts[rule][:, number] >= LIMIT).sum())
            each = " ".join(f"{count:.0f}" for count in counts[rule][:, number])
            rows.append(
                Row(
                    f"{rule} to {goal}%",
                    float(means[rule][number]),
                    "iterations",
                    DEFAULT_RULE,
                    float(means[rule][number] / means[DEFAULT_RULE][number]),
                    each + (f"  -- {missed}" if missed else ""),
                )
            )
    return rows

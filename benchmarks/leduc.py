"""How many iterations of CFR, CFR+ and DCFR a second on Leduc hold'em, on one core?

An iteration updates both players on the whole tree: 9,457 nodes, 936 information sets, 2,184
slots, 5,520 terminal nodes.

Floor. On sequences an iteration reads 9,840 terms (a coefficient of 8 bytes, an index of 4, and a
reach that is in the first-level cache), and reads and writes regret, strategy, average, reach and
value of 2,184 slots (8 bytes each): 120 kB + 170 kB, all in the second-level cache. The
multiplications and additions of the terms wait for one another within a slot (4 cycles each), and
a division and a branch or two for each of 936 information sets cost about 20 cycles: 9,840 × 4 / 2
(two slots overlap) + 936 × 40 = 57,000 cycles, 19 µs at 3 GHz: about 50,000 iterations a second.

Peers in the same run: OpenSpiel's C++ solvers (`pyspiel.CFRSolver`, `pyspiel.CFRPlusSolver`),
whose exploitability after the same iterations is equal to ours to 1e-9 (tests/oracles). There is
no C++ DCFR in OpenSpiel; its Python version does about 3 iterations a second, so DCFR stands
beside C++ CFR+.

Regret matching as an update of its own (`LocalRule`) stands beside the rule of the house; it is to
take at most 1.2 times as long. Measured 2026-11-18 on two shared cores of ARM64, by processor
time: 0.97 times.

Measured 2026-11-15 on a shared Xeon, one core: CFR 44,700, CFR+ 43,800, DCFR 43,200 iterations a
second, 537, 586 and 578 times OpenSpiel.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import process_time
from typing import ClassVar

from benchmarks.common import Row, best_seconds, peer, row_beside
from pokerlab.games import load_game
from pokerlab.solvers import CfrSolver, LocalRule
from pokerlab.trees import GameTree

OURS = 3_000
THEIRS = 10
pyspiel = peer("pyspiel")


@dataclass(frozen=True)
class Matching(LocalRule):
    """Regret matching, written by hand."""

    name: ClassVar[str] = "matching"

    @staticmethod
    def update(memory, strategy, values, reach, step):
        """Match the regrets, which are the memory."""
        mean = 0.0
        for action in range(len(values)):
            mean += strategy[action] * values[action]
        total = 0.0
        for action in range(len(values)):
            memory[0, action] += values[action] - mean
            total += max(memory[0, action], 0.0)
        for action in range(len(values)):
            strategy[action] = (
                max(memory[0, action], 0.0) / total if total > 0.0 else 1.0 / len(values)
            )


def run() -> list[Row]:
    tree = GameTree.build(load_game("leduc"))
    solvers = {rule: CfrSolver(tree, rule) for rule in ("cfr", "cfr+", "dcfr")}
    peers = {}
    if pyspiel is not None:
        game = pyspiel.load_game("leduc_poker")
        peers = {"cfr": pyspiel.CFRSolver(game), "cfr+": pyspiel.CFRPlusSolver(game)}

    def iterate_peer(rule: str) -> None:
        for _ in range(THEIRS):
            peers[rule].evaluate_and_update_policy()

    jobs = {f"pokerlab {rule}": lambda rule=rule: solvers[rule].iterate(OURS) for rule in solvers}
    jobs |= {f"OpenSpiel {rule}": lambda rule=rule: iterate_peer(rule) for rule in peers}
    jobs["exploitability"] = solvers["dcfr"].exploitability
    jobs["tree"] = lambda: GameTree.build(load_game("leduc"))
    seconds = best_seconds(jobs)

    rows = []
    for rule in solvers:
        speed = OURS / seconds[f"pokerlab {rule}"]
        theirs = "cfr" if rule == "cfr" else "cfr+"
        their_speed = THEIRS / seconds[f"OpenSpiel {theirs}"] if peers else None
        rows.append(
            row_beside(
                f"Leduc, {rule}",
                speed,
                "iterations/s",
                f"OpenSpiel C++ {theirs}",
                their_speed,
                f"OpenSpiel {their_speed or 0:.0f}/s",
            )
        )
    by_hand = CfrSolver(tree, Matching())
    pair = {"ours": lambda: by_hand.iterate(OURS), "house": lambda: solvers["cfr"].iterate(OURS)}
    spent = best_seconds(pair, clock=process_time)
    rows.append(
        Row(
            "Leduc, regret matching as an own update",
            OURS / spent["ours"],
            "iterations/s",
            "pokerlab cfr",
            spent["house"] / spent["ours"],
            "of processor time",
        )
    )
    rows.append(Row("Leduc, exact exploitability", 1e6 * seconds["exploitability"], "µs"))
    rows.append(
        Row(
            "Leduc, tree built",
            1e3 * seconds["tree"],
            "ms",
            note=f"{len(tree):,} nodes of {tree.bytes_per_node:.0f} bytes",
        )
    )
    return rows

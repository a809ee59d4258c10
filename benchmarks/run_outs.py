"""What does a report over all turns of a flop cost, and the made hands and draws of a board?

S1 (``examples/spots/s1-flop.toml``: Td9d6h, 180 and 265 hands) after 5 iterations, the 49 turns
after two checks: 36 turns up to suits, each with all its rivers.

Floor. The EVs of both players on all turns take one walk a player over the whole tree; beside it,
in the same run, are those two walks on one thread (float64, average strategies). The equities of
the ranges on 36 turns, and 36 decisions hand by hand, come on top. The ratio is the processor time
of the walks to that of the report: 1 would be the floor. For made hands and draws, the classes of
the same 1,326 hands by the evaluator stand beside them.

Measured 2026-11-16 on 2 cores of a shared Xeon with four times as much other work beside it, two
runs: 0.57 and 0.62 s (ratios 0.44 and 0.40), made hands 0.10 and 0.19 ms, draws 0.25 and 0.45 ms.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from time import process_time

import numpy as np

from benchmarks.common import Row, best_seconds
from pokerlab.cards import draws, made_hands, parse_cards
from pokerlab.cards.evaluator import tables as evaluator_tables
from pokerlab.cards.evaluator.batch_kernels import classify_combos
from pokerlab.engine.walker import make_walker
from pokerlab.holdem.spots import Spot, report_run_outs, solve_spot

SPOT = Path(__file__).parent.parent / "examples" / "spots" / "s1-flop.toml"
TURNS = 3


def report_row() -> Row:
    solution = solve_spot(Spot.from_file(SPOT), iterations=5)
    walker = make_walker(solution.spot, solution.boards, np.float64, 1)
    walks = report = float("inf")
    for turn in range(TURNS + 1):  # the first compiles
        # A solution that has been asked nothing yet.
        fresh = replace(solution, known=(solution.boards, solution.layout))
        began = process_time()
        for hero in range(2):
            walker.values(solution.storage, hero, average=True)
        between = process_time()
        report_run_outs(fresh, "x/x")
        if turn:
            walks = min(walks, between - began)
            report = min(report, process_time() - between)
    return Row(
        "report over the 49 turns of S1, processor time",
        report,
        "s",
        "a walk a player",
        walks / report,
    )


def board_rows() -> list[Row]:
    board = parse_cards("Td9d6hQc")
    cards = np.array(board, np.uint8)
    classes, tables = np.zeros(1326, np.uint16), evaluator_tables.load()
    seconds = best_seconds(
        {
            "made": lambda: made_hands(board),
            "draws": lambda: draws(board),
            "evaluator": lambda: classify_combos(cards, classes, tables),
        },
        turns=200,
    )
    return [
        Row(
            f"{what} of all hands on a board",
            1e3 * seconds[name],
            "ms",
            "their classes by the evaluator",
            seconds["evaluator"] / seconds[name],
        )
        for name, what in (("made", "made hands"), ("draws", "draws"))
    ]


def run() -> list[Row]:
    return [report_row(), *board_rows()]

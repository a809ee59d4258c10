"""How long do exact equities and hand strengths take?

Floor. All 1,326 combos on a board cost about 1 microsecond to classify, 1,081 of them about 10
to sort and sweep. AsAd against a random hand has 2,118,760 boards, a quarter of them up to
suits: 0.5 s of classification on one core. A flop has 1,176 run-outs: 12 ms on one core for all
1,176 hand strengths. Boards go to as many threads as there are cores.

No other Python library enumerates ranges (eval7's "exact" does not deal the missing board cards),
so the figures stand beside that floor, measured in the same run: classifying all combos on as
many boards as the equity must look at.
"""

from __future__ import annotations

import numpy as np

from benchmarks.common import Row, best_seconds
from benchmarks.evaluator import classify_boards
from pokerlab.cards import equity, hand_strength
from pokerlab.cards.codes import parse_cards
from pokerlab.cards.evaluator import tables as evaluator_tables
from pokerlab.cards.isomorphism.suits import board_orbits, symmetries
from pokerlab.cards.ranges.range import Range


def run() -> list[Row]:
    tables = evaluator_tables.load()
    weights = np.stack([Range("AsAd").weights, Range("random").weights])
    before_flop, _ = board_orbits((), symmetries((), weights), parse_cards("AsAd"))
    flop, _ = board_orbits("4h5h6h", symmetries("4h5h6h"))
    seconds = best_seconds(
        {
            "before the flop": lambda: equity("AsAd", "random"),
            "ranges": lambda: equity("random", "random", board="4h5h6h"),
            "strengths": lambda: hand_strength("4h5h6h"),
            "floor before the flop": lambda: classify_boards(before_flop, tables),
            "floor on the flop": lambda: classify_boards(flop, tables),
        },
        turns=3,
    )

    def row(claim: str, job: str, floor: str, scale: float, unit: str) -> Row:
        peer = "classifying all combos, one core"
        return Row(claim, seconds[job] * scale, unit, peer, seconds[floor] / seconds[job])

    return [
        row("AsAd against a random hand", "before the flop", "floor before the flop", 1, "s"),
        row("random against random on a flop", "ranges", "floor on the flop", 1e3, "ms"),
        row("all 1,176 hand strengths on a flop", "strengths", "floor on the flop", 1e3, "ms"),
    ]

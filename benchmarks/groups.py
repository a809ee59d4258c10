"""How long do all groups of hands of a flop take, with its 49 turns and 1,176 rivers?

Floor. A river costs about 10 microseconds on one core for the classes, the order and the strengths
of 1,081 hands: 12 ms for all rivers. Fingerprints of the views are four additions a hand and river,
1.3 million of them: 5 ms. Numbering 1.3 million fingerprints takes a look-up that misses the
cache, about 10 ns each: 13 ms. Sorting the values of each hand over its boards, for the flop and
for each turn: 4.7 million numbers at about 2 ns: 10 ms. Labels are two bytes a hand and board,
3 MB. So 40 to 60 ms on one core for views, about half for ranks and strengths.

The calibration is `hand_strength` of the same flop on all cores, which compares all hands on all
rivers once: what no group can do without. The ratio says how many times that each takes.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from benchmarks.common import Row, best_seconds
from pokerlab.cards import hand_strength, parse_cards
from pokerlab.engine.groups import HandGrouping, find_groups

FLOP = "Th6s3c"  # a rainbow flop: no two turn cards are the same up to suits
TEXTS = (
    *("rank/river", "strength/river", "strength/hierarchical", "view/river", "view/hierarchical"),
    *("strength-range/river", "percentile:50,50,50", "kmeans:400,400,200"),
)


def run() -> list[Row]:
    flop = parse_cards(FLOP)
    left = [card for card in range(52) if card not in flop]
    boards = [
        np.array([(*flop, *new) for new in combinations(left, count)], np.uint8)
        for count in range(3)
    ]
    everything = np.ones(1326)

    def job(text: str):
        grouping = HandGrouping.parse(text)
        return lambda: find_groups(grouping, boards, (everything, everything))

    jobs = {text: job(text) for text in TEXTS}
    seconds = best_seconds({**jobs, "strengths": lambda: hand_strength(FLOP)}, turns=3)
    return [
        Row(
            f"groups of a flop, {text}",
            1e3 * seconds[text],
            "ms",
            "hand strengths of the flop",
            seconds[text] / seconds["strengths"],
        )
        for text in TEXTS
    ]

"""What chapter 7 of the thesis reports: tables 2 to 8, and what it says of figures 17 to 23.

Numbers are ε in mbb a game (thousandths of a big blind), the sum of what both players could gain by
best responses. Game: heads-up no-limit hold'em from the flop on, a pot of 2 big blinds.
"""

from __future__ import annotations

from typing import NamedTuple

TOP_20_PERCENT = "A9o+, KTo+, QTo+, JTo, A4s+, K8s+, Q9s+, J9s+, T9s, 55+"
"""Footnote 21."""
TOP_22_PERCENT = "A9o+, KTo+, QTo+, JTo, A3s+, K7s+, Q8s+, J8s+, T8s+, 98s, 44+"
"""The appendix names only the share; this is the list of footnote 21 with what comes next."""

REFERENCE_MENU = "50%, a"
"""Bets and raises of the tree of table 2, which has these and no others (see `sizes`)."""

MEASURES = (
    "rank/river",
    "rank/hierarchical",
    "rank/global",
    "strength/river",
    "strength/hierarchical",
    "strength/global",
    "view/river",
)
"""The abstractions that differ; those of the view are one, whatever the identity."""


class TreeSizes(NamedTuple):
    """Tables 2 and 3."""

    nodes: int
    leaves: int
    player_nodes: int
    dealer_nodes: int
    flop_nodes: int
    turn_nodes: int
    river_nodes: int
    information_sets: int
    actions: int
    states: int


PLAIN_BOARDS = TreeSizes(
    3_595_530,
    2_259_712,
    1_333_016,
    2_802,
    57,
    18_081,
    3_577_392,
    1_567_626_816,
    4_070_164_224,
    4_203_485_577_648,
)
"""Table 2: every board by itself."""

MERGED_BOARDS = TreeSizes(
    1_544_871,
    969_843,
    572_650,
    2_379,
    57,
    15_340,
    1_529_474,
    673_436_064,
    1_748_921_664,
    1_806_880_867_106,
)
"""Table 3: boards merged by suits, a mean over flops."""


class GroupCount(NamedTuple):
    """A cell of table 4: how many groups a street has."""

    mean: int
    least: int
    most: int


GROUP_COUNTS = {
    "rank/river": (GroupCount(327, 289, 355), GroupCount(172, 81, 266), GroupCount(87, 5, 149)),
    "rank/hierarchical": (
        GroupCount(483, 289, 631),
        GroupCount(172, 81, 266),
        GroupCount(87, 5, 149),
    ),
    "rank/global": (GroupCount(325, 289, 355), GroupCount(172, 81, 266), GroupCount(87, 5, 149)),
    "strength/river": (
        GroupCount(871, 642, 1176),
        GroupCount(324, 86, 608),
        GroupCount(114, 7, 249),
    ),
    "strength/hierarchical": (
        GroupCount(868, 643, 1175),
        GroupCount(306, 63, 605),
        GroupCount(114, 7, 249),
    ),
    "strength/global": (
        GroupCount(862, 642, 1160),
        GroupCount(306, 63, 605),
        GroupCount(114, 7, 249),
    ),
    "view/river": (GroupCount(871, 643, 1176), GroupCount(328, 91, 608), GroupCount(191, 10, 288)),
}
"""Table 4, for flop, turn and river."""


class GroupSizes(NamedTuple):
    """A cell of table 5, with the reductions against table 2."""

    information_sets: int
    actions: int
    states: int
    reduction: float
    state_reduction: float


SIZES = {
    "rank/river": GroupSizes(51_507_024, 133_764_370, 12_113_522_212, 30.4, 347.0),
    "rank/hierarchical": GroupSizes(51_512_577, 133_778_789, 12_119_576_049, 30.4, 347.0),
    "rank/global": GroupSizes(51_503_587, 133_755_443, 12_112_312_360, 30.4, 347.0),
    "strength/river": GroupSizes(68_672_546, 178_343_440, 21_440_071_118, 22.8, 196.1),
    "strength/hierarchical": GroupSizes(68_405_359, 177_649_551, 21_271_632_264, 22.8, 196.1),
    "strength/global": GroupSizes(68_405_042, 177_648_726, 21_271_082_730, 22.8, 196.1),
    "view/river": GroupSizes(111_709_726, 290_111_520, 57_220_699_314, 14.0, 73.5),
}
"""Table 5."""

SMALL_TREE_STATES = 158_103_526
"""Footnote 20: the tree of tables 6 and 7 and figure 17, with stacks of 5 big blinds."""


class Quality(NamedTuple):
    """ε in the abstraction and in the real game."""

    abstract: float
    real: float


QUALITY = {
    200: {
        "rank/river": Quality(5.47, 9.07),
        "rank/hierarchical": Quality(4.68, 8.28),
        "rank/global": Quality(5.47, 9.07),
        "strength/river": Quality(3.09, 4.08),
        "strength/hierarchical": Quality(4.27, 4.96),
        "strength/global": Quality(3.49, 4.35),
        "view/river": Quality(2.10, 2.41),
    },
    400: {
        "rank/river": Quality(3.34, 7.76),
        "rank/hierarchical": Quality(2.77, 7.19),
        "rank/global": Quality(3.34, 7.76),
        "strength/river": Quality(1.51, 2.84),
        "strength/hierarchical": Quality(2.16, 3.30),
        "strength/global": Quality(1.99, 3.15),
        "view/river": Quality(0.73, 1.22),
    },
}
"""Tables 6 and 7: ε by the number of iterations of CGH with c = 0.175."""

STAGNATION = {"strength/hierarchical": 2.75, "view/river": 0.75}
"""Figure 17: where ε in the real game stops falling, from about iteration 1,000 on."""

FIGURE_18 = {"cfr": 21.8, "cgh(0.2)": 1.7}
"""ε after 400 iterations on QhJh2c."""
FIGURE_18_RATES = {"cfr": 0.0264, "cgh(0.2)": 0.0428}
"""The "mean speed of convergence an iteration" of the same runs."""


class ValueRow(NamedTuple):
    """A row of table 8, in mbb a game."""

    guaranteed: float
    won: float
    error: float


TABLE_8 = {
    "cgh oop": ValueRow(-21.25, -0.50, 0.35),
    "cgh ip": ValueRow(18.16, 37.83, 0.35),
    "cgh": ValueRow(-3.09, 37.33, 0.24),
    "cfr oop": ValueRow(-70.23, -37.83, 0.35),
    "cfr ip": ValueRow(-27.26, 0.50, 0.35),
    "cfr": ValueRow(-97.48, -37.33, 0.24),
}
"""What each strategy is sure of, and what it won in 10^7 simulated games."""

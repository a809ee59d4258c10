"""What chapter 7 of the thesis reports; its numbers are in ``thesis.toml``."""

from __future__ import annotations

from typing import NamedTuple

from pokerlab.studies.reporting.data import read_data

_PRINTED = read_data("abstraction", "thesis.toml")

TOP_20_PERCENT = "A9o+, KTo+, QTo+, JTo, A4s+, K8s+, Q9s+, J9s+, T9s, 55+"
"""Footnote 21."""
TOP_22_PERCENT = "A9o+, KTo+, QTo+, JTo, A3s+, K7s+, Q8s+, J8s+, T8s+, 98s, 44+"
"""The appendix names only the share; this is the list of footnote 21 with what comes next."""

REFERENCE_MENU = "50%, a"
"""Bets and raises of the tree of table 2, which has these and no others (see `sizes`)."""


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


PLAIN_BOARDS = TreeSizes(**_PRINTED["table_2"])
"""Table 2: every board by itself."""
MERGED_BOARDS = TreeSizes(**_PRINTED["table_3"])
"""Table 3: boards merged by suits, a mean over flops."""


class GroupCount(NamedTuple):
    """A cell of table 4: how many groups a street has."""

    mean: int
    least: int
    most: int


GROUP_COUNTS = {
    name: tuple(GroupCount(*street) for street in streets)
    for name, streets in _PRINTED["table_4"].items()
}
"""Table 4, for flop, turn and river."""
MEASURES: tuple[str, ...] = tuple(GROUP_COUNTS)
"""The abstractions that differ; those of the view are one, whatever the identity."""


class GroupSizes(NamedTuple):
    """A cell of table 5, with the reductions against table 2."""

    information_sets: int
    actions: int
    states: int
    reduction: float
    state_reduction: float


SIZES = {name: GroupSizes(*sizes) for name, sizes in _PRINTED["table_5"].items()}
"""Table 5."""
SMALL_TREE_STATES: int = _PRINTED["small_tree_states"]
"""Footnote 20: the tree of tables 6 and 7 and figure 17, with stacks of 5 big blinds."""


class Quality(NamedTuple):
    """ε in the abstraction and in the real game."""

    abstract: float
    real: float


QUALITY: dict[int, dict[str, Quality]] = {
    iterations: {name: Quality(*pair) for name, pair in of_names.items()}
    for iterations, of_names in _PRINTED["tables_6_7"].items()
}
"""Tables 6 and 7: ε by the number of iterations of CGH with c = 0.175."""
STAGNATION: dict[str, float] = _PRINTED["figure_17"]
"""Figure 17: where ε in the real game stops falling, from about iteration 1,000 on."""
FIGURE_18: dict[str, float] = _PRINTED["figure_18"]["epsilon"]
"""ε after 400 iterations on QhJh2c."""
FIGURE_18_RATES: dict[str, float] = _PRINTED["figure_18"]["rates"]
"""The "mean speed of convergence an iteration" of the same runs."""


class ValueRow(NamedTuple):
    """A row of table 8, in mbb a game."""

    guaranteed: float
    won: float
    error: float


TABLE_8 = {name: ValueRow(*row) for name, row in _PRINTED["table_8"].items()}
"""What each strategy is sure of, and what it won in 10^7 simulated games."""
APPENDIX_EPSILON: float = _PRINTED["appendix"]["epsilon"]
APPENDIX_TEXTS: tuple[str, ...] = _PRINTED["appendix"]["texts"]
"""How often KhJh bets the river, and AcAs and AcAd fold to 12 chips and to all-in."""

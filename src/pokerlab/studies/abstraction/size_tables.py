"""Tables 2 to 5, and the search for the tree of tables 6 and 7."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache

import numpy as np

from pokerlab.cards import parse_cards
from pokerlab.studies.abstraction.counting import FlopCounts
from pokerlab.studies.abstraction.results import AbstractionResults
from pokerlab.studies.abstraction.sizes import (
    PLAIN,
    BoardCounts,
    flop_sample,
    group_sizes,
    implied_groups,
    merged_boards,
    reference_nodes,
    thesis_information_sets,
    tree_sizes,
)
from pokerlab.studies.abstraction.thesis import (
    GROUP_COUNTS,
    MEASURES,
    MERGED_BOARDS,
    PLAIN_BOARDS,
    SIZES,
    SMALL_TREE_STATES,
)
from pokerlab.studies.reporting.report_table import Record, ReportTable

_SHOWN_TREES = 10
STREET_NAMES = ("flop", "turn", "river")
_MENUS = ("a", "100%", "100%, a", "50%", "50%, a", "50%, 100%", "50%, 100%, a")


def tree_size_table() -> ReportTable:
    """Tables 2 and 3."""
    nodes = reference_nodes()
    sample = flop_sample()[0]
    every = _all_flops()
    ours = {
        "every board": tree_sizes(nodes, PLAIN),
        "merged": tree_sizes(nodes, sample.boards),
        "all flops": tree_sizes(nodes, every),
    }
    records: list[Record] = [
        {
            "dimension": field,
            "thesis_2": getattr(PLAIN_BOARDS, field),
            "table_2": getattr(ours["every board"], field),
            "thesis_3": getattr(MERGED_BOARDS, field),
            "table_3": getattr(ours["merged"], field),
            "all_flops": getattr(ours["all flops"], field),
        }
        for field in PLAIN_BOARDS._fields
    ]
    kinds = f"{sample.rainbow} flops of three suits, {sample.two_tone} of two"
    return ReportTable.of(
        "tables-02-03",
        f"Tables 2 and 3: the tree, every board by itself and merged ({kinds})",
        records,
        [
            ("", lambda row: str(row["dimension"]).replace("_", " ")),
            ("thesis, table 2", "{thesis_2:,}"),
            ("ours", "{table_2:,}"),
            ("thesis, table 3", "{thesis_3:,}"),
            ("ours", "{table_3:,}"),
            ("ours, all flops", "{all_flops:,}"),
        ],
    )


def _all_flops() -> BoardCounts:
    from pokerlab.cards.isomorphism.suits import board_orbits

    flops, often = board_orbits(size=3)
    found = np.array([merged_boards(flop.tolist()) for flop in flops], float)
    return BoardCounts(*np.average(found, axis=0, weights=often))


@dataclass(frozen=True)
class PossibleMeans:
    """What the means of a sample of three and two suits can be.

    Attributes
    ----------
    least, most
        With the flops that have the fewest and the most groups.
    mean
        With average flops.
    """

    least: float
    most: float
    mean: float


def possible_means(
    counts: Mapping[str, FlopCounts], name: str, street: int, rainbow: int, two_tone: int
) -> PossibleMeans:
    """What 3 flops of three suits and 4 of two can give, classes of boards counted once."""
    by_suits: dict[int, list[float]] = {2: [], 3: []}
    for flop, of_flop in counts.items():
        suits = _suits(flop)
        if suits in by_suits:
            by_suits[suits].append(of_flop[name][street].class_mean)
    three, two = sorted(by_suits[3]), sorted(by_suits[2])
    flops = rainbow + two_tone
    return PossibleMeans(
        (sum(three[:rainbow]) + sum(two[:two_tone])) / flops,
        (sum(three[-rainbow:]) + sum(two[-two_tone:])) / flops,
        (rainbow * float(np.mean(three)) + two_tone * float(np.mean(two))) / flops,
    )


@cache
def _suits(flop: str) -> int:
    return len({card % 4 for card in parse_cards(flop)})


def group_table(results: AbstractionResults) -> ReportTable:
    """Table 4: groups by street; ours for the sample of the thesis and over all flops."""
    sample = flop_sample()[0]
    often = dict(results.plan.counted_flops)
    records: list[Record] = []
    for name in MEASURES:
        for street, printed in enumerate(GROUP_COUNTS[name]):
            can = possible_means(results.counts, name, street, sample.rainbow, sample.two_tone)
            every = [results.counts[flop][name][street] for flop in often]
            weights = list(often.values())
            mean = float(np.average([each.mean for each in every], weights=weights))
            least, most = min(each.least for each in every), max(each.most for each in every)
            records.append(
                {
                    "abstraction": name,
                    "street": STREET_NAMES[street],
                    "thesis_mean": printed.mean,
                    "thesis_min": printed.least,
                    "thesis_max": printed.most,
                    "sample_mean": can.mean,
                    "sample_least": can.least,
                    "sample_most": can.most,
                    "all_mean": mean,
                    "all_min": least,
                    "all_max": most,
                }
            )
    possible = "{sample_mean:.1f} ({sample_least:.1f} – {sample_most:.1f})"
    whole = f"mean of {len(often):,} flops, all boards (least – most)"
    return ReportTable.of(
        "table-04",
        "Table 4: groups of hands, full ranges",
        records,
        {
            "abstraction": "{abstraction}",
            "street": "{street}",
            "thesis: mean (least – most)": "{thesis_mean} ({thesis_min} – {thesis_max})",
            f"mean of {sample.flops} such flops (what it can be)": possible,
            whole: "{all_mean:.1f} ({all_min} – {all_max})",
        },
    )


def group_size_table() -> ReportTable:
    """Table 5: from the means of table 4, by the formulas of the thesis and by the right ones."""
    nodes, sample = reference_nodes(), flop_sample()[0]
    records: list[Record] = []
    for name in MEASURES:
        printed, implied = SIZES[name], implied_groups(name)
        groups = (GROUP_COUNTS[name][0].mean, implied.turn, implied.river)
        sets, actions, states = group_sizes(nodes, sample.boards, groups)
        records.append(
            {
                "abstraction": name,
                "turn_groups": implied.turn,
                "river_groups": implied.river,
                "rounds_to_table_4": str(implied.rounds_to_table_4),
                "thesis_information_sets": printed.information_sets,
                "by_its_formula": thesis_information_sets(groups),
                "information_sets": sets,
                "thesis_actions": printed.actions,
                "actions": actions,
                "thesis_states": printed.states,
                "states": states,
                "thesis_reduction": printed.reduction,
                "reduction": PLAIN_BOARDS.information_sets / sets,
                "action_reduction": PLAIN_BOARDS.actions / actions,
                "thesis_state_reduction": printed.state_reduction,
                "state_reduction": PLAIN_BOARDS.states / states,
            }
        )
    return ReportTable.of(
        "table-05",
        "Table 5: information sets and game states with groups",
        records,
        {
            "abstraction": "{abstraction}",
            "groups it had on turn and river": "{turn_groups:.2f}, {river_groups:.2f}",
            "information sets, thesis": "{thesis_information_sets:,}",
            "by its formula": "{by_its_formula:,.0f}",
            "player nodes only": "{information_sets:,.0f}",
            "game states, thesis": "{thesis_states:,}",
            "ours": "{states:,.0f}",
            "reduction, thesis / right": "{thesis_reduction} / {reduction:.1f}",
            "of states": "{thesis_state_reduction} / {state_reduction:.1f}",
        },
    )


@dataclass(frozen=True)
class SmallTree:
    """A tree that may be that of tables 6 and 7, by how many game states it has."""

    flop: str
    groups: str
    menu: str
    states: float

    @property
    def off(self) -> float:
        """How far from the thesis's number, as a part of it."""
        return abs(self.states / SMALL_TREE_STATES - 1)


def small_trees(results: AbstractionResults, most: int = 200) -> list[SmallTree]:
    """The nearest of all trees that were tried, the nearest first.

    Full ranges; stacks of 5 and of 4 behind give the same nodes.
    """
    shapes: dict[tuple[int, ...], str] = {}
    for menu in _MENUS:
        for stack in (5, 4):
            for max_bets in (4, 1, 2, 3):
                nodes = tuple(street.nodes for street in reference_nodes(menu, 2, stack, max_bets))
                shapes.setdefault(nodes, f"{menu} (stack {stack}, at most {max_bets} bets)")
    games = [(flop, groups) for flop, counts in results.counts.items() for groups in counts]
    squares = np.array(
        [
            [street.classes * street.class_squares for street in results.counts[flop][groups]]
            for flop, groups in games
        ]
    )
    states = squares @ np.array(list(shapes)).T
    order = np.argsort(abs(states - SMALL_TREE_STATES), axis=None)[:most]
    places = np.unravel_index(order, states.shape)
    menus = list(shapes.values())
    return [
        SmallTree(games[game][0], games[game][1], menus[shape], float(states[game, shape]))
        for game, shape in zip(places[0].tolist(), places[1].tolist(), strict=True)
    ]


def small_tree_table(results: AbstractionResults) -> ReportTable:
    """The nearest trees."""
    records: list[Record] = [{**asdict(tree), "off": tree.off} for tree in small_trees(results)]
    return ReportTable.of(
        "small-tree",
        f"Footnote 20: a tree with {SMALL_TREE_STATES:,} game states, and the nearest",
        records,
        {
            "flop": "{flop}",
            "groups": "{groups}",
            "menu": "{menu}",
            "game states": "{states:,.0f}",
            "off by": "{off:.3%}",
        },
        most=_SHOWN_TREES,
    )

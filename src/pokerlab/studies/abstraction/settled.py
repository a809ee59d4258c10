"""CGH, settled: how much of the thesis's result comes from the average, the groups and the menu.

Each row compares CFR with CGH after the same number of iterations; what is changed from one row to
the next is one thing.
"""

from __future__ import annotations

from dataclasses import dataclass

from pokerlab.studies.abstraction.plan import VIEW
from pokerlab.studies.abstraction.results import AbstractionResults
from pokerlab.studies.abstraction.thesis import FIGURE_18
from pokerlab.studies.mapping.table import Cell, ReportTable

__all__ = ["Comparison", "comparisons", "settled_table"]


@dataclass(frozen=True)
class Comparison:
    """CFR beside CGH under some conditions, ε in mbb a game that is played.

    Attributes
    ----------
    menu, groups, measured, answer
        The game, the groups, where ε is measured (``abstraction`` or ``real game``), and the
        answer of CFR; that of CGH is always its last strategy.
    cfr, cgh
        ε of both.
    """

    menu: str
    groups: str
    measured: str
    answer: str
    cfr: float
    cgh: float

    @property
    def ratio(self) -> float:
        """How many times CGH's ε CFR's is."""
        return self.cfr / self.cgh


def comparisons(results: AbstractionResults) -> list[Comparison]:
    """All conditions that were run."""
    plan = results.plan
    found = []
    for menu in plan.menus:
        for groups in (VIEW, ""):
            cfr = results.solve(plan.figure_18(menu, "cfr", groups))
            cgh = results.solve(plan.figure_18(menu, "cgh(0.2)", groups)).own[-1]
            for answer in ("plain mean", "own reach", "last"):
                point = cfr.curve(answer)[-1]
                if groups:
                    pair = (point.abstract, cgh.abstract)
                    found.append(Comparison(menu, groups, "abstraction", answer, *pair))
                pair = (point.real, cgh.real)
                found.append(
                    Comparison(menu, groups or "every hand", "real game", answer, *pair)
                )
    cfr, cgh = (results.solve(plan.third_menu(rule)).own[-1] for rule in plan.menu_rules)
    menu = plan.third_menu("cfr").game.menu
    pair = (cfr.abstract, cgh.abstract)
    found.append(Comparison(menu, VIEW, "abstraction", "own reach", *pair))
    found.append(Comparison(menu, VIEW, "real game", "own reach", cfr.real, cgh.real))
    return found


def settled_table(results: AbstractionResults) -> ReportTable:
    """The conditions, and the factor between the two rules in each."""
    share = results.plan.figure_18("a", "cfr", VIEW).game.share_of_deals
    rows: list[tuple[Cell, ...]] = []
    shown = []
    for each in comparisons(results):
        rows.append(
            (each.menu, each.groups, each.measured, each.answer, each.cfr, each.cgh)
            + (share * each.cfr, share * each.cgh, each.ratio)
        )
        shown.append(
            (
                each.menu,
                each.groups,
                each.measured,
                each.answer,
                f"{each.cfr:.1f}",
                f"{each.cgh:.1f}",
                f"{share * each.cfr:.2f}",
                f"{share * each.cgh:.2f}",
                f"{each.ratio:.2f}",
            )
        )
    cfr, cgh = FIGURE_18["cfr"], FIGURE_18["cgh(0.2)"]
    shown.append(("thesis", VIEW, "abstraction", "", "", "", str(cfr), str(cgh), f"{cfr / cgh:.1f}"))
    return ReportTable(
        "settled",
        "CFR and CGH(0.2) after 400 iterations on QhJh2c, 20% ranges",
        (
            "menu",
            "groups",
            "measured",
            "cfr_answer",
            "cfr",
            "cgh",
            "cfr_of_all_deals",
            "cgh_of_all_deals",
            "ratio",
        ),
        tuple(rows),
        (
            "menu",
            "groups",
            "ε in the",
            "CFR's answer",
            "CFR",
            "CGH",
            "CFR, of all deals",
            "CGH",
            "CFR / CGH",
        ),
        tuple(shown),
    )

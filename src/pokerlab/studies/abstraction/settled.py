"""CGH, settled: how much of the thesis's result comes from the average, the groups and the menu.

Each row compares CFR with CGH after the same number of iterations; what is changed from one row to
the next is one thing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass

from pokerlab.studies.abstraction.plan import CGH, FIGURE_18_GAMES, OLD_CGH, VIEW
from pokerlab.studies.abstraction.results import AbstractionResults
from pokerlab.studies.abstraction.solves import EpsilonPoint
from pokerlab.studies.abstraction.thesis import FIGURE_18
from pokerlab.studies.reporting.report_table import Record, ReportTable


@dataclass(frozen=True)
class Comparison:
    """CFR beside CGH under some conditions, ε in mbb a game that is played.

    Attributes
    ----------
    game, groups, measured
        One of `FIGURE_18_GAMES`, the groups, and where ε is measured: in the ``abstraction`` or in
        the ``real game``.
    cfr_answer
        That of CFR; that of CGH is always its last strategy.
    cgh_hands_up
        Which value CGH hands up, the ``old`` one as CFR does or the ``new`` one.
    cfr, cgh
        ε of both.
    """

    game: str
    groups: str
    measured: str
    cfr_answer: str
    cgh_hands_up: str
    cfr: float
    cgh: float

    @property
    def ratio(self) -> float:
        """How many times CGH's ε CFR's is."""
        return self.cfr / self.cgh


def comparisons(results: AbstractionResults) -> list[Comparison]:
    """All conditions that were run."""
    plan = results.plan
    found: list[Comparison] = []
    for game in FIGURE_18_GAMES:
        for groups in (VIEW, ""):
            cfr = results.solve(plan.figure_18(game, "cfr", groups))
            for handed_up, rule in (("new", CGH), ("old", OLD_CGH)):
                cgh = results.solve(plan.figure_18(game, rule, groups)).own[-1]
                for answer in ("plain mean", "own reach"):
                    point = cfr.curve(answer)[-1]
                    found += _pair(game, groups, answer, handed_up, point, cgh)
    return found


def _pair(
    game: str, groups: str, answer: str, handed_up: str, cfr: EpsilonPoint, cgh: EpsilonPoint
) -> Iterator[Comparison]:
    """Both measurements, or one where there are no groups."""
    if groups:
        pair = (cfr.abstract, cgh.abstract)
        yield Comparison(game, groups, "abstraction", answer, handed_up, *pair)
    yield Comparison(
        game, groups or "every hand", "real game", answer, handed_up, cfr.real, cgh.real
    )


def settled_table(results: AbstractionResults) -> ReportTable:
    """The conditions, and the factor between the two rules in each."""
    records: list[Record] = [{**asdict(each), "ratio": each.ratio} for each in comparisons(results)]
    plan = results.plan
    ranges = "small" if plan.quick else "20%"
    below = []
    if not plan.quick:
        cfr, cgh = FIGURE_18["cfr"], FIGURE_18["cgh(0.2)"]
        thesis = (str(cfr), str(cgh), f"{cfr / cgh:.1f}")
        below.append(("thesis", VIEW, "abstraction", "", "", *thesis))
    return ReportTable.of(
        "settled",
        f"CFR and CGH(0.2) after {plan.length(400)} iterations on QhJh2c, {ranges} ranges",
        records,
        {
            "game": "{game}",
            "groups": "{groups}",
            "ε in the": "{measured}",
            "CFR's answer": "{cfr_answer}",
            "CGH hands up": "{cgh_hands_up}",
            "CFR": "{cfr:.2f}",
            "CGH": "{cgh:.2f}",
            "CFR / CGH": "{ratio:.2f}",
        },
        below=below,
    )

"""What identity costs, beside fewer bits, groups of similar hands, or nothing."""

from __future__ import annotations

from dataclasses import astuple, dataclass

from pokerlab.studies.abstraction.plan import COST_FLOPS, COST_OPTIONS
from pokerlab.studies.abstraction.results import AbstractionResults
from pokerlab.studies.reporting.report_table import Record, ReportTable


@dataclass(frozen=True)
class CostCell:
    """A solve that the clock ended.

    Attributes
    ----------
    ranges, texture, flop, option
        What was solved, and how memory was saved.
    nbytes
        Of the tables.
    seconds, iterations
        Up to the measurement; the seconds are the same for all, up to an iteration.
    real, abstract
        ε then.
    """

    ranges: str
    texture: str
    flop: str
    option: str
    nbytes: int
    seconds: float
    iterations: int
    real: float
    abstract: float


def cost_cells(results: AbstractionResults) -> list[CostCell]:
    """All solves."""
    plan = results.plan
    cells = []
    for narrow in plan.cost_ranges:
        for texture, flop in COST_FLOPS.items():
            for option in COST_OPTIONS:
                task = plan.cost(flop, option, narrow=narrow)
                record, ranges = results.solve(task), plan.range_name(task.game.hands)
                here = (ranges, texture, flop, option)
                last = record.own[-1]
                found = (last.seconds, last.iteration, last.real, last.abstract)
                cells.append(CostCell(*here, record.nbytes, *found))
    return cells


def cost_table(results: AbstractionResults) -> ReportTable:
    """Memory and ε in the real game at equal time."""
    heads = ("ranges", "texture", "flop", "option", "bytes", "seconds", "iterations")
    records: list[Record] = [
        dict(zip((*heads, "real", "abstract"), astuple(each), strict=True))
        for each in cost_cells(results)
    ]
    return ReportTable.of(
        "cost",
        "What saving memory costs: ε at equal time (mbb a game, sum of both gains)",
        records,
        {
            "ranges": "{ranges}",
            "flop": "{flop} ({texture})",
            "option": "{option}",
            "tables": lambda row: f"{float(row['bytes']) / 1e6:,.0f} MB",
            "iterations": "{iterations:,}",
            "ε, real game": "{real:.2f}",
            "ε, abstraction": lambda row: (
                f"{float(row['abstract']):.2f}" if row["abstract"] != row["real"] else ""
            ),
        },
    )

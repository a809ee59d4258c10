"""Tables of the findings and of the appendix."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pokerlab.games.betting_trees.menus import STREETS
from pokerlab.studies.abstraction.extracts import CALLERS, ExtractRecord
from pokerlab.studies.bets.appendix import AppendixTask
from pokerlab.studies.bets.findings import BLUFFS, THESIS, THIRDS, FindingTask
from pokerlab.studies.bets.results import BetsResults, weighted_mean
from pokerlab.studies.reporting.measure import Measure
from pokerlab.studies.reporting.report_table import Cell, Record, ReportTable

_LEAST, _MOST = (f"{share:.0%}" for share in BLUFFS)
BLUFF_KINDS = (f"under {_LEAST}", f"{_LEAST} to {_MOST}", f"over {_MOST}")
"""How often a weak hand bets."""


def finding_numbers(data: Mapping[str, Any]) -> dict[str, float]:
    """All numbers of a flop by name; frequencies are from 0 to 1."""
    found: dict[str, float] = {}
    for street in STREETS:
        for seat, play in data["streets"][street].items():
            for third, often in zip(THIRDS, play["bets"], strict=True):
                found[f"{street}, {seat}: {third} hands bet"] = often
            found[f"{street}, {seat}: checks"] = play["checks"]
            for kind, often in zip(BLUFF_KINDS, play["bluffs"], strict=True):
                found[f"{street}, {seat}: weak hands that bet {kind}"] = often
    (first, second), cards = data["pure"], data["cards"]
    whole, alone = data["whole"], data["alone"]
    return found | {
        "pure strategies lose, oop (% of the pot)": first,
        "pure strategies lose, ip (% of the pot)": second,
        "exploitability (% of the pot)": data["percent"],
        "a turn card moves a hand's equity by": cards["equity_moves"],
        "variance of equity on the turn that the flop does not tell": cards["new_variance"],
        "turn cards spread oop's range equity by": cards["range_spread"],
        "hands that bet most on one turn card and check most on another": cards["both_actions"],
        "correlation of range equity and bluffs over turn cards": cards["bluffs_by_equity"],
        "in position wins above half (% of the pot)": data["in_position"],
        "oop bets the flop, flop to river": whole["oop_bets"],
        "oop bets the flop, flop alone": alone["oop_bets"],
        "ip bets the flop after a check, flop to river": whole["ip_bets"],
        "ip bets the flop after a check, flop alone": alone["ip_bets"],
        "put in on the flop, flop to river (% of the pot)": whole["put_in"],
        "put in on the flop, flop alone (% of the pot)": alone["put_in"],
    }


def finding_means(results: BetsResults) -> dict[str, tuple[Measure, float, float, float]]:
    """By name the mean over flops with its error, the spread, the least and the most."""
    flops = results.of(FindingTask)
    numbers = [finding_numbers(kept) for _, kept in flops]
    weights = [task.weight for task, _ in flops]
    found = {}
    for name in numbers[0] if numbers else ():
        values = [each[name] for each in numbers]
        found[name] = (*weighted_mean(values, weights), min(values), max(values))
    return found


def finding_table(results: BetsResults) -> ReportTable | None:
    """How equilibria play, over flops."""
    means = finding_means(results)
    if not means:
        return None
    records: list[Record] = [
        {
            "number": name,
            "mean": mean.value,
            "stderr": mean.error,
            "spread": spread,
            "least": least,
            "most": most,
        }
        for name, (mean, spread, least, most) in means.items()
    ]
    count = len(results.of(FindingTask))

    def text(row: Record, key: str) -> str:
        value = float(row[key])
        plain = "%" in str(row["number"]).split("(")[-1] and "(" in str(row["number"])
        if "correlation" in str(row["number"]):
            return f"{value:.2f}"
        return f"{value:.1f}%" if plain else f"{value:.1%}"

    return ReportTable.of(
        "findings",
        f"How equilibria play: mean over {count} flops that stand for all, spread over flops",
        records,
        {
            "what": "{number}",
            "mean": lambda row: text(row, "mean"),
            "± spread": lambda row: text(row, "spread"),
            "least": lambda row: text(row, "least"),
            "most": lambda row: text(row, "most"),
        },
    )


def flop_table(results: BetsResults) -> ReportTable | None:
    """All numbers of every flop, for other programs."""
    records: list[Record] = [
        {"flop": task.game.board, "weight": task.weight, **finding_numbers(kept)}
        for task, kept in results.of(FindingTask)
    ]
    return ReportTable.of("flops", "Every flop", records, {}) if records else None


def appendix_numbers(kept: Mapping[str, Any]) -> dict[str, float]:
    """What the appendix prints, over all lines and on those with its bet of 12."""
    record = ExtractRecord.from_json(kept)
    with_bet = record.with_thesis_bet()
    likely = [row.bluffer * sum(row.callers) for row in with_bet]
    total = max(sum(likely), 1e-300)
    found = {
        "KhJh bets the river, all lines": record.mean_bluffs(),
        "KhJh bets the river, lines with the bet of 12": sum(
            weight * row.bluffs for weight, row in zip(likely, with_bet, strict=True)
        )
        / total,
    }
    for caller, name in enumerate(CALLERS):
        folded = arrived = 0.0
        for row in with_bet:
            weight = row.bluffer * row.callers[caller] * row.bets["b12"]
            arrived += weight
            folded += weight * row.folds["b12"][caller]
        found[f"{name} folds to 12"] = folded / arrived if arrived > 1e-9 else float("nan")
        found[f"{name} folds to smaller and larger bets"] = record.mean_folds(caller, all_in=False)
        found[f"{name} folds to all-in"] = record.mean_folds(caller, all_in=True)
    return found


PRINTED = {
    "KhJh bets the river, all lines": "bluffs",
    "KhJh bets the river, lines with the bet of 12": "bluffs",
    "AcAs folds to 12": "folds_spade_12",
    "AcAs folds to all-in": "folds_spade_all_in",
    "AcAd folds to 12": "folds_diamond_12",
    "AcAd folds to all-in": "folds_diamond_all_in",
}
"""Which number of the thesis belongs to ours."""


def appendix_table(results: BetsResults) -> ReportTable | None:
    """The appendix beside the thesis, by each rule."""
    solved = results.of(AppendixTask)
    if not solved:
        return None
    columns = {
        f"{task.rule}, ε {kept['epsilon']:.2f} mbb": appendix_numbers(kept) for task, kept in solved
    }
    records: list[Record] = []
    for name in next(iter(columns.values())):
        key = PRINTED.get(name)
        printed = THESIS["appendix"][key] if key and not results.plan.quick else float("nan")
        records.append(
            {"what": name, "thesis": printed}
            | {column: numbers[name] for column, numbers in columns.items()}
        )

    def percent(value: Cell) -> str:
        number = float(value)
        return "" if number != number else f"{number:.1%}"

    shown = [
        {key: str(cell) if key == "what" else percent(cell) for key, cell in row.items()}
        for row in records
    ]
    title = "The appendix: QsTh7h 8s 5s, means over lines by how likely they are"
    return ReportTable.of_both("appendix", title, records, shown)


def appendix_lines(results: BetsResults) -> ReportTable | None:
    """Every line to the river of the appendix, for other programs."""
    records: list[Record] = []
    for task, kept in results.of(AppendixTask):
        for row in ExtractRecord.from_json(kept).rows:
            records.append(
                {
                    "rule": task.rule,
                    "line": row.line,
                    "pot": row.pot,
                    "KhJh": row.bluffer,
                    "AcAs": row.callers[0],
                    "AcAd": row.callers[1],
                    "bets": " ".join(f"{name}={share:.4f}" for name, share in row.bets.items()),
                    "folds": " ".join(
                        f"{name}={first:.4f}/{second:.4f}"
                        for name, (first, second) in row.folds.items()
                    ),
                }
            )
    return ReportTable.of("appendix-lines", "Lines", records, {}) if records else None

"""The tables and verdicts of the study of the no-limit player."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from pokerlab.players.strategies import load_table_game
from pokerlab.studies.nolimit.tasks import FlopTask, MeasureTask
from pokerlab.studies.reporting.data import read_data
from pokerlab.studies.reporting.measure import Measure, mean_of
from pokerlab.studies.reporting.report_table import Form, Record, ReportTable, number_text
from pokerlab.studies.reporting.study import Kept
from pokerlab.studies.reporting.study_report import StudyReport, trial_note
from pokerlab.studies.reporting.verdict import Verdict


def make_nolimit_report(
    done: Mapping[FlopTask | MeasureTask, Kept], *, quick: bool = False
) -> StudyReport:
    """Make the tables and verdicts of the tasks that were done."""
    parts = _in_order(done)
    tables = [
        table
        for table in (_wins(parts), _streets(parts), _changes(parts), _hands(parts), _rivers(parts))
        if table is not None
    ]
    tables.append(_others())
    flops = [kept["percent"] for task, kept in done.items() if isinstance(task, FlopTask)]
    notes = [
        "mbb a hand, ± one standard error. Of each part those tasks count before which all are"
        " done, so that it does not matter which ones took long.",
        f"{len(flops)} flops were solved ahead, to"
        f" {np.mean(flops) if flops else math.nan:.2f}% of the pot on their run-outs.",
    ]
    return StudyReport(
        "The no-limit player",
        () if quick else tuple(_verdicts(parts)),
        "two standard errors",
        tuple(each for each in tables if each.name not in ("hands", "rivers")),
        (*notes, *([trial_note("one flop, two iterations")] if quick else [])),
        data=tuple(each for each in tables if each.name in ("hands", "rivers")),
        facts={"quick": quick, "tasks": len(done)},
    )


_Tasks = Sequence[tuple[MeasureTask, Kept]]
_Parts = Mapping[str, _Tasks]


def _in_order(done: Mapping[FlopTask | MeasureTask, Kept]) -> _Parts:
    """Of each part the tasks before which all are done."""
    found: dict[str, dict[int, tuple[MeasureTask, Kept]]] = {}
    for task, kept in done.items():
        if isinstance(task, MeasureTask):
            found.setdefault(task.part, {})[task.number] = task, kept
    ordered = {}
    for part, each in found.items():
        count = next(number for number in range(len(each) + 1) if number not in each)
        ordered[part] = [each[number] for number in range(count)]
    return {part: each for part, each in ordered.items() if each}


def _mbb(task: MeasureTask) -> float:
    return load_table_game(task.setting.game).mbb


def _by_deal(tasks: _Tasks, name: str) -> Measure:
    """The mean of a hand, in mbb; a sample is a deal in both seats."""
    values = np.concatenate([kept[name] for _, kept in tasks])
    mean = mean_of(values.reshape(-1, 2).mean(axis=1) * _mbb(tasks[0][0]))
    return Measure(mean.value, mean.error)


def _gain(tasks: _Tasks) -> Measure:
    """What exact responses gain a hand, in mbb."""
    return _ratio(
        np.array([np.mean(kept["gains"]) for _, kept in tasks]) * _mbb(tasks[0][0]),
        np.array([kept["hands"] for _, kept in tasks], np.float64),
    )


def _ratio(gains: Any, hands: Any) -> Measure:
    """The mean a hand of what is gained on streets that some hands come to."""
    mean = float(gains.sum() / hands.sum())
    if len(gains) < 2:
        return Measure(mean, math.nan)
    rest = gains - mean * hands
    error = math.sqrt(float(rest @ rest) * len(gains) / (len(gains) - 1)) / hands.sum()
    return Measure(mean, float(error))


def _kind(parts: _Parts, kind: str) -> Iterator[tuple[str, _Tasks]]:
    for part, tasks in parts.items():
        if dict(tasks[0][0].plan)["kind"] == kind:
            yield part, tasks


def _wins(parts: _Parts) -> ReportTable | None:
    rows: list[Record] = []
    for kind in ("lbr", "match"):
        for _, tasks in _kind(parts, kind):
            plan = dict(tasks[0][0].plan)
            who = (
                f"LBR {plan['menu']}"
                if kind == "lbr"
                else " ".join(filter(None, (plan["opponent"], plan.get("against"))))
            )
            streets = [street + 1 for street in plan.get("streets", ())]
            sign = -1 if kind == "lbr" else 1  # what the player wins
            won, plain = _by_deal(tasks, "won"), _by_deal(tasks, "plain")
            rows.append(
                {
                    "opponent": who,
                    "streets": "-".join(map(str, streets)) or "all",
                    "hands": sum(len(kept["won"]) for _, kept in tasks),
                    "won": sign * won.value,
                    "error": won.error,
                    "as dealt": sign * plain.value,
                    "its error": plain.error,
                    "times": plain.error / won.error if won.error else math.nan,
                }
            )
    if not rows:
        return None
    shown = [
        {
            "opponent": str(row["opponent"]),
            "streets": str(row["streets"]),
            "hands": f"{row['hands']:,}",
            "nolimit wins, mbb/hand": number_text(float(row["won"]), float(row["error"])),
            "as dealt": number_text(float(row["as dealt"]), float(row["its error"])),
            "error smaller": f"{float(row['times']):.0f}×",
        }
        for row in rows
    ]
    return ReportTable.of_both("wins", "What the player wins", rows, shown)


def _streets(parts: _Parts) -> ReportTable | None:
    rows: list[Record] = []
    for part, tasks in _kind(parts, "street"):
        plan, gain = dict(tasks[0][0].plan), _gain(tasks)
        rows.append(
            {
                "player": plan.get("option") or _iterations(plan) or "as it is",
                "street": plan["street"],
                "responder": plan["responder"],
                "raises": plan["raises"],
                "boards": len(tasks),
                "gain": gain.value,
                "error": gain.error,
                "part": part,
            }
        )
    if not rows:
        return None
    shown = [
        {
            **{name: str(row[name]) for name in ("player", "street", "responder", "raises")},
            "boards": f"{row['boards']:,}",
            "gain, mbb/hand": number_text(float(row["gain"]), float(row["error"]), 1),
        }
        for row in rows
    ]
    return ReportTable.of_both(
        "responses", "What an exact best response from a street on gains", rows, shown
    )


def _iterations(plan: Mapping[str, Any]) -> str:
    return f"iterations={plan['iterations']}" if "iterations" in plan else ""


def _changes(parts: _Parts) -> ReportTable | None:
    """What a change of the player costs, on the same deals."""
    rows: list[Record] = []
    for part, change in _paired(parts):
        plan = dict(parts[part][0][0].plan)
        row = {"change": plan.get("option") or _iterations(plan), "boards": len(parts[part])}
        rows.append({**row, "difference": change.value, "error": change.error})
    if not rows:
        return None
    forms: dict[str, Form] = {
        "change": "{change}",
        "boards": "{boards}",
        "more gain, mbb/hand": lambda row: number_text(
            float(row["difference"]), float(row["error"]), 1
        ),
    }
    return ReportTable.of(
        "changes", "What more a best response gains from the river on, by a change", rows, forms
    )


def _paired(parts: _Parts) -> Iterator[tuple[str, Measure]]:
    """Of each change of the player, what a response gains more, paired by the deals."""
    unchanged = {
        _asked(tasks): tasks for _, tasks in _kind(parts, "street") if not _is_changed(tasks)
    }
    for part, tasks in _kind(parts, "street"):
        own = unchanged.get(_asked(tasks))
        if not _is_changed(tasks) or own is None:
            continue
        rest = []
        for each in (tasks, own[: len(tasks)]):
            gains = np.array([np.mean(kept["gains"]) for _, kept in each]) * _mbb(each[0][0])
            hands = np.array([kept["hands"] for _, kept in each], np.float64)
            mean = gains.sum() / hands.sum()
            rest.append((mean, (gains - mean * hands) / hands.mean()))
        if len(rest[0][1]) == len(rest[1][1]):
            error = mean_of(rest[0][1] - rest[1][1]).error
            yield part, Measure(float(rest[0][0] - rest[1][0]), error)


def _is_changed(tasks: _Tasks) -> bool:
    """Whether a part changes one thing of the player."""
    plan = dict(tasks[0][0].plan)
    return "option" in plan or "iterations" in plan


def _asked(tasks: _Tasks) -> tuple[object, ...]:
    """From where on, and with what, is responded."""
    plan = dict(tasks[0][0].plan)
    return plan["street"], plan["responder"], plan["raises"]


def _others() -> ReportTable:
    """What was measured of other programs."""
    rows: list[Record] = [
        {
            "program": each["program"],
            "instrument": each["instrument"],
            "won": each["won"],
            "error": each.get("error", math.nan),
            "source": each["source"],
        }
        for each in read_data("nolimit", "published.toml")["others"]
    ]
    forms: dict[str, Form] = {
        "program": "{program}",
        "won from it, by": "{instrument}",
        "mbb/hand": lambda row: number_text(float(row["won"]), float(row["error"])),
        "source": "{source}",
    }
    return ReportTable.of("others", "What was won from other programs", rows, forms)


def _hands(parts: _Parts) -> ReportTable | None:
    rows: list[Record] = [
        {
            "part": part,
            "hand": number,
            "won": won * _mbb(task),
            "as dealt": plain * _mbb(task),
        }
        for kind in ("lbr", "match")
        for part, tasks in _kind(parts, kind)
        for task, kept in tasks
        for number, (won, plain) in enumerate(
            zip(kept["won"], kept["plain"], strict=True), task.number * len(kept["won"])
        )
    ]
    return (
        ReportTable.of("hands", "All hands, mbb", rows, dict.fromkeys(rows[0], ""))
        if rows
        else None
    )


def _rivers(parts: _Parts) -> ReportTable | None:
    rows: list[Record] = [
        {
            "part": part,
            "board": kept["board"],
            "betting": kept["betting"],
            "hands dealt": kept["hands"],
            "gain seat 0": kept["gains"][0],
            "gain seat 1": kept["gains"][1],
        }
        for part, tasks in _kind(parts, "street")
        for _, kept in tasks
    ]
    return (
        ReportTable.of("rivers", "All rivers, chips", rows, dict.fromkeys(rows[0], ""))
        if rows
        else None
    )


def _verdicts(parts: _Parts) -> Iterator[Verdict]:
    goals = read_data("nolimit", "published.toml")["goals"]
    for goal in goals:
        if goal["part"] not in parts:
            continue
        tasks = parts[goal["part"]]
        kind = dict(tasks[0][0].plan)["kind"]
        if kind == "street":
            margin = Measure(goal["at_most"], 0.0) - _gain(tasks)
        else:
            won = _by_deal(tasks, "won")
            margin = (-won if kind == "lbr" else won) - Measure(goal["at_least"], 0.0)
        yield Verdict.above_zero(goal["says"], "goal", {"by": margin})
    for part, change in _paired(parts):
        yield Verdict.above_zero(f"{part} is easier to exploit", "ours", {"gain": change})

"""The study of readings: its tasks, and the report of tables, verdicts and a figure.

Every part has its own tables and verdicts; those of parts that were not run are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from operator import methodcaller
from pathlib import Path

from pokerlab.runtime.files.job_stores import FolderStore
from pokerlab.studies.abstraction.thesis import FIGURE_18, QUALITY
from pokerlab.studies.grouped.reading_results import ReadingResults
from pokerlab.studies.grouped.reading_tasks import (
    CONSTANTS,
    ENGINE,
    FLOP,
    LONG,
    MEASURED,
    PARTS,
    READINGS,
    RULE_READINGS,
    RULES,
    SEVEN,
    THESIS,
    TURN,
    GroupedPlan,
    ReadingTask,
)
from pokerlab.studies.grouped.reading_verdicts import CLOSE, reading_verdicts
from pokerlab.studies.reporting.report_table import Record, ReportTable
from pokerlab.studies.reporting.study import Kept, Study, kept_with
from pokerlab.studies.reporting.study_report import StudyReport, trial_note
from pokerlab.views.figure_file import COLOURS, panel_file


def grouped_study(
    plan: GroupedPlan, folder: Path, parts: Sequence[str] = PARTS
) -> Study[ReadingTask]:
    """The solves of some parts, kept in a folder."""
    store = FolderStore(folder, from_json=kept_with({"points"}))
    work = methodcaller("run", folder / "states")
    return Study([plan.tasks(parts)], store, partial(make_grouped_report, plan), work=work)


def make_grouped_report(plan: GroupedPlan, done: Mapping[ReadingTask, Kept]) -> StudyReport:
    """Make the tables and verdicts of the parts that are done."""
    results = ReadingResults(plan, done)
    makers = {
        "turn": partial(_reading_table, results, TURN),
        "readings": partial(_reading_table, results, FLOP),
        "sample": partial(_sample_table, results),
        "figure-18": partial(_rule_table, results),
        "figure-19": partial(_constant_table, results),
        "figure-17": partial(_long_table, results),
        "figure-20": partial(_thousand_table, results),
    }
    parts = [part for part in PARTS if results.has(part)]
    notes = (
        "ε is the sum of what both players could gain by best responses, in mbb a game; inside"
        " the abstraction the responses are computed as the solver computes",
        "CGH passes up the new value and its answer is the last strategy; CFR's is the plain mean"
        " (algorithm 3). 64 bits; values within 1e-9 are equal, and the largest bet is taken",
        *([trial_note(plan.trial)] if plan.trial else []),
    )
    return StudyReport(
        "CFR and CGH on groups by the formulas of the thesis",
        () if plan.trial else tuple(reading_verdicts(results, parts)),
        f"{CLOSE:.0%} where numbers are compared with printed ones, 2% elsewhere",
        tuple(makers[part]() for part in parts),
        notes,
        (_curves(done),),
        {"readings.svg": partial(_draw, results)} if "readings" in parts else {},
        {"quick": plan.quick, "tasks": len(done), "parts": parts},
    )


def _beside(found: float, printed: float | None) -> str:
    return f"{found:.2f}" + ("" if printed is None else f" ({printed:.2f})")


def _reading_table(results: ReadingResults, board: str) -> ReportTable:
    plan, records = results.plan, list[Record]()
    shown: list[dict[str, str]] = []
    for reading in READINGS:
        texts = {"reading": reading.text}
        for groups in MEASURED:
            for whole in (200, 400):
                point = results.at(plan.table(board, groups, reading), whole)
                printed = None if plan.quick or board == TURN else QUALITY[whole][groups]
                records.append(
                    {
                        "board": board,
                        "reading": reading.text,
                        "groups": groups,
                        "iterations": point.iteration,
                        "inside": point.inside,
                        "real": point.real,
                        "thesis_inside": printed.abstract if printed else "",
                        "thesis_real": printed.real if printed else "",
                    }
                )
                name = groups.split("/")[0]
                texts[f"{name}, {whole}: inside / real"] = f"{point.inside:.2f} / {point.real:.2f}"
        shown.append(texts)
    if not plan.quick and board != TURN:
        thesis = {"reading": "thesis"}
        for groups in MEASURED:
            for whole in (200, 400):
                printed = QUALITY[whole][groups]
                thesis[f"{groups.split('/')[0]}, {whole}: inside / real"] = (
                    f"{printed.abstract:.2f} / {printed.real:.2f}"
                )
        shown.append(thesis)
    name = "readings-turn" if board == TURN else "readings"
    title = f"ε of CGH(0.175) on {board} by reading: all hands, stacks of 5, all-in only"
    return ReportTable.of_both(name, title, records, shown)


def _sample_table(results: ReadingResults) -> ReportTable:
    plan, records = results.plan, list[Record]()
    shown: list[dict[str, str]] = []
    for reading in (ENGINE, THESIS):
        for groups in MEASURED:
            texts = {"reading": reading.text, "groups": groups}
            for whole in (200, 400):
                found = {
                    flop: results.at(plan.table(flop, groups, reading), whole)
                    for flop in plan.flops
                }
                for flop, point in found.items():
                    records.append(
                        {
                            "flop": flop,
                            "reading": reading.text,
                            "groups": groups,
                            "iterations": point.iteration,
                            "inside": point.inside,
                            "real": point.real,
                        }
                    )
                printed = None if plan.quick else QUALITY[whole][groups]
                seven = [found[flop] for flop in plan.flops if flop in SEVEN]
                for name in ("inside", "real"):
                    values = [getattr(point, name) for point in seven]
                    thesis = None
                    if printed:
                        thesis = printed.abstract if name == "inside" else printed.real
                    least, most = min(values), max(values)
                    mean = sum(values) / len(values)
                    texts[f"{whole}: {name} (thesis)"] = _beside(mean, thesis)
                    texts[f"{whole}: {name}, least to most"] = f"{least:.2f} – {most:.2f}"
            shown.append(texts)
    title = "Tables 6 and 7 as means over the seven flops of the sample"
    return ReportTable.of_both("sample", title, records, shown)


def _rule_table(results: ReadingResults) -> ReportTable:
    plan, records = results.plan, list[Record]()
    for reading in RULE_READINGS:
        for rule in RULES:
            task = plan.rule(rule, reading)
            last, kept = results.at(task, 400), results.done[task]
            records.append(
                {
                    "reading": reading.text,
                    "rule": rule,
                    "iterations": last.iteration,
                    "inside": last.inside,
                    "real": last.real,
                    "thesis": "" if plan.quick else FIGURE_18.get(rule.replace("-return", ""), ""),
                    "rises": results.rises(task),
                    "largest_rise": results.largest_rise(task),
                    "seconds": kept["seconds"],
                    "bytes": kept.get("bytes", float("nan")),
                }
            )
    return ReportTable.of(
        "rules",
        f"Figure 18 by reading: {FLOP}, the best 20% of hands, stacks of 5, all-in only, view",
        records,
        {
            "reading": "{reading}",
            "rule": "{rule}",
            "inside": "{inside:.2f}",
            "real": "{real:.2f}",
            "thesis": "{thesis}",
            "rises": "{rises:.0%}",
            "largest": "{largest_rise:.3f} ×",
            "time": "{seconds:.1f} s",
        },
    )


def _constant_table(results: ReadingResults) -> ReportTable:
    plan = results.plan
    records: list[Record] = []
    for constant in CONSTANTS:
        task = plan.constant(constant)
        points = {whole: results.at(task, whole) for whole in (50, 150, 400)}
        records.append(
            {
                "c": constant,
                **{f"inside_{whole}": point.inside for whole, point in points.items()},
                **{f"real_{whole}": point.real for whole, point in points.items()},
                "rises": results.rises(task),
            }
        )
    return ReportTable.of(
        "constants",
        f"Figure 19 by the thesis's reading ({THESIS.text}): ε inside after 50, 150, 400",
        records,
        {
            "c": "{c:g}",
            "50": "{inside_50:.2f}",
            "150": "{inside_150:.2f}",
            "400": "{inside_400:.2f}",
            "400, real": "{real_400:.2f}",
            "rises": "{rises:.0%}",
        },
    )


def _long_table(results: ReadingResults) -> ReportTable:
    plan = results.plan
    records: list[Record] = []
    for groups in LONG:
        task = plan.long(groups)
        for whole in (400, 1000, 1500, 2000):
            point = results.at(task, whole)
            records.append({"groups": groups, **point._asdict(), "rises": results.rises(task)})
    return ReportTable.of(
        "figure-17",
        f"Figure 17 by the thesis's reading ({THESIS.text})",
        records,
        {
            "groups": "{groups}",
            "iterations": "{iteration:,}",
            "inside": "{inside:.2f}",
            "real": "{real:.2f}",
            "rises inside": "{rises:.0%}",
        },
    )


def _thousand_table(results: ReadingResults) -> ReportTable:
    plan = results.plan
    records: list[Record] = [
        {"rule": rule, **results.at(plan.thousand(rule), whole)._asdict()}
        for rule in ("cfr", "cgh-return(0.2)")
        for whole in (100, 400, 1000)
    ]
    return ReportTable.of(
        "figure-20",
        f"Figure 20 by the thesis's reading ({THESIS.text}): Th6s3c, all hands, stacks of 49",
        records,
        {
            "rule": "{rule}",
            "iterations": "{iteration:,}",
            "inside": "{inside:.2f}",
            "real": "{real:.2f}",
        },
    )


def _curves(done: Mapping[ReadingTask, Kept]) -> ReportTable:
    """Every curve, for other programs."""
    records: list[Record] = [
        {
            "board": task.game.board,
            "hands": "all" if task.game.hands == "random" else "some",
            "stack": task.game.stack,
            "groups": task.groups,
            "rule": task.rule,
            **{name: getattr(task.reading, name) for name in task.reading.__dataclass_fields__},
            "iteration": iteration,
            "inside": inside,
            "real": real,
        }
        for task, kept in done.items()
        for iteration, inside, real in kept["points"]
    ]
    return ReportTable.of("curves", "Curves", records, {"board": "{board}"})


def _draw(results: ReadingResults) -> bytes:
    """ε inside the abstraction by reading, a panel for each measure, beside the thesis's."""
    plan = results.plan
    colours = (*COLOURS, "#000000")
    with panel_file(1, len(MEASURED), 4.6, 3.8, same_scale=True) as (panels, file):
        for axes, groups in zip(panels, MEASURED, strict=True):
            for colour, reading in zip(colours, READINGS, strict=True):
                points = results.points(plan.table(FLOP, groups, reading))
                label = reading.text if groups == MEASURED[0] else None
                axes.plot(
                    [point.iteration for point in points],
                    [point.inside for point in points],
                    color=colour,
                    linewidth=1.3,
                    label=label,
                )
            if not plan.quick:
                printed = [QUALITY[whole][groups].abstract for whole in (200, 400)]
                axes.plot([200, 400], printed, "kx", markersize=7)
            axes.set_yscale("log")
            axes.set_title(f"{groups} (× thesis)", loc="left", fontsize=10.5)
            axes.set_xlabel("iterations")
        panels[0].set_ylabel("ε in the abstraction, mbb a game")
        panels[0].legend(fontsize=6.5, frameon=False)
    return file.getvalue()

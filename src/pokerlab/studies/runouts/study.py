"""The study of subsets: the first street of each, locked in the game with all run-outs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import pairwise
from operator import methodcaller
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.engine.subsets.run_out_counts import RunOutCounts
from pokerlab.holdem.spots import solve_spot
from pokerlab.holdem.spots.coarse.all_run_outs import price_first_street
from pokerlab.holdem.spots.question.spot import Spot
from pokerlab.runtime.files.job_stores import FolderStore
from pokerlab.studies.reporting.data import read_data
from pokerlab.studies.reporting.measure import Measure, mean_of
from pokerlab.studies.reporting.report_table import Record, ReportTable
from pokerlab.studies.reporting.study import Kept, Study, kept_with
from pokerlab.studies.reporting.study_report import StudyReport, trial_note
from pokerlab.studies.reporting.verdict import SIGMAS, Verdict
from pokerlab.views.figure_file import COLOURS, panel_file

ALL = "all"
"""What stands for the solve with all run-outs."""

GOAL = "12x10"
_GOAL_PERCENT = 0.5
_LEAST = 0.01
"""Percent of the pot: what is drawn for less."""


@cache
def read_plan(*, quick: bool) -> dict[str, Any]:
    """The spots, the flops and the subsets."""
    plan = read_data("runouts", "flops.toml")
    return dict(plan["quick"]) if quick else plan


@dataclass(frozen=True)
class RunOutTask:
    """A flop, solved on a subset and judged over all run-outs, or solved on all.

    Attributes
    ----------
    flop
        Its cards.
    runouts
        The subset, such as ``12x10``, or ``all``.
    quick
        Whether it is one of a trial.
    """

    flop: str
    runouts: str
    quick: bool = False

    @property
    def key(self) -> str:
        """What the result is kept under."""
        return f"{'trial ' if self.quick else ''}{self.flop} {self.runouts}"

    def run(self, device: str, threads: int) -> Kept:
        """Solve the flop; of a subset, what its first street takes from the whole game."""
        plan = read_plan(quick=self.quick)
        spot, target = Spot.from_fields({"board": self.flop, **plan["spot"]}), plan["target"]
        if self.runouts == ALL:
            free = solve_spot(spot, target=target, device=device, threads=threads, streets=1)
            return {
                "values": free.values,
                "errors": [free.exploitability.chips] * 2,
                "seconds": free.seconds,
                "iterations": free.iterations,
            }
        subset = replace(spot, runouts=self.runouts)
        solution = solve_spot(subset, target=target, device=device, threads=threads)
        price = price_first_street(solution, target=target, device=device, threads=threads)
        return {
            "values": price.values,
            "errors": price.errors,
            "seconds": solution.seconds,
            "iterations": solution.iterations,
            "subset_values": solution.values,
        }


def run_out_study(
    folder: Path, *, quick: bool = False, device: str = "auto", threads: int = 1
) -> Study[RunOutTask]:
    """All flops and subsets, and the flops on all run-outs."""
    plan = read_plan(quick=quick)
    others = [each for each in plan["subsets"] if each != GOAL]
    # What is judged comes first; then flop by flop, so that a part of them can be compared.
    tasks = [RunOutTask(flop, GOAL, quick) for flop in plan["flops"]]
    tasks += [RunOutTask(flop, each, quick) for flop in plan["flops"] for each in others]
    tasks += [RunOutTask(flop, ALL, quick) for flop in plan["flops"]]
    work = methodcaller("run", device, threads)
    store = FolderStore(folder, from_json=kept_with({"values", "errors", "seconds"}))
    return Study([tasks], store, partial(make_run_out_report, quick=quick), work=work)


@dataclass(frozen=True)
class _Price:
    """What the first street of a subset loses, in percent of the pot."""

    task: RunOutTask
    losses: tuple[Measure, Measure]
    """Of both players; not known where the flop was not solved on all run-outs."""
    both: Measure
    """The exploitability: half of what both lose."""
    seconds: float


def make_run_out_report(done: Mapping[RunOutTask, Kept], *, quick: bool = False) -> StudyReport:
    """Make the tables and verdicts of the tasks that were done."""
    plan = read_plan(quick=quick)
    prices = list(_prices(done, plan["spot"]["pot"]))
    notes = (
        f"Pot {plan['spot']['pot']}, stacks {plan['spot']['stack']}, bets {plan['spot']['bet']}, "
        f"raises {plan['spot']['raise'] or 'none'}; solves to {plan['target']} of the pot.",
        "Lost: the flop strategy of a player, solved on the subset, is locked in the game with all "
        "run-outs and the rest is solved; what it takes less than without the lock.",
    )
    return StudyReport(
        "Subsets of run-outs",
        () if quick else tuple(_verdicts(prices)),
        "beyond the errors of the solves",
        (_summary_table(prices), _flop_table(prices)) if prices else (),
        (*notes, *([trial_note("one flop with few hands")] if quick else [])),
        pictures={"prices.svg": partial(_draw, prices)},
        facts={"quick": quick, "tasks": len(done)},
    )


def _prices(done: Mapping[RunOutTask, Kept], pot: float) -> Iterator[_Price]:
    whole = {task.flop: kept for task, kept in done.items() if task.runouts == ALL}
    subsets = (task for task in done if task.runouts != ALL)
    for task in sorted(subsets, key=lambda task: RunOutCounts.parse(task.runouts)):
        kept, free = done[task], whole.get(task.flop)
        losses = [Measure(math.nan, math.nan)] * 2
        if free is not None:
            losses = [
                Measure(
                    100 * (free["values"][player] - kept["values"][player]) / pot,
                    100 * (free["errors"][player] + kept["errors"][player]) / pot / SIGMAS,
                )
                for player in range(2)
            ]
        both = Measure(
            50 * (pot - sum(kept["values"])) / pot, 50 * sum(kept["errors"]) / pot / SIGMAS
        )
        yield _Price(task, (losses[0], losses[1]), both, kept["seconds"])


def _by_subset(prices: Sequence[_Price]) -> dict[str, list[_Price]]:
    found: dict[str, list[_Price]] = {}
    for price in prices:
        found.setdefault(price.task.runouts, []).append(price)
    return found


def _summary_table(prices: Sequence[_Price]) -> ReportTable:
    rows: list[Record] = [
        {
            "run-outs": runouts,
            "flops": len(here),
            "mean": float(np.mean([price.both.value for price in here])),
            "largest": max(price.both.value for price in here),
            "oop": _mean_loss(here, 0),
            "ip": _mean_loss(here, 1),
            "seconds": float(np.median([price.seconds for price in here])),
        }
        for runouts, here in _by_subset(prices).items()
    ]
    shown = {"run-outs": "{run-outs}", "flops": "{flops}"}
    numbers = {name: partial(_percent, name) for name in ("mean", "largest", "oop", "ip")}
    return ReportTable.of(
        "subsets",
        "What a subset costs: exploitability of its flop strategy, % of the pot",
        rows,
        {**shown, **numbers, "seconds": "{seconds:.1f}"},
    )


def _percent(name: str, record: Record) -> str:
    """A number of a record for people; it may not be known."""
    value = float(record[name])
    return "–" if math.isnan(value) else f"{value:.3f}"


def _mean_loss(prices: Sequence[_Price], player: int) -> float:
    """Over the flops that were solved on all run-outs."""
    known = [price.losses[player].value for price in prices]
    return mean_of([each for each in known if not math.isnan(each)]).value


def _flop_table(prices: Sequence[_Price]) -> ReportTable:
    rows: list[Record] = [
        {
            "flop": price.task.flop,
            "run-outs": price.task.runouts,
            "oop": price.losses[0].value,
            "ip": price.losses[1].value,
            "exploitability": price.both.value,
            "error": SIGMAS * price.both.error,
            "seconds": price.seconds,
        }
        for price in prices
    ]
    heads = {"flop": "{flop}", "run-outs": "{run-outs}"}
    names = ("oop", "ip", "exploitability", "error")
    numbers = {name: partial(_percent, name) for name in names}
    return ReportTable.of(
        "flops",
        "What each flop loses by a subset, % of the pot",
        rows,
        {**heads, **numbers, "seconds": "{seconds:.1f}"},
    )


def _verdicts(prices: Sequence[_Price]) -> Iterator[Verdict]:
    by_subset = _by_subset(prices)
    goal = by_subset.get(GOAL, [])
    means = {
        runouts: mean_of([price.both.value for price in here])
        for runouts, here in by_subset.items()
    }
    limit = Measure(_GOAL_PERCENT, 0.0)
    yield Verdict.above_zero(
        f"{GOAL} costs at most {_GOAL_PERCENT}% of the pot on average",
        "ours",
        {f"{_GOAL_PERCENT}% less the mean": limit - means[GOAL]} if goal else {},
        "% of the pot",
    )
    yield Verdict.above_zero(
        f"{GOAL} costs at most {_GOAL_PERCENT}% of the pot on every flop",
        "ours",
        {price.task.flop: limit - price.both for price in goal},
        "% of the pot",
    )
    subsets = list(by_subset)
    for few, more in pairwise(subsets):
        known = {price.task.flop: price.both.value for price in by_subset[more]}
        gains = [
            price.both.value - known[price.task.flop]
            for price in by_subset[few]
            if price.task.flop in known
        ]
        yield Verdict.above_zero(
            f"{more} costs less than {few}", "ours", {"difference": mean_of(gains)}, "% of the pot"
        )


def _draw(prices: Sequence[_Price]) -> bytes:
    """What each flop loses, by subset (SVG)."""
    by_subset = _by_subset(prices)
    with panel_file(1, 1, 5.2, 3.6) as ((axes,), file):
        for number, here in enumerate(by_subset.values()):
            lost = [max(price.both.value, _LEAST) for price in here]
            axes.plot([number] * len(lost), lost, "o", color=COLOURS[number], markersize=4)
            axes.plot(number, np.mean(lost), "_", color=COLOURS[number], markersize=24)
        axes.axhline(_GOAL_PERCENT, color="0.6", linewidth=0.8)
        axes.set_yscale("log")
        axes.set_xticks(range(len(by_subset)), list(by_subset))
        axes.set_xlabel("turns x rivers")
        axes.set_ylabel("lost, % of the pot")
    return file.getvalue()

"""The study of views: buckets of Leduc and Rhode Island hold'em, judged by exact best responses."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from pokerlab.games import load_betting_game, merge_suits
from pokerlab.runtime.files.job_stores import FolderStore
from pokerlab.solvers import Strategy, exploitability
from pokerlab.solvers.cfr.solver import CfrSolver
from pokerlab.studies.reporting.data import read_data
from pokerlab.studies.reporting.measure import Measure, mean_of
from pokerlab.studies.reporting.report_table import Form, Record, ReportTable
from pokerlab.studies.reporting.study import Kept, Study
from pokerlab.studies.reporting.study_report import StudyReport, trial_note
from pokerlab.studies.reporting.verdict import Verdict
from pokerlab.studies.rhode_island.boards import RhodeIslandBoards
from pokerlab.studies.view.bucket_solver import BoardBucketSolver
from pokerlab.studies.view.buckets import make_board_buckets
from pokerlab.studies.view.card_views import BlurredGame, card_views, look_through
from pokerlab.trees import GameTree

Done: TypeAlias = Mapping[Any, Kept]
STRENGTH, VIEW, EVERY = "strength", "view", "every hand"
SIZES = {
    "26 and 26": ("view:26,26", ("ehs-flat:26,26", "ehs2-flat:26,26", "ehs2:2,1", "kmeans:26,26")),
    "117 and 43": ("view:117,43", ("ehs-flat:117,43", "ehs2-flat:117,43", "kmeans:117,43")),
    "117 and 117": ("view:117,117", ("ehs2:3,3",)),
}
"""By the numbers of buckets on flop and turn: views, and the buckets they are compared with."""
IDENTICAL = ("strength", "view", "strength-recall", "view-recall", "ehs2:16,11")
"""Buckets of identical hands, and percentiles that ask for as many as ``view-recall`` has."""
CLEAR = 0.02
"""A number counts as lower if it is lower by this share, and by its errors."""
_SEEDS = 4
"""Of k-means."""


@dataclass(frozen=True)
class LeducTask:
    """Leduc by DCFR with identical hands merged, within those of the street before."""

    measure: str
    iterations: int

    @property
    def key(self) -> str:
        """What it is, in one line."""
        return f"leduc {self.measure} {self.iterations}"

    def run(self) -> Kept:
        """What best responses gain with buckets in place of cards and in the game, in chips."""
        game = load_betting_game("leduc")
        merged = merge_suits(game)
        tree = GameTree.build(merged)
        look: Callable[[str], str] = str
        if self.measure != EVERY:
            look = look_through(card_views(game, view=self.measure == VIEW))
        blurred = GameTree.build(BlurredGame(merged, look))
        solver = CfrSolver(blurred, "dcfr")
        solver.iterate(self.iterations)
        found = solver.strategy()
        played = Strategy.of(tree.infosets, {name: found[look(name)] for name in tree.infosets})
        return {
            "sets": len(blurred.infosets),
            "inside": solver.exploitability(),
            "real": exploitability(tree, played),
        }


@dataclass(frozen=True)
class BucketTask:
    """Rhode Island hold'em by DCFR with hands in buckets.

    Attributes
    ----------
    size
        Ranks, suits, and raises a street.
    buckets
        See `pokerlab.studies.view.buckets`.
    points
        Numbers of iterations after which best responses judge it.
    seed
        Of k-means.
    """

    size: tuple[int, int, int]
    buckets: str
    points: tuple[int, ...]
    seed: int = 0

    @property
    def key(self) -> str:
        """What it is, in one line."""
        return f"rhode island {self.size} {self.buckets} {self.points} {self.seed}"

    def run(self) -> Kept:
        """How many buckets there are, and what best responses gain on average, in chips."""
        boards = RhodeIslandBoards.of(*self.size)
        buckets = make_board_buckets(boards, self.buckets, self.seed)
        solver = BoardBucketSolver(boards, buckets)
        curve = []
        for point in self.points:
            solver.iterate(point - solver.iterations)
            low, high = solver.bounds()
            curve.append((high - low) / 2)
        return {"counts": list(buckets.counts), "curve": curve}


@dataclass(frozen=True)
class ViewPlan:
    """Which games and buckets there are; a quick run has few cards and iterations."""

    quick: bool = False

    @property
    def leduc(self) -> list[LeducTask]:
        """Leduc by strength, by view, and with every hand."""
        return [LeducTask(each, 100 if self.quick else 4000) for each in (STRENGTH, VIEW, EVERY)]

    @property
    def games(self) -> list[tuple[int, int, int]]:
        """Decks and raises of Rhode Island, the largest first."""
        return [(4, 4, 1)] if self.quick else [(13, 4, 3), (13, 4, 1)]

    @property
    def sizes(self) -> dict[str, tuple[str, tuple[str, ...]]]:
        """The buckets that are compared, by size."""
        return {"8 and 8": ("view:8,8", ("ehs2-flat:8,8", "kmeans:8,8"))} if self.quick else SIZES

    @property
    def points(self) -> tuple[int, ...]:
        """Numbers of iterations."""
        return (20, 40) if self.quick else (10, 25, 50, 100, 200)

    def of(self, size: tuple[int, int, int], buckets: str) -> list[BucketTask]:
        """A game with some buckets; with k-means, which begins at random, by several seeds."""
        random = buckets.startswith(("kmeans:", "view:"))
        seeds = range(_SEEDS if random and not self.quick else 1)
        return [BucketTask(size, buckets, self.points, seed) for seed in seeds]

    @property
    def texts(self) -> list[str]:
        """All buckets of a game."""
        texts = [text for view, others in self.sizes.values() for text in (view, *others)]
        return [*texts, *IDENTICAL[: 4 if self.quick else 5]]

    def rows(self, size: tuple[int, int, int]) -> list[BucketTask]:
        """All tasks of a game."""
        return [task for text in self.texts for task in self.of(size, text)]

    @property
    def tasks(self) -> list[Any]:
        """All of them, the longest first."""
        return [*(task for size in self.games for task in self.rows(size)), *self.leduc]


def view_study(plan: ViewPlan, folder: Path) -> Study[Any]:
    """The tasks of a plan, kept in a folder."""
    return Study([plan.tasks], FolderStore(folder), partial(make_view_report, plan))


def make_view_report(plan: ViewPlan, done: Done) -> StudyReport:
    """Make the tables and verdicts."""
    notes = [
        "Exploitability is the mean gain of both best responses, which see the cards, in chips.",
        "Rhode Island: ante 5, bets of 10, 20 and 20; Leduc: ante 1, bets of 2 and 4.",
    ]
    if plan.quick:
        notes.append(trial_note("4 ranks (of 13), 40 iterations (of 200), one seed (of 4)"))
    return StudyReport(
        "The opponent's view as buckets",
        () if plan.quick else tuple(_verdicts(plan, done)),
        f"{CLEAR:.0%}",
        (_leduc_table(plan, done), *(_game_table(plan, done, size) for size in plan.games)),
        tuple(notes),
        facts={"quick": plan.quick, "tasks": len(done)},
    )


def _leduc_table(plan: ViewPlan, done: Done) -> ReportTable:
    records: list[Record] = [{"buckets": task.measure, **done[task]} for task in plan.leduc]
    return ReportTable.of(
        "leduc",
        f"Leduc: identical hands merged, {plan.leduc[0].iterations:,} iterations of DCFR",
        records,
        {
            "buckets": "{buckets}",
            "information sets": "{sets}",
            "exploitability with buckets": "{inside:.5f}",
            "in the game": "{real:.5f}",
        },
    )


def _game_table(plan: ViewPlan, done: Done, size: tuple[int, int, int]) -> ReportTable:
    records: list[Record] = []
    for text in plan.texts:
        tasks = plan.of(size, text)
        _, flop, turn = done[tasks[0]]["counts"]
        record: dict[str, str | int | float] = {"buckets": text, "flop": flop, "turn": turn}
        for place, point in enumerate(plan.points):
            mean = _mean([done[task]["curve"][place] for task in tasks])
            record |= {f"after_{point}": mean.value, f"after_{point}_stderr": mean.error}
        records.append({**record, "seeds": len(tasks)})
    ranks, suits, raises = size
    name = f"rhode-island-{ranks}-{suits}-{raises}"
    deck = f"{ranks} ranks × {suits} suits"
    title = f"Rhode Island, {deck}, at most {raises} raises a street: exploitability"
    shown: dict[str, Form] = {"buckets": "{buckets}", "flop": "{flop}", "turn": "{turn}"}
    for point in plan.points:
        shown[f"after {point}"] = partial(_shown, point)
    return ReportTable.of(name, title, records, shown)


def _shown(point: int, row: Record) -> str:
    text = f"{row[f'after_{point}']:.3f}"
    return f"{text} ± {row[f'after_{point}_stderr']:.3f}" if row["seeds"] != 1 else text


def _mean(found: Sequence[float]) -> Measure:
    """The mean over seeds; a single one has no error."""
    return mean_of(found) if len(found) > 1 else Measure(found[0], 0.0)


def best_of(plan: ViewPlan, done: Done, size: tuple[int, int, int], text: str) -> Measure:
    """The exploitability of some buckets, by the number of iterations that is best for them."""
    curves = [done[task]["curve"] for task in plan.of(size, text)]
    return min((_mean(each) for each in zip(*curves, strict=True)), key=lambda each: each.value)


def _verdicts(plan: ViewPlan, done: Done) -> list[Verdict]:
    """By what share views are less exploitable, each kind after its best number of iterations."""
    source = read_data("view", "thesis.toml")

    def share(size: tuple[int, int, int], view: str, other: str) -> Measure:
        mine, theirs = (best_of(plan, done, size, text) for text in (view, other))
        error = math.hypot(mine.error / mine.value, theirs.error / theirs.value)
        ratio = mine.value / theirs.value
        return Measure(1.0 - ratio, ratio * error)

    strength, view, _ = (done[task] for task in plan.leduc)
    less = 1.0 - view["real"] / strength["real"]
    found = [
        Verdict(
            f"{source['question']}: Leduc",
            source["source"],
            "holds" if less > CLEAR else "does not hold",
            {"less than strength": Measure(less, 0.0)},
            "",
        )
    ]
    for size in plan.games:
        ranks, _, raises = size
        where = f"Rhode Island with {ranks} ranks, at most {raises} raises"
        for name, (text, others) in plan.sizes.items():
            evidence = {f"less than {other}": share(size, text, other) for other in others}
            claim = f"{source['question']}: {where}, {name} buckets"
            found.append(Verdict.above_zero(claim, source["source"], evidence, "", CLEAR))
        for text, other in (("view", "strength"), ("view-recall", "strength-recall")):
            evidence = {f"less than {other}": share(size, text, other)}
            claim = f"{source['question']}: {where}, identical hands, {text}"
            found.append(Verdict.above_zero(claim, source["source"], evidence, "", CLEAR))
    return found

"""The study of views: buckets of Leduc and Rhode Island hold'em, judged by exact best responses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from pokerlab.games import load_betting_game, merge_suits
from pokerlab.runtime.files.job_stores import FolderStore
from pokerlab.solvers import Strategy, exploitability
from pokerlab.solvers.cfr.solver import CfrSolver
from pokerlab.studies.reporting.data import read_data
from pokerlab.studies.reporting.measure import Measure
from pokerlab.studies.reporting.report_table import Record, ReportTable
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
"""By the numbers of buckets on flop and turn: views, and what is held against them."""
IDENTICAL = ("strength", "view", "strength-recall", "view-recall", "ehs2:16,11")
"""Buckets of identical hands; the last are percentiles in about as many as the view has."""
CLEAR = 0.02
"""A number counts as lower if it is lower by this share."""


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
    """

    size: tuple[int, int, int]
    buckets: str
    points: tuple[int, ...]

    @property
    def key(self) -> str:
        """What it is, in one line."""
        return f"rhode island {self.size} {self.buckets} {self.points}"

    def run(self) -> Kept:
        """How many buckets there are, and what best responses gain on average, in chips."""
        boards = RhodeIslandBoards.of(*self.size)
        buckets = make_board_buckets(boards, self.buckets)
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

    def task(self, size: tuple[int, int, int], buckets: str) -> BucketTask:
        """A game with some buckets."""
        return BucketTask(size, buckets, (20, 40) if self.quick else (100, 200, 400))

    def rows(self, size: tuple[int, int, int]) -> list[BucketTask]:
        """All buckets of a game."""
        texts = [text for view, others in self.sizes.values() for text in (view, *others)]
        return [self.task(size, text) for text in (*texts, *IDENTICAL[: 4 if self.quick else 5])]

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
        notes.append(trial_note("4 ranks (of 13), 40 iterations (of 400)"))
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
    for task in plan.rows(size):
        _, flop, turn = done[task]["counts"]
        after = {f"after_{point}": found for point, found in _points(task, done)}
        records.append({"buckets": task.buckets, "flop": flop, "turn": turn, **after})
    ranks, suits, raises = size
    name = f"rhode-island-{ranks}-{suits}-{raises}"
    title = f"Rhode Island, {ranks} ranks × {suits} suits, {raises} raises a street: exploitability"
    columns = {f"after {point}": f"{{after_{point}:.3f}}" for point in plan.rows(size)[0].points}
    shown = {"buckets": "{buckets}", "flop": "{flop}", "turn": "{turn}", **columns}
    return ReportTable.of(name, title, records, shown)


def _points(task: BucketTask, done: Done) -> list[tuple[int, float]]:
    return list(zip(task.points, done[task]["curve"], strict=True))


def _verdicts(plan: ViewPlan, done: Done) -> list[Verdict]:
    """By how much views are less exploitable, each kind at its best length; in shares."""
    source = read_data("view", "thesis.toml")

    def best(size: tuple[int, int, int], text: str) -> float:
        return float(min(done[plan.task(size, text)]["curve"]))

    def share(size: tuple[int, int, int], view: str, other: str) -> float:
        return 1.0 - best(size, view) / best(size, other)

    strength, view, _ = (done[task] for task in plan.leduc)
    less = strength["real"] - view["real"]
    found = [
        Verdict(
            f"{source['question']}: Leduc",
            source["source"],
            "holds" if less > 0.0 else "does not hold",
            {"less than strength": Measure(less, 0.0)},
            "chips",
        )
    ]
    for size in plan.games:
        ranks, _, raises = size
        where = f"Rhode Island with {ranks} ranks, {raises} raises"
        for name, (text, others) in plan.sizes.items():
            evidence = {f"less than {other}": share(size, text, other) for other in others}
            claim = f"{source['question']}: {where}, {name} buckets"
            found.append(Verdict.above_zero(claim, source["source"], evidence, "", CLEAR))
        for text, other in (("view", "strength"), ("view-recall", "strength-recall")):
            evidence = {f"less than {other}": share(size, text, other)}
            claim = f"{source['question']}: {where}, identical hands, {text}"
            found.append(Verdict.above_zero(claim, source["source"], evidence, "", CLEAR))
    return found

"""Perfect against imperfect recall at equal size, in the game itself.

Strategies for limit hold'em are trained with buckets that remember and with buckets that forget, in
two ways: with as many buckets on every street, and with as many rows in all, split equally over the
later streets. Best responses that see every card judge them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.arena.simulation.opponents import TableOpponent
from pokerlab.games import load_betting_game
from pokerlab.holdem.limit.best_response.exploitability import best_responses, jackknife_error
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame, planned_rows
from pokerlab.holdem.limit.training.training import train
from pokerlab.players.strategies.limit_file import LimitStrategy
from pokerlab.runtime.files.job_stores import FolderStore
from pokerlab.runtime.machine import core_count
from pokerlab.studies.reporting.data import read_data
from pokerlab.studies.reporting.measure import Measure
from pokerlab.studies.reporting.report_table import Record, ReportTable, number_text
from pokerlab.studies.reporting.study import Kept, Study
from pokerlab.studies.reporting.study_report import StudyReport, trial_note
from pokerlab.studies.reporting.verdict import SIGMAS, Verdict

REMEMBERS = "remembers"
SAME_COUNTS, SAME_ROWS = "forgets, as many on each street", "forgets, as many rows in all"


@dataclass(frozen=True)
class RecallTask:
    """A training, and the best responses to what it makes.

    Attributes
    ----------
    game, buckets, deals
        What is trained, on how many deals.
    flops
        The number of flops that best responses are worked out on.
    seed
        Of the cards of the training and of the flops.
    threads
        Of the training: with the seed they fix its result; None for one a core.
    device
        Where best responses are worked out.
    folder
        Where strategies are kept.
    """

    game: str
    buckets: str
    deals: int
    flops: int
    seed: int
    threads: int | None
    device: str
    folder: str

    @property
    def key(self) -> str:
        """What it is, in one line."""
        return f"recall {self.training} {self.flops}"

    @property
    def training(self) -> str:
        """What fixes the strategy."""
        threads = self.threads or core_count()
        return f"{self.game} {self.buckets} {self.deals} {self.seed} {threads}"

    @property
    def file(self) -> Path:
        """Where the strategy is kept."""
        name = self.training.replace("/", "-").replace(":", "-").replace(" ", "_")
        return Path(self.folder) / f"{name}.safetensors"

    def train(self) -> BucketedGame:
        """Train, unless that has been done; the game that was trained."""
        game = BucketedGame.of(load_betting_game(self.game), self.buckets)
        if not self.file.is_file():
            self.file.parent.mkdir(parents=True, exist_ok=True)
            training = train(
                game, iterations=self.deals, seed=self.seed, threads=self.threads, boards=2
            )
            LimitStrategy.of(training).save(self.file)
        return game

    def run(self) -> Kept:
        """Train, and work out the best responses; in mbb a hand."""
        game, file = self.train(), self.file
        opponent = TableOpponent(str(file), "")
        found = best_responses(
            opponent,
            boards=self.flops,
            seed=self.seed,
            folder=file.with_suffix(".flops"),
            threads=core_count(),
            device=self.device,
        )
        unit = game.game.mbb
        return {
            "rows": game.rows,
            "most": [value * unit for value in found.values],
            "most_errors": [error * unit for error in found.errors],
            "least": [value * unit for value in found.low],
            "least_errors": [error * unit for error in found.low_errors],
            "flops": found.boards,
            "exact": found.exact,
            "left_out": [[value * unit for value in values] for values in found.left_out],
        }


@dataclass(frozen=True)
class RecallPlan:
    """Which buckets are compared, and how long they are trained.

    Attributes
    ----------
    game
        What is played.
    buckets
        The texts of buckets by what they do; the first kind has one, the others any number.
    deals
        The lengths of the trainings.
    flops, seed, threads, device, folder
        As those of a task.
    trial
        What a quick run has in place of the whole; nothing for the whole.
    """

    game: str
    buckets: Mapping[str, Sequence[str]]
    deals: tuple[int, ...]
    flops: int
    seed: int = 0
    threads: int | None = None
    device: str = "auto"
    folder: str = ""
    trial: str = ""

    def task(self, buckets: str, deals: int) -> RecallTask:
        """The training of some buckets on some deals."""
        how = self.flops, self.seed, self.threads, self.device, self.folder
        return RecallTask(self.game, buckets, deals, *how)

    @property
    def tasks(self) -> list[RecallTask]:
        """All of them, the longest trainings first."""
        texts = [text for kind in self.buckets.values() for text in kind]
        return [self.task(text, deals) for deals in reversed(self.deals) for text in texts]


def recall_plan(folder: Path, *, quick: bool = False, **how: Any) -> RecallPlan:
    """The plan of ``pokerlab reproduce recall``."""
    game = "holdem.limit.2p"
    if quick:
        kinds = {
            REMEMBERS: ["ehs2:2,2,2,2"],
            SAME_COUNTS: ["ehs2-flat:2,4,8,16"],
            SAME_ROWS: [_free_split("ehs2-flat", "ehs2:2,2,2,2", 2)],
        }
        trial = "16 buckets on the river (of 625), 20,000 deals (of 16 million), 4 flops (of 72)"
        return RecallPlan(game, kinds, (20_000,), 4, folder=str(folder), trial=trial, **how)
    remembers = "ehs2:5,5,5,5"
    kinds = {
        REMEMBERS: [remembers],
        SAME_COUNTS: ["ehs2-flat:5,25,125,625", "kmeans:5,25,125,625"],
        SAME_ROWS: [_free_split("169/ehs2-flat", remembers), _free_split("169/kmeans", remembers)],
    }
    return RecallPlan(game, kinds, (4_000_000, 16_000_000), 72, folder=str(folder), **how)


def _free_split(kind: str, beside: str, first: int = 0) -> str:
    """Buckets with equal numbers on the later streets, and at most the rows of some others.

    Examples
    --------
    >>> _free_split("169/kmeans", "ehs2:5,5,5,5")
    '169/kmeans:568,568,568'
    """
    game = load_betting_game("holdem.limit.2p")
    most = planned_rows(game, beside)
    lead = f"{first}," if first else ""

    def text(count: int) -> str:
        return f"{kind}:{lead}{count},{count},{count}"

    one, two = (planned_rows(game, text(count)) for count in (1, 2))
    return text(1 + (most - one) // (two - one))


def recall_study(plan: RecallPlan, folder: Path) -> Study[RecallTask]:
    """The tasks of a plan, kept in a folder."""
    return Study([plan.tasks], FolderStore(folder), partial(make_recall_report, plan))


def exploitability_of(kept: Kept, key: str = "most") -> Measure:
    """The mean of both seats; its error as if those of the seats went together."""
    return Measure(sum(kept[key]) / 2, sum(kept[f"{key}_errors"]) / 2)


def difference(first: Kept, second: Kept) -> Measure:
    """How much more exploitable the first is; its error by leaving out the flops of both at once.

    Where that is not known, as if the flops of both had been others.

    Examples
    --------
    >>> one = {"most": [3.0, 5.0], "most_errors": [1.0, 1.0], "left_out": [[2.0, 4.0], [4.0, 6.0]]}
    >>> other = one | {"most": [2.0, 4.0], "left_out": [[1.0, 3.0], [3.0, 5.0]]}
    >>> difference(one, other)
    Measure(value=1.0, error=0.0)
    """
    apart = exploitability_of(first) - exploitability_of(second)
    left_out = [np.array(kept.get("left_out", [[], []])).mean(axis=0) for kept in (first, second)]
    if len(left_out[0]) < 2 or len(left_out[0]) != len(left_out[1]):
        return apart
    return Measure(apart.value, jackknife_error(left_out[0] - left_out[1]))


def make_recall_report(plan: RecallPlan, done: Mapping[RecallTask, Kept]) -> StudyReport:
    """Make the table and the verdicts."""
    records: list[Record] = []
    for kind, texts in plan.buckets.items():
        for text in texts:
            for deals in plan.deals:
                kept = done[plan.task(text, deals)]
                least, most = (exploitability_of(kept, key) for key in ("least", "most"))
                records.append(
                    {
                        "kind": kind,
                        "buckets": text,
                        "rows": kept["rows"],
                        "deals": deals,
                        "flops": kept["flops"],
                        "at_least": least.value,
                        "at_least_stderr": least.error,
                        "at_most": most.value,
                        "at_most_stderr": most.error,
                    }
                )
    table = ReportTable.of(
        "recall",
        "Exploitability in the game itself, mbb a hand, by exact best responses",
        records,
        {
            "buckets": "{buckets}",
            "kind": "{kind}",
            "rows": "{rows:,}",
            "deals": "{deals:,}",
            "at least": lambda row: _number(row, "at_least"),
            "at most": lambda row: _number(row, "at_most"),
        },
    )
    notes = (
        f"{plan.game}; external sampling, linear weights; best responses on {plan.flops} flops"
        " drawn as they are dealt, the same for all.",
        "Errors of differences are by leaving out one flop for both.",
    )
    return StudyReport(
        "Perfect against imperfect recall at equal size",
        () if plan.trial else tuple(_verdicts(plan, done)),
        f"{SIGMAS:g} standard errors",
        (table,),
        (*notes, *([trial_note(plan.trial)] if plan.trial else [])),
        facts={"game": plan.game, "quick": bool(plan.trial), "tasks": len(done)},
    )


def _number(row: Record, key: str) -> str:
    return number_text(float(row[key]), float(row[f"{key}_stderr"]), 1).removeprefix("+")


def _verdicts(plan: RecallPlan, done: Mapping[RecallTask, Kept]) -> list[Verdict]:
    """By how much the buckets that remember are more exploitable, each kind at its best length."""

    def best(text: str) -> Kept:
        found = [done[plan.task(text, deals)] for deals in plan.deals]
        worth = [exploitability_of(each).value for each in found]
        return found[int(np.nanargmin(worth))]

    thesis = read_data("recall", "thesis.toml")
    (remembers,) = plan.buckets[REMEMBERS]
    return [
        Verdict.above_zero(
            f"{thesis['claim']}: {kind}",
            thesis["source"],
            {text: difference(best(remembers), best(text)) for text in plan.buckets[kind]},
            "mbb/g",
        )
        for kind in (SAME_COUNTS, SAME_ROWS)
    ]

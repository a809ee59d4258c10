"""`reproduce adam`: the plan of its matches, and the report."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pokerlab.arena.matches import check_hands
from pokerlab.runtime.files.job_stores import FolderStore
from pokerlab.studies.adam.tasks import (
    ADAM,
    REGRET,
    TABLE,
    AdamMatch,
    MaskTask,
    Strategies,
    checked_task,
    together,
)
from pokerlab.studies.reporting.data import read_data
from pokerlab.studies.reporting.measure import Measure, mean_of
from pokerlab.studies.reporting.report_table import Record, ReportTable, number_text
from pokerlab.studies.reporting.study import Kept, Study
from pokerlab.studies.reporting.study_report import StudyReport, trial_note
from pokerlab.studies.reporting.verdict import SIGMAS, Verdict

BOTS = ("caller", "raiser", "random", "fair")
"""The seminar names no opponents; these know no solution."""
PART = 1_000
"""Hands of a part of a match; parts can be played at the same time."""
SPEED = 50
"""Hands a second of one core that a judgement by many hands needs."""
_STREETS = ("flop", "turn", "river")

Done = Mapping[AdamMatch | MaskTask, Kept]


@dataclass(frozen=True)
class AdamPlan:
    """What is played.

    Attributes
    ----------
    folder
        Where strategies and results are kept.
    hands
        Of each match, both seatings counted.
    buckets, deals
        Of the pre-computed strategies.
    iterations, weight
        Of the search.
    boards
        On which masks are looked at.
    quick
        Whether this is a trial.
    """

    folder: Path
    hands: int
    buckets: str
    deals: int
    iterations: int = 50
    weight: int = 1
    boards: int = 200
    quick: bool = False

    @classmethod
    def of(cls, folder: Path, hands: int | None = None, *, quick: bool = False) -> AdamPlan:
        """The whole study, or a trial.

        Examples
        --------
        >>> AdamPlan.of(Path(), 999)
        Traceback (most recent call last):
        ValueError: hands: 999 hands cannot be shared by the 2 seatings of a duplicate match ...
        """
        if hands is not None:
            check_hands(hands, 2, 0)
        seminar = read_data("adam", "seminar.toml")
        before, after = seminar["buckets"]
        if quick:
            return cls(folder, hands or 200, "169/ehs-flat:20,20,20", 20_000, 10, 1, 5, quick=True)
        return cls(
            folder, hands or 100_000, f"{before}/ehs-flat:{after},{after},{after}", 8_000_000
        )

    @property
    def strategies(self) -> Strategies:
        """What is played with."""
        return Strategies(self.buckets, self.deals, self.folder / "strategies")

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Who plays whom."""
        pairs = [(player, bot) for bot in BOTS for player in (ADAM, TABLE)]
        return [(ADAM, TABLE), (ADAM, REGRET), (TABLE, REGRET), *pairs]

    def parts(self, player: str, opponent: str) -> list[AdamMatch]:
        """The parts of a match, of about the same size: together all hands, in pairs."""
        count, deals = math.ceil(self.hands / PART), self.hands // 2
        search = self.iterations, self.weight
        return [
            AdamMatch(self.strategies, player, opponent, 2 * len(part), seed, *search)
            for seed, part in enumerate(np.array_split(np.arange(deals), count))
        ]

    @property
    def masks(self) -> MaskTask:
        """The task of the masks."""
        return MaskTask(self.strategies, self.boards, 0)

    @property
    def tasks(self) -> list[AdamMatch | MaskTask]:
        """All of them, so ordered that a run that is cut short has some of each match."""
        matches = zip(*(self.parts(*pair) for pair in self.pairs), strict=True)
        return [self.masks, *(match for part in matches for match in part)]


def adam_study(plan: AdamPlan) -> Study[AdamMatch | MaskTask]:
    """All tasks of a plan."""
    return Study(
        [plan.tasks],
        FolderStore(plan.folder / "tasks", from_json=checked_task),
        lambda done: make_report(plan, done),
        prepare=plan.strategies.make,
    )


def make_report(plan: AdamPlan, done: Done) -> StudyReport:
    """The tables and verdicts of all tasks that are done."""
    won = {
        pair: together(done[part] for part in plan.parts(*pair) if part in done)
        for pair in plan.pairs
    }
    notes = (
        f"limit hold'em for two, {plan.hands:,} duplicate hands a match, mbb a hand",
        f"buckets {plan.buckets}, strategies of {plan.deals:,} random deals: {TABLE} by fictitious"
        f" play on situations, {REGRET} by external sampling",
        f"search: {plan.iterations} iterations of fictitious play a street; the table counts as"
        f" {plan.weight}",
    )
    whole = AdamPlan.of(plan.folder)
    trial = f"{plan.hands:,} hands (of {whole.hands:,}), {plan.buckets} (of {whole.buckets})"
    return StudyReport(
        "Adam, the bot of the seminar on fictitious play",
        () if plan.quick else tuple(_verdicts(plan, done, won)),
        f"{SIGMAS:g} standard errors",
        (_match_table(plan, done, won), _mask_table(plan, done)),
        (*notes, *([trial_note(trial)] if plan.quick else [])),
        facts={"quick": plan.quick, "hands": plan.hands, "tasks": len(done)},
    )


def _verdicts(plan: AdamPlan, done: Done, won: Mapping[tuple[str, str], Measure]) -> list[Verdict]:
    speeds = [_speed(plan, done, ADAM, opponent) for opponent in (*BOTS, TABLE)]
    far = _distances(plan, done)
    return [
        Verdict.above_zero(
            "Adam beats bots that know no solution",
            "training and play",
            {bot: won[ADAM, bot] for bot in BOTS},
        ),
        Verdict.above_zero(
            "the search wins more than the solution that it begins with, against bots",
            "training and play",
            {bot: _more_than_table(plan, done, bot) for bot in BOTS},
        ),
        Verdict.above_zero(
            "and against that solution itself", "training and play", {TABLE: won[ADAM, TABLE]}
        ),
        Verdict.above_zero(
            "of the two approaches, regret minimisation leads to the stronger table",
            "ours",
            {f"against the {TABLE}": -won[TABLE, REGRET]},
        ),
        Verdict.above_zero(
            "Adam does not lose to a table by regret minimisation",
            "ours",
            {REGRET: won[ADAM, REGRET]},
            at_least=True,
        ),
        Verdict.above_zero(
            f"Adam plays {SPEED} hands a second on one core",
            "ours",
            {"above": min(speeds) - SPEED},
            "hands a second",
        ),
        Verdict.above_zero(
            "masked matrices are nearer to those of a board than general ones",
            "abstraction (3)",
            {
                street: mean_of(far["general"][:, number] - far["masked"][:, number])
                for number, street in enumerate(_STREETS)
            },
            "total variation",
        ),
    ]


def _more_than_table(plan: AdamPlan, done: Done, bot: str) -> Measure:
    """What Adam wins more than the table from a bot, part by part on the same deals."""
    pairs = zip(plan.parts(ADAM, bot), plan.parts(TABLE, bot), strict=True)
    both = [[done[part]["mbb"] for part in pair] for pair in pairs if set(pair) <= set(done)]
    return mean_of([adam - table for adam, table in both])


def _speed(plan: AdamPlan, done: Done, player: str, opponent: str) -> float:
    """Hands a second of one core."""
    parts = [done[part] for part in plan.parts(player, opponent) if part in done]
    seconds = sum(part["seconds"] for part in parts)
    return sum(part["hands"] for part in parts) / seconds if seconds else float("nan")


def _match_table(plan: AdamPlan, done: Done, won: Mapping[tuple[str, str], Measure]) -> ReportTable:
    records: list[Record] = [
        {
            "player": player,
            "opponent": opponent,
            "hands": sum(
                done[part]["hands"] for part in plan.parts(player, opponent) if part in done
            ),
            "mbb": measure.value,
            "stderr": measure.error,
            "hands_a_second": _speed(plan, done, player, opponent),
        }
        for (player, opponent), measure in won.items()
    ]
    return ReportTable.of(
        "matches",
        "Duplicate matches",
        records,
        {
            "player": "{player}",
            "opponent": "{opponent}",
            "hands": "{hands:,}",
            "mbb a hand": lambda row: number_text(float(row["mbb"]), float(row["stderr"])),
            "hands a second": "{hands_a_second:.0f}",
        },
    )


def _distances(plan: AdamPlan, done: Done) -> dict[str, np.ndarray]:
    """By kind of matrix (boards, streets)."""
    return {kind: np.array(done[plan.masks][kind]) for kind in ("general", "masked")}


def _mask_table(plan: AdamPlan, done: Done) -> ReportTable:
    far = _distances(plan, done)
    records: list[Record] = []
    for number, street in enumerate(_STREETS):
        row: dict[str, str | float] = {"street": street}
        for kind, each in far.items():
            measure = mean_of(each[:, number])
            row |= {kind: measure.value, f"{kind}_stderr": measure.error}
        records.append(row)
    forms = {kind: f"{{{kind}:.3f}} ± {{{kind}_stderr:.3f}}" for kind in far}
    return ReportTable.of(
        "masks",
        f"Distance (total variation) from matrices counted on {plan.boards} boards",
        records,
        {"to the": "{street}", **forms},
    )

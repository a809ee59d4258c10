"""`reproduce draw`: its tasks, tables and verdicts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from math import inf, nan
from pathlib import Path
from typing import Any, TypeAlias

from pokerlab.players.bots.draw.bot import ROUNDS_OF_DOUBT, base_stake, position_factor
from pokerlab.runtime.files.job_stores import FolderStore
from pokerlab.studies.draw.criteria import MOST_ROUNDS
from pokerlab.studies.draw.small_games import GAMES
from pokerlab.studies.draw.tasks import (
    BASES,
    BET,
    CRITERIA,
    CriteriaTask,
    EvaluatorTask,
    FreezeOutTask,
    SmallGameTask,
    checked_task,
    share_won,
)
from pokerlab.studies.reporting.data import read_data
from pokerlab.studies.reporting.measure import Measure
from pokerlab.studies.reporting.report_table import Record, ReportTable, number_text
from pokerlab.studies.reporting.study import Kept, Study
from pokerlab.studies.reporting.study_report import StudyReport, trial_note
from pokerlab.studies.reporting.verdict import SIGMAS, Verdict

Task: TypeAlias = EvaluatorTask | CriteriaTask | SmallGameTask | FreezeOutTask
Done: TypeAlias = Mapping[Any, Kept]

PART = 50
"""Freeze-outs of a task."""
TABLE_OF_FOUR = ("caller", "raiser", "random", "fair")
ALONE = (("fair",), ("caller",), ("raiser",), ("raiser:all-in",), ("random",))
DOCUMENT = "draw"
VARIANTS = {
    DOCUMENT: "as the document",
    "draw:stake=rank": "stake by the hand as it is",
    "draw:discard=equity": "discards by the chance to win",
    "draw:discard=equity,stake=rank": "both",
}


@dataclass(frozen=True)
class DrawPlan:
    """What is computed, in full or as a trial."""

    quick: bool = False

    @property
    def freeze_outs(self) -> int:
        """Of each bot and table."""
        return 10 if self.quick else 1_000

    @property
    def tables(self) -> list[tuple[str, tuple[str, ...]]]:
        """Who plays whom in freeze-outs."""
        if self.quick:
            return [(DOCUMENT, ("fair",))]
        both = (TABLE_OF_FOUR, ("fair",))
        return [
            *((DOCUMENT, others) for others in (TABLE_OF_FOUR, *ALONE)),
            *((bot, others) for bot in VARIANTS if bot != DOCUMENT for others in both),
        ]

    def parts(self, bot: str, others: tuple[str, ...]) -> list[FreezeOutTask]:
        """The freeze-outs of a bot at a table."""
        size = min(PART, self.freeze_outs)
        return [
            FreezeOutTask(bot, others, size, 20_263 + number)
            for number in range(self.freeze_outs // size)
        ]

    @property
    def criteria(self) -> CriteriaTask:
        """All hands, or few."""
        return CriteriaTask(500 if self.quick else 1)

    @property
    def small(self) -> list[SmallGameTask]:
        """The small games."""
        bases = BASES[::4] if self.quick else BASES
        games = GAMES[:1] if self.quick else GAMES
        return [SmallGameTask(game, bases, 100 if self.quick else 1_000) for game in games]

    @property
    def tasks(self) -> list[Task]:
        """All of them."""
        played = [part for table in self.tables for part in self.parts(*table)]
        return [EvaluatorTask(), self.criteria, *self.small, *played]


def draw_study(plan: DrawPlan, folder: Path) -> Study[Task]:
    """All tasks, kept in a folder."""
    store = FolderStore(folder, from_json=checked_task)
    return Study([plan.tasks], store, partial(make_draw_report, plan))


def make_draw_report(plan: DrawPlan, done: Done) -> StudyReport:
    """Make the tables and verdicts."""
    trial = f"{plan.freeze_outs} freeze-outs (of {DrawPlan().freeze_outs:,}), few hands and bases"
    notes = (
        "five-card draw for chips: ante 10, stacks of 1,000",
        "chances to win: both players draw from 47 cards, whatever the other holds",
        "small games: two cards of six, chips a hand; losses are exact (best response, linear"
        " program)",
    )
    return StudyReport(
        "The document on a five-card draw bot",
        () if plan.quick else tuple(_verdicts(plan, done)),
        f"{SIGMAS:g} standard errors; counts are exact",
        (
            _evaluator_table(done),
            _discard_table(done),
            _stake_table(),
            _criteria_table(plan, done),
            _kind_table(plan, done),
            _small_table(plan, done),
            _base_table(plan, done),
            _freeze_out_table(plan, done),
        ),
        (*notes, *([trial_note(trial)] if plan.quick else [])),
        facts={"quick": plan.quick, "tasks": len(done)},
    )


def _same(conclusion: str, source: str, pairs: Mapping[str, tuple[int, int]]) -> Verdict:
    """A verdict on numbers that must be equal: their distance with a minus is not below zero."""
    found = {
        f"{name}: {ours:,} (document {theirs:,})": -abs(ours - theirs)
        for name, (ours, theirs) in pairs.items()
    }
    return Verdict.above_zero(conclusion, source, found, "difference", at_least=True)


def _verdicts(plan: DrawPlan, done: Done) -> list[Verdict]:
    document = read_data("draw", "document.toml")
    counted = done[EvaluatorTask()]
    flush, plain, _ = counted["step_classes"]
    criteria = done[plan.criteria]
    won = {table: share_won(_parts(plan, done, *table)) for table in plan.tables}
    verdicts = [
        _same(
            "there are 2,598,960 hands of 7,462 classes",
            "evaluator",
            {
                "hands": (counted["hands"], document["hands"]),
                "classes": (counted["classes"], document["classes"]),
            },
        ),
        _same(
            "the evaluator by bit patterns gives the class of every hand",
            "evaluator",
            {"hands with another class": (counted["different"], 0)},
        ),
        _same(
            "the AND settles 1,287 (classes; the document says hands)",
            "evaluator",
            {"classes": (flush, document["flush_patterns"])},
        ),
        _same(
            "two operations settle 2,574 (classes)",
            "evaluator",
            {"classes": (flush + plain, document["patterns"])},
        ),
        _same(
            "read as hands, the AND settles 1,287",
            "evaluator",
            {"hands": (counted["step_hands"][0], document["flush_patterns"])},
        ),
        _same(
            "products of primes tell all other classes apart",
            "evaluator",
            {"products": (counted["products"], document["classes"] - flush - plain)},
        ),
        _same(
            "the bits of the rank run from 0 for a two to 13 for an ace",
            "evaluator",
            {"ace": (counted["last_rank"], document["last_rank"])},
        ),
        _same(
            "one to five cards can be thrown away in 31 ways",
            "discards",
            {"ways": (sum(counted["discards"][1:]), document["discards"])},
        ),
        _same(
            "the table of stakes has a row for every number of chips",
            "stakes",
            {"rows for 800 chips": (int(_row_for(document, 800) is not None), 1)},
        ),
        Verdict.above_zero(
            "the best mean rank is the best discard: it loses nothing of the chance to win",
            "discards",
            {"lost, all hands": -criteria["lost"]},
            "of the chance to win",
            at_least=True,
        ),
    ]
    for task in plan.small:
        small = done[task]
        rule, equity = (small[name] for name in CRITERIA)
        best, _ = _best_base(task, rule["lost"])
        verdicts += [
            Verdict.above_zero(
                f"{_title(task.game)}: CFR and the linear program agree",
                "ours",
                {
                    "0.01 less CFR's exploitability": 0.01 - small["cfr_exploitability"],
                    "1e-6 less that of the linear program": 1e-6 - small["lp_exploitability"],
                    "0.001 less the distance of their values": 0.001
                    - abs(small["cfr_value"] - small["value"]),
                },
                "chips",
            ),
            Verdict.above_zero(
                f"{_title(task.game)}: the document's discards cost nothing if betting is perfect",
                "discards",
                {f"seat {seat}": -lost for seat, lost in enumerate(rule["ruled"])},
                "chips",
                margin=1e-9,
                at_least=True,
            ),
            Verdict.above_zero(
                f"{_title(task.game)}: discards by the chance to win cost less",
                "ours",
                {
                    f"seat {seat}": one - other
                    for seat, (one, other) in enumerate(
                        zip(rule["ruled"], equity["ruled"], strict=True)
                    )
                },
                "chips",
            ),
            Verdict.above_zero(
                f"{_title(task.game)}: with the best base, the document's rule loses less than a"
                " player who folds to every bet (1 chip)",
                "stakes",
                {"1 less its loss": 1.0 - best},
                "chips",
            ),
        ]
    for others in (TABLE_OF_FOUR, ("fair",)):
        table = ", ".join(others)
        verdicts += [
            Verdict.above_zero(
                f"against {table}: {VARIANTS[bot]} wins more freeze-outs",
                "stakes" if bot.endswith("rank") else "discards",
                {"won more": won[bot, others] - won[DOCUMENT, others]},
                "of the freeze-outs",
            )
            for bot in VARIANTS
            if bot != DOCUMENT
        ]
    verdicts.append(
        Verdict.above_zero(
            "the bot wins more freeze-outs than its share",
            "ours",
            {
                ", ".join(others): Measure(measure.value - 1 / (1 + len(others)), measure.error)
                for (bot, others), measure in won.items()
                if bot == DOCUMENT
            },
            "of the freeze-outs",
        )
    )
    return verdicts


def _row_for(document: Mapping[str, Any], chips: int) -> Mapping[str, Any] | None:
    """The first row of the document's table of stakes that has this number of chips."""
    for row in document["stakes"]:
        if chips < row.get("below", 0) or chips > row.get("above", inf):
            return dict(row)
    return None


def _best_base(task: SmallGameTask, lost: list[float]) -> tuple[float, float]:
    """The least loss, and its base; a base that covers no bet only ever folds."""
    return min((loss, base) for base, loss in zip(task.bases, lost, strict=True) if base > BET)


def _title(game: str) -> str:
    return game.replace("_", " ")


def _parts(plan: DrawPlan, done: Done, bot: str, others: tuple[str, ...]) -> list[Kept]:
    return [done[part] for part in plan.parts(bot, others)]


def _evaluator_table(done: Done) -> ReportTable:
    counted = done[EvaluatorTask()]
    names = ("AND: a flush", "OR: five ranks", "product of primes")
    records: list[Record] = [
        {"step": name, "classes": classes, "hands": hands, "share": hands / counted["hands"]}
        for name, classes, hands in zip(
            names, counted["step_classes"], counted["step_hands"], strict=True
        )
    ]
    forms = {"settled by": "{step}", "classes": "{classes:,}", "hands": "{hands:,}"}
    return ReportTable.of(
        "evaluator",
        "The evaluator by bit patterns, on all hands",
        records,
        {**forms, "share of hands": "{share:.1%}"},
    )


def _discard_table(done: Done) -> ReportTable:
    counted = done[EvaluatorTask()]
    records: list[Record] = [
        {"thrown": thrown, "ways": ways, "replacements": hands, "evaluations": ways * hands}
        for thrown, (ways, hands) in enumerate(
            zip(counted["discards"], counted["replacements"], strict=True)
        )
    ]
    return ReportTable.of(
        "discards",
        "Ways to throw cards away, and the hands that each may become",
        records,
        {name: f"{{{name}:,}}" for name in records[0]},
    )


def _stake_table() -> ReportTable:
    document = read_data("draw", "document.toml")
    records: list[Record] = []
    for chips in (99, 100, 799, 800, 801):
        row = _row_for(document, chips) or {"base": nan, "one_opponent": nan}
        records.append(
            {
                "chips": chips,
                "document": float(row["base"]),
                "document_one": float(row["one_opponent"]),
                "bot": base_stake(chips, 3),
                "bot_one": base_stake(chips, 1),
            }
        )

    def shown(name: str) -> Any:
        return lambda row: "no row" if row[name] != row[name] else f"{row[name]:g}"

    last = position_factor(0), min(position_factor(after) for after in range(10))
    return ReportTable.of(
        "stakes",
        f"Bases of the stake (position {last[0]:g} to {last[1]:g}, {ROUNDS_OF_DOUBT} doubtful"
        " rounds)",
        records,
        {
            "chips": "{chips}",
            "document": shown("document"),
            "one opponent": shown("document_one"),
            "here": "{bot}",
            "here, one opponent": "{bot_one}",
        },
    )


def _criteria_table(plan: DrawPlan, done: Done) -> ReportTable:
    found = done[plan.criteria]
    records: list[Record] = [
        {"criterion": name, **{f"thrown_{count}": share for count, share in enumerate(shares)}}
        for name, shares in found["thrown"].items()
    ]
    forms = {f"{count} cards": f"{{thrown_{count}:.2%}}" for count in range(6)}
    return ReportTable.of(
        "criteria",
        f"How many cards are thrown away, {found['hands']:,} hands up to suits"
        f" (other discards {found['differ']:.2%}, lost {found['lost']:.5f} of the chance to win,"
        f" {found['most_lost']:.3f} at most; {_settled(found['rounds'])})",
        records,
        {"criterion": "{criterion}", **forms},
    )


def _settled(rounds: int | None) -> str:
    """Whether the discards by the chance to win are those of an opponent who draws alike."""
    if rounds is None:
        return f"discards still changed after {MOST_ROUNDS} rounds"
    return f"settled after {rounds} rounds"


def _kind_table(plan: DrawPlan, done: Done) -> ReportTable:
    records: list[Record] = [
        {"dealt": kind, "share": share, "differ": differ, "lost": lost}
        for kind, (share, differ, lost) in done[plan.criteria]["kinds"].items()
    ]
    return ReportTable.of(
        "kinds",
        "Where mean class and the chance to win disagree",
        records,
        {
            "dealt": "{dealt}",
            "share of hands": "{share:.3%}",
            "other discards": "{differ:.1%}",
            "lost of the chance to win": "{lost:.5f}",
        },
    )


def _small_table(plan: DrawPlan, done: Done) -> ReportTable:
    records: list[Record] = []
    for task in plan.small:
        small = done[task]
        for name in CRITERIA:
            lost, base = _best_base(task, small[name]["lost"])
            records.append(
                {
                    "game": _title(task.game),
                    "value": small["value"],
                    "cfr": small["cfr_exploitability"],
                    "cfr_value": small["cfr_value"],
                    "discards": name,
                    "first_seat": small[name]["ruled"][0],
                    "second_seat": small[name]["ruled"][1],
                    "rule": lost,
                    "base": base,
                }
            )
    return ReportTable.of(
        "small-games",
        "Small draw games: what rules lose to the best response, in chips a hand",
        records,
        {
            "game": "{game}",
            "value (seat 0)": "{value:+.5f}",
            "discards by": "{discards}",
            "discards alone, seat 0": "{first_seat:.4f}",
            "seat 1": "{second_seat:.4f}",
            "the whole rule": "{rule:.4f}",
            "at base": "{base:g}",
        },
    )


def _base_table(plan: DrawPlan, done: Done) -> ReportTable:
    records: list[Record] = [
        {
            "game": _title(task.game),
            "discards": name,
            **{f"base_{base}": lost for base, lost in zip(task.bases, found, strict=True)},
        }
        for task in plan.small
        for name in CRITERIA
        for found in [done[task][name]["lost"]]
    ]
    forms = {f"base {base}": f"{{base_{base}:.3f}}" for base in plan.small[0].bases}
    return ReportTable.of(
        "bases",
        "What the document's rule loses by the base of its stake, in chips a hand",
        records,
        {"game": "{game}", "discards by": "{discards}", **forms},
    )


def _freeze_out_table(plan: DrawPlan, done: Done) -> ReportTable:
    records: list[Record] = []
    for bot, others in plan.tables:
        share, error = share_won(_parts(plan, done, bot, others))
        records.append(
            {
                "bot": VARIANTS[bot],
                "opponents": ", ".join(others),
                "freeze_outs": plan.freeze_outs,
                "won": share,
                "stderr": error,
            }
        )
    return ReportTable.of(
        "freeze-outs",
        "Freeze-outs",
        records,
        {
            "bot": "{bot}",
            "opponents": "{opponents}",
            "won": lambda row: number_text(float(row["won"]), float(row["stderr"]), 3)[1:],
        },
    )
